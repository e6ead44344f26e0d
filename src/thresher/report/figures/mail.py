"""Naive Bayes on made-up mail: error against what can be chosen, and where it comes from (rows E1, E4 and E5)."""

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from thresher.choose import bootstrap_bias_variance, near_duplicates
from thresher.choose.curves import mean_band
from thresher.choose.experiments import error_against_alpha, error_against_messages, error_against_vocabulary
from thresher.demo import messages
from thresher.learn import BernoulliNaiveBayes, MultinomialNaiveBayes
from thresher.learn.hashing import Hasher
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize
from thresher.report.figures.style import LINES, band, curve, name, panels
from thresher.values import Label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SEED: Final = 3
MESSAGES: Final = 400
SIMILAR: Final = 0.7
"""From here on two made-up messages come from one template."""
ALPHAS: Final = (100.0, 10.0, 1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-9)
WORDS: Final = (100, 300, 1000, 2000, 3000, 5000, 8000)
SURE: Final = MultinomialNaiveBayes(alpha=1e-4)
"""Hardly smoothed, so that what is wrong with many words shows."""
LEARNED: Final = (10, 20, 50, 100, 150, 250)


class Mail(NamedTuple):
    """A row per message."""

    X: sparse.csr_matrix
    """Presence of each feature."""
    y: NDArray[np.str_]
    groups: NDArray[np.intp]
    """Messages that nearly say the same share a number."""


@cache
def made_up(count: int, seed: int, bits: int = 13) -> Mail:
    """So many messages, their labels, and which nearly say the same."""
    made = list(messages(count, seed=seed))
    features = Hasher(bits).features([tokenize(parse(message.raw)) for message in made])
    ones = np.ones(len(features.slots))
    X = sparse.csr_matrix((ones, features.slots, features.offsets), shape=(count, 1 << bits))
    y = np.array(["spam" if message.label is Label.SPAM else "ham" for message in made])
    return Mail(X, y, near_duplicates(features, SIMILAR).groups)


def mail_against_alpha() -> "Figure":
    """Hardly smoothed, naive Bayes knows its training mail by heart and errs more on other mail."""
    mail = made_up(MESSAGES, SEED)
    figure, axes = panels(2, size=(3.9, 3.3), sharey=True)
    for ax, model, title in (
        (axes[0], BernoulliNaiveBayes(), "Bernoulli"),
        (axes[1], MultinomialNaiveBayes(), "multinomial"),
    ):
        found = error_against_alpha(model, mail.X, mail.y, ALPHAS, groups=mail.groups)
        curve(ax, ALPHAS, 100 * found.train.mean(axis=1), 0, "training", markers=True)
        curve(ax, ALPHAS, 100 * found.validation.mean(axis=1), 1, "validation, 5 folds", markers=True)
        ax.set_xscale("log")
        ax.invert_xaxis()
        name(ax, "α (less smoothing to the right)", "errors, %", f"{title}, {MESSAGES} made-up messages")
    axes[0].legend(loc="upper right")
    return figure


def mail_against_vocabulary() -> "Figure":
    """Training errors fall to nothing; on other mail the last words help no more, and leave the filter too sure."""
    mail = made_up(MESSAGES, SEED)
    figure, axes = panels(2, size=(3.9, 3.3))
    for ax, loss, factor, label in ((axes[0], "zero_one", 100, "errors, %"), (axes[1], "log", 1, "log-loss")):
        found = error_against_vocabulary(SURE, mail.X, mail.y, WORDS, groups=mail.groups, loss=loss)
        curve(ax, WORDS, factor * found.train.mean(axis=1), 0, "training", markers=True)
        curve(ax, WORDS, factor * found.validation.mean(axis=1), 1, "validation, 5 folds", markers=True)
        ax.set_xscale("log")
        name(ax, "words, the commonest", label, "multinomial, α = 0.0001")
    axes[0].legend(loc="upper right")
    return figure


def mail_against_messages() -> "Figure":
    """What is learned and what is met approach each other as more is learned."""
    mail = made_up(MESSAGES, SEED)
    found = error_against_messages(
        BernoulliNaiveBayes(alpha=0.01), mail.X, mail.y, LEARNED, groups=mail.groups, repeats=20
    )
    figure, (ax,) = panels(size=(5.2, 3.4))
    band(ax, LEARNED, mean_band(100 * found.train), 0, "training")
    band(ax, LEARNED, mean_band(100 * found.test), 1, "test, with its 95 % interval")
    name(ax, "messages learned", "errors, %", "Bernoulli, α = 0.01, made-up mail", legend="upper right")
    return figure


def brier_terms() -> "Figure":
    """One data set must do for many, so they are drawn from it; the terms still sum to the measured score."""
    mail = made_up(MESSAGES, SEED)
    alphas = (10.0, 1.0, 0.1, 0.01, 1e-3)
    found = [
        bootstrap_bias_variance(
            MultinomialNaiveBayes(alpha=alpha), mail.X, mail.y, resamples=40, groups=mail.groups, random_state=SEED
        )
        for alpha in alphas
    ]
    figure, (ax,) = panels(size=(5.4, 3.6))
    places, height = np.arange(len(alphas)), np.zeros(len(alphas))
    for term, label, color, hatch in (
        ("noise", "noise", "0.9", ""),
        ("bias_squared", "bias²", "0.65", "////"),
        ("variance", "variance", LINES[2].color, "...."),
    ):
        values = np.array([getattr(one, term).value for one in found])
        ax.bar(places, values, 0.6, bottom=height, color=color, hatch=hatch, edgecolor="white", label=label)
        height += values
    ax.errorbar(
        places,
        [one.risk.value for one in found],
        yerr=[2 * one.gap.standard_error for one in found],
        color="black",
        marker="o",
        linestyle="",
        capsize=3,
        label="measured, ± 2 s.e. of the gap",
    )
    ax.set_xticks(places, [f"{alpha:g}" for alpha in alphas])
    name(ax, "α", "Brier score", f"multinomial, {MESSAGES} made-up messages", legend="upper right")
    return figure
