"""rspamc and what stands in for it, side by side: both ask a daemon of ours; ours works without one, too."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.compat.both import NEW, ours, real, shape, write_mail
from tests.cli.making import ham, spam
from tests.serve.making import taught_home
from tests.serve.running import free_port, serving
from thresher.config import Settings

pytestmark = pytest.mark.rspamc


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, int, Path]]:
    """Give a home, the port of a daemon for it, and mail."""
    with running(tmp_path_factory.mktemp("rspamc")) as made:
        yield made


@contextmanager
def running(folder: Path) -> Iterator[tuple[Settings, int, Path]]:
    settings = taught_home(folder / "home")
    write_mail(folder / "mail")
    port = free_port()
    with serving(settings, "--http", f":{port}", environment={"THRESHER_SERVE_LEARNING": "true"}):
        yield settings, port, folder / "mail"


def told(out: str) -> str:
    """Return what is printed without times and the program's own name."""
    out = re.sub(r"\([\d.e-]+ seconds\)", "(T seconds)", out)
    out = re.sub(r"scan_time = [\d.]+", "scan_time = T", out)
    out = re.sub(r"X-Spam-Scanner: .*", "X-Spam-Scanner: P", out)
    return re.sub(r"X-Spam-Scan-Time: .*", "X-Spam-Scan-Time: T", out).strip()


@pytest.mark.parametrize("make", [spam, ham])
@pytest.mark.parametrize("args", ["", "symbols", "-m"])
def test_a_verdict_is_shown_alike(world: tuple[Settings, int, Path], args: str, make: object) -> None:
    settings, port, _ = world
    raw: bytes = make(NEW)  # type: ignore[operator] # one of two functions
    theirs = real("rspamc", "-h", f"127.0.0.1:{port}", *args.split(), stdin=raw)
    asked = ours("rspamc", "-h", f"127.0.0.1:{port}", *args.split(), home=settings.home, stdin=raw)
    itself = ours("rspamc", *args.split(), home=settings.home, stdin=raw)
    assert told(asked.out) == told(itself.out) == told(theirs.out)
    assert asked.code == itself.code == theirs.code == 0


@pytest.mark.parametrize("args", [["--json"], ["-j", "--compact"]])
def test_json_has_the_same_fields(world: tuple[Settings, int, Path], args: list[str]) -> None:
    settings, port, _ = world
    theirs = json.loads(real("rspamc", "-h", f"127.0.0.1:{port}", *args, stdin=spam(NEW)).out)
    mine = json.loads(ours("rspamc", *args, home=settings.home, stdin=spam(NEW)).out)
    for timed in ("time_real", "scan_time"):
        assert isinstance(mine.pop(timed), float)
        theirs.pop(timed)
    assert mine == theirs


def test_files_are_judged_one_after_the_other(world: tuple[Settings, int, Path]) -> None:
    settings, port, mail = world
    theirs = real("rspamc", "-n", "1", "-h", f"127.0.0.1:{port}", "s", "h", cwd=mail)
    mine = ours("rspamc", "s", "h", home=settings.home, cwd=mail)
    assert sorted(told(mine.out).split("\n\n")) == sorted(told(theirs.out).split("\n\n"))
    folder = ours("rspamc", "spam", home=settings.home, cwd=mail)
    assert folder.out.count("Action: add header") == 20


def test_lessons_say_the_same(tmp_path: Path) -> None:
    with running(tmp_path) as (settings, port, _):
        for number, command in ((200, "learn_spam"), (200, "learn_spam"), (200, "learn_ham"), (3, "learn_ham")):
            theirs = real("rspamc", "-h", f"127.0.0.1:{port}", "-u", "ben", command, stdin=spam(number))
            asked = ours(
                "rspamc", "-h", f"127.0.0.1:{port}", "-u", "cora", command, home=settings.home, stdin=spam(number)
            )
            itself = ours("rspamc", "-u", "dora", command, home=settings.home, stdin=spam(number))
            assert told(asked.out) == told(itself.out) == told(theirs.out)
            assert asked.code == itself.code == theirs.code


def test_statistics_count_lessons(world: tuple[Settings, int, Path]) -> None:
    settings, port, _ = world
    theirs = real("rspamc", "-h", f"127.0.0.1:{port}", "stat").out
    mine = ours("rspamc", "stat", home=settings.home).out
    assert re.findall(r"Messages learned: \d+|Total learns: \d+", mine) == re.findall(
        r"Messages learned: \d+|Total learns: \d+", theirs
    )
    assert shape(mine).count("Statfile: BAYES_") == 2


def test_a_server_that_is_not_there_is_an_error_and_nobody_else_is_asked(world: tuple[Settings, int, Path]) -> None:
    settings, _, _ = world
    address = f"127.0.0.1:{free_port()}"
    theirs = real("rspamc", "-h", address, stdin=ham(NEW))
    mine = ours("rspamc", "-h", address, home=settings.home, stdin=ham(NEW))
    assert mine.code == theirs.code == 1
    assert told(mine.out).split(":")[:2] == told(theirs.out).split(":")[:2]


def test_what_has_no_meaning_here_is_refused(tmp_path: Path) -> None:
    ran = ours("rspamc", "fuzzy_add", home=tmp_path, stdin=ham(1))
    assert (ran.code, ran.err) == (1, "rspamc: fuzzy_add has no meaning in thresher\n")
