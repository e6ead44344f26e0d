"""bogofilter and what stands in for it, side by side."""

from pathlib import Path

import pytest

from tests.cli.compat.both import UNSURE, Ran, ours, real, shape, write_mail
from tests.cli.making import ham, spam
from tests.cli.running import run
from thresher.mail.annotate import annotated

pytestmark = pytest.mark.bogofilter


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with mail, and both programs taught from it."""
    folder = tmp_path_factory.mktemp("bogofilter")
    write_mail(folder)
    (folder / "db").mkdir()
    for letter, kind in (("-s", "spam"), ("-n", "ham")):
        assert real("bogofilter", "-C", "-d", "db", letter, "-B", kind, cwd=folder).code == 0
        assert ours("bogofilter", letter, "-B", kind, home=folder / "home", cwd=folder) == Ran(0, "", "")
    return folder


def both(world: Path, *args: str, stdin: bytes = b"") -> tuple[Ran, Ran]:
    return (
        real("bogofilter", "-C", "-d", "db", *args, stdin=stdin, cwd=world),
        ours("bogofilter", *args, home=world / "home", stdin=stdin, cwd=world),
    )


@pytest.mark.parametrize("message", ["s", "h", "u"])
@pytest.mark.parametrize("args", ["", "-v", "-t", "-TT", "-e", "-q", "-tv", "-u -v", "-o 0.99,0.01 -v"])
def test_verdicts_are_printed_and_told_by_the_exit_code_alike(world: Path, args: str, message: str) -> None:
    theirs, mine = both(world, *args.split(), stdin=(world / message).read_bytes())
    assert (mine.code, shape(mine.out)) == (theirs.code, shape(theirs.out))


@pytest.mark.parametrize("message", ["s", "h", "u"])
def test_the_terse_form_begins_with_the_same_letter(world: Path, message: str) -> None:
    theirs, mine = both(world, "-T", stdin=(world / message).read_bytes())
    assert (mine.code, mine.out[:2]) == (theirs.code, theirs.out[:2])
    assert 0 <= float(mine.out[2:]) <= 1


@pytest.mark.parametrize("args", [["-p"], ["-p", "-e"], ["-p", "-u", "-e"]])
@pytest.mark.parametrize("message", ["s", "h", "u"])
def test_a_message_passes_with_its_header_and_without_a_forged_one(world: Path, message: str, args: list[str]) -> None:
    raw = b"X-Bogosity: Ham, tests=bogofilter, spamicity=0.000000, version=9\n" + (world / message).read_bytes()
    theirs, mine = both(world, *args, stdin=raw)
    assert (mine.code, shape(mine.out)) == (theirs.code, shape(theirs.out))
    assert annotated(mine.out.encode(), [], {b"x-bogosity"}) == (world / message).read_bytes()


@pytest.mark.parametrize("args", [["-M"], ["-M", "-v"], ["-M", "-t"]])
def test_an_mbox_is_judged_message_by_message(world: Path, args: list[str]) -> None:
    theirs, mine = both(world, *args, stdin=(world / "both.mbox").read_bytes())
    assert (mine.code, shape(mine.out)) == (theirs.code, shape(theirs.out))


@pytest.mark.parametrize("args", ["-b", "-b -t", "-b -v", "-v -B s h u", "-B s u h", "-v -I s"])
def test_files_are_named_on_the_line_or_on_standard_input(world: Path, args: str) -> None:
    theirs, mine = both(world, *args.split(), stdin=b"s\nh\nu\n")
    assert (mine.code, shape(mine.out)) == (theirs.code, shape(theirs.out))


def test_the_evidence_has_the_same_columns(world: Path) -> None:
    for flags in ("-vv", "-vvv"):
        theirs, mine = both(world, flags, stdin=(world / "s").read_bytes())
        assert mine.code == theirs.code
        assert mine.out.splitlines()[1].split() == theirs.out.splitlines()[1].split()
        assert len(mine.out.splitlines()) > 3
    assert len(both(world, "-vv", stdin=(world / "s").read_bytes())[1].out.splitlines()) == 12


def test_options_written_out_mean_the_same(world: Path) -> None:
    theirs, mine = both(world, "--passthrough", "--ham-true", stdin=(world / "s").read_bytes())
    assert (mine.code, shape(mine.out)) == (theirs.code, shape(theirs.out))


def test_an_option_that_is_none_is_refused_alike(world: Path) -> None:
    theirs, mine = both(world, "-z", stdin=b"")
    assert mine.code == theirs.code == 2
    assert "z" in mine.err


def test_lessons_are_counted_corrected_and_taken_back(tmp_path: Path) -> None:
    """The steps of a mail reader's buttons; after each the verdict follows."""
    write_mail(tmp_path)
    home = tmp_path / "home"

    def counts() -> tuple[int, int]:
        lessons = run("status", "--json", home=home).objects[0]["lessons"]
        return lessons["ham"], lessons["spam"]

    assert ours("bogofilter", "-s", "-v", home=home, stdin=spam(1)).out.endswith("words, 1 message\n")
    assert ours("bogofilter", "-n", home=home, stdin=ham(1)) == Ran(0, "", "")
    assert counts() == (1, 1)
    ours("bogofilter", "-s", home=home, stdin=spam(1))
    assert counts() == (1, 1), "a lesson counts once"
    ours("bogofilter", "-Sn", home=home, stdin=spam(1))
    assert counts() == (2, 0)
    ours("bogofilter", "-Ns", home=home, stdin=spam(1))
    assert counts() == (1, 1)
    ours("bogofilter", "-S", home=home, stdin=spam(1))
    assert counts() == (1, 0)
    ours("bogofilter", "-u", "-p", home=home, stdin=spam(2))
    assert counts() == (1, 0), "it never learns from its own verdict"
    ours("bogofilter", "-M", "-s", home=home, stdin=(tmp_path / "both.mbox").read_bytes())
    assert counts() == (1, 2)
    ours("bogofilter", "-d", str(tmp_path / "other"), "-s", home=home, stdin=spam(1))
    assert (tmp_path / "other" / "journal.sqlite").exists()


def test_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    ran = ours("bogofilter", "-I", tmp_path / "nothing", home=tmp_path / "home")
    assert ran.code == 3
    assert "nothing" in ran.err


def test_nothing_learned_is_unsure(tmp_path: Path) -> None:
    assert ours("bogofilter", "-t", home=tmp_path / "home", stdin=UNSURE) == Ran(2, "U 0.500000\n", "")
