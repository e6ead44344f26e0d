"""The learner's kernel: as compiled, as plain Python and with arrays, learning gives the same bits."""

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from tests.kernels import compiled, interpreted
from thresher.learn import online, step_arrays, step_kernel
from thresher.learn.hashing import Features
from thresher.learn.online import ScaledLogistic
from thresher.learn.step_arrays import COUNTED, HAM, SPAM

BITS = 10
Folded = tuple[bytes, bytes, bytes, list[float], list[float]]


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], Folded]:
    """Learn made-up lessons one way; return all that is left of them."""

    def fold(way: str, counted: int) -> Folded:
        kernel: ModuleType = compiled(step_kernel) if way == "compiled" else interpreted(step_kernel)
        monkeypatch.setattr(online, "COMPILED", way != "arrays")
        monkeypatch.setattr(online, "step_kernel", kernel)
        rng = np.random.default_rng(5)
        learner = ScaledLogistic(BITS)
        learner.table[:, SPAM] = rng.integers(0, counted, 1 << BITS)
        learner.table[:, HAM] = rng.integers(0, counted, 1 << BITS)
        learner.n_spam = learner.n_ham = counted
        lessons = [np.flatnonzero(rng.random(1 << BITS) < rng.random() / 3) for _ in range(40)]
        before = [learner.learn(slots, spam=bool(rng.random() < 0.5)) for slots in lessons]
        offsets = np.cumsum([0, *map(len, lessons)])
        scores = learner.scores(Features(np.concatenate(lessons), offsets)).tolist()
        return learner.table.tobytes(), learner.bias.tobytes(), learner.bias_squares.tobytes(), before, scores

    return fold


@pytest.mark.parametrize("counted", [3, 500, 50 * COUNTED])
@pytest.mark.parametrize("way", ["compiled", "interpreted"])
def test_every_way_learns_the_same_bits(folded: Callable[[str, int], Folded], way: str, counted: int) -> None:
    """Also where counts are too large for the table of logarithms."""
    assert folded(way, counted) == folded("arrays", counted)


def test_columns_and_the_length_of_the_table_of_logarithms_are_those_of_the_kernel() -> None:
    kernel = interpreted(step_kernel)
    names = ("SPAM", "HAM", "WEIGHT", "SQUARE", "COUNTED")
    assert [getattr(kernel, name) for name in names] == [getattr(step_arrays, name) for name in names]


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint16])
def test_slots_may_be_kept_as_any_whole_numbers(kind: type[np.integer]) -> None:
    """Tuning keeps them in half the room."""
    slots = np.array([3, 600, 1000], kind)
    learner = ScaledLogistic(BITS)
    learner.learn(slots, spam=True)
    learner.learn(slots[::2], spam=False)
    assert learner.spam[[3, 600, 1000]].tolist() == [1, 1, 1]
    assert learner.ham[[3, 600, 1000]].tolist() == [1, 0, 1]
    assert np.isfinite(learner.scores(Features(slots, np.array([0, 1, 3])))).all()
