"""Looking at a mailbox: what came, what went, what people did with it; and the lessons in that.

The law: what is learned is written to the journal first and remembered as said second. Killed in between, the same
lesson is given again and counts once, so a look can be cut short anywhere and is simply continued by the next.
"""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from thresher.boxes import BoxError
from thresher.boxes.mailbox import DELETED, INBOX, Mailbox, Scan, Sighting
from thresher.engine import Change, Engine, Receipt, Teaching
from thresher.filing.account import Account
from thresher.filing.policy import ACTS, STAYING, Here, Saying, may_be_moved, says
from thresher.filing.reading import Read, pieces, read_piece
from thresher.filing.roles import NEUTRAL, Role, roles_of
from thresher.filing.state import Place, State, Status
from thresher.learn.schedule import in_learning_order
from thresher.prepare import WORTH_FORKING, Cores, features_of, jobs_for, over_cores
from thresher.store.journal import Selection
from thresher.values import Label, Verdict

TRANSACTION: Final = 512
"""Messages after which lessons and places are written: what a kill can cost to be read again."""

Progress = Callable[[int], None]
Told = Callable[[Receipt, Saying], None]


class Candidate(NamedTuple):
    """A message of the inbox that thresher takes for spam."""

    uid: str
    digest: bytes
    log_odds: float
    probability: float


class Looked(NamedTuple):
    """What a look came to."""

    new: int
    changes: Counter[tuple[Change, Label]]
    spam: list[Candidate]
    errors: list[BoxError]

    @property
    def taught(self) -> int:
        """How many lessons changed something."""
        return sum(count for (change, _), count in self.changes.items() if change is not Change.UNCHANGED)


class _Wanted(NamedTuple):
    """A message to be read: one that is new, or one known of which there is now something to say."""

    folder: str
    uid: str
    sighting: Sighting | None
    place: Place | None
    label: Label | None
    """What it will probably teach, for the order."""


class Look:
    """One account, looked at once or again and again."""

    def __init__(
        self, account: Account, box: Mailbox, state: State, engine: Engine, clock: Callable[[], float] = time.time
    ) -> None:
        self.account = account
        self.box = box
        self.state = state
        self.engine = engine
        self.clock = clock
        self.user = account.user or engine.user
        self.roles: dict[str, Role] = {}

    def look(
        self,
        *,
        teach: bool = True,
        judge: bool = False,
        everything: bool = False,
        only: Collection[str] | None = None,
        jobs: int | None = None,
        begun: Callable[[int], Progress] = lambda _: lambda _: None,
        told: Told = lambda _, __: None,
    ) -> Looked:
        """Look at every folder, or at some only.

        `teach`: give the lessons; with `everything` also those that nothing new brought up. `judge`: say which
        new messages of the inbox are spam, with `everything` which of all that are there. `begun` is told how many
        messages are to be read.
        """
        if only is None or not self.roles:
            self.roles = roles_of(self.box.folders(), self.account.folders)
        work = partial(read_piece, self.engine.view.hasher)
        # Where much is to be expected processes are started before it is listed: see Cores.
        early = jobs_for(WORTH_FORKING, jobs) if everything or not self.state.looked_at() else 1
        with Cores(work, early) as processes:
            wanted, marks = self._scan(only, teach=teach, judge=judge, everything=everything)
            work_to_do = pieces(self.box, wanted, begun(len(wanted)))
            later = jobs_for(len(wanted), jobs)
            results = processes.each(work_to_do) if early > 1 else over_cores(work, work_to_do, later)
            looked = Looked(sum(each.place is None for each in wanted), Counter(), [], [])
            self._take_all(results, wanted, looked, told, teach=teach, judge=judge)
        if not looked.errors:
            for folder, mark in marks.items():
                self.state.set_mark(folder, mark)
        if only is None:
            self.state.set_looked_at()
        if judge:
            looked.spam.extend(self.due())
        return looked

    def due(self) -> list[Candidate]:
        """Return what was judged to be spam, is still to be filed, and may still be."""
        if not self.roles:
            self.roles = roles_of(self.box.folders(), self.account.folders)
        judge, now = self.engine.judges(), self.clock()
        return [
            Candidate(place.uid, place.digest, place.due, judge.probability(place.due))
            for place in self.state.due(INBOX)
            if place.due is not None and self._may_be_moved(place, now)
        ]

    def _may_be_moved(self, place: Place, now: float) -> bool:
        """Whether a message may be filed: what was moved once never is again, nor is what somebody keeps elsewhere."""
        return (
            may_be_moved(self._here(place), now, self.account.stay)
            and all(move.status is Status.VOID for move in self.state.moves_of(place.digest))
            and all(self.roles.get(other.folder) in {Role.INBOX, Role.ALL} for other in self.state.of(place.digest))
        )

    # what there is ----------------------------------------------------------------------------------------------------

    def _scan(
        self, only: Collection[str] | None, *, teach: bool, judge: bool, everything: bool
    ) -> tuple[list[_Wanted], dict[str, str]]:
        now = self.clock()
        marks: dict[str, str] = {}
        new: list[_Wanted] = []
        changed: set[tuple[str, str]] = set()
        if only is None:
            for folder in set(self.state.folders()) - self.roles.keys():
                self.state.gone(folder, sorted(self.state.uids(folder)), None, now)
        folders = [folder for folder in self.roles if only is None or folder in only]
        for folder in folders:
            role = self.roles[folder]
            mark = self.state.mark(folder)
            scan = self.box.scan(folder, mark or "")
            if scan.uids is not None:
                marks[folder] = scan.mark
                new += self._news(folder, role, scan, changed, None if mark is None else now)
        # What only time brought up can wait until all folders are looked at.
        staying = frozenset() if only else STAYING
        places = self._worth_another_look(
            folders, staying, changed, now, everything=everything, teach=teach, judge=judge
        )
        wanted = new + list(places)
        lessons = [each for each in wanted if each.label]
        ordered = in_learning_order(lessons, [each.label is Label.SPAM for each in lessons])
        return ordered + [each for each in wanted if not each.label], marks

    def _news(
        self, folder: str, role: Role, scan: Scan, changed: set[tuple[str, str]], came: float | None
    ) -> Iterator[_Wanted]:
        """Take note of what went and what got other flags, and yield what came; on the first look, long ago maybe."""
        known = self.state.uids(folder)
        # Marked as deleted is as good as gone: so many programs move, and only later remove.
        deleted = {sighting.uid for sighting in scan.changed if DELETED in sighting.flags}
        gone = sorted(known - set(scan.uids or ()) | known & deleted)
        if gone:
            changed.update(self.state.gone(folder, gone, None if role in NEUTRAL else role, self.clock()))
        there = [sighting for sighting in scan.changed if sighting.uid in known and sighting.uid not in deleted]
        self._note_flags(folder, there, changed)
        for sighting in scan.changed:
            if sighting.uid not in known and sighting.uid not in deleted:
                since = sighting.arrived if came is None else max(came, sighting.arrived)
                # Until it is read, this is the best guess at what it will teach.
                saying = says(Here(role, sighting.flags, since), self.clock(), self.account.stay)
                label = saying.label if saying else None
                yield _Wanted(folder, sighting.uid, sighting._replace(arrived=since), None, label)

    def _note_flags(self, folder: str, sightings: Sequence[Sighting], changed: set[tuple[str, str]]) -> None:
        before = {place.uid: place for place in self.state.places(folder)} if sightings else {}
        other = []
        for sighting in sightings:
            place = before[sighting.uid]
            if place.flags != sighting.flags:
                other.append(place._replace(flags=sighting.flags, had=place.flags))
                changed.add((folder, sighting.uid))
        self.state.put(other)

    def _worth_another_look(
        self,
        folders: Iterable[str],
        staying: Collection[Role],
        changed: set[tuple[str, str]],
        now: float,
        *,
        everything: bool,
        teach: bool,
        judge: bool,
    ) -> Iterator[_Wanted]:
        """Yield messages known before that now teach something, or that are to be judged again."""
        for folder in folders:
            role = self.roles[folder]
            again = {uid for other, uid in changed if other == folder}
            places = {place.uid: place for place in self.state.places(folder, again)}
            if everything or role in staying:
                until = None if everything else now - self.account.stay
                places |= {place.uid: place for place in self.state.unsaid(folder, until)}
            for place in places.values():
                here = self._here(place)
                saying = says(here, now, self.account.stay) if teach else None
                if saying and saying.label != place.said:
                    yield _Wanted(folder, place.uid, None, place, saying.label)
                elif judge and everything and folder == INBOX and may_be_moved(here, now, self.account.stay):
                    yield _Wanted(folder, place.uid, None, place, None)

    def _here(self, place: Place) -> Here:
        before = Role(place.before) if place.before else None
        role = self.roles[place.folder]
        return Here(role, place.flags, place.since, before, place.ours, place.judged, place.had)

    # what it says -----------------------------------------------------------------------------------------------------

    def _take_all(
        self,
        results: Iterable[tuple[list[Read], list[BoxError]]],
        wanted: Sequence[_Wanted],
        looked: Looked,
        told: Told,
        *,
        teach: bool,
        judge: bool,
    ) -> None:
        known = {(each.folder, each.uid): each for each in wanted}
        batch: list[Read] = []
        for reads, errors in results:
            looked.errors.extend(errors)
            batch += reads
            if len(batch) >= TRANSACTION:
                self._take(batch, known, looked, told, teach=teach, judge=judge)
                batch = []
        self._take(batch, known, looked, told, teach=teach, judge=judge)

    def _take(
        self,
        reads: Sequence[Read],
        known: dict[tuple[str, str], _Wanted],
        looked: Looked,
        told: Told,
        *,
        teach: bool,
        judge: bool,
    ) -> None:
        """Teach and judge some messages, and remember their places."""
        now = self.clock()
        places = [self._place(read, known[read.folder, read.uid]) for read in reads]
        said = {(place.folder, place.uid): says(self._here(place), now, self.account.stay) for place in places}
        if judge:
            places = self._judged(reads, places, now)
        if teach:
            places = self._teach(reads, places, said, looked, told)
        self.state.put(places)

    def _place(self, read: Read, wanted: _Wanted) -> Place:
        digest = read.message.digest
        if wanted.place is not None and wanted.place.digest == digest:
            return wanted.place
        sighting = wanted.sighting or Sighting(read.uid)
        return Place(
            read.folder, read.uid, digest, sighting.flags, None, sighting.arrived, self.state.was(digest),
            self._is_ours(read), read.judged, "",
        )  # fmt: skip

    def _is_ours(self, read: Read) -> bool:
        for move in self.state.moves_of(read.message.digest):
            if move.status is Status.DONE and move.target == read.folder and move.new_uid in {read.uid, ""}:
                if not move.new_uid:
                    self.state.end([(move.id, Status.DONE, read.uid)])
                return True
        return False

    def _judged(self, reads: Sequence[Read], places: Sequence[Place], now: float) -> list[Place]:
        """Judge what may be moved, and return the places with what is to be filed."""
        asked = [
            read.message
            for read, place in zip(reads, places, strict=True)
            if place.folder == INBOX and self._may_be_moved(place, now)
        ]
        judgements = self.engine.judge(features_of(asked)) if asked else []
        spam = {
            message.digest: judgement.log_odds
            for message, judgement in zip(asked, judgements, strict=True)
            if judgement.verdict is Verdict.SPAM
        }
        return [place._replace(due=spam.get(place.digest) if place.folder == INBOX else None) for place in places]

    def _teach(
        self,
        reads: Sequence[Read],
        places: Sequence[Place],
        said: dict[tuple[str, str], Saying | None],
        looked: Looked,
        told: Told,
    ) -> list[Place]:
        """Give the lessons there are, and return the places with what was said."""
        before = self._labels(place.digest for place in places)
        here = {self.account.source(place.folder, place.uid) for place in places}
        teachings, sayings, after = [], [], []
        for read, place in zip(reads, places, strict=True):
            saying = said[place.folder, place.uid]
            if saying is None:
                after.append(place)
                continue
            known = before.get(place.digest)
            if known and known[0] is not saying.label and not self._corrects(saying, place, known[1], here):
                after.append(place._replace(said=known[0]))
                continue
            source = self.account.source(place.folder, place.uid)
            before[place.digest] = saying.label, source
            teachings.append(Teaching(read.message, saying.label, source))
            sayings.append(saying)
            after.append(place._replace(said=saying.label))
        receipts = self.engine.learn(teachings, user=self.user) if teachings else []
        for receipt, saying, teaching in zip(receipts, sayings, teachings, strict=True):
            looked.changes[receipt.change, receipt.label] += 1
            told(_renamed(receipt, teaching.source), saying)
        return after

    def _labels(self, digests: Iterable[bytes]) -> dict[bytes, tuple[Label, str]]:
        """Return what this person has said of messages, and where that came from."""
        if not self.engine.journal.last_id():
            return {}
        selection = Selection(digests=tuple(set(digests)), user=self.user)
        return {entry.digest: (entry.label, entry.source) for entry in self.engine.journal.entries(selection)}

    def _corrects(self, saying: Saying, place: Place, source: str, beside: set[str]) -> bool:
        """Whether this speaks against an earlier word: an act does, and lying elsewhere in this account than then."""
        if saying.why in ACTS:
            return True
        # Where the copy that taught the earlier word still lies where it was, two copies differ.
        others = {self.account.source(other.folder, other.uid) for other in self.state.of(place.digest)} | beside
        return source.startswith(f"{self.account.name}:") and source not in others


def _renamed(receipt: Receipt, path: str) -> Receipt:
    import msgspec

    return msgspec.structs.replace(receipt, path=path)
