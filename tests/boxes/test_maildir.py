"""Putting messages into a Maildir, and moving them between its folders."""

import os
import stat
from pathlib import Path

import pytest

from tests.boxes.making import maildir, private_file
from thresher.boxes import BoxError, deliver, move, read

LETTER = b"Subject: tea\n\nAt five?\n"


def files(box: Path) -> list[str]:
    return sorted(str(path.relative_to(box)) for path in box.rglob("*") if path.is_file())


def test_a_delivered_message_lies_in_new_as_it_is(tmp_path: Path) -> None:
    path = Path(deliver(tmp_path / "Maildir", LETTER))
    assert path.parent == tmp_path / "Maildir" / "new"
    assert path.read_bytes() == LETTER
    assert [item.raw for item in read(tmp_path / "Maildir")] == [LETTER]


def test_a_delivered_message_is_its_owners_alone(tmp_path: Path) -> None:
    path = Path(deliver(tmp_path / "Maildir", LETTER))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_message_with_flags_lies_in_cur_with_its_flags_in_order(tmp_path: Path) -> None:
    path = Path(deliver(tmp_path / "Maildir", LETTER, flags="SFS"))
    assert path.parent.name == "cur"
    assert path.name.endswith(":2,FS")


@pytest.mark.parametrize("flags", ["s", "2,S", "/", "X"])
def test_what_is_no_flag_is_refused(tmp_path: Path, flags: str) -> None:
    with pytest.raises(ValueError, match="flags are letters of DFPRST"):
        deliver(tmp_path, LETTER, flags=flags)


def test_nothing_is_left_in_tmp(tmp_path: Path) -> None:
    deliver(tmp_path / "Maildir", LETTER)
    assert list((tmp_path / "Maildir" / "tmp").iterdir()) == []


def test_a_message_delivered_in_haste_lies_there_the_same(tmp_path: Path) -> None:
    path = Path(deliver(tmp_path / "Maildir", LETTER, folder="Junk", flags="S", durable=False))
    assert path.parent == tmp_path / "Maildir" / ".Junk" / "cur"
    assert path.read_bytes() == LETTER


def test_names_never_repeat_and_sort_in_order_of_delivery(tmp_path: Path) -> None:
    paths = [deliver(tmp_path / "Maildir", b"%d" % number, durable=False) for number in range(200)]
    assert len(set(paths)) == 200
    assert [item.raw for item in read(tmp_path / "Maildir")] == [b"%d" % number for number in range(200)]


@pytest.mark.parametrize("folder", ["Junk", ".Junk"])
def test_a_folder_is_a_sub_folder_with_a_dot_and_the_mark_of_one(tmp_path: Path, folder: str) -> None:
    path = Path(deliver(tmp_path / "Maildir", LETTER, folder=folder))
    assert path.parent == tmp_path / "Maildir" / ".Junk" / "new"
    assert (tmp_path / "Maildir" / ".Junk" / "maildirfolder").exists()
    assert (tmp_path / "Maildir" / "cur").is_dir()


def test_the_maildir_itself_gets_no_mark(tmp_path: Path) -> None:
    deliver(tmp_path / ".mail", LETTER)
    assert not (tmp_path / ".mail" / "maildirfolder").exists()


@pytest.mark.parametrize("folder", ["..", "Junk/../../etc", "Junk..Old", "a/b", "nul\x00", ".", "Junk."])
def test_a_folder_name_that_leads_elsewhere_is_refused(tmp_path: Path, folder: str) -> None:
    with pytest.raises(BoxError, match="cannot name a folder of a Maildir"):
        deliver(tmp_path / "Maildir", LETTER, folder=folder)
    assert list(tmp_path.iterdir()) == []


def test_a_maildir_that_cannot_be_made_is_an_error_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "Maildir").write_bytes(b"a file")
    with pytest.raises(BoxError, match="Maildir"):
        deliver(tmp_path / "Maildir", LETTER)


def test_a_maildir_that_may_not_be_written_is_an_error() -> None:
    with private_file() as path, pytest.raises(BoxError, match="permission denied"):
        deliver(path / "Maildir" if os.geteuid() else path / "a", LETTER)


def test_a_moved_message_keeps_its_name_flags_and_place(tmp_path: Path) -> None:
    box = maildir(tmp_path / "Maildir")
    for name in ("new/1001.a.host", "cur/1002.b.host,S=23:2,FS"):
        (box / name).write_bytes(LETTER)
        assert move(box / name, box, "Junk") == f"{box}/.Junk/{name}"
        assert not (box / name).exists()
        assert (box / ".Junk" / name).read_bytes() == LETTER


def test_a_message_moves_back_out_of_a_folder(tmp_path: Path) -> None:
    path = deliver(tmp_path / "Maildir", LETTER, folder="Junk")
    moved = Path(move(path, tmp_path / "Maildir", ""))
    assert moved.parent == tmp_path / "Maildir" / "new"
    assert moved.read_bytes() == LETTER


def test_a_move_never_overwrites_a_message_of_the_same_name(tmp_path: Path) -> None:
    box = maildir(tmp_path / "Maildir")
    (box / "cur" / "1:2,S").write_bytes(LETTER)
    (maildir(box / ".Junk") / "cur" / "1:2,S").write_bytes(b"Subject: another\n\n")
    moved = Path(move(box / "cur" / "1:2,S", box, "Junk"))
    assert (box / ".Junk" / "cur" / "1:2,S").read_bytes() == b"Subject: another\n\n"
    assert moved.read_bytes() == LETTER
    assert moved.name.endswith(":2,S")


def test_a_move_to_where_a_message_lies_changes_nothing(tmp_path: Path) -> None:
    path = deliver(tmp_path / "Maildir", LETTER, folder="Junk")
    before = files(tmp_path)
    assert move(path, tmp_path / "Maildir", "Junk") == path
    assert files(tmp_path) == before


@pytest.mark.parametrize("folder", ["", "Junk"])
def test_a_message_that_is_not_there_cannot_be_moved(tmp_path: Path, folder: str) -> None:
    box = maildir(tmp_path / "Maildir")
    with pytest.raises(BoxError, match="no such file"):
        move(box / "new" / "1", box, folder)


def test_only_a_message_of_a_maildir_is_moved(tmp_path: Path) -> None:
    box = maildir(tmp_path / "Maildir")
    (box / "tmp" / "1").write_bytes(b"half a mess")
    with pytest.raises(BoxError, match="does not lie in the cur or new"):
        move(box / "tmp" / "1", box, "Junk")


def test_a_message_is_not_moved_to_what_is_no_maildir(tmp_path: Path) -> None:
    box = maildir(tmp_path / "Maildir")
    (box / "new" / "1").write_bytes(LETTER)
    with pytest.raises(BoxError, match="not a Maildir"):
        move(box / "new" / "1", tmp_path / "Mialdir", "Junk")
    assert files(tmp_path) == ["Maildir/new/1"]


def test_a_name_that_is_no_text_survives_a_move(tmp_path: Path) -> None:
    box = maildir(tmp_path / "Maildir")
    name = os.fsdecode(b"1.caf\xe9:2,")
    (box / "cur" / name).write_bytes(LETTER)
    assert Path(move(box / "cur" / name, box, "Junk")).read_bytes() == LETTER
