"""The figures of a report, drawn: what was measured -> matplotlib's figures, each with its words for who cannot see it.

The law of this file: it measures nothing that is not counted from its arguments, and it shows how sure a figure is
wherever that is known. matplotlib takes a second to import, so it is imported when the first figure is drawn.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from thresher.choose.duplicates import Ids
from thresher.choose.metrics import HAM_LOST, Floats, Labels, ham_lost_threshold, rate
from thresher.report.svg import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thresher.choose.curves import LearningCurve, ValidationCurve
    from thresher.choose.decomposition import BiasVariance
    from thresher.judge import Judge

WIDTH: Final = 5.6
HEIGHT: Final = 3.5
"""Inches at 72 points; on the page a figure takes the width there is."""
MOST: Final = 0.98
"""Share of the scores that lie within a histogram; the others stand at its edge."""
BINS: Final = 10
"""Of probability."""
SPELLS: Final = 12
"""Stretches of time, of equally many messages."""
HAM, SPAM, QUIET, TEXT, UNSURE = (PALETTE[name] for name in ("ham", "spam", "quiet", "text", "unsure"))
LINES: Final = {HAM: "s--", SPAM: "o-", QUIET: "s--"}
"""Lines of two colours differ in dashes and marks, too."""
DAY: Final = 86400.0

Rows = list[tuple[str, ...]]
"""A table, its headings first."""


class Drawn(NamedTuple):
    """A figure and what it shows in words; a table of its figures where they are few."""

    figure: "Figure"
    alternative: str
    table: Rows


class Point(NamedTuple):
    """A threshold, and what it costs."""

    name: str
    threshold: float
    ham_lost: float
    spam_caught: float


def axes(rows: int = 1, height: float = HEIGHT, ratios: Sequence[float] = (1,)) -> "tuple[Figure, list[Axes]]":
    """Begin a figure of one panel, or of several below one another."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    panels = figure.subplots(rows, 1, squeeze=False, sharex=rows > 1, height_ratios=ratios)
    for panel in panels.ravel():
        panel.grid(visible=True)
        panel.set_axisbelow(True)
        panel.tick_params(which="both", length=0)
    return figure, list(panels.ravel())


def working_points(scores: Floats, is_spam: Labels, judge: "Judge") -> list[Point]:
    """Say what each threshold that somebody might choose would have cost."""
    even = judge.calibration.score_of(0.5)
    told = [
        ("even odds", even),
        (f"probability {judge.policy.spam_from:g}", judge.calibration.score_of(judge.policy.spam_from)),
        ("called spam now", judge.line),
        (f"{HAM_LOST:.1%} of ham lost", ham_lost_threshold(is_spam, scores)),
    ]
    points = []
    for name, threshold in told:
        above = scores >= threshold if name == f"probability {judge.policy.spam_from:g}" else scores > threshold
        lost, caught = float(above[~is_spam].mean()), float(above[is_spam].mean())
        points.append(Point(name, threshold, lost, caught))
    return points


def roc(scores: Floats, is_spam: Labels, judge: "Judge") -> Drawn:
    """Spam caught against ham lost, for every threshold."""
    order = np.argsort(-scores, kind="stable")
    spam = is_spam[order]
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(spam) - 1)
    lost, caught = np.cumsum(~spam)[ends] / (~spam).sum(), np.cumsum(spam)[ends] / spam.sum()
    least = 0.5 / (~spam).sum()
    figure, (panel,) = axes()
    panel.step(np.maximum(lost, least), 100 * caught, where="post", color=TEXT)
    points = working_points(scores, is_spam, judge)
    for point, marker, colour in zip(points, "osD^", (QUIET, UNSURE, SPAM, HAM), strict=True):
        panel.plot(max(point.ham_lost, least), 100 * point.spam_caught, marker, color=colour, label=point.name, ms=7)
    worst = min([point.spam_caught for point in points], default=0.0)
    panel.set(xscale="log", xlim=(least * 0.8, 1), ylim=(100 * max(worst - 0.05 - 0.3 * (1 - worst), 0), 100.5))
    panel.set(xlabel="ham lost (share of all ham)", ylabel="spam caught (%)")
    panel.legend(loc="lower right")
    table: Rows = [("threshold", "log-odds", "ham lost", "spam caught")]
    table += [
        (point.name, f"{point.threshold:+.2f}", f"{point.ham_lost:.3%}", f"{point.spam_caught:.2%}") for point in points
    ]
    told = "; ".join(
        f"at {name}, {lost} of ham is lost and {caught} of spam caught" for name, _, lost, caught in table[1:]
    )
    return Drawn(figure, f"ROC curve: {told}.", table)


def furthest(scores: Floats, judge: "Judge") -> float:
    """How far a histogram goes to either side: it holds most scores, and the line of spam."""
    line = abs(judge.line) if np.isfinite(judge.line) else 0.0
    return 1.1 * max(float(np.quantile(np.abs(scores), MOST)), line, 1.0)


def histogram(scores: Floats, is_spam: Labels, judge: "Judge") -> Drawn:
    """How many messages of each class had which score."""
    figure, (panel,) = axes()
    limit = furthest(scores, judge)
    edges = np.linspace(-limit, limit, 61)
    shown = np.clip(scores, -limit, limit)
    for name, mine, colour in (("ham", ~is_spam, HAM), ("spam", is_spam, SPAM)):
        counts, _ = np.histogram(shown[mine], edges)
        panel.stairs(counts, edges, fill=True, color=colour, alpha=0.35, label=name)
        panel.stairs(counts, edges, color=colour, linewidth=1.2)
    unsure = judge.calibration.score_of(judge.policy.ham_to)
    for name, at in (("unsure from here", unsure), ("spam from here", judge.line)):
        if np.isfinite(at):
            panel.axvline(at, color=TEXT, linewidth=1, linestyle=":" if at == unsure else "--", label=name)
    panel.set(yscale="log", xlabel="score before the lesson (log-odds of spam)", ylabel="messages")
    panel.set_ylim(0.7, 12 * panel.get_ylim()[1])
    panel.legend(loc="upper center", ncols=2)
    ham, spam = np.median(scores[~is_spam]), np.median(scores[is_spam])
    return Drawn(
        figure,
        f"Histogram of scores, on a logarithmic scale: ham around {ham:+.1f}, spam around {spam:+.1f}; "
        f"messages above {judge.line:+.1f} are called spam.",
        [],
    )


def learning(curve: "LearningCurve") -> Drawn:
    """Error against the number of lessons, with the spread of the draws."""
    figure, (panel,) = axes()
    table: Rows = [("lessons", "error on learned mail", "error on other mail", "between")]
    floor = _floor(curve.test)
    for name, losses, colour in (("learned", curve.train, QUIET), ("not learned", curve.test, SPAM)):
        mean, low, high = losses.mean(axis=1), losses.min(axis=1), losses.max(axis=1)
        _band(panel, curve.sizes, (mean, low, high), floor, colour, f"on mail it has {name}")
    for size, train, test in zip(curve.sizes.tolist(), curve.train, curve.test, strict=True):
        table.append(
            (f"{size:,}", f"{train.mean():.2%}", f"{test.mean():.2%}", f"{test.min():.2%} to {test.max():.2%}")
        )
    _logarithmic(panel, floor)
    panel.set(xscale="log", xlabel="lessons learned")
    panel.legend()
    first, last = table[1], table[-1]
    told = f"after {first[0]} lessons {first[2]} of other mail is judged wrongly, after {last[0]} lessons {last[2]}"
    return Drawn(figure, f"Learning curve: {told}.", table)


def against(curve: "ValidationCurve", what: str, *, reverse: bool = False) -> Drawn:
    """Error against a setting, on what was learned and on what was not."""
    figure, (panel,) = axes()
    values = [float(value) for value in curve.values]
    table: Rows = [(what, "training error", "validation error")]
    floor = _floor(curve.validation)
    for name, losses, colour in (("training", curve.train, QUIET), ("validation", curve.validation, SPAM)):
        mean, half = losses.mean(axis=1), losses.std(axis=1, ddof=1) / np.sqrt(losses.shape[1])
        _band(panel, values, (mean, mean - half, mean + half), floor, colour, name)
    means = curve.validation.mean(axis=1)
    best = int(means.argmin())
    panel.plot(values[best], 100 * max(means[best], floor), "*", color=TEXT, ms=12, label="least validation error")
    for value, train, validation in zip(values, curve.train, curve.validation, strict=True):
        table.append((f"{value:,g}", f"{train.mean():.2%}", f"{validation.mean():.2%}"))
    _logarithmic(panel, floor)
    panel.set(xscale="log", xlabel=what)
    if reverse:
        panel.invert_xaxis()
    panel.legend()
    told = f"Error against {what}: validation error is least, {means[best]:.2%}, at {values[best]:,g}."
    return Drawn(figure, told, table)


def _floor(errors: Floats) -> float:
    """Where no error at all is shown on a logarithmic scale: below all that were seen."""
    seen = errors[errors > 0]
    return float(seen.min()) / 3 if len(seen) else 1e-4


def _band(
    panel: "Axes", at: Sequence[float] | Ids, curve: tuple[Floats, Floats, Floats], floor: float, colour: str, name: str
) -> None:
    mean, low, high = (100 * np.maximum(values, floor) for values in curve)
    panel.plot(at, mean, LINES[colour], color=colour, ms=4, label=name)
    panel.fill_between(at, low, high, color=colour, alpha=0.2, linewidth=0)


def _logarithmic(panel: "Axes", floor: float) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    panel.set(yscale="log", ylabel="error (%); none at the lower edge")
    panel.set_ylim(100 * floor * 0.9, None)
    panel.yaxis.set_major_locator(LogLocator(subs=(1.0, 3.0)))
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.yaxis.set_minor_formatter(NullFormatter())


def bias_variance(parts: "dict[str, BiasVariance]") -> Drawn:
    """Where the squared error of the probabilities comes from."""
    figure, (panel,) = axes(height=2.7)
    table: Rows = [("model", "variance", "bias squared", "noise", "risk, measured")]
    for row, (name, found) in enumerate(parts.items()):
        left = 0.0
        terms = (found.variance, found.bias_squared, found.noise)
        for title, term, colour in zip(("variance", "bias²", "noise"), terms, (UNSURE, SPAM, QUIET), strict=True):
            panel.barh(
                row, max(term.value, 0), left=left, color=colour, height=0.5, alpha=0.75, label=None if row else title
            )
            left += max(term.value, 0)
        panel.errorbar(found.risk.value, row, xerr=found.risk.standard_error, fmt="|", color=TEXT, ms=16, capsize=3)
        table.append((name, *(f"{term.value:.5f} ± {term.standard_error:.5f}" for term in (*terms, found.risk))))
    panel.set_yticks(range(len(parts)), list(parts), color=TEXT)
    panel.set(xlabel="squared error of the probability (mark: as measured)", ylim=(-0.5, len(parts) - 0.5))
    panel.invert_yaxis()
    panel.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    told = "; ".join(f"{row[0]}: variance {row[1]}, bias squared {row[2]}, noise {row[3]}" for row in table[1:])
    return Drawn(figure, f"Bias, variance and noise. {told}.", table)


def reliability(probability: Floats, is_spam: Labels) -> Drawn:
    """The share of spam among messages that were given each probability."""
    figure, (panel, below) = axes(2, height=4.2, ratios=(3, 1))
    at = np.minimum((probability * BINS).astype(np.intp), BINS - 1)
    panel.plot([0, 1], [0, 1], color=QUIET, linewidth=1, linestyle="--", label="probability means what it says")
    table: Rows = [("said", "messages", "were spam", "between")]
    counts = np.bincount(at, minlength=BINS)
    for place in np.flatnonzero(counts).tolist():
        mine = at == place
        seen = rate(int(is_spam[mine].sum()), int(counts[place]))
        said = float(probability[mine].mean())
        panel.errorbar(
            said,
            seen.share,
            yerr=[[seen.share - seen.low], [seen.high - seen.share]],
            fmt="o",
            color=SPAM,
            ms=5,
            capsize=3,
        )
        table.append((f"{said:.3f}", f"{counts[place]:,}", f"{seen.share:.1%}", f"{seen.low:.1%} to {seen.high:.1%}"))
    panel.set(ylabel="were spam (share)", ylim=(-0.03, 1.03))
    panel.legend(loc="upper left")
    below.bar((np.arange(BINS) + 0.5) / BINS, counts, width=0.9 / BINS, color=QUIET)
    below.set(yscale="log", xlabel="probability of spam that was said", ylabel="messages", ylim=(0.7, None))
    told = "; ".join(f"said {said}: {share} of {count} were spam" for said, count, share, _ in table[1:])
    return Drawn(figure, f"Reliability diagram. {told}.", table)


def drift(scores: Floats, wrong: Labels, is_spam: Labels, times: Floats) -> Drawn:
    """Errors and scores over time."""
    from datetime import UTC, datetime

    figure, (panel, below) = axes(2, height=4.4, ratios=(1, 1))
    spells = np.array_split(np.arange(len(scores)), min(SPELLS, len(scores)))
    middles = np.array([spell.mean() + 1 for spell in spells])
    rates = [rate(int(wrong[spell].sum()), len(spell)) for spell in spells]
    share, low, high = (100 * np.array([getattr(one, name) for one in rates]) for name in ("share", "low", "high"))
    panel.errorbar(middles, share, yerr=[share - low, high - share], fmt="o-", color=TEXT, ms=4, capsize=3)
    panel.set(ylabel="error (%)", ylim=(0, None))
    for mine, colour, name in ((~is_spam, HAM, "ham"), (is_spam, SPAM, "spam")):
        quantiles = np.array([
            np.quantile(scores[spell][mine[spell]], (0.05, 0.5, 0.95)) if mine[spell].any() else [np.nan] * 3
            for spell in spells
        ]).T  # fmt: skip
        below.plot(middles, quantiles[1], LINES[colour], color=colour, ms=4, label=f"{name}: median and nine in ten")
        below.fill_between(middles, quantiles[0], quantiles[2], color=colour, alpha=0.2, linewidth=0)
    below.set(ylabel="score (log-odds)", xlabel="message, in the order of time")
    below.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    known = np.isfinite(times)
    dated = bool(known.all() and np.ptp(times) > DAY)
    table: Rows = [("messages", "until", "error", "between")]
    for spell, one in zip(spells, rates, strict=True):
        until = datetime.fromtimestamp(times[spell[-1]], UTC).strftime("%Y-%m-%d") if dated else "-"
        table.append(
            (f"{spell[0] + 1:,} to {spell[-1] + 1:,}", until, f"{one.share:.2%}", f"{one.low:.2%} to {one.high:.2%}")
        )
    told = f"{table[1][2]} in the first {len(spells[0])} messages, {table[-1][2]} in the last {len(spells[-1])}"
    return Drawn(figure, f"Error over time: {told}.", table)
