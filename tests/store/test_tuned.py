"""The choice of `tune` in the home: whole or not there, private, with the way back in it."""

from pathlib import Path

import pytest

from thresher.store.tuned import FILE, Tuned, Value, read_tuned, switched, write_tuned

ONE: dict[str, Value] = {"learner": "multinomial", "alpha": 0.1, "bits": 18}
OTHER: dict[str, Value] = {"learner": "scaled-logistic", "alpha": 1e-05, "rate": 0.7, "bits": 20}


def test_a_choice_is_read_as_it_was_written(tmp_path: Path) -> None:
    tuned = Tuned(OTHER, ONE, 1700000000.25, 5, 3)
    write_tuned(tmp_path / "home", tuned)
    assert read_tuned(tmp_path / "home") == tuned


def test_where_nothing_was_tuned_there_is_no_choice(tmp_path: Path) -> None:
    assert read_tuned(tmp_path) is None


def test_it_is_for_its_owner_only(tmp_path: Path) -> None:
    write_tuned(tmp_path, Tuned(ONE, {}))
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_a_switch_remembers_what_was_before(tmp_path: Path) -> None:
    first = switched(tmp_path, ONE, 10)
    assert (first.values, first.before, first.lessons) == (ONE, {}, 10)
    write_tuned(tmp_path, first)
    second = switched(tmp_path, OTHER, 20)
    assert (second.values, second.before) == (OTHER, ONE)
    assert (second.lessons, second.lessons_before) == (20, 10)


@pytest.mark.parametrize("text", ["values = 3", "[values", "[values]\nlearner = ['x']", "\xff"])
def test_a_file_that_is_no_choice_is_a_value_error(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the reader's own words differ with what is wrong
        read_tuned(tmp_path)
    assert str(raised.value)
