"""The file that `evaluate --results` writes, read as by somebody who has nothing else, and the figures worked out anew.

The law of this file: no code of the product and no NumPy, so that an error there is not repeated here. All pure.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

HAM_LOST = 0.001
BINS = 15
"""Of the expected calibration error, as `evaluate` tells it."""
SURE = 2.0**-52
"""What `evaluate` says of log-loss: probabilities are kept this far off 0 and 1."""
SAME = 1e-12
"""Relative difference of two roads to one figure in floats: rounding of sums, and far below a digit left out of OUT."""


class Results(NamedTuple):
    """The lines of one file."""

    spam: list[bool]
    probability: list[float]
    log_odds: list[float]


class WrongResults(Exception):
    """The file is not what `evaluate` promises; the text says where."""


def read_results(text: str, index: Sequence[tuple[str, str]]) -> Results:
    """Read the lines and hold them to the promise: the index's labels and paths in its order, every digit."""
    lines = text.split("\n")
    if lines.pop() != "" or len(lines) != len(index):
        raise WrongResults(f"{len(lines)} lines, the last ended or not, for {len(index)} messages")
    results = Results([], [], [])
    for number, (line, listed) in enumerate(zip(lines, index, strict=True), 1):
        fields = line.split("\t", 3)
        if len(fields) != 4 or (fields[0], fields[3]) != listed:
            raise WrongResults(f"line {number}: not `label TAB probability TAB log-odds TAB PATH` of message {number}")
        p, score = map(float, fields[1:3])
        if (repr(p), repr(score)) != (fields[1], fields[2]):
            raise WrongResults(f"line {number}: a number that does not come back as it was written")
        if not 0 <= p <= 1:
            raise WrongResults(f"line {number}: {p} is no probability")
        results.spam.append(fields[0] == "spam")
        results.probability.append(p)
        results.log_odds.append(score)
    return results


def figures(results: Results) -> dict[str, float]:
    """Work out what `evaluate --json` prints, under its names.

    Without lam and the shares of each class, which follow from counts that are here.
    """
    spam, p = results.spam, results.probability
    n, n_spam = len(spam), sum(spam)
    false_positives = sum(is_p > 0.5 and not is_spam for is_spam, is_p in zip(spam, p, strict=True))
    false_negatives = sum(is_p <= 0.5 and is_spam for is_spam, is_p in zip(spam, p, strict=True))
    charged = [min(max(is_p if is_spam else 1 - is_p, SURE), 1 - SURE) for is_spam, is_p in zip(spam, p, strict=True)]
    return {
        "n": n,
        "n_ham": n - n_spam,
        "n_spam": n_spam,
        "errors": false_positives + false_negatives,
        "false_positives": false_positives,
        "false_negatives": false_negatives,
        "error_rate": (false_positives + false_negatives) / n,
        "one_minus_auc_percent": one_minus_auc_percent(spam, results.log_odds),
        "spam_missed_at_ham_lost": spam_missed(spam, results.log_odds),
        "brier": math.fsum((is_p - is_spam) ** 2 for is_spam, is_p in zip(spam, p, strict=True)) / n,
        "log_loss": -math.fsum(map(math.log, charged)) / n,
        "expected_calibration_error": calibration_error(spam, p),
    }


def calibration_error(spam: Sequence[bool], p: Sequence[float]) -> float:
    """Mean difference between what was said and what was, over BINS of equal width, weighted by their messages."""
    bins: list[list[float]] = [[] for _ in range(BINS)]
    for is_spam, is_p in zip(spam, p, strict=True):
        bins[min(int(is_p * BINS), BINS - 1)].append(is_p - is_spam)
    return math.fsum(abs(math.fsum(one)) for one in bins) / len(spam)


def one_minus_auc_percent(spam: Sequence[bool], scores: Sequence[float]) -> float:
    """Percent of the pairs of a ham and a spam in which the ham scores higher, a tie being half of one."""
    ham_below = ham_at = twice_wrong = 0
    n_ham = len(spam) - sum(spam)
    at: float | None = None
    for score, is_spam in sorted(zip(scores, spam, strict=True)):
        if score != at:
            ham_below, ham_at, at = ham_below + ham_at, 0, score
        # Sorting puts the ham of a tie before its spam, so all of it has been counted when the spam comes.
        if is_spam:
            twice_wrong += 2 * (n_ham - ham_below - ham_at) + ham_at
        else:
            ham_at += 1
    return 100 * twice_wrong / (2 * n_ham * sum(spam))


def spam_missed(spam: Sequence[bool], scores: Sequence[float]) -> float:
    """Share of the spam no higher than the highest ham that may not be lost where one ham in a thousand may."""
    ham = sorted((score for score, is_spam in zip(scores, spam, strict=True) if not is_spam), reverse=True)
    kept = ham[int(HAM_LOST * len(ham))]
    return sum(score <= kept for score, is_spam in zip(scores, spam, strict=True) if is_spam) / sum(spam)


def errors_in_tail(results: Results, tail: int) -> int:
    """Count the errors at threshold 0.5 in the last so many messages."""
    last = zip(results.spam[-tail:], results.probability[-tail:], strict=True)
    return sum((p > 0.5) != is_spam for is_spam, p in last)


def disagreements(printed: Mapping[str, float | None], ours: Mapping[str, float]) -> list[str]:
    """Name the figures that were printed otherwise than they were worked out here."""
    return [name for name, value in ours.items() if not _same(printed.get(name), value)]


def _same(printed: float | None, ours: float) -> bool:
    return printed is not None and math.isclose(printed, ours, rel_tol=SAME, abs_tol=SAME)
