"""THE line. check: hash, score, decide. learn: score, learn, journal. forget: journal, unlearn.

The engine is handed messages as token streams or prepared for learning (prepare.py), and what it returns is plain
values. It writes to the journal before anything it says is so, and to nothing else but the model's snapshot.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec
import numpy as np

from thresher.decide import Policy
from thresher.judge import Explanation, Judge
from thresher.learn.hashing import Features
from thresher.mail.stream import VERSION
from thresher.prepare import Prepared, features_of
from thresher.store.files import locked
from thresher.store.journal import Entry, Journal, Position, Selection, Status
from thresher.values import Judgement, Label, Lesson, ThresherError
from thresher.view import ATTEMPTS, View

MANY: Final = 4096
"""Lessons whose streams are held in memory at once to be unlearned: some 20 MB."""


class Teaching(NamedTuple):
    """What somebody says of a prepared message."""

    message: Prepared
    label: Label
    source: str = ""
    """What the journal says of where it came from, if that is not the message's path."""


class Change(StrEnum):
    """What a lesson changed."""

    LEARNED = "learned"
    UNCHANGED = "unchanged"
    CORRECTED = "corrected"
    SPOOLED = "spooled"
    """Nothing yet: it waits on disk for a journal that cannot be written now."""


class Receipt(msgspec.Struct, frozen=True):
    """The answer to a lesson: what it changed, or why nothing did."""

    path: str
    digest: str
    label: Label
    change: Change
    before: float | None
    """Log-odds of spam before; None if nothing had been learned yet."""
    after: float
    reason: str = ""


class Settled(StrEnum):
    """How the model stands after a change."""

    YES = "settled"
    NOT_YET = "to be settled in the background"


class ModelNotSaved(ThresherError):
    """The model could not be saved. Nothing is lost by that: it is a view of the journal."""


class Engine:
    """A journal, the model that is a view of it, and a policy."""

    def __init__(self, journal: Journal, view: View, policy: Policy, user: str) -> None:
        self.journal = journal
        self.view = view
        self.policy = policy
        self.user = user
        self._loaded = Position("", 0, 0)
        """Where the view stood, settled, before this engine's own lessons."""
        self._own: list[int] = []
        """Ids of the lessons this engine gave since, in the order learned."""
        self._judge = Judge(view.learner, view.calibration, policy)
        self._alone = True
        """Whether nothing but these lessons has changed the journal meanwhile."""

    def load(self, progress: Callable[[int], None] | None = None) -> None:
        """Bring the model up to the journal."""
        if self.view.load(progress) and self.view.lessons:
            # A home that cannot be written, or has no room: then the next command folds the journal again.
            with suppress(ModelNotSaved):
                self._save()
        self._begin()

    def _begin(self) -> None:
        self._loaded, self._own, self._alone = self.view.position, [], self.view.settled

    # check ------------------------------------------------------------------------------------------------------------

    def check(self, streams: Sequence[bytes]) -> list[Judgement]:
        """Judge messages."""
        return self.judge(self.view.hasher.features(streams))

    def judge(self, features: Features) -> list[Judgement]:
        """Judge messages that are hashed already."""
        return self.judges().judge(features)

    def explain(self, stream: bytes) -> Explanation:
        """Judge a message and say what each of its features had to do with it."""
        return self.judges().explain(stream, self.view.hasher)

    def judges(self) -> Judge:
        """Return what judges now; another once something was learned."""
        view, now = self.view, self._judge
        same = now.learner is view.learner and now.calibration is view.calibration
        if not (same and now.rests_on == view.calibration.count):
            self._judge = Judge(view.learner, view.calibration, self.policy)
        return self._judge

    # learn ------------------------------------------------------------------------------------------------------------

    def learn(self, teachings: Sequence[Teaching], at: float | None = None, user: str | None = None) -> list[Receipt]:
        """Learn lessons of one user, the engine's own unless named, in this order and in one durable transaction."""
        features = features_of([teaching.message for teaching in teachings])
        put_back = self.view.as_it_is(features.slots)
        try:
            changes, lessons, corrections = self._learn(
                teachings, time.time() if at is None else at, self.user if user is None else user
            )
            after = self.view.learner.scores(features).tolist()
            self._write(_noted(lessons, teachings, after), corrections)
        except BaseException:
            put_back()
            raise
        return [
            _receipt(teaching, change, before, score)
            for teaching, (change, before), score in zip(teachings, changes, after, strict=True)
        ]

    def _learn(
        self, teachings: Sequence[Teaching], at: float, user: str
    ) -> tuple[list[tuple[Change, float | None]], list[Lesson], int]:
        """Step on lessons; return what each changed, the lessons to be written, and how many are corrections."""
        said = self._said_before([teaching.message.digest for teaching in teachings], user)
        lessons: list[Lesson] = []
        changes: list[tuple[Change, float | None]] = []
        corrections = 0
        for message, label, source in teachings:
            previous = said.get(message.digest)
            if previous is label:
                changes.append((Change.UNCHANGED, None))
                continue
            before = self._step(message, label, previous)
            corrections += previous is not None
            said[message.digest] = label
            changes.append((Change.CORRECTED if previous else Change.LEARNED, before))
            lessons.append(
                Lesson(message.digest, label, message.stream, user, source or message.path, at, before, VERSION)
            )
        return changes, lessons, corrections

    def _said_before(self, digests: Sequence[bytes], user: str) -> dict[bytes, Label]:
        if not self.journal.last_id():
            return {}
        selection = Selection(digests=tuple(set(digests)), user=user)
        return {entry.digest: entry.label for entry in self.journal.entries(selection)}

    def _step(self, message: Prepared, label: Label, previous: Label | None) -> float | None:
        slots = message.slots.astype(np.intp)
        known = bool(self.view.lessons)
        if previous is not None:
            self.view.learner.forget(slots, spam=previous is Label.SPAM)
            self._alone = False
        before = self.view.learn(slots, spam=label is Label.SPAM)
        return before if known else None

    def _write(self, lessons: Sequence[Lesson], corrections: int) -> None:
        """Journal lessons the model has already stepped on."""
        if not lessons:
            return
        outcomes = self.journal.append(lessons)
        ids = [outcome.id for outcome in outcomes]
        was = self.view.position
        now = Position(was.identity, was.generation + corrections, ids[-1])
        written = all(outcome.status is not Status.UNCHANGED for outcome in outcomes)
        consecutive = ids == list(range(was.last_id + 1, was.last_id + 1 + len(ids)))
        self._alone = self._alone and written and consecutive and self.journal.position() == now
        self._own += ids
        self.view.position = now

    # forget -----------------------------------------------------------------------------------------------------------

    def forget(self, selection: Selection) -> list[Entry]:
        """Take lessons back."""
        ids = [entry.id for entry in self.journal.entries(selection)]
        # Many at once are not unlearned one by one: the model is folded anew from what is left.
        streams = {} if len(ids) > MANY else {row.id: row.lesson.stream for row in self.journal.fetch(ids)}
        gone = self.journal.forget(selection)
        if gone:
            self._unlearn(gone, streams)
        return gone

    def _unlearn(self, gone: Sequence[Entry], streams: dict[int, bytes]) -> None:
        self._alone = False
        if self.view.position.last_id < gone[-1].id or any(entry.id not in streams for entry in gone):
            return
        features = self.view.hasher.features([streams[entry.id] for entry in gone])
        for i, entry in enumerate(gone):
            self.view.learner.forget(features.of(i), spam=entry.label is Label.SPAM)
        was = self.view.position
        self.view.position = was._replace(generation=was.generation + len(gone))

    # the model --------------------------------------------------------------------------------------------------------

    def finish(self, progress: Callable[[int], None] | None = None) -> Settled:
        """Settle the model after lessons or forgetting, at once if that is quick, and save it."""
        view = self.view
        view.settled = self._alone and view.is_in_order(self._loaded, self._own)
        saved = False
        for _ in range(ATTEMPTS):
            if not view.settled and view.settling_is_quick():
                view.settle(progress)
            elif self.journal.position() != view.position:
                view.load(progress)
            saved = self._save()
            if saved:
                break
        self._begin()
        return Settled.YES if saved and view.settled else Settled.NOT_YET

    def rebuild(self, progress: Callable[[int], None] | None = None) -> Settled:
        """Fold the journal anew and save the model."""
        self.view.settle(progress)
        saved = self._save()
        self._begin()
        return Settled.YES if saved and self.view.settled else Settled.NOT_YET

    def _save(self) -> bool:
        """Save the model, unless the journal has moved on: then whoever moved it saves a newer one."""
        path = self.view.path
        try:
            with locked(path.parent):
                if self.journal.position() != self.view.position:
                    return False
                self.view.save()
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ModelNotSaved(f"{path} could not be written ({reason}); the next command builds it again") from error
        return True


def _noted(lessons: Sequence[Lesson], teachings: Sequence[Teaching], after: Sequence[float]) -> list[Lesson]:
    """Note in lessons how their messages score now."""
    scores = {teaching.message.digest: score for teaching, score in zip(teachings, after, strict=True)}
    return [msgspec.structs.replace(lesson, after=scores[lesson.digest]) for lesson in lessons]


def _receipt(teaching: Teaching, change: Change, before: float | None, after: float) -> Receipt:
    message, label, _ = teaching
    if change is Change.UNCHANGED:
        return Receipt(message.path, message.digest.hex(), label, change, after, after, f"already learned as {label}")
    return Receipt(message.path, message.digest.hex(), label, change, before, after)
