"""What the filter knows of words: counts and weight of any, those that tell most, the lessons behind one."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from starlette.responses import Response

from thresher.engine import Engine
from thresher.judge import Judge
from thresher.learn.naming import Described, described
from thresher.mail.words import words
from thresher.report.explained import told
from thresher.store.journal import Row as LessonRow
from thresher.store.verdict_query import Row
from thresher.web.memo import memo
from thresher.web.visit import Visit

READ: Final = 250
"""Newest lessons whose words are looked through for the most telling: half a second's work, done once a minute."""
SEARCHED: Final = 4000
"""Newest lessons searched for a word."""
BATCH: Final = 200
FOUND: Final = 20
TOP: Final = 25
SEEN: Final = 3
"""Lessons that a word must have been in to be listed among the most telling."""
FIELDS: Final = ("body", "subject", "from", "to", "url", "html", "hidden", "attachment", "message")
KINDS: Final = frozenset({"word", "pair"})
MAX_TEXT: Final = 200
AGAIN: Final = 200
"""Lessons after which the most telling are looked for anew."""


class Known(NamedTuple):
    """What is known of a word or a pair."""

    feature: Described
    spam: int
    ham: int
    pull: float
    """Its weight, 1 for the strongest listed; above 0 towards spam."""

    @property
    def told(self) -> str:
        """As people read it."""
        return told(self.feature)


class Behind(NamedTuple):
    """A lesson that holds a word."""

    lesson: LessonRow
    row: Row | None


def show(visit: Visit) -> Response:
    """Show a word, or the most telling."""
    asked, field = visit.query("q").strip()[:MAX_TEXT], visit.query("field").strip()[:MAX_TEXT]
    judge = visit.site.desk.keeper.judge
    vocabulary = _vocabulary(visit, judge)
    found = known_of(judge, _features_of(asked, field, vocabulary, judge)) if asked else []
    everything = known_of(judge, vocabulary)
    telling = [known for known in everything if known.spam + known.ham >= SEEN]
    return visit.show(
        "words.html",
        asked=asked,
        field=field,
        found=[known for known in found if known.spam or known.ham],
        for_spam=[known for known in telling if known.pull > 0][:TOP],
        for_ham=[known for known in telling if known.pull < 0][:TOP],
        behind=_behind(visit, asked, field) if asked else [],
        lessons=(judge.learner.n_ham, judge.learner.n_spam),
        read=READ,
        searched=SEARCHED,
    )


def known_of(judge: Judge, features: dict[int, Described]) -> list[Known]:
    """Say what is known of features, the weightiest first."""
    if not features:
        return []
    slots = np.array(list(features), np.intp)
    _, shares = judge.learner.shares(slots)
    strongest = float(np.abs(shares).max()) or 1.0
    spam, ham = judge.learner.spam[slots].tolist(), judge.learner.ham[slots].tolist()
    order = np.argsort(-np.abs(shares), kind="stable").tolist()
    names = list(features.values())
    return [Known(names[i], spam[i], ham[i], float(shares[i]) / strongest) for i in order]


def _vocabulary(visit: Visit, judge: Judge) -> dict[int, Described]:
    """Return the words and pairs of the newest lessons that this person may see, by slot."""
    sees = visit.account.sees
    lessons = judge.learner.n_ham + judge.learner.n_spam

    def compute() -> dict[int, Described]:
        named: dict[int, Described] = {}
        for row in _newest(visit, READ):
            for slot, feature in described(row.lesson.stream, judge.learner.bits).items():
                if feature.kind in KINDS and feature.text:
                    named.setdefault(slot, feature)
        return named

    return memo(visit.site, f"vocabulary {sees}", (lessons < AGAIN and lessons, lessons // AGAIN), compute)


def _newest(visit: Visit, most: int, before: int = 0) -> list[LessonRow]:
    """Return the newest lessons that this person may see, of so many."""
    sees = visit.account.sees

    def fetch(engine: Engine) -> list[LessonRow]:
        last = before - 1 if before else engine.journal.last_id()
        return list(engine.journal.fetch(range(last, max(last - most, 0), -1)))

    rows = visit.site.desk.keeper.ask(fetch).result()
    return [row for row in rows if sees is None or row.lesson.user == sees]


def _features_of(asked: str, field: str, vocabulary: dict[int, Described], judge: Judge) -> dict[int, Described]:
    """Name the features that a text would have in each field."""
    read = _words_of(asked)
    if not read:
        return {}
    fields = [field] if field else [*FIELDS, *sorted({each.field for each in vocabulary.values()} - set(FIELDS))]
    stream = b"".join(name.encode("utf-8", "replace") + b"\t" + b" ".join(read) + b"\n" for name in fields)
    single = len(read) == 1
    features = described(stream, judge.learner.bits)
    text = b" ".join(read).decode("utf-8", "replace")
    return {
        slot: each
        for slot, each in features.items()
        if (each.kind == "word" and single) or (each.kind == "pair" and (each.text == text or not single))
    }


def _words_of(asked: str) -> list[bytes]:
    """Read a text as the filter reads mail; a name such as ``address:x@y`` is one word."""
    if ":" in asked and " " not in asked:
        return [asked.encode("utf-8", "replace")]
    return words(asked.encode("utf-8", "replace"), set()).split()


def _behind(visit: Visit, asked: str, field: str) -> list[Behind]:
    """Find the newest lessons that hold a text, word for word."""
    read = _words_of(asked)
    if not read:
        return []
    sees, wanted = visit.account.sees, field.encode("utf-8", "replace")
    found: list[Behind] = []
    before = visit.site.desk.keeper.ask(lambda engine: engine.journal.last_id()).result() + 1
    end = max(before - SEARCHED, 1)
    while before > end and len(found) < FOUND:
        rows = [row for row in _newest(visit, BATCH, before) if _holds(row.lesson.stream, read, wanted)]
        found += [Behind(row, visit.site.verdicts.by_digest(row.lesson.digest, sees)) for row in rows]
        before -= BATCH
    return found[:FOUND]


def _holds(stream: bytes, read: Sequence[bytes], field: bytes) -> bool:
    if read[0] not in stream:
        return False
    for line in stream.split(b"\n"):
        name, _, text = line.partition(b"\t")
        if field and name != field:
            continue
        held = text.split()
        if any(held[i : i + len(read)] == list(read) for i in range(len(held) - len(read) + 1)):
            return True
    return False
