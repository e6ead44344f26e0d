"""Messages from a path, whatever stands there."""

import gzip
import io
import os
import pickle
import sys
import tarfile
import threading
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.boxes.making import COMPRESSORS, FROM, folder, letter, maildir, mbox, private_file, until_error
from thresher.boxes import BoxError, Item, Kind, kind, read


def names(path: Path) -> list[str]:
    return [item.path.removeprefix(f"{path}/") for item in read(path)]


# Files.


@pytest.mark.parametrize("raw", [b"", b"\n", b"Subject: a\n\nb\n", b"\x00\xff\xfe junk \x80", b"From", b"x" * 70_000])
def test_any_bytes_named_directly_are_a_message(tmp_path: Path, raw: bytes) -> None:
    file = tmp_path / "a"
    file.write_bytes(raw)
    assert list(read(file)) == [Item(str(file), raw)]


@pytest.mark.parametrize("size", [100, 200_000])
def test_a_leading_from_line_is_not_part_of_the_message(tmp_path: Path, size: int) -> None:
    file = tmp_path / "a"
    file.write_bytes(FROM + letter(1, size))
    assert list(read(file)) == [Item(str(file), letter(1, size))]


@pytest.mark.parametrize("size", [100, 200_000])
def test_the_messages_of_an_mbox_are_numbered_from_one(tmp_path: Path, size: int) -> None:
    file = tmp_path / "inbox"
    file.write_bytes(mbox(3, size))
    assert list(read(file)) == [Item(f"{file}#{number}", letter(number, size)) for number in (1, 2, 3)]


def test_a_message_of_an_mbox_can_be_named_as_it_was_shown(tmp_path: Path) -> None:
    file = tmp_path / "inbox"
    file.write_bytes(mbox(3))
    assert list(read(f"{file}#2")) == [Item(f"{file}#2", letter(2))]


def test_a_message_an_mbox_does_not_have_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "inbox"
    file.write_bytes(mbox(3))
    with pytest.raises(BoxError, match="inbox has no message 4"):
        list(read(f"{file}#4"))


def test_a_file_whose_own_name_looks_numbered_is_read(tmp_path: Path) -> None:
    file = tmp_path / "note#7"
    file.write_bytes(b"Subject: seven\n\n")
    assert list(read(file)) == [Item(str(file), b"Subject: seven\n\n")]


def test_a_message_longer_than_the_limit_is_cut_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(letter(1))
    assert list(read(file, limit=10)) == [Item(str(file), letter(1)[:10], truncated=True)]


def test_a_name_that_is_no_text_survives_the_way_through(tmp_path: Path) -> None:
    file = os.path.join(os.fsencode(tmp_path), b"caf\xe9")  # noqa: PTH118 - pathlib has no names of bytes
    Path(os.fsdecode(file)).write_bytes(b"Subject: a\n\n")
    [item] = read(tmp_path)
    assert os.fsencode(item.path) == file


def test_a_named_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write_in_pieces() -> None:
        with pipe.open("wb", buffering=0) as file:
            for line in mbox(2).splitlines(keepends=True):
                file.write(line)

    writer = threading.Thread(target=write_in_pieces)
    writer.start()
    raws = [item.raw for item in read(pipe)]
    writer.join()
    assert raws == [letter(1), letter(2)]


# Compressed.


@pytest.mark.parametrize("name", COMPRESSORS)
@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("size", [100, 300_000])
def test_compressed_mail_is_recognized_by_looking(tmp_path: Path, name: str, count: int, size: int) -> None:
    file = tmp_path / "mail"
    file.write_bytes(COMPRESSORS[name](mbox(count, size)))
    assert [item.raw for item in read(file)] == [letter(number, size) for number in range(1, count + 1)]


@pytest.mark.parametrize("name", COMPRESSORS)
def test_compressed_parts_put_together_are_read_as_one(tmp_path: Path, name: str) -> None:
    file = tmp_path / "mail"
    file.write_bytes(COMPRESSORS[name](mbox(1)) + COMPRESSORS[name](mbox(2)))
    assert [item.raw for item in read(file)] == [letter(1), letter(1), letter(2)]


@pytest.mark.parametrize("name", COMPRESSORS)
def test_compressed_nothing_is_an_empty_message(tmp_path: Path, name: str) -> None:
    file = tmp_path / "mail"
    file.write_bytes(COMPRESSORS[name](b""))
    assert list(read(file)) == [Item(str(file), b"")]


@pytest.mark.parametrize("name", COMPRESSORS)
def test_data_cut_short_gives_what_came_before_and_then_the_error(tmp_path: Path, name: str) -> None:
    file = tmp_path / "mail"
    # Random text, so that the compressed half holds about half of the messages.
    noise = [os.urandom(4000).hex().encode() for _ in range(300)]
    whole = COMPRESSORS[name](b"".join(FROM + raw + b"\n\n" for raw in noise))
    file.write_bytes(whole[: len(whole) // 2])
    items, error = until_error(read(file))
    assert len(items) > 1
    assert [item.raw for item in items[:-1]] == [raw + b"\n" for raw in noise[: len(items) - 1]]
    assert [item.truncated for item in items] == [False] * (len(items) - 1) + [True]
    assert "ends too early" in error.reason
    assert str(file) in str(error)


def test_of_data_cut_short_only_the_last_message_is_marked(tmp_path: Path) -> None:
    file = tmp_path / "mail"
    # Stored, not compressed, so that the data ends exactly in the second message.
    file.write_bytes(gzip.compress(mbox(2), compresslevel=0)[:-20])
    items, _ = until_error(read(file))
    assert [(item.raw, item.truncated) for item in items] == [(letter(1), False), (letter(2)[:-11], True)]


@pytest.mark.parametrize("name", COMPRESSORS)
def test_damaged_data_is_an_error_that_says_so(tmp_path: Path, name: str) -> None:
    file = tmp_path / "mail"
    whole = bytearray(COMPRESSORS[name](os.urandom(100_000)))
    whole[50_000:50_100] = bytes(100)
    whole[-20:] = bytes(20)
    file.write_bytes(whole)
    _, error = until_error(read(file))
    assert "is damaged" in error.reason


def test_a_magic_number_and_nothing_after_it_is_an_error_without_a_message(tmp_path: Path) -> None:
    file = tmp_path / "mail"
    file.write_bytes(b"\x1f\x8b\x08")
    items, error = until_error(read(file))
    assert items == []
    assert "ends too early" in error.reason


@pytest.mark.parametrize("raw", [b"BZh9 is what he wrote\n", b"\x1f\x8b\x07", b"(\xb5/", b"\xfd7z"])
def test_what_only_begins_like_compressed_data_is_a_message(tmp_path: Path, raw: bytes) -> None:
    file = tmp_path / "mail"
    file.write_bytes(raw)
    assert list(read(file)) == [Item(str(file), raw)]


# Standard input.


def standard_input(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_standard_input_may_be_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, b"Subject: a\n\n\xff")
    assert list(read("-")) == [Item("-", b"Subject: a\n\n\xff")]


def test_standard_input_may_be_an_mbox(monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, mbox(2))
    assert list(read("-")) == [Item("-#1", letter(1)), Item("-#2", letter(2))]


@pytest.mark.parametrize("name", COMPRESSORS)
def test_standard_input_may_be_compressed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    standard_input(monkeypatch, COMPRESSORS[name](mbox(2)))
    assert [item.raw for item in read("-")] == [letter(1), letter(2)]


def test_a_closed_standard_input_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(BoxError, match="standard input is closed"):
        list(read("-"))


# Folders.


def test_a_folder_is_read_in_bytewise_order_with_its_sub_folders(tmp_path: Path) -> None:
    for name in ("b", "a.eml", "a/2", "a/10", "Z", "é", "ü/x"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"Subject: a\n\n")
    assert names(tmp_path) == ["Z", "a/10", "a/2", "a.eml", "b", "é", "ü/x"]


def test_hidden_names_and_the_notes_of_mail_programs_are_skipped(tmp_path: Path) -> None:
    skipped = (".hidden", "cmds", "index", "Inbox.msf", "dovecot.index.cache", "subscriptions")
    for name in (*skipped, ".git/a", "message", "index.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"Subject: a\n\n")
    assert names(tmp_path) == ["index.html", "message"]


def test_a_hidden_file_named_itself_is_read(tmp_path: Path) -> None:
    file = tmp_path / ".hidden"
    file.write_bytes(b"Subject: a\n\n")
    assert [item.raw for item in read(file)] == [b"Subject: a\n\n"]


def test_an_mbox_and_compressed_mail_in_a_folder_are_recognized(tmp_path: Path) -> None:
    folder(tmp_path / "mail", a=letter(1), b=mbox(2), c=COMPRESSORS["gz"](mbox(2)), d=FROM + letter(1))
    assert names(tmp_path / "mail") == ["a", "b#1", "b#2", "c#1", "c#2", "d"]


def test_an_empty_file_in_a_folder_is_a_message(tmp_path: Path) -> None:
    assert [item.raw for item in read(folder(tmp_path / "mail", a=b""))] == [b""]


def test_links_to_files_are_followed_and_links_to_folders_are_not(tmp_path: Path) -> None:
    mail = folder(tmp_path / "mail", a=b"Subject: a\n\n")
    (mail / "b").symlink_to(mail / "a")
    (mail / "c").symlink_to(mail)
    (mail / "d").symlink_to(tmp_path / "nowhere")
    assert names(mail) == ["a", "b"]


def test_a_link_to_a_folder_named_itself_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder(tmp_path / "mail", a=b"Subject: a\n\n"))
    assert names(tmp_path / "link") == ["a"]


def test_a_pipe_in_a_folder_is_no_message(tmp_path: Path) -> None:
    os.mkfifo(folder(tmp_path / "mail", a=b"") / "pipe")
    assert names(tmp_path / "mail") == ["a"]


def test_a_folder_without_messages_is_an_error(tmp_path: Path) -> None:
    folder(tmp_path / "mail" / "sub" / "sub", cmds=b"mv 1 2\n")
    with pytest.raises(BoxError, match="a folder without messages"):
        list(read(tmp_path / "mail"))


# Maildirs.


def test_a_maildir_is_cur_and_new_in_order_of_delivery(tmp_path: Path) -> None:
    box = maildir(tmp_path / "Maildir")
    for name in ("new/1002.b", "cur/1001.a:2,S", "cur/1003.c:2,", "tmp/1000.x", "cur/.hidden", "dovecot-uidlist"):
        (box / name).write_bytes(b"Subject: a\n\n")
    assert names(box) == ["cur/1001.a:2,S", "new/1002.b", "cur/1003.c:2,"]


def test_sub_folders_of_a_maildir_are_read_only_when_named(tmp_path: Path) -> None:
    box = maildir(tmp_path / "Maildir")
    (maildir(box / ".Junk") / "cur" / "1:2,").write_bytes(b"Subject: junk\n\n")
    assert list(read(box)) == []
    assert [item.raw for item in read(box / ".Junk")] == [b"Subject: junk\n\n"]


def test_a_maildir_among_folders_is_read_as_one(tmp_path: Path) -> None:
    (maildir(tmp_path / "ann") / "cur" / "1:2,").write_bytes(b"Subject: a\n\n")
    (tmp_path / "ann" / "tmp" / "2").write_bytes(b"half a mess")
    (maildir(tmp_path / "bob") / "new" / "3").write_bytes(b"Subject: b\n\n")
    assert names(tmp_path) == ["ann/cur/1:2,", "bob/new/3"]


def test_a_file_of_a_maildir_is_one_message_whatever_it_looks_like(tmp_path: Path) -> None:
    box = maildir(tmp_path / "Maildir")
    (box / "new" / "1").write_bytes(mbox(2))
    (box / "new" / "2").write_bytes(FROM + letter(1))
    (box / "new" / "3").write_bytes(b"PK\x03\x04")
    assert [item.raw for item in read(box)] == [mbox(2), FROM + letter(1), b"PK\x03\x04"]


def test_a_message_a_server_stored_compressed_is_decompressed(tmp_path: Path) -> None:
    box = maildir(tmp_path / "Maildir")
    (box / "cur" / "1:2,").write_bytes(COMPRESSORS["gz"](letter(1)))
    assert [item.raw for item in read(box)] == [letter(1)]


# Errors.


@pytest.mark.parametrize("name", ["nothing", "nothing/deeper", "no#1", "nul\x00byte"])
def test_a_path_that_is_not_there_is_named_in_the_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(BoxError) as caught:
        list(read(f"{tmp_path}/{name}"))
    assert caught.value.path == f"{tmp_path}/{name}"
    assert caught.value.reason == "no such file or folder"


def test_a_file_that_may_not_be_read_is_an_error() -> None:
    with private_file() as path, pytest.raises(BoxError, match="permission denied"):
        list(read(path / "a"))


def test_one_bad_file_does_not_hide_those_beside_it() -> None:
    with private_file() as path:
        items, error = until_error(read(path))
        assert [item.raw for item in items] == [b"Subject: b\n\n"]
        assert error.path == f"{path}/a"


def test_a_file_that_breaks_while_it_is_read_is_an_error() -> None:
    with pytest.raises(BoxError, match="error"):
        list(read("/proc/self/mem"))


def test_several_bad_files_are_one_error_that_carries_the_others(tmp_path: Path) -> None:
    broken = COMPRESSORS["gz"](letter(1))[:-4]
    folder(tmp_path / "mail", a=broken, b=letter(2), c=broken, d=broken)
    items, error = until_error(read(tmp_path / "mail"))
    assert [item.truncated for item in items] == [True, False, True, True]
    assert error.path.endswith("/a")
    assert [other.path[-2:] for other in error.others] == ["/c", "/d"]
    assert str(error).endswith("(and 2 more)")


def test_an_archive_is_refused_with_the_way_out(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "mail.tgz", "w:gz") as tar, zipfile.ZipFile(tmp_path / "mail.zip", "w") as archive:
        (tmp_path / "a").write_bytes(letter(1))
        tar.add(tmp_path / "a", "a")
        archive.write(tmp_path / "a", "a")
    with pytest.raises(BoxError, match=r"tar archive.*tar -xf"):
        list(read(tmp_path / "mail.tgz"))
    with pytest.raises(BoxError, match=r"zip archive.*unzip"):
        list(read(tmp_path / "mail.zip"))


def test_an_error_can_be_printed_whatever_the_name(tmp_path: Path) -> None:
    with pytest.raises(BoxError) as caught:
        list(read(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")))
    assert str(caught.value).encode().startswith(os.fsencode(tmp_path) + b"/caf")


def test_an_error_crosses_from_one_process_to_another() -> None:
    error = BoxError("a", "b", "c")
    error.others = (BoxError("d", "e"),)
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (str(copy), str(copy.others[0])) == ("a: b; c (and 1 more)", "d: e")


# Kinds.


def test_each_kind_is_told_by_looking(tmp_path: Path) -> None:
    folder(
        tmp_path / "mail", message=letter(1), from_line=FROM + letter(1), mbox=mbox(2), gz=COMPRESSORS["gz"](mbox(2))
    )
    maildir(tmp_path / "Maildir")
    found = {name: kind(tmp_path / "mail" / name) for name in ("message", "from_line", "mbox", "gz")}
    assert found == {"message": Kind.MESSAGE, "from_line": Kind.MESSAGE, "mbox": Kind.MBOX, "gz": Kind.MBOX}
    assert kind(tmp_path / "mail") == Kind.FOLDER
    assert kind(tmp_path / "Maildir") == Kind.MAILDIR


def test_the_kind_of_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BoxError, match="no such file or folder"):
        kind(tmp_path / "nothing")


# Memory.

MEBIBYTE = 1 << 20


def peak_of_reading(path: Path, limit: int = MEBIBYTE) -> float:
    """Read all of a path, holding one message at a time; return the peak of memory in MiB."""
    tracemalloc.start()
    try:
        for _ in read(path, limit=limit):
            pass
        return tracemalloc.get_traced_memory()[1] / MEBIBYTE
    finally:
        tracemalloc.stop()


def test_a_big_mbox_is_read_in_constant_memory(tmp_path: Path) -> None:
    file = tmp_path / "inbox"
    with file.open("wb") as out:
        for _ in range(16):
            out.write(mbox(500, 8000))
    assert file.stat().st_size > 60 * MEBIBYTE
    assert peak_of_reading(file) < 2


def test_a_big_message_is_read_in_memory_bound_by_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "inbox"
    with file.open("wb") as out:
        out.write(FROM)
        for _ in range(64):
            out.write(b"A" * (MEBIBYTE - 1) + b"\n")
        out.write(b"\n" + mbox(1))
    assert peak_of_reading(file) < 5


@pytest.mark.parametrize("name", COMPRESSORS)
def test_compressed_nothingness_does_not_fill_the_memory(tmp_path: Path, name: str) -> None:
    file = tmp_path / "bomb"
    file.write_bytes(COMPRESSORS[name](FROM + bytes(64 * MEBIBYTE)))
    assert peak_of_reading(file) < 32


MAGIC_NUMBERS = [b"", b"\x1f\x8b\x08", b"BZh91AY&SY", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"]


@given(st.sampled_from(MAGIC_NUMBERS), st.binary(max_size=300))
def test_any_bytes_give_a_message_or_a_clear_error(magic: bytes, data: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        standard_input(patch, magic + data)
        try:
            outcome = [item.path for item in read("-")]
        except BoxError as error:
            outcome = [error.path]
    assert outcome == ["-"]
