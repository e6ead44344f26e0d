"""The list that `evaluate` goes by."""

import os
from pathlib import Path

import pytest

from thresher.boxes import BoxError, Listed, read_index
from thresher.values import Label


def written(folder: Path, text: bytes) -> Path:
    path = folder / "index"
    path.write_bytes(text)
    return path


def test_each_line_gives_a_label_and_a_path_relative_to_the_lists_folder(tmp_path: Path) -> None:
    index = written(tmp_path, b"spam a/1\nham ../b/2\n")
    assert read_index(index) == [
        Listed(Label.SPAM, f"{tmp_path}/a/1", "a/1"),
        Listed(Label.HAM, f"{tmp_path}/../b/2", "../b/2"),
    ]


def test_an_absolute_path_stays(tmp_path: Path) -> None:
    assert read_index(written(tmp_path, b"ham /mail/1\n"))[0].path == "/mail/1"


def test_a_path_may_hold_blanks_and_bytes_of_any_encoding(tmp_path: Path) -> None:
    [listed] = read_index(written(tmp_path, b"spam two words\xe9 \n"))
    assert os.fsencode(listed.path) == os.fsencode(tmp_path) + b"/two words\xe9 "


def test_tabs_and_crlf_are_taken_too(tmp_path: Path) -> None:
    assert [line.written for line in read_index(written(tmp_path, b"spam\t1\r\nham  2\r\n"))] == ["1", "2"]


def test_blank_lines_and_comments_say_nothing(tmp_path: Path) -> None:
    assert [line.written for line in read_index(written(tmp_path, b"# mine\n\nspam 1\n  \n # of May\n"))] == ["1"]


def test_a_message_may_be_listed_twice_and_order_is_kept(tmp_path: Path) -> None:
    assert [line.written for line in read_index(written(tmp_path, b"ham b\nspam a\nham b\n"))] == ["b", "a", "b"]


@pytest.mark.parametrize("line", [b"junk 1", b"Spam 1", b"1 spam", b"spam", b"ham  ", b"spam a\x00b", b"\xff\xfe\x00"])
def test_a_line_that_says_anything_else_is_named_with_its_number(tmp_path: Path, line: bytes) -> None:
    index = written(tmp_path, b"spam 1\n\n" + line + b"\n")
    with pytest.raises(BoxError) as caught:
        read_index(index)
    assert str(caught.value).startswith(f"{index}:3: ")
    assert "spam PATH" in str(caught.value)


def test_a_list_of_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BoxError, match="lists no message"):
        read_index(written(tmp_path, b"# nothing yet\n"))


def test_a_list_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BoxError, match="no such file or folder"):
        read_index(tmp_path / "index")
