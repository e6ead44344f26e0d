"""The report as one page: figures inside, tables beside them, nothing to fetch and nothing that runs."""

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from thresher.choose.metrics import evaluate_scores
from thresher.choose.promise import DRIFT_LEVEL, drift
from thresher.report import plots
from thresher.report.explained import told
from thresher.report.html import COLOURS, head, safe
from thresher.report.measured import RESAMPLES
from thresher.report.plots import Drawn
from thresher.report.svg import Styles, drawing, inline

if TYPE_CHECKING:
    from thresher.report.measured import Mail, Measured, Mistake, Word

_STYLE: Final = (
    COLOURS
    + """\
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 80rem; background: var(--back); color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { margin: 0 0 .3rem; font-size: 1.7rem } h2 { margin: 2.6rem 0 .6rem; font-size: 1.2rem }
h3 { margin: 0 0 .2rem; font-size: 1rem } p { margin: .3rem 0; max-width: 46rem }
.quiet { color: var(--quiet); font-size: .92rem }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1rem }
figure, article { margin: 0; padding: .9rem 1.1rem; background: var(--panel); border: 1px solid var(--rule);
  border-radius: .4rem; min-width: 0 }
figcaption { margin-bottom: .6rem } svg { display: block; width: 100%; height: auto; font-family: inherit }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem }
td, th { padding: .15rem .9rem .15rem 0; text-align: left; vertical-align: top } th { font-weight: 600 }
.field { min-width: 8em } .number { text-align: right; white-space: nowrap }
details { margin-top: .5rem; font-size: .9rem } summary { color: var(--quiet); cursor: pointer }
.spam { color: rgb(var(--spam)) } .ham { color: rgb(var(--ham)) } bdi { unicode-bidi: isolate }
@media print { .grid { display: block } figure, article { break-inside: avoid; margin-bottom: 1rem } }
"""
)


class Subject(NamedTuple):
    """What the report is about."""

    source: str
    model: str
    chosen: str
    """How the model came to be used."""


class _Section(NamedTuple):
    title: str
    what: str
    drawn: Drawn
    name: str


def write_page(subject: Subject, mail: "Mail", found: "Measured") -> str:
    """Return the page."""
    styles = Styles()
    with drawing():
        sections = {section.name: _figure(section, styles) for section in _sections(mail, found)}

    def grid(*names: str) -> str:
        return f'<div class="grid">{"".join(sections[name] for name in names)}</div>\n'

    body = [
        *_summary(subject, mail, found),
        "<h2>What it gets right, and where the lines are drawn</h2>\n",
        grid("roc", "histogram", "calibration", "drift"),
        "<h2>How it learns</h2>\n",
        grid("learning", "parts"),
        "<h2>How complex a model this mail bears</h2>\n",
        f'<p class="quiet">Measured on {found.swept:,} of the messages, by three-fold cross-validation. Where ',
        "training error falls on and validation error does not, a model learns by heart. Bands are one standard error.",
        "</p>\n",
        grid("vocabulary", "alpha", "penalty"),
        "<h2>Most telling words</h2>\n",
        *_words(found),
        "<h2>Worst mistakes</h2>\n",
        *_mistakes(found),
        "</body></html>\n",
    ]
    style = _STYLE + styles.sheet()
    return "".join([*head(f"How well spam is told: {subject.source}", style), *body])


def _sections(mail: "Mail", found: "Measured") -> Iterator[_Section]:
    scores, spam, judge = found.scores, found.is_spam, found.judge
    wrong = (found.probability > 0.5) != spam  # noqa: PLR2004 - even odds
    yield _Section(
        "Spam caught against ham lost (ROC)",
        "Each message was scored before it was learned. The marks are lines that could be drawn; the diamond is the "
        "one that is.",
        plots.roc(scores, spam, judge),
        "roc",
    )
    yield _Section(
        "Scores",
        f"Counts on a logarithmic scale; scores beyond ±{plots.furthest(scores, judge):.0f} stand at the edge.",
        plots.histogram(scores, spam, judge),
        "histogram",
    )
    yield _Section(
        "Do probabilities mean what they say?",
        f"{_calibrated(found)} Bars are 95 % intervals.",
        plots.reliability(found.probability, spam),
        "calibration",
    )
    yield _Section(
        "Over time",
        f"{_drifted(found)} The beginning shows learning, too.",
        plots.drift(scores, wrong, spam, mail.times),
        "drift",
    )
    yield _Section(
        "Error against the number of lessons",
        f"Means of {found.learning.test.shape[1]} draws, and between what they lay; 30 % of the mail is held out.",
        plots.learning(found.learning),
        "learning",
    )
    yield _Section(
        "Bias, variance and noise",
        f"Of models that learn {found.decomposed:,} messages, from {RESAMPLES} resampled data sets. Variance is what "
        "another sample of the same mail would change; bias, what recalibration could mend; noise, what neither could.",
        plots.bias_variance(found.parts),
        "parts",
    )
    yield _Section(
        "Vocabulary size",
        "Naive Bayes on the commonest features only.",
        plots.against(found.vocabulary, "features kept"),
        "vocabulary",
    )
    yield _Section(
        "Smoothing",
        "Naive Bayes with each feature seen alpha times more than it was; less smoothing to the right.",
        plots.against(found.alpha, "alpha", reverse=True),
        "alpha",
    )
    yield _Section(
        "Penalty",
        "Logistic regression on the commonest features, with lambda |w|² / 2; less penalty to the right.",
        plots.against(found.penalty, "lambda", reverse=True),
        "penalty",
    )


def _figure(section: _Section, styles: Styles) -> str:
    drawn = section.drawn
    svg = inline(drawn.figure, section.name, drawn.alternative, styles)
    table = f"<details><summary>The figures</summary>{_table(drawn.table)}</details>" if drawn.table else ""
    caption = f'<figcaption><h3>{section.title}</h3><p class="quiet">{safe(section.what)}</p></figcaption>'
    return f"<figure>{caption}{svg}{table}</figure>\n"


def _table(rows: Sequence[Sequence[str]]) -> str:
    first, *rest = rows
    cells = "".join(f"<th>{safe(cell)}</th>" for cell in first)
    lines = "".join("<tr>" + "".join(f"<td>{safe(cell)}</td>" for cell in row) + "</tr>" for row in rest)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>"


def _summary(subject: Subject, mail: "Mail", found: "Measured") -> Iterator[str]:
    n_spam = int(found.is_spam.sum())
    made = found.judge.promise
    yield "<h1>How well spam is told from ham</h1>\n"
    yield (
        f"<p>{safe(subject.source)}: {found.n:,} messages, {found.n - n_spam:,} ham and {n_spam:,} spam, of which "
        f"{mail.near_duplicates:,} nearly equal another. Each was scored by a filter that had not learned it yet.</p>\n"
    )
    yield f'<p class="quiet">{safe(subject.model)}, {safe(subject.chosen)}. {time.strftime("%Y-%m-%d %H:%M")}</p>\n'
    rows = [("", "", "95 % interval"), *_figures(found)]
    yield _table(rows)
    if made.asked < 1:
        short = f" {100 * made.asked:.3g} % was asked for; that takes more ham." if made.kept_short else ""
        yield (
            f"<p>Promised with {made.confidence:.0%} confidence, from {made.n_ham:,} ham held out: at most "
            f"{100 * made.rate:.3g} % of ham is called spam.{short}</p>\n"
        )


def _figures(found: "Measured") -> Iterator[tuple[str, str, str]]:
    report = evaluate_scores(found.is_spam, found.scores, found.probability)
    for name, title, scale, ending in (
        ("error_rate", "errors at even odds", 100, " %"),
        ("ham_lost", "ham called spam at even odds", 100, " %"),
        ("spam_missed", "spam called ham at even odds", 100, " %"),
        ("spam_missed_at_ham_lost", "spam missed where 0.1 % of ham is lost", 100, " %"),
        ("one_minus_auc_percent", "1-AUC", 1, " %"),
        ("brier", "Brier score", 1, ""),
        ("expected_calibration_error", "expected calibration error", 100, " %"),
        ("log_loss", "log-loss", 1, ""),
    ):
        interval = found.intervals[name]
        value = getattr(report, name, interval.value)
        digits = 3 if ending else 4
        between = f"{scale * interval.low:.{digits}f} to {scale * interval.high:.{digits}f}{ending}"
        if math.isnan(interval.low):
            between = "-"
        yield title, f"{scale * value:.{digits}f}{ending}", between


def _calibrated(found: "Measured") -> str:
    brier, error = found.intervals["brier"], found.intervals["expected_calibration_error"]
    return (
        f"Brier score {brier.value:.4f}, expected calibration error {error.value:.2%}; scores become probabilities by "
        f"the {found.judge.calibration.kind} map."
    )


def _drifted(found: "Measured") -> str:
    """Say whether the newest quarter of the ham is as the rest was."""
    ham = found.scores[~found.is_spam]
    policy = found.judge.policy
    chance = drift(ham, len(ham) // 4, policy.promise, policy.confidence)
    if chance < DRIFT_LEVEL:
        return f"The newest quarter of the ham scores higher than the older did (chance {chance:.1e}): drift."
    return f"The newest quarter of the ham is not found to score higher than the older did (chance {chance:.2g})."


def _words(found: "Measured") -> Iterator[str]:
    yield '<p class="quiet">Features of several messages, by the mean share of the score where they stand.</p>\n'
    yield '<div class="grid">'
    for title, side, words in (("towards spam", "spam", found.telling[0]), ("towards ham", "ham", found.telling[1])):
        yield f'<article><h3 class="{side}">{title}</h3>'
        yield _word_table(words)
        yield "</article>\n"
    yield "</div>\n"


def _word_table(words: Iterable["Word"]) -> str:
    lines = "".join(
        f'<tr><td class="number">{word.share:+.2f}</td><td><bdi>{safe(told(word.feature))}</bdi></td>'
        f'<td class="field">{safe(word.feature.field)}</td><td class="number">{word.spam:,}</td>'
        f'<td class="number">{word.ham:,}</td></tr>'
        for word in words
    )
    return (
        '<table><thead><tr><th class="number">share</th><th>feature</th><th>field</th><th class="number">in spam</th>'
        f'<th class="number">in ham</th></tr></thead><tbody>{lines}</tbody></table>'
    )


def _mistakes(found: "Measured") -> Iterator[str]:
    yield (
        '<p class="quiet">Wrong at even odds, the surest first; why, by the filter as it was when the message came. '
        "A label that is wrong stands here, too.</p>\n"
    )
    if not any(found.mistakes):
        yield "<p>There are none.</p>\n"
    yield '<div class="grid">'
    for mistake in (*found.mistakes[0], *found.mistakes[1]):
        yield _mistake(mistake)
    yield "</div>\n"


def _mistake(mistake: "Mistake") -> str:
    judgement, is_spam = mistake.explanation.judgement, mistake.is_spam
    what = '<span class="spam">spam</span> taken for ham' if is_spam else '<span class="ham">ham</span> taken for spam'
    reasons = "".join(
        f'<tr><td class="number">{one.share:+.2f}</td><td><bdi>{safe(told(one.feature))}</bdi></td>'
        f'<td class="field">{safe(one.feature.field)}</td></tr>'
        for one in mistake.explanation.evidence
    )
    return (
        f"<article><h3>{what}: <bdi>{safe(mistake.subject) or 'no subject'}</bdi></h3>"
        f'<p class="quiet">probability {judgement.probability:.4f}, log-odds {judgement.log_odds:+.2f}, after '
        f"{mistake.learned:,} lessons; <bdi>{safe(mistake.shown)}</bdi></p>"
        f"<table><tbody>{reasons}</tbody></table></article>\n"
    )
