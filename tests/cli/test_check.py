"""`thresher check`: a line a message, whatever the path is, and exit codes that tell what happened."""

import bz2
import gzip
import lzma
import math
import os
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.cli.making import folder, ham, maildir, mbox, spam
from tests.cli.running import ENVIRONMENT, as_nobody, done, give_to_nobody, line_of, program, run

MADE = [ham(90), spam(90), ham(91)]
VERDICTS = ["ham", "spam", "ham"]


def one_file(path: Path, made: Iterable[bytes]) -> Path:
    path.write_bytes(next(iter(made)))
    return path


def packed(pack: Callable[[bytes], bytes]) -> Callable[[Path, Iterable[bytes]], Path]:
    def write(path: Path, made: Iterable[bytes]) -> Path:
        path.write_bytes(pack(mbox(path.with_name("plain"), made).read_bytes()))
        return path

    return write


def test_a_line_has_verdict_probability_and_path(taught: Path, tmp_path: Path) -> None:
    path = one_file(tmp_path / "new.eml", [spam(90)])
    (line,) = done("check", path, home=taught).lines
    verdict, probability, named = line.split("\t")
    assert (verdict, named) == ("spam", str(path))
    assert 0.9 <= float(probability) <= 1


def test_json_has_verdict_probability_log_odds_and_path(taught: Path, tmp_path: Path) -> None:
    path = one_file(tmp_path / "new.eml", [spam(90)])
    (judged,) = done("check", "--json", path, home=taught).objects
    assert judged.keys() == {"verdict", "probability", "log_odds", "path"}
    assert judged["path"] == str(path)
    assert judged["probability"] == pytest.approx(1 / (1 + math.exp(-judged["log_odds"])))


@pytest.mark.parametrize(
    ("write", "count"),
    [
        (one_file, 1),
        (folder, 3),
        (maildir, 3),
        (mbox, 3),
        (packed(gzip.compress), 3),
        (packed(bz2.compress), 3),
        (packed(lzma.compress), 3),
    ],
    ids=["message", "folder", "maildir", "mbox", "gz", "bz2", "xz"],
)
def test_every_kind_of_path_is_recognized_by_looking(
    taught: Path, tmp_path: Path, write: Callable[[Path, Iterable[bytes]], Path], count: int
) -> None:
    place = write(tmp_path / "place", MADE)
    lines = done("check", place, home=taught).lines
    assert [line.split("\t")[0] for line in lines] == VERDICTS[:count]


def test_standard_input_may_be_a_message(taught: Path) -> None:
    (line,) = done("check", "-", home=taught, stdin=spam(90)).lines
    assert (line.split("\t")[0], line.split("\t")[2]) == ("spam", "-")


def test_standard_input_may_be_an_mbox(taught: Path, tmp_path: Path) -> None:
    box = mbox(tmp_path / "box", MADE).read_bytes()
    lines = done("check", "-", home=taught, stdin=box).lines
    assert [line.split("\t")[::2] for line in lines] == [[v, f"-#{i}"] for i, v in enumerate(VERDICTS, 1)]


def test_one_message_of_an_mbox_has_a_name(taught: Path, tmp_path: Path) -> None:
    box = mbox(tmp_path / "box", MADE)
    (line,) = done("check", f"{box}#2", home=taught).lines
    assert line.split("\t")[::2] == ["spam", f"{box}#2"]


def test_several_paths_are_judged_in_the_order_given(taught: Path, tmp_path: Path) -> None:
    box, one = mbox(tmp_path / "box", MADE), one_file(tmp_path / "one", [spam(5)])
    lines = done("check", one, box, one, home=taught).lines
    assert [line.split("\t")[2] for line in lines] == [str(one), *(f"{box}#{i}" for i in (1, 2, 3)), str(one)]


def test_a_file_name_of_any_bytes_is_printed_as_it_is(taught: Path, tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/caf\xe9.eml"
    Path(os.fsdecode(name)).write_bytes(ham(1))
    ran = program("check", os.fsdecode(name), home=taught)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"ham\t{ran.out.split()[1]}\t{os.fsdecode(name)}\n"


def test_before_any_lesson_every_message_is_unsure_and_that_is_said(home: Path) -> None:
    ran = run("check", "-", home=home, stdin=spam(1))
    assert (ran.code, ran.out) == (0, "unsure\t0.500000\t-\n")
    assert "nothing has been learned yet" in ran.err


@pytest.mark.parametrize(("raw", "code"), [(ham(90), 0), (spam(90), 10)])
def test_exit_code_tells_the_verdict(taught: Path, raw: bytes, code: int) -> None:
    assert run("check", "--exit-code", "-", home=taught, stdin=raw).code == code


def test_exit_code_tells_that_it_is_unsure(home: Path) -> None:
    assert run("check", "--exit-code", "-", home=home, stdin=ham(1)).code == 11


def test_exit_code_of_several_messages_is_wrong_usage(taught: Path, tmp_path: Path) -> None:
    ran = run("check", "--exit-code", mbox(tmp_path / "box", MADE), home=taught)
    assert ran.code == 2
    assert "there were 3" in ran.err


def test_whatever_the_verdict_the_exit_code_is_0(taught: Path) -> None:
    assert run("check", "-", home=taught, stdin=spam(90)).code == 0


def test_a_path_that_is_not_there_is_named_and_ends_with_1(taught: Path, tmp_path: Path) -> None:
    ran = run("check", tmp_path / "missing", home=taught)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"Error: {tmp_path / 'missing'}: no such file or folder")


def test_what_can_be_read_is_judged_beside_what_cannot(taught: Path, tmp_path: Path) -> None:
    place = folder(tmp_path / "mail", MADE)
    (place / "broken.gz").write_bytes(gzip.compress(ham(1) * 50)[:-20])
    ran = run("check", place, home=taught)
    assert ran.code == 1
    assert [line.split("\t")[0] for line in ran.lines][:3] == VERDICTS
    assert f"{place / 'broken.gz'}: its gzip data ends too early" in ran.err


def test_a_file_that_may_not_be_read_is_named_with_the_way_out(open_folder: Path) -> None:
    home = open_folder / "home"
    home.mkdir(mode=0o755)
    place = folder(open_folder / "mail", [ham(1), ham(2)])
    (place / "00000.eml").chmod(0)
    give_to_nobody(home, *place.iterdir())
    ran = as_nobody("check", place, home=home)
    assert ran.code == 1
    assert [line.split("\t")[2] for line in ran.lines] == [str(place / "00001.eml")]
    assert f"{place / '00000.eml'}: permission denied" in ran.err


def test_the_policy_is_that_of_the_settings(taught: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THRESHER_SPAM_FROM", "1.0")
    monkeypatch.setenv("THRESHER_HAM_TO", "0.0")
    assert done("check", "-", home=taught, stdin=ham(90)).out.startswith("unsure")


def test_a_reader_that_has_had_enough_is_no_error(taught: Path, tmp_path: Path) -> None:
    place = folder(tmp_path / "mail", map(ham, range(40)))
    read, write = os.pipe()
    os.close(read)
    line = line_of("check", place, home=taught)
    ran = subprocess.run(line, env=ENVIRONMENT, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (ran.returncode, ran.stderr) == (0, b"")
