"""What a report tells, measured: pure figures of one mail and one learner, spread over processes piece by piece.

The law of this file: what is called an error here is one on a message that had not been learned. What takes a subset of
a large mail, to end in time, says of how many messages it is.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from thresher.choose.metrics import Floats, Labels
from thresher.choose.protocols import Examples, Filter, Make
from thresher.decide import Policy
from thresher.judge import Explanation, Judge
from thresher.learn.hashing import Hasher, Ids
from thresher.learn.naming import Described, described
from thresher.prepare import over_cores

if TYPE_CHECKING:
    from scipy import sparse

    from thresher.choose.curves import LearningCurve, ValidationCurve
    from thresher.choose.decomposition import BiasVariance
    from thresher.choose.resampling import Interval

SIZES: Final = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000)
"""Lessons at which the learning curve is measured."""
REPEATS: Final = 8
"""Draws of the learning curve: its spread is that of eight."""
SWEPT: Final = 2000
"""Messages that settings are varied on, at most."""
DECOMPOSED: Final = 1000
"""Messages that bias and variance are measured on, at most: each takes forty models."""
RESAMPLES: Final = 40
"""Data sets drawn: of forty, each message is left out of fifteen, and hardly one of none."""
FOLDS: Final = 3
VOCABULARIES: Final = (10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000)
COMMON: Final = 3000
"""Words of the penalized regression, the commonest: the more columns, the longer it takes."""
PENALTIES: Final = (1e4, 1e3, 1e2, 1e1, 1.0, 1e-1, 1e-2, 1e-4)
TELLING: Final = 15
"""Words told of each class."""
SEEN_IN: Final = 4
"""Messages a telling word stands in at least."""
WORST: Final = 5
"""Mistakes told of each kind."""
REASONS: Final = 8
"""Features named of each mistake."""


class Mail(NamedTuple):
    """Messages in the order of time, with what names them."""

    examples: Examples
    shown: Sequence[str]
    times: Floats
    """Seconds since 1970; NaN where nobody knows."""
    stream: Callable[[int], bytes]
    """The token stream of a message."""
    order: Ids
    """The order in which they are learned."""
    groups: Ids
    near_duplicates: int


class Word(NamedTuple):
    """A feature, and what it says wherever it stands."""

    feature: Described
    share: float
    """The mean share of the score in the messages that have it."""
    spam: int
    ham: int


class Mistake(NamedTuple):
    """A message that was judged wrongly, and why, by the filter as it was then."""

    shown: str
    is_spam: bool
    subject: str
    learned: int
    """Lessons it had had."""
    explanation: Explanation


class Measured(NamedTuple):
    """Everything."""

    scores: Floats
    """Before each message was learned, in the order of time."""
    probability: Floats
    is_spam: Labels
    intervals: "dict[str, Interval]"
    learning: "LearningCurve"
    vocabulary: "ValidationCurve"
    alpha: "ValidationCurve"
    penalty: "ValidationCurve"
    swept: int
    parts: "dict[str, BiasVariance]"
    decomposed: int
    telling: tuple[list[Word], list[Word]]
    """Towards spam, towards ham."""
    mistakes: tuple[list[Mistake], list[Mistake]]
    """Ham that scored highest, spam that scored lowest."""
    judge: Judge
    """The filter after all lessons."""

    @property
    def n(self) -> int:
        """How many messages were met."""
        return len(self.is_spam)


class Streamed(NamedTuple):
    """What meeting the messages one by one gives."""

    scores: Floats
    probability: Floats
    judge: Judge
    telling: tuple[list[Word], list[Word]]
    mistakes: tuple[list[Mistake], list[Mistake]]


class Task(NamedTuple):
    """A piece of work that needs nothing of the others."""

    name: str
    number: int = 0


def measure(mail: Mail, make: Make, policy: Policy, hasher: Hasher, jobs: int, step: Callable[[int], None]) -> Measured:
    """Measure everything; `step` is told of each piece that is done, of `pieces()`."""
    from thresher.choose.curves import LearningCurve
    from thresher.choose.resampling import Run, intervals

    swept, decomposed = part_of(mail.groups, SWEPT), part_of(mail.groups, DECOMPOSED)
    work = partial(_done, mail=mail, make=make, policy=policy, hasher=hasher, swept=swept, decomposed=decomposed)
    tasks, results = pieces(), []
    for result in over_cores(work, tasks, jobs):
        results.append(result)
        step(1)
    found: dict[Task, Any] = dict(zip(tasks, results, strict=True))
    streamed: Streamed = found[Task("stream")]
    curves: list[LearningCurve] = [found[Task("learning", repeat)] for repeat in range(REPEATS)]
    train, test = (np.concatenate([getattr(one, side) for one in curves], axis=1) for side in ("train", "test"))
    run = Run(streamed.scores, streamed.probability)
    return Measured(
        scores=streamed.scores,
        probability=streamed.probability,
        is_spam=mail.examples.is_spam,
        intervals=intervals(mail.examples.is_spam, run, groups=mail.groups),
        learning=LearningCurve(curves[0].sizes, train, test),
        vocabulary=found[Task("vocabulary")],
        alpha=found[Task("alpha")],
        penalty=found[Task("penalty")],
        swept=len(swept),
        parts={"this learner": found[Task("bias-variance", 0)], "naive Bayes": found[Task("bias-variance", 1)]},
        decomposed=len(decomposed),
        telling=streamed.telling,
        mistakes=streamed.mistakes,
        judge=streamed.judge,
    )


def pieces() -> list[Task]:
    """List the work, the longest first."""
    learning = [Task("learning", repeat) for repeat in range(REPEATS)]
    sweeps = [Task("penalty"), Task("vocabulary"), Task("alpha")]
    return [Task("bias-variance", 0), Task("bias-variance", 1), Task("stream"), *sweeps, *learning]


def part_of(groups: Ids, most: int) -> Ids:
    """Draw at most so many messages, near duplicates with one another, in their order."""
    if len(groups) <= most:
        return np.arange(len(groups))
    names, sizes = np.unique(groups, return_counts=True)
    drawn = np.random.default_rng(0).permutation(len(names))
    kept = drawn[np.cumsum(sizes[drawn]) <= most]
    return np.flatnonzero(np.isin(groups, names[kept]))


def _done(task: Task, *, mail: Mail, make: Make, policy: Policy, hasher: Hasher, swept: Ids, decomposed: Ids) -> object:
    if task.name == "stream":
        return _stream(mail, make, policy, hasher)
    if task.name == "learning":
        return _learning(mail, make, task.number)
    if task.name == "bias-variance":
        return _parts(mail, make, decomposed, task.number)
    return _swept(mail, swept, task.name)


def _stream(mail: Mail, make: Make, policy: Policy, hasher: Hasher) -> Streamed:
    """Meet the messages one by one; then meet them again up to the worst mistakes, to ask why."""
    filter_, scores, probability = Filter(make), np.zeros(len(mail.order)), np.zeros(len(mail.order))
    for row in mail.order.tolist():
        said = filter_.learn(mail.examples.features.of(row), spam=bool(mail.examples.is_spam[row]))
        scores[row], probability[row] = said.log_odds[0], said.probability[0]
    judge = Judge(filter_.learner, filter_.calibration, policy)
    mistakes = _mistakes(mail, make, policy, hasher, scores, probability)
    return Streamed(scores, probability, judge, _telling(mail, judge, hasher), mistakes)


def _mistakes(
    mail: Mail, make: Make, policy: Policy, hasher: Hasher, scores: Floats, probability: Floats
) -> tuple[list[Mistake], list[Mistake]]:
    spam = mail.examples.is_spam
    lost = np.flatnonzero(~spam & (probability > 0.5))  # noqa: PLR2004 - even odds
    missed = np.flatnonzero(spam & (probability <= 0.5))  # noqa: PLR2004 - even odds
    worst = (lost[np.argsort(-scores[lost])][:WORST], missed[np.argsort(scores[missed])][:WORST])
    wanted = set(np.concatenate(worst).tolist())
    found: dict[int, Mistake] = {}
    again = Filter(make)
    for learned, row in enumerate(mail.order.tolist()):
        if len(found) == len(wanted):
            break
        if row in wanted:
            stream = mail.stream(row)
            explanation = Judge(again.learner, again.calibration, policy).explain(stream, hasher, REASONS)
            found[row] = Mistake(mail.shown[row], bool(spam[row]), subject_of(stream), learned, explanation)
        slots = mail.examples.features.of(row)
        again.calibration.add(again.learner.learn(slots, spam=bool(spam[row])), spam=bool(spam[row]))
    ham, missed_spam = ([found[row] for row in rows.tolist()] for rows in worst)
    return ham, missed_spam


def subject_of(stream: bytes) -> str:
    """Return the words of a message's subject."""
    for line in stream.split(b"\n"):
        field, _, words = line.partition(b"\t")
        if field == b"subject":
            return words.decode("utf-8", "replace").strip()
    return ""


def _telling(mail: Mail, judge: Judge, hasher: Hasher) -> tuple[list[Word], list[Word]]:
    """Find the features that say most where they stand, and stand in several messages; each with its words."""
    features, learner = mail.examples.features, judge.learner
    total, count = np.zeros(1 << hasher.bits), np.zeros(1 << hasher.bits, np.int64)
    for row in range(len(features)):
        slots = features.of(row)
        total[slots] += learner.shares(slots).shares
        count[slots] += 1
    mean = np.where(count >= SEEN_IN, total / np.maximum(count, 1), 0.0)
    order = np.argsort(mean, kind="stable")
    sides = (order[::-1][: 4 * TELLING], order[: 4 * TELLING])
    named = _named(mail, np.concatenate(sides), hasher)
    towards = []
    for slots, sign in zip(sides, (1, -1), strict=True):
        words: dict[object, Word] = {}
        for slot in slots.tolist():
            if slot in named and sign * mean[slot] > 0:
                spam, ham = int(learner.spam[slot]), int(learner.ham[slot])
                # Features that always stand together say the same and are told once.
                words.setdefault((spam, ham, round(mean[slot], 6)), Word(named[slot], float(mean[slot]), spam, ham))
        towards.append(list(words.values())[:TELLING])
    return towards[0], towards[1]


def _named(mail: Mail, wanted: Ids, hasher: Hasher) -> dict[int, Described]:
    """Name features by the first message that has each."""
    features, left = mail.examples.features, set(wanted.tolist())
    hits = np.flatnonzero(np.isin(features.slots, wanted))
    rows = np.searchsorted(features.offsets, hits, side="right") - 1
    named: dict[int, Described] = {}
    for row, slot in zip(rows.tolist(), features.slots[hits].tolist(), strict=True):
        if slot in left:
            found = described(mail.stream(row), hasher.bits, np.array(sorted(left)))
            named |= {key: value for key, value in found.items() if key in left}
            left -= found.keys()
    return named


def _learning(mail: Mail, make: Make, repeat: int) -> "LearningCurve":
    from thresher.choose.curves import learning_curve
    from thresher.choose.running_models import RunningClassifier, apart

    n = len(mail.examples)
    most = int(0.6 * n)
    sizes = [*(size for size in SIZES if size < most), most]
    return learning_curve(
        RunningClassifier(make),
        apart(mail.examples.features),
        mail.examples.is_spam.astype(int),
        sizes,
        repeats=1,
        groups=mail.groups,
        loss="zero_one",
        random_state=repeat,
    )


def _matrix(mail: Mail, rows: Ids) -> "tuple[sparse.csr_matrix, Ids]":
    """Return presence as a matrix, a column for each feature of these messages, and their labels."""
    from scipy import sparse

    from thresher.choose.protocols import take

    features = take(mail.examples.features, rows)
    columns, at = np.unique(features.slots, return_inverse=True)
    shape = (len(rows), len(columns))
    matrix = sparse.csr_matrix((np.ones(len(at)), at, features.offsets), shape=shape)
    return matrix, mail.examples.is_spam[rows].astype(np.intp)


def _swept(mail: Mail, rows: Ids, name: str) -> "ValidationCurve":
    from thresher.choose.curves import validation_curve
    from thresher.choose.experiments import error_against_alpha, error_against_vocabulary
    from thresher.learn import MultinomialNaiveBayes

    X, y = _matrix(mail, rows)
    groups = mail.groups[rows]
    if name == "vocabulary":
        sizes = [size for size in VOCABULARIES if size < X.shape[1]]
        return error_against_vocabulary(MultinomialNaiveBayes(), X, y, sizes, folds=FOLDS, groups=groups)
    if name == "alpha":
        return error_against_alpha(MultinomialNaiveBayes(), X, y, folds=FOLDS, groups=groups)
    from scipy import sparse
    from sklearn.linear_model import LogisticRegression

    common = np.argsort(-X.getnnz(axis=0), kind="stable")[:COMMON]
    X = X[:, common]
    X = sparse.csr_matrix(sparse.diags(1 / np.sqrt(np.maximum(X.getnnz(axis=1), 1))) @ X)
    strengths = [1 / penalty for penalty in PENALTIES]
    model = LogisticRegression(solver="liblinear", max_iter=1000)
    curve = validation_curve(model, "C", strengths, X, y, folds=FOLDS, groups=groups, loss="zero_one")
    return curve._replace(values=list(PENALTIES))


def _parts(mail: Mail, make: Make, rows: Ids, which: int) -> "BiasVariance":
    from thresher.choose.decomposition import bootstrap_bias_variance
    from thresher.choose.running_models import RunningClassifier, apart
    from thresher.learn import MultinomialNaiveBayes

    groups = mail.groups[rows]
    if which:
        X, y = _matrix(mail, rows)
        return bootstrap_bias_variance(MultinomialNaiveBayes(), X, y, resamples=RESAMPLES, groups=groups)
    from thresher.choose.protocols import take

    messages, y = apart(take(mail.examples.features, rows)), mail.examples.is_spam[rows].astype(np.intp)
    return bootstrap_bias_variance(RunningClassifier(make), messages, y, resamples=RESAMPLES, groups=groups)
