"""`thresher figures`: every picture of the documents in one folder, or those named, in the format wanted."""

import stat
from pathlib import Path

import pytest

from tests.cli.running import done, run
from thresher.report.figures import FIGURES, FORMATS

CHEAP = "quadratic_loss"
BEGINS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


def test_it_draws_those_that_are_named_and_says_how_many(tmp_path: Path) -> None:
    out = tmp_path / "a" / "figures"
    assert done("figures", out, "--only", CHEAP, "--only", "five_folds").lines == [f"2 figures in {out}"]
    assert sorted(path.name for path in out.iterdir()) == ["five_folds.png", "quadratic_loss.png"]


@pytest.mark.parametrize("kind", FORMATS)
def test_a_format_is_what_is_in_the_file(tmp_path: Path, kind: str) -> None:
    (told,) = done("figures", tmp_path, "--only", CHEAP, "--format", kind, "--json").objects
    assert told == {"figure": CHEAP, "path": str(tmp_path / f"{CHEAP}.{kind}")}
    assert Path(told["path"]).read_bytes().startswith(BEGINS[kind])


def test_drawing_again_replaces_the_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    done("figures", tmp_path, "--only", CHEAP)
    file = tmp_path / f"{CHEAP}.png"
    drawn = file.read_bytes()
    file.write_bytes(b"old")
    done("figures", tmp_path, "--only", CHEAP)
    assert file.read_bytes() == drawn
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    assert stat.S_IMODE(file.stat().st_mode) & stat.S_IRUSR


def test_the_list_has_a_line_for_each_and_needs_no_folder() -> None:
    lines = done("figures", "--list").lines
    assert [line.split()[0] for line in lines] == list(FIGURES)
    told = done("figures", "--list", "--json").objects
    assert [each["figure"] for each in told] == list(FIGURES)
    assert all(each["shows"] and each["rows"] for each in told)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["figures"], 2, "Missing argument 'OUT'"),
        (["figures", "there", "--only", "mona_lisa"], 2, "there is no figure 'mona_lisa'; --list names them"),
        (["figures", "there", "--format", "gif"], 2, "'gif' is not one of"),
        (["figures", __file__, "--only", CHEAP], 1, "file exists"),
        (["figures", "/proc/none", "--only", CHEAP], 1, "/proc/none: "),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_drawn(
    arguments: list[str], code: int, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run(*arguments)
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err
    assert list(tmp_path.iterdir()) == []
