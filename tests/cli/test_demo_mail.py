"""`thresher demo-mail` writes made-up mail, the same for the same seed, and never into what is there already."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from thresher.cli import main
from thresher.demo import messages


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["demo-mail", *map(str, arguments)])


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_index_names_every_message_with_its_label_in_their_order(tmp_path: Path) -> None:
    assert run(tmp_path / "mail", "--messages", "60", "--seed", "4").exit_code == 0
    lines = (tmp_path / "mail" / "index").read_text().splitlines()
    read = [(label, (tmp_path / "mail" / path).read_bytes()) for label, path in (line.split() for line in lines)]
    assert read == [(one.label, one.raw) for one in messages(60, 4)]


def test_each_message_lies_in_the_folder_of_its_label(tmp_path: Path) -> None:
    run(tmp_path, "--messages", "60")
    lines = (tmp_path / "index").read_text().splitlines()
    assert all(path.startswith(f"{label}/") for label, path in (line.split() for line in lines))
    assert sorted(files(tmp_path)) == sorted(["index", *(line.split()[1] for line in lines)])


def test_the_same_seed_gives_the_same_files_names_included(tmp_path: Path) -> None:
    for name in ("a", "b"):
        run(tmp_path / name, "--messages", "40", "--seed", "2")
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_a_maildir_has_the_ham_in_cur_and_the_spam_in_its_junk_folder(tmp_path: Path) -> None:
    assert run(tmp_path, "--messages", "60", "--maildir").exit_code == 0
    made = list(messages(60, 1))
    for box, label in ((tmp_path, "ham"), (tmp_path / ".Junk", "spam")):
        held = [path.read_bytes() for path in sorted((box / "cur").iterdir())]
        assert held == [one.raw for one in made if one.label == label]


def test_a_maildir_is_complete_and_says_that_its_mail_was_read(tmp_path: Path) -> None:
    run(tmp_path, "--messages", "5", "--maildir")
    folders = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_dir()}
    assert folders == {"cur", "new", "tmp", ".Junk", ".Junk/cur", ".Junk/new", ".Junk/tmp"}
    assert (tmp_path / ".Junk" / "maildirfolder").is_file()
    assert all(path.name.endswith(":2,S") for path in tmp_path.rglob("cur/*"))


@pytest.mark.parametrize("layout", [[], ["--maildir"]])
def test_nobody_else_can_read_what_is_written(tmp_path: Path, layout: list[str]) -> None:
    before = os.umask(0)
    try:
        run(tmp_path / "mail", "--messages", "5", *layout)
    finally:
        os.umask(before)
    modes = {path.is_dir(): stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "mail").rglob("*")}
    assert modes == {True: 0o700, False: 0o600}
    assert stat.S_IMODE((tmp_path / "mail").stat().st_mode) == 0o700


def test_the_summary_counts_messages_labels_and_bytes(tmp_path: Path) -> None:
    result = run(tmp_path, "--messages", "50", "--json")
    made = list(messages(50, 1))
    summary = json.loads(result.stdout)
    assert summary["folder"] == str(tmp_path)
    assert summary["messages"] == 50
    assert summary["ham"] + summary["spam"] == 50
    assert summary["spam"] == sum(one.label == "spam" for one in made)
    assert summary["bytes"] == sum(len(one.raw) for one in made)
    assert sum(summary["kinds"]["spam"].values()) == summary["spam"]


def test_people_get_the_summary_in_a_line(tmp_path: Path) -> None:
    result = run(tmp_path, "--messages", "50", "--spam-share", "1")
    assert result.stdout.startswith(f"{tmp_path}: 50 messages, 0 ham, 50 spam, ")
    assert result.stdout.count("\n") == 1


def test_the_share_of_spam_is_the_one_asked_for(tmp_path: Path) -> None:
    run(tmp_path, "--messages", "30", "--spam-share", "0")
    assert {line.split()[0] for line in (tmp_path / "index").read_text().splitlines()} == {"ham"}


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    assert run(tmp_path, "--messages", "2").exit_code == 0


def test_a_folder_that_holds_anything_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_text("mine")
    result = run(tmp_path, "--messages", "2")
    assert result.exit_code == 1
    assert "not empty" in result.stderr
    assert files(tmp_path) == {".hidden": b"mine"}


@pytest.mark.parametrize(
    "options",
    [["--messages", "0"], ["--messages", "many"], ["--spam-share", "1.5"], ["--spam-share", "nan"], ["--seed", "x"]],
)
def test_numbers_that_make_no_sense_are_a_usage_error(tmp_path: Path, options: list[str]) -> None:
    result = run(tmp_path / "mail", *options)
    assert result.exit_code == 2
    assert options[0] in result.stderr
    assert not (tmp_path / "mail").exists()


def test_a_file_in_place_of_the_folder_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert run(tmp_path / "file").exit_code == 2


def test_a_folder_that_cannot_be_made_is_named_in_the_error() -> None:
    result = run("/proc/nowhere/mail", "--messages", "2")
    assert result.exit_code == 1
    assert "/proc/nowhere" in result.stderr
    assert "Traceback" not in result.output


def test_nothing_is_drawn_where_there_is_no_terminal(tmp_path: Path) -> None:
    assert run(tmp_path, "--messages", "3").stderr == ""


def test_asking_for_help_does_not_load_the_generator() -> None:
    code = "import sys, thresher.cli.demo_mail; sys.exit('thresher.demo' in sys.modules or 'rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, env=os.environ).returncode == 0
