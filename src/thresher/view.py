"""The model as a view of the journal: loaded from a snapshot, brought up to date, folded anew, saved.

A model is *settled* when it equals, bit for bit, the fold of the journal's lessons in the order of learn.schedule. A
new lesson moves it at once, by one step; from then until it is settled again it is a good model of the same lessons and
not yet that one. Settling means to fold again: at once where that takes less than the view's settle_seconds, else in
the background.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import numpy as np

from thresher.choose.calibration import Calibration
from thresher.learn.counted import Bernoulli, Multinomial
from thresher.learn.hashing import Hasher, Ids
from thresher.learn.online import ScaledLogistic
from thresher.learn.running import Arrays, RunningLearner
from thresher.learn.schedule import interleaved
from thresher.store import snapshot
from thresher.store.journal import Journal, Position, Row
from thresher.values import Label, ThresherError

LEARNERS: Final[dict[str, type[RunningLearner]]] = {
    learner.name: learner for learner in (ScaledLogistic, Multinomial, Bernoulli)
}
SETTLE_SECONDS: Final = 1.0
"""A command may take this much longer without anybody wondering; what takes more is done in the background."""
ROWS: Final = 256
"""Rows of the journal read, and hashed, at once."""
ATTEMPTS: Final = 5
"""Folds of a journal that does not stand still. Whoever keeps changing it settles the model in the end."""
FIRST_GUESS: Final = 2e-4
"""Seconds a lesson takes to fold, before a fold has been timed here."""

HELD: Final = "held-"
"""Arrays of a saved model that are the calibration's."""

Progress = Callable[[int], None]
Thing = TypeVar("Thing")


class Header(msgspec.Struct, frozen=True):
    """What a snapshot says of itself."""

    learner: str
    bits: int
    identity: str
    generation: int
    last_id: int
    settled: bool
    seconds: float
    numbers: dict[str, int | float]
    calibration: dict[str, int | float]

    @property
    def position(self) -> Position:
        """Where the journal stood."""
        return Position(self.identity, self.generation, self.last_id)


def read_snapshot(path: Path, *, verify: bool = True) -> tuple[Header, Arrays]:
    """Read a saved model; fails as snapshot.load does."""
    raw, arrays = snapshot.load(path, verify=verify)
    try:
        return msgspec.convert(raw, Header), arrays
    except msgspec.ValidationError as error:
        raise snapshot.SnapshotCorrupt(f"{path} is damaged: {error}") from error


def calibration_of(header: Header, arrays: Arrays) -> Calibration:
    """Return the calibration of a saved model."""
    held = {name.removeprefix(HELD): array for name, array in arrays.items() if name.startswith(HELD)}
    return Calibration.restored(header.calibration, held)


def learner_named(name: str, bits: int, **chosen: float | None) -> RunningLearner:
    """Return a new learner, chosen by name; of settings, those that are given and that it has."""
    if name not in LEARNERS:
        raise UnknownLearner(f"learner must be one of {', '.join(sorted(LEARNERS))}, not {name!r}")
    kind = LEARNERS[name]
    return kind(bits, **{key: value for key, value in chosen.items() if value is not None and key in kind.settings})


class UnknownLearner(ThresherError):
    """No learner has that name."""


class View:
    """A running learner and the journal's position it stands for."""

    def __init__(
        self, folder: Path, journal: Journal, make: Callable[[], RunningLearner], settle_seconds: float = SETTLE_SECONDS
    ) -> None:
        self.journal = journal
        self.make = make
        self.learner = make()
        self.kind = type(self.learner)
        self.path = folder / f"model-{self.kind.name}.snapshot"
        self.hasher = Hasher(self.learner.bits)
        self.calibration = Calibration()
        self.settle_seconds = settle_seconds
        self.position = Position("", 0, 0)
        self.settled = False
        self.seconds = FIRST_GUESS
        self.notes: list[str] = []
        """What a person should know of how this view came about."""

    @property
    def lessons(self) -> int:
        """How many lessons the model stands on."""
        return self.learner.n_spam + self.learner.n_ham

    def load(self, progress: Progress | None = None) -> bool:
        """Take the snapshot and the lessons given since; say if the journal was folded instead, as it then stands.

        It is folded where there is no usable snapshot, and where one would not be settled and folding is quick.
        """
        now = self.journal.position()
        if not self._load_snapshot() or self.position.identity != now.identity or self.position.last_id > now.last_id:
            self.settle(progress)
            return True
        if self.position.generation != now.generation:
            # Lessons were taken back elsewhere. What they taught is still in this model.
            self.settled = False
        if not (self.settled and self.position == now) and self.settling_is_quick():
            self.settle(progress)
            return True
        self.follow()
        return False

    def _load_snapshot(self) -> bool:
        try:
            header, arrays = read_snapshot(self.path)
        except FileNotFoundError:
            return False
        except (snapshot.SnapshotCorrupt, OSError) as error:
            self.notes.append(f"the saved model was not usable ({error}) and was built again from the journal")
            return False
        chosen = {name: getattr(self.learner, name) for name in self.kind.settings}
        had = {name: header.numbers.get(name) for name in chosen}
        if header.learner != self.kind.name or header.bits != self.hasher.bits or had != chosen:
            self.notes.append(
                f"the saved model had {_told(header.bits, had)}; one of {_told(self.hasher.bits, chosen)} was built"
            )
            return False
        self.learner = self.kind.restored(header.bits, header.numbers, arrays)
        self.calibration = calibration_of(header, arrays)
        self.position = header.position
        self.settled, self.seconds = header.settled, header.seconds
        return True

    def follow(self) -> int:
        """Learn the lessons that the journal has and the model has not; return how many."""
        count = 0
        for rows in _batches(self.journal.rows(after=self.position.last_id), ROWS):
            self._learn_rows(rows)
            self.position = self.position._replace(last_id=rows[-1].id)
            count += len(rows)
        if count:
            self.settled = False
        return count

    def as_it_is(self, slots: Ids) -> Callable[[], None]:
        """Return what puts the model back into this state, as long as only messages of these slots are learned."""
        learner, calibration = self.learner.as_it_is(slots), self.calibration.as_it_is()

        def put_back() -> None:
            learner()
            calibration()

        return put_back

    def learn(self, slots: Ids, *, spam: bool) -> float:
        """Learn one message and return its log-odds before, which the calibration sees too."""
        before = self.learner.learn(slots, spam=spam)
        self.calibration.add(before, spam=spam)
        return before

    def _learn_rows(self, rows: list[Row]) -> None:
        features = self.hasher.features([row.lesson.stream for row in rows])
        for i, row in enumerate(rows):
            self.learn(features.of(i), spam=row.lesson.label is Label.SPAM)

    def settling_is_quick(self) -> bool:
        """Whether folding the journal should take so little time that a command can wait for it."""
        counts = self.journal.counts()
        return (counts.ham + counts.spam) * self.seconds < self.settle_seconds

    def settle(self, progress: Progress | None = None) -> None:
        """Fold the journal as it stands; again if rows come or go meanwhile, but not for ever."""
        for _ in range(ATTEMPTS):
            start = time.monotonic()
            position = self.journal.position()
            labels = self.journal.labels()
            ids = labels.ids[interleaved(labels.is_spam)]
            self.learner = self.make()
            self.calibration = Calibration()
            for rows in _batches(self.journal.fetch(ids.tolist()), ROWS):
                self._learn_rows(rows)
                if progress:
                    progress(len(rows))
            self.position = position
            self.settled = self.journal.position() == position
            if self.settled:
                break
        if len(ids):
            self.seconds = (time.monotonic() - start) / len(ids)

    def is_in_order(self, before: Position, ids: list[int]) -> bool:
        """Whether a settled model at a position that then learned these rows, in this order, is settled again."""
        labels = self.journal.labels()
        old = labels.ids <= before.last_id
        learned = np.concatenate([labels.ids[old][interleaved(labels.is_spam[old])], np.array(ids, np.int64)])
        return np.array_equal(learned, labels.ids[interleaved(labels.is_spam)])

    def save(self) -> None:
        """Write the snapshot."""
        numbers, arrays = self.learner.state()
        calibration, held = self.calibration.state()
        header = Header(
            self.kind.name, self.hasher.bits, *self.position, self.settled, self.seconds, numbers, calibration
        )
        arrays = {**arrays, **{HELD + name: array for name, array in held.items()}}
        snapshot.save(self.path, msgspec.to_builtins(header), arrays)


def _told(bits: int, settings: Mapping[str, float | None]) -> str:
    return ", ".join([f"{bits} bits", *(f"{name} {value}" for name, value in settings.items())])


def _batches(things: Iterator[Thing], size: int) -> Iterator[list[Thing]]:
    while batch := list(islice(things, size)):
        yield batch
