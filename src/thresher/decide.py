"""Score + policy -> verdict. Pure."""

import math
from typing import Final

import msgspec

from thresher.values import Judgement, Verdict

SPAM_FROM: Final = 0.9
"""A ham lost costs more than a spam missed: nine in ten sure is what people ask before a message leaves their inbox."""
HAM_TO: Final = 0.5


class Policy(msgspec.Struct, frozen=True):
    """From which probability of spam a message is spam, and up to which it is ham; between them it is unsure."""

    spam_from: float = SPAM_FROM
    ham_to: float = HAM_TO

    def __post_init__(self) -> None:
        if not 0.0 <= self.ham_to <= self.spam_from <= 1.0:
            raise ValueError(
                f"0 <= ham_to <= spam_from <= 1 must hold, not ham_to {self.ham_to}, spam_from {self.spam_from}"
            )


def probability(log_odds: float) -> float:
    """P = 1 / (1 + exp(-log-odds)), without overflow."""
    if log_odds >= 0:
        return 1.0 / (1.0 + math.exp(-log_odds))
    odds = math.exp(log_odds)
    return odds / (1.0 + odds)


def decide(log_odds: float, policy: Policy) -> Judgement:
    """Return the verdict on a score."""
    p = probability(log_odds)
    if p >= policy.spam_from:
        verdict = Verdict.SPAM
    elif p < policy.ham_to:
        verdict = Verdict.HAM
    else:
        verdict = Verdict.UNSURE
    return Judgement(verdict, p, log_odds)
