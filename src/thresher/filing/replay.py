"""The dry run: what thresher would have moved had it been on since a day, and what it would have got wrong.

The law: nothing is moved, marked or learned; the folders are read, and a model of its own is taught in memory. It knows
at first what was there before that day. From then on each day's mail is judged by what was known the day before, and
what people said of it by where they put it, or in the journal, is learned at the day's end: so no message is judged by
a model that has seen it.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple

from thresher.boxes import BoxError
from thresher.engine import Engine
from thresher.filing.look import Progress
from thresher.filing.policy import Here, says
from thresher.filing.reading import Piece, Read, load_all, pieces, prepared
from thresher.filing.roles import Role, roles_of
from thresher.filing.session import Session
from thresher.filing.showing import shown_headers
from thresher.filing.state import Status
from thresher.learn.hashing import Hasher
from thresher.learn.schedule import in_learning_order
from thresher.prepare import Prepared, features_of, jobs_for, over_cores
from thresher.store.journal import Selection
from thresher.values import Label, Verdict

NOT_RECEIVED: Final = frozenset({Role.SENT, Role.DRAFTS, Role.ALL})
"""What lies there did not come to the inbox, or is there a second time."""
BATCH: Final = 256
"""Messages judged at once at most, and labels looked up in the journal."""


class Outcome(StrEnum):
    """What would have become of a message, and whether that was right."""

    MOVED = "spam, moved"
    MISSED = "spam, left in the inbox"
    LOST = "wanted, moved"
    LEFT = "wanted, left in the inbox"
    UNKNOWN_MOVED = "not known, moved"
    UNKNOWN_LEFT = "not known, left in the inbox"


OUTCOMES: Final = {
    (Label.SPAM, True): Outcome.MOVED, (Label.SPAM, False): Outcome.MISSED,
    (Label.HAM, True): Outcome.LOST, (Label.HAM, False): Outcome.LEFT,
    (None, True): Outcome.UNKNOWN_MOVED, (None, False): Outcome.UNKNOWN_LEFT,
}  # fmt: skip


class Judged(NamedTuple):
    """A message that came, and what would have become of it."""

    arrived: float
    folder: str
    outcome: Outcome
    probability: float
    sender: str
    subject: str


class Known(NamedTuple):
    """What the model knew on the first day."""

    ham: int
    spam: int


class Replayed(NamedTuple):
    """What came of it; `judged` is to be gone through once, and `errors` are complete then."""

    known: Known
    judged: Iterator[Judged]
    errors: list[BoxError]


class _Seen(NamedTuple):
    """A message as the listing shows it."""

    arrived: float
    folder: str
    uid: str
    flags: frozenset[str]
    likely: Label | None
    """What its place says, unless its text speaks against that."""


class _Taken(NamedTuple):
    """A message that was read."""

    seen: _Seen
    message: Prepared
    judged: bool
    sender: str
    subject: str


class Replay:
    """One account, gone through from a day on."""

    def __init__(
        self, session: Session, trial: Engine, since: float, *, jobs: int | None = None, now: float | None = None
    ) -> None:
        """Use `session` to read only; `trial` is an engine that knows nothing, and whose home is thrown away."""
        self.session = session
        self.trial = trial
        self.since = since
        self.jobs = jobs
        self.now = time.time() if now is None else now
        self.user = session.look.user
        self._known: set[bytes] = set()
        self._errors: list[BoxError] = []
        self._roles: dict[str, Role] = {}

    def run(self, begun: Callable[[int], Progress] = lambda _: lambda _: None) -> Replayed:
        """Learn what was there before, and return what would have become of what came since."""
        box = self.session.box
        self._roles = roles_of(box.folders(), self.session.account.folders)
        seen = [one for folder, role in self._roles.items() for one in self._listed(folder, role)]
        step = begun(len(seen))
        before = [one for one in seen if one.arrived < self.since and one.likely]
        step(len(seen) - len(before) - sum(one.arrived >= self.since for one in seen))
        before = in_learning_order(before, [one.likely is Label.SPAM for one in before])
        for batch in self._read(before, step):
            self._learn(batch, self._labels(batch))
        came = sorted(one for one in seen if one.arrived >= self.since)
        learner = self.trial.view.learner
        return Replayed(Known(learner.n_ham, learner.n_spam), self._days(came, step), self._errors)

    def _listed(self, folder: str, role: Role) -> Iterator[_Seen]:
        for sighting in self.session.box.scan(folder).changed:
            said = says(Here(role, sighting.flags, sighting.arrived), self.now, self.session.account.stay)
            yield _Seen(sighting.arrived, folder, sighting.uid, sighting.flags, said.label if said else None)

    def _days(self, came: Sequence[_Seen], step: Progress) -> Iterator[Judged]:
        one_by_one = (taken for batch in self._read(came, step) for taken in batch)
        for _, of_day in groupby(one_by_one, lambda taken: time.localtime(taken.seen.arrived)[:3]):
            day = list(of_day)
            labels = self._labels(day)
            yield from self._judge(day, labels)
            self._learn(day, labels)

    def _judge(self, day: Sequence[_Taken], labels: Sequence[Label | None]) -> Iterator[Judged]:
        received = [
            (taken, label)
            for taken, label in zip(day, labels, strict=True)
            if self._roles[taken.seen.folder] not in NOT_RECEIVED
        ]
        judgements = self.trial.judge(features_of([taken.message for taken, _ in received]))
        for (taken, label), judgement in zip(received, judgements, strict=True):
            outcome = OUTCOMES[label, judgement.verdict is Verdict.SPAM]
            seen = taken.seen
            yield Judged(seen.arrived, seen.folder, outcome, judgement.probability, taken.sender, taken.subject)

    def _learn(self, batch: Sequence[_Taken], labels: Sequence[Label | None]) -> None:
        """Teach the trial's model what was said, each message once."""
        for taken, label in zip(batch, labels, strict=True):
            if label is not None and taken.message.digest not in self._known:
                self._known.add(taken.message.digest)
                self.trial.view.learn(taken.message.slots.astype("intp"), spam=label is Label.SPAM)

    def _labels(self, batch: Sequence[_Taken]) -> list[Label | None]:
        """Say what each message is: by this person's word in the journal, else by where it lies."""
        digests = tuple({taken.message.digest for taken in batch})
        journal = self.session.engine.journal
        given = journal.entries(Selection(digests=digests, user=self.user)) if journal.last_id() and digests else ()
        said = {entry.digest: entry.label for entry in given}
        return [said.get(taken.message.digest) or self._placed(taken) for taken in batch]

    def _placed(self, taken: _Taken) -> Label | None:
        seen, digest = taken.seen, taken.message.digest
        moves = self.session.state.moves_of(digest)
        ours = any(move.status is Status.DONE and move.target == seen.folder for move in moves)
        here = Here(self._roles[seen.folder], seen.flags, seen.arrived, ours=ours, judged=taken.judged)
        said = says(here, self.now, self.session.account.stay)
        return said.label if said else None

    def _read(self, wanted: Sequence[_Seen], step: Progress) -> Iterator[list[_Taken]]:
        known = {(one.folder, one.uid): one for one in wanted}
        work = partial(_read_piece, self.trial.view.hasher)
        for reads, errors in over_cores(work, pieces(self.session.box, wanted, step), jobs_for(len(wanted), self.jobs)):
            self._errors += errors
            yield [
                _Taken(known[read.folder, read.uid], read.message, read.judged, sender, subject)
                for read, (sender, subject) in reads
            ]


def _read_piece(hasher: Hasher, piece: Piece) -> tuple[list[tuple[Read, tuple[str, str]]], list[BoxError]]:
    found, errors = load_all(piece)
    shown = [shown_headers(item.raw) for _, _, item in found]
    return list(zip(prepared(hasher, found), shown, strict=True)), errors
