"""Score + policy -> verdict. Pure."""

from typing import Final

import msgspec

from thresher.values import Judgement, Verdict

SPAM_FROM: Final = 0.9
"""A ham lost costs more than a spam missed: nine in ten sure is what people ask before a message leaves their inbox."""
HAM_TO: Final = 0.5
PROMISE: Final = 0.001
"""One ham in a thousand: the loss people are said to bear."""
CONFIDENCE: Final = 0.95


class Policy(msgspec.Struct, frozen=True):
    """What makes a message spam: how probable it must be, and what share of the ham may be called so at most."""

    spam_from: float = SPAM_FROM
    ham_to: float = HAM_TO
    """Below this probability of spam a message is ham; what is neither is unsure."""
    promise: float = PROMISE
    """The share of ham that may be called spam; 1 promises nothing."""
    confidence: float = CONFIDENCE
    """How sure that promise is to be."""

    def __post_init__(self) -> None:
        if not 0.0 <= self.ham_to <= self.spam_from <= 1.0:
            raise ValueError(
                f"0 <= ham_to <= spam_from <= 1 must hold, not ham_to {self.ham_to}, spam_from {self.spam_from}"
            )
        if not 0.0 < self.promise <= 1.0:
            raise ValueError(f"promise, a share of ham, must lie above 0 and not above 1, not {self.promise}")
        if not 0.0 < self.confidence < 1.0:
            raise ValueError(f"confidence must lie between 0 and 1, not {self.confidence}")


def decide(log_odds: float, probability: float, policy: Policy, above: float) -> Judgement:
    """Return the verdict on a score and the probability it means; `above` is the score that the promise asks for."""
    if probability < policy.ham_to:
        verdict = Verdict.HAM
    elif probability >= policy.spam_from and log_odds > above:
        verdict = Verdict.SPAM
    else:
        verdict = Verdict.UNSURE
    return Judgement(verdict, probability, log_odds)
