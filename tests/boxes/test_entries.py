"""Messages listed first and read later, in this process or another."""

import io
import os
import pickle
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from tests.boxes.making import COMPRESSORS, FROM, folder, letter, maildir, mbox, private_file, until_error
from thresher.boxes import BoxError, Entry, Item, entries, load, read
from thresher.boxes.reader import SMALL

LARGE = SMALL // 100


def loaded(listed: list[Entry]) -> list[Item]:
    return [item for entry in listed for item in load(entry)]


def a_message(path: Path) -> Path:
    path.write_bytes(letter(1))
    return path


def a_large_message(path: Path) -> Path:
    path.write_bytes(FROM + letter(1, 2 * SMALL))
    return path


def an_mbox(path: Path) -> Path:
    path.write_bytes(mbox(3))
    return path


def a_large_mbox(path: Path) -> Path:
    quoted = FROM + b"Subject: quoted\n\n>From here on\n>>From there on\n\n"
    path.write_bytes(mbox(150, LARGE) + quoted + mbox(2).replace(b"\n", b"\r\n"))
    return path


def a_large_compressed_mbox(path: Path) -> Path:
    # Random text, so that it is large when compressed.
    path.write_bytes(COMPRESSORS["gz"](b"".join(FROM + os.urandom(LARGE).hex().encode() + b"\n\n" for _ in range(150))))
    assert path.stat().st_size > SMALL
    return path


def a_folder(path: Path) -> Path:
    folder(path, a=letter(1), b=b"", c=mbox(2), d=COMPRESSORS["xz"](mbox(2)))
    a_large_mbox(path / "e")
    a_message(folder(path / "sub") / "1")
    return path


def a_maildir(path: Path) -> Path:
    (maildir(path) / "cur" / "1:2,S").write_bytes(letter(1))
    (path / "new" / "2").write_bytes(mbox(2))
    return path


MAKERS = [a_message, a_large_message, an_mbox, a_large_mbox, a_large_compressed_mbox, a_folder, a_maildir]


@pytest.mark.parametrize("make", MAKERS)
def test_loading_the_entries_gives_what_reading_gives(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    path = make(tmp_path / "mail")
    items = list(read(path))
    assert items
    assert loaded(list(entries([path]))) == items


@pytest.mark.parametrize("make", MAKERS)
def test_limits_cut_the_same_whether_read_or_loaded(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    path = make(tmp_path / "mail")
    listed = entries([path], limit=50)
    assert [item for entry in listed for item in load(entry, limit=50)] == list(read(path, limit=50))


def test_each_message_of_a_large_mbox_is_an_entry(tmp_path: Path) -> None:
    path = a_large_mbox(tmp_path / "inbox")
    listed = list(entries([path]))
    assert [entry.number for entry in listed] == list(range(1, 154))
    assert not any(entry.item for entry in listed)


def test_paths_are_listed_in_the_order_they_are_named(tmp_path: Path) -> None:
    paths = [a_message(tmp_path / name) for name in "cab"]
    assert [entry.path for entry in entries(paths)] == [str(path) for path in paths]


def test_standard_input_is_read_while_listing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(mbox(2))))
    listed = list(entries(["-"]))
    assert loaded(listed) == [Item("-#1", letter(1)), Item("-#2", letter(2))]


def test_a_message_of_an_mbox_named_as_it_was_shown_is_an_entry(tmp_path: Path) -> None:
    path = an_mbox(tmp_path / "inbox")
    assert loaded(list(entries([f"{path}#2"]))) == [Item(f"{path}#2", letter(2))]


def test_entries_can_be_loaded_in_other_processes(tmp_path: Path) -> None:
    path = a_folder(tmp_path / "mail")
    copies = pickle.loads(pickle.dumps(list(entries([path]))))  # noqa: S301 - our own
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(loaded, copies).result() == list(read(path))


def test_a_message_the_mail_reader_renamed_meanwhile_is_found(tmp_path: Path) -> None:
    box = maildir(tmp_path / "Maildir")
    (box / "new" / "1").write_bytes(letter(1))
    listed = list(entries([box]))
    (box / "new" / "1").rename(box / "cur" / "1:2,S")
    assert loaded(listed) == [Item(f"{box}/cur/1:2,S", letter(1))]


def test_a_message_deleted_from_a_maildir_meanwhile_is_no_error(tmp_path: Path) -> None:
    box = maildir(tmp_path / "Maildir")
    (box / "new" / "1").write_bytes(letter(1))
    (box / "new" / "2").write_bytes(letter(2))
    listed = list(entries([box]))
    (box / "new" / "1").unlink()
    assert [item.raw for item in loaded(listed)] == [letter(2)]


def test_a_file_deleted_from_a_folder_meanwhile_is_an_error(tmp_path: Path) -> None:
    path = a_message(folder(tmp_path / "mail") / "a")
    listed = list(entries([tmp_path / "mail"]))
    path.unlink()
    with pytest.raises(BoxError, match="no such file or folder"):
        loaded(listed)


def test_a_file_replaced_by_a_folder_meanwhile_is_an_error(tmp_path: Path) -> None:
    path = a_message(tmp_path / "a")
    listed = list(entries([path]))
    path.unlink()
    path.mkdir()
    with pytest.raises(BoxError, match="is a directory"):
        loaded(listed)


@pytest.mark.parametrize("now", [b"", b"\n" + mbox(200, LARGE)])
def test_an_mbox_rewritten_meanwhile_is_an_error_and_not_a_wrong_message(tmp_path: Path, now: bytes) -> None:
    path = a_large_mbox(tmp_path / "inbox")
    listed = list(entries([path]))
    path.write_bytes(now)
    for entry in listed[:150]:
        with pytest.raises(BoxError, match="changed while it was being read"):
            list(load(entry))


def test_an_mbox_that_lost_its_end_meanwhile_is_an_error_and_not_half_a_message(tmp_path: Path) -> None:
    path = a_large_mbox(tmp_path / "inbox")
    listed = list(entries([path]))
    path.write_bytes(path.read_bytes()[:-20])
    assert list(load(listed[-2]))
    with pytest.raises(BoxError, match="changed while it was being read"):
        list(load(listed[-1]))


def test_what_cannot_be_listed_is_raised_after_all_that_can(tmp_path: Path) -> None:
    paths = [tmp_path / "nothing", a_message(tmp_path / "a"), folder(tmp_path / "empty"), a_message(tmp_path / "b")]
    listed, error = until_error(entries(paths))
    assert [entry.path for entry in listed] == [f"{tmp_path}/a", f"{tmp_path}/b"]
    assert [error.path, *(other.path for other in error.others)] == [str(paths[0]), str(paths[2])]


def test_a_large_compressed_mbox_cut_short_gives_what_came_before(tmp_path: Path) -> None:
    path = a_large_compressed_mbox(tmp_path / "inbox")
    whole = loaded(list(entries([path])))
    path.write_bytes(path.read_bytes()[: SMALL + 100_000])
    listed, error = until_error(entries([path]))
    assert loaded(listed[:-1]) == whole[: len(listed) - 1] != []
    assert "ends too early" in error.reason


def test_a_large_archive_is_refused_when_listed(tmp_path: Path) -> None:
    path = tmp_path / "mail"
    path.write_bytes(b"PK\x03\x04" + bytes(2 * SMALL))
    listed, error = until_error(entries([path]))
    assert listed == []
    assert "zip archive" in error.reason


def test_a_file_that_may_not_be_read_is_an_error_when_loaded() -> None:
    with private_file() as path:
        [first, second] = entries([path])
        with pytest.raises(BoxError, match="permission denied"):
            list(load(first))
        assert [item.raw for item in load(second)] == [b"Subject: b\n\n"]
