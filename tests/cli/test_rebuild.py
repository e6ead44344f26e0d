"""`thresher rebuild`: the model folded anew, of every learner, and nothing where there is nothing to fold."""

from pathlib import Path

import pytest

from tests.cli.running import done, run
from tests.engine.folding import folded, saved
from thresher.view import LEARNERS


@pytest.mark.parametrize("learner", sorted(LEARNERS))
def test_it_builds_the_model_of_the_journal(taught: Path, learner: str) -> None:
    out = done("rebuild", "--learner", learner, home=taught).out
    assert out == f"built the {learner} model from 20 lessons; settled\n"
    assert saved(taught, learner) == folded(taught, learner)


def test_json_says_the_same(taught: Path) -> None:
    (told,) = done("rebuild", "--json", home=taught).objects
    assert told == {"lessons": {"ham": 10, "spam": 10}, "learner": "scaled-logistic", "model": "settled"}


def test_a_sound_model_is_built_to_the_same_bits(taught: Path) -> None:
    before = saved(taught)
    done("rebuild", home=taught)
    assert saved(taught) == before


def test_where_nothing_was_learned_it_says_so_and_makes_no_home(tmp_path: Path) -> None:
    ran = run("rebuild", home=tmp_path / "fresh")
    assert (ran.code, ran.out) == (1, "")
    assert "nothing has been learned" in ran.err
    assert not (tmp_path / "fresh").exists()
