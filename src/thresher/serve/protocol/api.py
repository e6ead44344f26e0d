"""Our own HTTP API: its paths, and what is answered there. Values only; docs/openapi.json is written from them.

Messages are sent as they are, in the body; everything else stands in the query. Answers are JSON, a failure
`{"error": "a sentence"}`.
"""

from typing import TYPE_CHECKING, Final

import msgspec

from thresher.serve.scan import THRESHOLD, Reason, Scan
from thresher.values import Judgement, Label, Verdict

if TYPE_CHECKING:
    from thresher.judge import Explanation

PREFIX: Final = "/api/v1"


class Checked(msgspec.Struct, frozen=True):
    """A verdict on a message."""

    id: str
    """Names the message; empty if it was not judged."""
    verdict: Verdict
    probability: float
    log_odds: float
    points: float
    threshold: float
    """Points from which a message is spam."""
    reasons: tuple[Reason, ...]
    unjudged: str = ""
    """Why there is no judgement, if there is none; then the verdict is unsure."""


class Told(msgspec.Struct, frozen=True):
    """One feature's part in a score."""

    field: str
    kind: str
    text: str
    share: float
    """Of the log-odds; above 0 towards spam."""
    spam: int
    """Lessons of spam that had it."""
    ham: int


class Explained(msgspec.Struct, frozen=True):
    """A verdict taken apart: base + the shares of all features is the log-odds."""

    verdict: Verdict
    probability: float
    log_odds: float
    base: float
    features: int
    """How many there are; the strongest are listed."""
    evidence: tuple[Told, ...]


class Learned(msgspec.Struct, frozen=True):
    """The receipt for a lesson."""

    id: str
    label: Label
    change: str
    """learned, corrected, unchanged; spooled if it waits on disk for a journal that cannot be written now."""
    before: float | None
    """Log-odds of spam before; null if nothing had been learned yet."""
    after: float | None
    reason: str = ""


class Lesson(msgspec.Struct, frozen=True):
    """A lesson that counts, or did until it was forgotten just now."""

    number: int
    id: str
    label: Label
    user: str
    source: str
    time: float
    """Seconds since 1970, UTC."""
    log_odds: float | None
    """Before it was learned; null if nothing had been learned yet."""


class Forgotten(msgspec.Struct, frozen=True):
    """What was taken back."""

    lessons: tuple[Lesson, ...]


class History(msgspec.Struct, frozen=True):
    """Lessons, the newest first."""

    lessons: tuple[Lesson, ...]
    before: int | None = None
    """What to ask for to see older ones; null if there are none."""


class Promised(msgspec.Struct, frozen=True):
    """How much ham is called spam at most."""

    rate: float
    asked: float
    confidence: float
    rests_on: int


class Status(msgspec.Struct, frozen=True):
    """How the daemon stands."""

    version: str
    learner: str
    ham: int
    """Lessons of ham in the model that judges now."""
    spam: int
    promise: Promised
    waiting: int
    """Lessons and questions that wait for the journal."""
    spooled: int
    """Lessons that wait on disk for a journal that cannot be written now."""
    in_hand: int
    """Messages being judged, in the process that answers."""
    uptime: float
    learning: bool
    trouble: str = ""


class Failed(msgspec.Struct, frozen=True):
    """What went wrong."""

    error: str


def checked(scan: Scan) -> Checked:
    """Return a scan as it is answered."""
    judgement = scan.judgement
    return Checked(
        scan.digest,
        judgement.verdict,
        judgement.probability,
        judgement.log_odds,
        scan.points,
        THRESHOLD,
        scan.reasons,
        scan.unjudged,
    )


def explained(explanation: "Explanation", most: int | None = None) -> Explained:
    """Return an explanation as it is answered, with the strongest evidence."""
    judgement, base, evidence = explanation
    told = tuple(
        Told(each.feature.field, each.feature.kind, each.feature.text, each.share, each.spam, each.ham)
        for each in evidence[:most]
    )
    return Explained(judgement.verdict, judgement.probability, judgement.log_odds, base, len(evidence), told)


def scan_of(answer: Checked) -> Scan:
    """Return the scan that was answered."""
    judgement = Judgement(answer.verdict, answer.probability, answer.log_odds)
    return Scan(judgement, answer.points, answer.reasons, answer.id, answer.unjudged)
