"""`thresher export` and `thresher import`: lessons as lines of JSON, there and back without loss."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import fresh_home
from tests.cli.making import ham, spam
from tests.cli.running import done, run
from thresher.store.sqlite import SqliteJournal
from thresher.values import Label, Lesson


def lessons(home: Path) -> list[Lesson]:
    with SqliteJournal(home / "journal.sqlite") as journal:
        return [row.lesson for row in journal.rows()]


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Give a second home in which nothing was learned."""
    return fresh_home(tmp_path / "other")


@pytest.fixture
def lines(taught: Path) -> list[str]:
    """Give the twenty lines of a taught home."""
    return done("export", home=taught).lines


def test_a_line_says_all_of_a_lesson(taught: Path, lines: list[str]) -> None:
    (line, lesson), *_ = zip(map(json.loads, lines), lessons(taught), strict=True)
    assert line == {
        "digest": lesson.digest.hex(),
        "label": lesson.label,
        "user": "local",
        "source": lesson.source,
        "time": lesson.time,
        "score": lesson.score,
        "after": lesson.after,
        "tokenizer": lesson.tokenizer,
        "stream": lesson.stream.decode(),
    }


def test_export_and_import_give_the_same_lessons(taught: Path, other: Path, tmp_path: Path) -> None:
    done("export", tmp_path / "lessons.jsonl", home=taught)
    done("import", tmp_path / "lessons.jsonl", home=other)
    assert lessons(other) == lessons(taught)


def test_the_imported_model_judges_as_the_exported_one(taught: Path, other: Path, lines: list[str]) -> None:
    done("import", "-", home=other, stdin="\n".join(lines).encode())
    judged = [done("check", "-", "--json", home=home, stdin=spam(90)).out for home in (taught, other)]
    assert judged[0] == judged[1]


def test_what_is_no_utf8_comes_back_as_it_was(home: Path, other: Path) -> None:
    odd = Lesson(b"0123456789abcdef", Label.HAM, b"body\tcaf\xe9 \x00\n", "caf\udce9", "/m/caf\udce9", 5.0, -0.1, 1)
    with SqliteJournal(home / "journal.sqlite") as journal:
        journal.append([odd])
    out = done("export", home=home).out
    assert {"user_base64", "source_base64", "stream_base64"} <= json.loads(out).keys()
    done("import", "-", home=other, stdin=out.encode())
    assert lessons(other) == [odd]


def test_a_file_is_for_its_owner_only(taught: Path, tmp_path: Path) -> None:
    file = tmp_path / "lessons.jsonl"
    file.touch(mode=0o644)
    assert done("export", file, home=taught).out == f"exported 20 lessons to {file}\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert done("export", file, "--json", home=taught).objects == [{"file": str(file), "lessons": 20}]


def test_a_device_is_written_to_and_not_replaced(taught: Path) -> None:
    done("export", "/dev/null", home=taught)
    assert Path("/dev/null").is_char_device()


def test_duplicates_count_once(taught: Path, other: Path, lines: list[str]) -> None:
    text = "\n".join([*lines, *lines]).encode()
    (first,) = done("import", "-", "--json", home=other, stdin=text).objects
    assert first["summary"] == {
        "learned": {"ham": 10, "spam": 10},
        "corrected": {"ham": 0, "spam": 0},
        "unchanged": 20,
        "lessons": {"ham": 10, "spam": 10},
        "model": "settled",
    }
    again = done("import", "-", home=taught, stdin=text).out
    assert again == "imported 0 ham and 0 spam, 40 already known; 20 lessons in all, model unchanged\n"


def test_the_other_label_corrects(taught: Path, lines: list[str]) -> None:
    line = json.loads(lines[0])
    line["label"] = "spam" if line["label"] == "ham" else "ham"
    (told,) = done("import", "-", "--json", home=taught, stdin=json.dumps(line).encode()).objects
    assert told["summary"]["corrected"][line["label"]] == 1
    assert sum(told["summary"]["lessons"].values()) == 20


def test_what_a_line_need_not_say_has_a_default(other: Path) -> None:
    line = {"digest": "ab" * 16, "label": "spam", "stream": "body\tword\n"}
    done("import", "-", home=other, stdin=json.dumps(line).encode())
    (lesson,) = lessons(other)
    assert (lesson.user, lesson.source, lesson.score, lesson.tokenizer) == ("local", "", None, 0)
    assert lesson.time > 1.7e9


def change(line: str, **changes: object) -> str:
    changed: dict[str, Any] = {**json.loads(line), **changes}
    return json.dumps({key: value for key, value in changed.items() if value != "absent"})


BAD: dict[str, tuple[dict[str, object], str]] = {
    "no label": ({"label": "absent"}, "`label`"),
    "odd label": ({"label": "dubious"}, "`label` must be ham or spam"),
    "no digest": ({"digest": "absent"}, "`digest`"),
    "short digest": ({"digest": "ab"}, "`digest` must be 32 hexadecimal digits"),
    "no stream": ({"stream": "absent"}, "neither `stream` nor `stream_base64`"),
    "stream of numbers": ({"stream": [1, 2]}, "$.stream"),
    "time as text": ({"time": "noon"}, "$.time"),
    "score as text": ({"score": "high"}, "$.score"),
}


@pytest.mark.parametrize(("changes", "expected"), BAD.values(), ids=BAD)
def test_a_bad_line_is_named_with_what_was_expected_and_loses_nothing(
    other: Path, tmp_path: Path, lines: list[str], changes: dict[str, object], expected: str
) -> None:
    file = tmp_path / "lessons.jsonl"
    file.write_text("\n".join([*lines[:7], change(lines[7], **changes), *lines[8:]]))
    ran = run("import", file, home=other)
    assert ran.code == 1
    assert f"{file}, line 8: " in ran.err
    assert expected in ran.err
    assert "The lessons before this line are imported" in ran.err
    assert len(lessons(other)) == 7
    assert ran.out.endswith("7 lessons in all, model settled\n")


@pytest.mark.parametrize("line", ["{", "[]", "nonsense", '"text"', "\ufeff{}", "{}{}"])
def test_a_line_that_is_no_object_is_refused(other: Path, line: str) -> None:
    ran = run("import", "-", home=other, stdin=line.encode())
    assert ran.code == 1
    assert ran.err.startswith("Error: -, line 1: ")


def test_once_the_line_is_mended_the_rest_is_imported(other: Path, tmp_path: Path, lines: list[str]) -> None:
    file = tmp_path / "lessons.jsonl"
    file.write_text("\n".join([*lines[:7], "oops", *lines[8:]]))
    assert run("import", file, home=other).code == 1
    file.write_text("\n".join(lines))
    (told,) = done("import", file, "--json", home=other).objects
    assert sum(told["summary"]["learned"].values()) == 13
    assert told["summary"]["unchanged"] == 7


def test_empty_lines_are_passed_over(other: Path, lines: list[str]) -> None:
    done("import", "-", home=other, stdin=("\n\n" + "\n\n".join(lines) + "\n\n").encode())
    assert len(lessons(other)) == 20


def test_a_file_that_is_not_there_is_named(other: Path, tmp_path: Path) -> None:
    ran = run("import", tmp_path / "missing", home=other)
    assert ran.code == 1
    assert ran.err == f"Error: {tmp_path / 'missing'}: no such file or directory\n"
    assert not (other / "journal.sqlite").exists()


def test_what_stands_in_a_bad_line_is_not_repeated(other: Path) -> None:
    for bad in (
        '{"digest": "quincelagoon", "label": "ham", "stream": ""}',
        '{"digest": "' + "ab" * 16 + '", "label": "quincelagoon", "stream": ""}',
        '{"digest": 5, "quincelagoon": "quincelagoon"}',
        '{"stream": "quincelagoon',
        '{"digest": "' + "ab" * 16 + '", "label": "ham", "stream_base64": "quincelagoon!"}',
        "quincelagoon",
    ):
        ran = run("import", "-", home=other, stdin=bad.encode())
        assert ran.code == 1
        assert "quincelagoon" not in ran.err + ran.out


def test_lessons_move_between_homes_that_know_each_other(taught: Path, other: Path, lines: list[str]) -> None:
    done("learn", "--ham", "-", home=other, stdin=ham(1))
    done("learn", "--ham", "-", home=other, stdin=ham(99))
    done("import", "-", home=other, stdin="\n".join(lines).encode())
    assert {lesson.digest for lesson in lessons(taught)} < {lesson.digest for lesson in lessons(other)}
    assert len(lessons(other)) == 21
