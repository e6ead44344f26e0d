"""spamc and what stands in for it, side by side: both ask a daemon of ours; ours works without one, too."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.compat.both import NEW, Ran, as_a_program, ours, real, shape, write_mail
from tests.cli.making import ham, spam
from tests.serve.making import taught_home
from tests.serve.running import serving
from thresher.config import Settings

pytestmark = pytest.mark.spamc

MODES = ["-c", "-E", "-R", "-r", "-y", "--headers", "", "-R -E", "-K", "-c -s 100", "-R -s 100", "-s 100"]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, Path]]:
    """Give a home, and the socket of a daemon for it."""
    with running(tmp_path_factory.mktemp("spamc")) as made:
        yield made


@contextmanager
def running(folder: Path) -> Iterator[tuple[Settings, Path]]:
    settings = taught_home(folder / "home")
    write_mail(folder / "mail")
    path = folder / "spamd"
    with serving(settings, "--spamd", f"unix:{path}", environment={"THRESHER_SERVE_LEARNING": "true"}):
        yield settings, path


@pytest.mark.parametrize("make", [spam, ham])
@pytest.mark.parametrize("mode", MODES)
def test_every_mode_does_the_same(world: tuple[Settings, Path], mode: str, make: object) -> None:
    settings, path = world
    raw: bytes = make(NEW)  # type: ignore[operator] # one of two functions
    theirs = real("spamc", "-U", path, *mode.split(), stdin=raw)
    asked = ours("spamc", "-U", path, *mode.split(), home=settings.home, stdin=raw)
    itself = ours("spamc", *mode.split(), home=settings.home, stdin=raw)
    assert asked[:2] == itself[:2]
    assert (asked.code, asked.out.rstrip("\n")) == (theirs.code, theirs.out.rstrip("\n"))


def test_lessons_are_given_and_taken_back(tmp_path: Path) -> None:
    with running(tmp_path) as (settings, path):
        for number, kind in ((100, "spam"), (100, "spam"), (100, "ham"), (100, "forget"), (100, "forget")):
            theirs = real("spamc", "-U", path, "-L", kind, "-u", "ben", stdin=spam(number))
            asked = ours("spamc", "-U", path, "-L", kind, "-u", "cora", home=settings.home, stdin=spam(number))
            itself = ours("spamc", "-L", kind, "-u", "dora", home=settings.home, stdin=spam(number))
            assert asked[:2] == itself[:2] == theirs[:2]
        theirs = real("spamc", "-U", path, "-C", "report", stdin=spam(101))
        assert ours("spamc", "-U", path, "-C", "report", home=settings.home, stdin=spam(102))[:2] == theirs[:2]


@pytest.mark.parametrize("mode", ["-c", "-E", "-R", "-r", "-y", "", "-K", "-L spam", "-x", "-x -X", "-c -x", "-R -x"])
def test_without_a_server_it_falls_back_as_spamc_does(tmp_path: Path, mode: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    args = ["-d", "127.0.0.1", "-p", port, "--connect-retries", "1", *mode.split()]
    theirs = real("spamc", *args, stdin=ham(NEW))
    assert ours("spamc", *args, home=tmp_path, stdin=ham(NEW))[:2] == theirs[:2]


def test_the_output_goes_to_a_command(world: tuple[Settings, Path]) -> None:
    settings, path = world
    theirs = real("spamc", "-U", path, "-e", "/usr/bin/head", "-n", "3", stdin=spam(NEW))
    mine = as_a_program("spamc", "-U", path, "-e", "/usr/bin/head", "-n", "3", home=settings.home, stdin=spam(NEW))
    assert mine[:2] == theirs[:2]


@pytest.mark.parametrize("args", [["--bogus"], ["-L", "maybe"]])
def test_wrong_usage_is_refused_alike(tmp_path: Path, args: list[str]) -> None:
    assert real("spamc", *args, stdin=ham(1)).code == ours("spamc", *args, home=tmp_path, stdin=ham(1)).code == 64


def test_the_version_names_who_it_is(tmp_path: Path) -> None:
    ran = ours("spamc", "-V", home=tmp_path)
    assert ran == Ran(0, ran.out, "")
    assert shape(ran.out).startswith("SpamAssassin Client version N")
