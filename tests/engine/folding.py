"""Saved models and journals folded by hand, to compare them bit for bit."""

from fractions import Fraction
from pathlib import Path

from thresher.choose.calibration import Calibration
from thresher.config import read_settings
from thresher.learn.hashing import Hasher
from thresher.learn.running import Arrays, Numbers, RunningLearner
from thresher.store.journal import Journal
from thresher.store.sqlite import SqliteJournal
from thresher.values import Label
from thresher.view import HELD, LEARNERS, read_snapshot

DEFAULT = "scaled-logistic"


def bits_of(numbers: Numbers, arrays: Arrays) -> object:
    """Return a learner's state as what can be compared bit for bit."""
    return (
        {name: float(number).hex() for name, number in numbers.items()},
        {name: (array.dtype.str, array.shape, array.tobytes()) for name, array in arrays.items()},
    )


def saved(home: Path, learner: str = DEFAULT) -> object:
    """Return the state of a home's saved model, which must be settled and stand where the journal does."""
    header, arrays = read_snapshot(home / f"model-{learner}.snapshot")
    with SqliteJournal(home / "journal.sqlite") as journal:
        assert header.settled
        assert header.position == journal.position()
    return bits_of({**header.numbers, **header.calibration}, arrays)


def folded(home: Path, learner: str = DEFAULT) -> object:
    """Return the state that a home's journal has when it is folded lesson by lesson."""
    with SqliteJournal(home / "journal.sqlite") as journal:
        return fold(journal, learner, read_settings(home, {}, {}).bits)


def fold(journal: Journal, learner: str, bits: int) -> object:
    """Fold a journal the slow, obvious way: its lessons mixed evenly by class, one by one, each hashed alone."""
    hasher = Hasher(bits)
    lessons = [row.lesson for row in journal.rows()]
    counts = {label: sum(lesson.label is label for lesson in lessons) for label in Label}
    given = dict.fromkeys(Label, 0)
    places = []
    for lesson in lessons:
        # Lesson j of n comes at (j + 1/2) / n of the whole; at one place ham goes first.
        at = Fraction(2 * given[lesson.label] + 1, 2 * counts[lesson.label])
        places.append((at, lesson.label is Label.SPAM, lesson))
        given[lesson.label] += 1
    model = LEARNERS[learner](bits)
    calibration = Calibration()
    for _, is_spam, lesson in sorted(places, key=lambda place: place[:2]):
        before = model.learn(hasher.features([lesson.stream]).of(0), spam=is_spam)
        calibration.add(before, spam=is_spam)
    return whole_state(model, calibration)


def whole_state(learner: RunningLearner, calibration: Calibration) -> object:
    """Return a model in memory as `saved` returns a saved one."""
    numbers, arrays = learner.state()
    more, held = calibration.state()
    return bits_of({**numbers, **more}, {**arrays, **{HELD + name: array for name, array in held.items()}})
