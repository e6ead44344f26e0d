"""What every protocol is told of a message. Pure values, and the points in which spamd and its like count."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import msgspec

from thresher.values import Judgement, Verdict

if TYPE_CHECKING:
    # A pipe that asks the daemon reads answers only, and has no time for NumPy.
    from thresher.judge import Evidence, Explanation

REASONS: Final = 3
"""Reasons told with a verdict: a header line's worth."""
THRESHOLD: Final = 5.0
"""Points from which a message is spam: SpamAssassin's default, which people's scripts and eyes expect."""
FURTHEST: Final = 900.0
"""No message has more points than this, or fewer than its negative: three digits fit every column."""
STEP: Final = 0.01
"""Points are told to two places."""
MAX_REASON: Final = 48
"""Characters of one reason."""


class Reason(msgspec.Struct, frozen=True):
    """A feature that told, and how far."""

    text: str
    """Field and words: ``subject:you won``. Printable, without blanks at its ends; any script."""
    share: float
    """Of the log-odds; above 0 towards spam."""


class Scan(msgspec.Struct, frozen=True):
    """The answer to a message."""

    judgement: Judgement
    points: float
    """The score on SpamAssassin's scale: at least THRESHOLD if and only if the verdict is spam."""
    reasons: tuple[Reason, ...]
    """The strongest first."""
    digest: str
    """Names the message, in hexadecimal; see mail.digest."""
    unjudged: str = ""
    """Why there is no judgement, if there is none; then the verdict is unsure and the mail goes through."""

    @property
    def verdict(self) -> Verdict:
        """What the filter says."""
        return self.judgement.verdict


def scan_of(explanation: "Explanation", line: float, digest: str) -> Scan:
    """Make the answer of a judgement and its strongest evidence."""
    judgement = explanation.judgement
    return Scan(judgement, points(judgement, line), tuple(reasons(explanation.evidence)), digest)


def unjudged(why: str, digest: str = "") -> Scan:
    """Make the answer for a message that could not be judged."""
    return Scan(Judgement(Verdict.UNSURE, 0.5, 0.0), 0.0, (), digest, why)


def points(judgement: Judgement, line: float) -> float:
    """Return log-odds shifted so that the line from which a message is spam lies at THRESHOLD."""
    # Where everything is spam, or nothing can be, there is no line, and points are log-odds.
    shifted = judgement.log_odds + (THRESHOLD - line if math.isfinite(line) else 0.0)
    rounded = round(max(-FURTHEST, min(FURTHEST, shifted)), 2)
    # Rounding must not carry a message over the bound that its verdict says it did not cross.
    return max(rounded, THRESHOLD) if judgement.verdict is Verdict.SPAM else min(rounded, THRESHOLD - STEP)


def reasons(evidence: "Iterable[Evidence]") -> list[Reason]:
    """Say which features told most; a feature that told nothing is no reason."""
    return [Reason(_text(each), each.share) for each in evidence if each.share][:REASONS]


def _text(evidence: "Evidence") -> str:
    field, text = evidence.feature.field, evidence.feature.text
    told = field if evidence.feature.kind == "field" else f"{field}:{text}"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in told[:MAX_REASON]).strip()
