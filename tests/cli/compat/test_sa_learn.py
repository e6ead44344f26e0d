"""sa-learn and what stands in for it, side by side."""

from pathlib import Path

import pytest

from tests.cli.compat.both import Ran, ours, real, shape, write_mail
from tests.cli.making import ham, spam

pytestmark = pytest.mark.sa_learn

SETTINGS = """\
use_bayes 1
bayes_auto_learn 0
bayes_path {folder}/bayes
dns_available no
skip_rbl_checks 1
"""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with mail and SpamAssassin's settings."""
    folder = tmp_path_factory.mktemp("sa-learn")
    write_mail(folder)
    (folder / "sa.cf").write_text(SETTINGS.format(folder=folder))
    return folder


def test_the_same_commands_in_the_same_order_say_the_same(world: Path) -> None:
    def both(*args: str, stdin: bytes = b"") -> tuple[Ran, Ran]:
        theirs = real("sa-learn", "-L", "-p", "sa.cf", *args, stdin=stdin, cwd=world)
        return theirs, ours("sa-learn", "-L", "-p", "sa.cf", *args, home=world / "home", stdin=stdin, cwd=world)

    for args, stdin in (
        (["--spam", "spam"], b""),
        (["--ham", *sorted(str(file) for file in (world / "ham").iterdir())], b""),
        (["--spam"], spam(100)),
        (["--spam"], spam(100)),
        (["--forget"], spam(100)),
        (["--forget"], spam(100)),
        (["--ham", "h"], b""),
        (["--spam", "h"], b""),
        (["--forget", "h"], b""),
        (["--mbox", "--ham"], b"From a@b.example Sat Jan  3 01:05:34 2026\n" + ham(101) + b"\n"),
        (["--spam", "--dir", "spam"], b""),
        (["--no-sync", "--spam", "--max-size", "10", "s"], b""),
        (["--sync"], b""),
        (["--spam", "nothing"], b""),
    ):
        theirs, mine = both(*args, stdin=stdin)
        assert (mine.code, mine.out) == (theirs.code, theirs.out), (args, theirs, mine)
    theirs, mine = both("--dump", "magic")
    assert shape(mine.out).split() == shape(theirs.out).split()
    assert mine.out.splitlines()[1:3] == theirs.out.splitlines()[1:3]
    assert [line.split()[3] == "0" for line in both("--dump", "data")[1].out.splitlines()].count(False) == 0
    theirs, mine = both()
    assert mine.code == theirs.code
    assert theirs.err.splitlines()[:2] == mine.err.splitlines()[:2]


def test_a_backup_is_restored(world: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    ours("sa-learn", "--spam", world / "spam", home=home)
    backup = tmp_path / "backup"
    backup.write_text(ours("sa-learn", "--backup", home=home).out)
    assert ours("sa-learn", "--clear", home=home) == Ran(0, "", "")
    assert " 0          0  non-token data: nspam" in ours("sa-learn", "--dump", "magic", home=home).out
    assert ours("sa-learn", "--restore", backup, home=home).code == 0
    assert ours("sa-learn", "--spam", world / "spam", home=home).out.startswith("Learned tokens from 0 message(s) (20 ")


def test_an_option_that_is_none_is_refused(tmp_path: Path) -> None:
    ran = ours("sa-learn", "--bogus", home=tmp_path)
    assert ran.code == 64
    assert "bogus" in ran.err
