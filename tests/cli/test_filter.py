"""``thresher filter``: a message in, the same with our headers out; whatever fails, the message is not lost."""

import email
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.cli.running import ENVIRONMENT, line_of, program, run
from tests.serve.making import BITS, TAUGHT, taught_home
from tests.serve.running import serving
from thresher.cli import filter_ as module
from thresher.config import Settings
from thresher.mail.annotate import annotated
from thresher.serve.tags import OWN

NEW = TAUGHT + 5


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Give the settings of a home that was taught some messages of each kind."""
    monkeypatch.setenv("THRESHER_BITS", str(BITS))
    return taught_home(tmp_path / "home")


def verdict_in(out: str) -> str | None:
    return email.message_from_string(out)["X-Spam"]


@pytest.mark.parametrize(("make", "told", "code"), [(spam, "Yes", 10), (ham, "No", 0)])
def test_the_verdict_is_added_and_all_else_stays(settings: Settings, make: object, told: str, code: int) -> None:
    raw: bytes = make(NEW)  # type: ignore[operator] # one of two functions
    ran = run("filter", home=settings.home, stdin=raw)
    assert (ran.code, ran.err, verdict_in(ran.out)) == (0, "", told)
    assert annotated(ran.out.encode(), [], OWN) == raw
    assert run("filter", "--exit-code", home=settings.home, stdin=raw).code == code


def test_forged_headers_go_and_odd_bytes_stay(settings: Settings) -> None:
    raw = b"X-Spam: No\nSubject: \xff\xfe\r\n\r\nbody \x00\xff without a line end"
    line = line_of("filter", home=settings.home)
    ran = subprocess.run(line, env=ENVIRONMENT, input=raw, capture_output=True, check=True)
    assert annotated(ran.stdout, [], OWN) == raw.replace(b"X-Spam: No\n", b"")
    assert ran.stdout.count(b"X-Spam:") == 1


def test_procmails_line_before_the_header_stays_first(settings: Settings) -> None:
    raw = b"From bob@away.example Sat Jan  3 01:05:34 2026\n" + spam(NEW)
    ran = run("filter", home=settings.home, stdin=raw)
    assert ran.out.encode().startswith(raw[: raw.index(b"\n") + 1] + b"From: ")
    assert "\nX-Spam: Yes\n" in ran.out


def test_the_daemon_is_asked_where_one_runs(settings: Settings) -> None:
    """A model that only memory holds proves it: the daemon goes on judging when the files are gone."""
    with serving(settings, "--spamd", f"unix:{settings.home.with_name('s')}"):
        for path in settings.home.glob("model-*"):
            path.unlink()
        (settings.home / "journal.sqlite").rename(settings.home.with_name("aside"))
        ran = program("filter", home=settings.home, stdin=spam(NEW))
        assert (ran.code, ran.err, verdict_in(ran.out)) == (0, "", "Yes")
        settings.home.with_name("aside").rename(settings.home / "journal.sqlite")


def test_without_the_daemon_it_works_alone(settings: Settings) -> None:
    with serving(settings, "--spamd", f"unix:{settings.home.with_name('s')}") as daemon:
        sock = settings.home / "daemon.sock"
        assert stat.S_IMODE(sock.stat().st_mode) == 0o600
        daemon.stop()
        assert not sock.exists()
    ran = run("filter", "--daemon", f"unix:{sock}", home=settings.home, stdin=spam(NEW))
    assert (ran.code, ran.err, verdict_in(ran.out)) == (0, "", "Yes")


def test_a_server_that_is_no_daemon_of_ours_changes_nothing(settings: Settings) -> None:
    address = f"unix:{settings.home.with_name('s')}"
    with serving(settings, "--spamd", address):
        ran = run("filter", "--daemon", address, home=settings.home, stdin=spam(NEW))
    assert (ran.code, ran.err, verdict_in(ran.out)) == (0, "", "Yes")


def broken_journal(home: Path) -> None:
    for path in home.iterdir():
        if path.is_file():
            path.write_bytes(b"this is no journal" * 1000)


def broken_settings(home: Path) -> None:
    (home / "config.toml").write_text("spam_from = 'often'\n")


def home_that_is_a_file(home: Path) -> None:
    home.rename(home.with_name("aside"))
    home.write_text("")


@pytest.mark.parametrize("harm", [broken_journal, broken_settings, home_that_is_a_file])
def test_on_any_failure_the_message_goes_out_as_it_came(settings: Settings, harm: object) -> None:
    harm(settings.home)  # type: ignore[operator] # one of three functions
    ran = run("filter", home=settings.home, stdin=spam(NEW))
    assert (ran.code, ran.out.encode()) == (0, spam(NEW))
    assert "the message goes on unchanged: " in ran.err


def test_the_reason_stands_in_the_log_without_a_word_of_the_message(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(raw: bytes, *_: object) -> None:
        raise MemoryError(raw)

    monkeypatch.setattr(module, "_judged", broken)
    ran = run("filter", home=settings.home, stdin=spam(NEW))
    assert (ran.code, ran.out.encode()) == (0, spam(NEW))
    log = settings.home / "filter.log"
    assert "a message went on unchanged: MemoryError at " in log.read_text()
    assert "prize" not in log.read_text().lower() + ran.err.lower()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    monkeypatch.setattr(module, "MOST_LOG", 10)
    run("filter", home=settings.home, stdin=spam(NEW))
    run("filter", home=settings.home, stdin=spam(NEW))
    assert log.read_text().count("\n") == 1
    assert log.with_suffix(".log.1").exists()


def test_what_takes_too_long_goes_out_as_it_came(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(module, "_judged", slow)
    monkeypatch.setattr(module, "PATIENCE", 0.1)
    ran = run("filter", home=settings.home, stdin=spam(NEW))
    assert (ran.code, ran.out.encode()) == (0, spam(NEW))
    assert "no verdict within 0.1 s" in ran.err


def test_options_that_mean_nothing_lose_no_message(settings: Settings) -> None:
    ran = run("filter", "--bogus", home=settings.home, stdin=spam(NEW))
    assert (ran.code, ran.out.encode()) == (0, spam(NEW))
    assert "unchanged: No such option '--bogus'" in ran.err


def test_a_message_that_could_not_be_written_is_to_be_kept(settings: Settings) -> None:
    line = line_of("filter", home=settings.home)
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(line, env=ENVIRONMENT, input=spam(NEW), stdout=full, stderr=subprocess.PIPE, check=False)
    assert ran.returncode == 75
    assert b"could not be written: No space left on device" in ran.stderr
    ends, begins = os.pipe()
    os.close(ends)
    ran = subprocess.run(line, env=ENVIRONMENT, input=spam(NEW), stdout=begins, stderr=subprocess.PIPE, check=False)
    os.close(begins)
    assert ran.returncode == 75


def test_a_command_gets_the_message_and_its_exit_code_is_ours(settings: Settings, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    script = f"import sys; open({str(kept)!r}, 'wb').write(sys.stdin.buffer.read()); sys.exit(77)"
    ran = run("filter", "--", sys.executable, "-c", script, home=settings.home, stdin=spam(NEW))
    assert (ran.code, ran.out) == (77, "")
    assert verdict_in(kept.read_text()) == "Yes"
    ran = run("filter", "--", "/nowhere/sendmail", home=settings.home, stdin=spam(NEW))
    assert (ran.code, ran.err) == (75, "thresher: /nowhere/sendmail could not be run: No such file or directory\n")


def test_a_huge_message_passes_whole(settings: Settings) -> None:
    huge = spam(NEW) + b"and so on and so on and so on\n" * 200_000
    ran = run("filter", home=settings.home, stdin=huge)
    assert verdict_in(ran.out) == "Yes"
    assert annotated(ran.out.encode(), [], OWN) == huge


def test_an_empty_message_is_no_failure(settings: Settings) -> None:
    ran = run("filter", home=settings.home)
    assert (ran.code, ran.err) == (0, "")
