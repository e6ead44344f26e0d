"""The recipes of docs/serve.md, word for word, in the programs they are for."""

import os
import re
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.cli.making import ham, spam
from tests.cli.running import ENVIRONMENT
from tests.e2e.postfix import postfix
from tests.serve.making import BITS, TAUGHT
from tests.serve.waiting import eventually
from thresher.config import Settings

NEW: Final = TAUGHT + 5
PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "serve.md"


def recipe(language: str) -> str:
    """Return the block of that language."""
    [block] = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return str(block)


@pytest.fixture
def bin_folder(settings: Settings, open_folder: Path) -> Path:
    """Give a folder with a `thresher` in it that has its home."""
    folder = open_folder / "bin"
    folder.mkdir()
    program = folder / "thresher"
    given = {"THRESHER_HOME": settings.home, "THRESHER_BITS": BITS, "PYTHONPATH": ENVIRONMENT["PYTHONPATH"]}
    assigned = " ".join(f"{name}='{value}'" for name, value in given.items())
    program.write_text(f'#!/bin/sh\n{assigned} exec {sys.executable} -m thresher "$@"\n')
    program.chmod(0o755)
    return folder


def subjects(*folders: Path) -> list[list[str]]:
    """Name what lies in each Maildir, or folder of one."""
    return [
        sorted(
            found[1]
            for file in folder.glob("new/*")
            if (found := re.search(r"^Subject: (.*)$", file.read_text(), re.MULTILINE))
        )
        for folder in folders
    ]


SORTED: Final = [[f"Minutes of meeting {NEW}"], [f"You WON ${NEW}00 !!!"]]


@pytest.mark.procmail
def test_procmail_sorts_and_delivers_what_could_not_be_judged(
    bin_folder: Path, open_folder: Path, settings: Settings
) -> None:
    rules = open_folder / "procmailrc"
    box = open_folder / "Mail"
    rules.write_text(
        f"MAILDIR={box}\nDEFAULT={box}/\nPATH={bin_folder}:/usr/bin:/bin\nSHELL=/bin/sh\n{recipe('procmail')}"
    )
    (box / "Junk").mkdir(parents=True)

    def deliver(raw: bytes) -> None:
        subprocess.run(["procmail", "-m", str(rules)], input=raw, check=True, env={"PATH": "/usr/bin:/bin"})

    for raw in (ham(NEW), spam(NEW)):
        deliver(raw)
    assert subjects(box, box / "Junk") == SORTED
    (settings.home / "config.toml").write_text("nonsense")
    deliver(spam(NEW))
    (bin_folder / "thresher").write_text("#!/bin/sh\nexit 1\n")
    deliver(spam(NEW + 1))
    assert len(subjects(box)[0]) == 3, "a filter that is broken, or gone, loses no mail"


@pytest.mark.maildrop
def test_maildrop_sorts(bin_folder: Path, open_folder: Path) -> None:
    rules = open_folder / "mailfilter"
    rules.write_text(f'PATH="{bin_folder}:/usr/bin:/bin"\nSHELL="/bin/sh"\n{recipe("maildrop")}')
    rules.chmod(0o600)
    for folder in ("Maildir", "Maildir/.Junk"):
        for part in ("new", "cur", "tmp"):
            (open_folder / folder / part).mkdir(parents=True)
    for raw in (ham(NEW), spam(NEW)):
        subprocess.run(["maildrop", str(rules)], input=raw, check=True, cwd=open_folder, env={"HOME": str(open_folder)})
    assert subjects(open_folder / "Maildir", open_folder / "Maildir" / ".Junk") == SORTED


@contextmanager
def run_by_others(program: Path) -> Iterator[Path]:
    """Give a program that any user may start, though only root may enter the folder of this Python: it is run here."""
    jobs = program.with_name("jobs")
    jobs.mkdir()
    jobs.chmod(0o777)
    script = program.with_name("thresher-for-others")
    script.write_text(
        f'#!/bin/sh\njob=$(mktemp -d {jobs}/XXXXXX)\nchmod 755 $job\ncat > $job/in\nprintf "%s\\n" "$@" > $job/asked\n'
        "mv $job/asked $job/args\nwhile [ ! -e $job/rc ]; do sleep 0.05; done\nexit $(cat $job/rc)\n"
    )
    script.chmod(0o755)
    enough = threading.Event()

    def work() -> None:
        while not enough.wait(0.05):
            for args in jobs.glob("*/args"):
                line = [str(program), *args.read_text().splitlines()]
                ran = subprocess.run(line, input=(args.parent / "in").read_bytes(), check=False)
                args.unlink()
                args.with_name("code").write_text(str(ran.returncode))
                args.with_name("code").rename(args.with_name("rc"))

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield script
    finally:
        enough.set()
        worker.join()


@pytest.mark.postfix
@pytest.mark.skipif(os.geteuid() != 0, reason="Postfix is started by root only")
def test_a_postfix_pipe_tags_and_hands_in_again(bin_folder: Path, open_folder: Path) -> None:
    lines = recipe("postfix").splitlines(keepends=True)
    smtpd, services = lines[1].strip(), "".join(lines[2:]).replace("user=thresher", "user=nobody")
    with run_by_others(bin_folder / "thresher") as program:
        services = services.replace("/usr/bin/thresher", str(program))
        # This Postfix is not the one of /etc/postfix, which sendmail would take.
        services = services.replace("/usr/sbin/sendmail", f"/usr/sbin/sendmail -C {open_folder / 'conf'}")
        with postfix(open_folder, services=services, smtpd=smtpd) as server:
            for raw in (ham(NEW), spam(NEW)):
                server.send(raw)
            try:
                eventually(lambda: len(server.delivered()) == 2)
            except AssertionError:
                raise AssertionError(server.log) from None
            delivered = server.delivered()
    told = {b"\nX-Spam: Yes\n" in raw: b"Subject: You WON" in raw for raw in delivered}
    assert told == {True: True, False: False}


@pytest.mark.sieve
def test_sieve_files_spam(bin_folder: Path, open_folder: Path) -> None:
    script = open_folder / "junk.sieve"
    script.write_text(recipe("sieve"))
    for raw, filed in ((ham(NEW), "store message in folder: INBOX"), (spam(NEW), "store message in folder: Junk")):
        tagged = subprocess.run([bin_folder / "thresher", "filter"], input=raw, capture_output=True, check=True)
        message = open_folder / "message"
        message.write_bytes(tagged.stdout)
        ran = subprocess.run(
            ["sieve-test", "-o", "mail_uid=nobody", "-o", "mail_gid=nogroup", str(script), str(message)],
            capture_output=True,
            text=True,
            check=False,
            cwd=open_folder,
        )
        assert ran.returncode == 0, ran.stderr
        assert filed in ran.stdout


def test_the_recipes_are_there() -> None:
    assert all(recipe(language) for language in ("procmail", "maildrop", "postfix", "sieve"))
    assert stat.S_ISREG(PAGE.stat().st_mode)
    assert shutil.which("sh")
