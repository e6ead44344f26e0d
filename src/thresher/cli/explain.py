"""``thresher explain``: a verdict, and the features that carried it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from thresher.cli.common import (
    VERDICT_COLOURS,
    MailPath,
    engine_for,
    home_option,
    json_line,
    learner_option,
    load_one,
    private_file,
    settings_for,
    write_lines,
)

if TYPE_CHECKING:
    from thresher.engine import Engine
    from thresher.judge import Explanation
    from thresher.report.explained import Line, Table

BAR: Final = 8
"""Width of the longest bar, to either side."""
EPILOG: Final = """\
\b
Examples:
  thresher explain message.eml
  thresher explain inbox.mbox#7 --top 100
  thresher explain - --html why.html < message.eml
  thresher explain message.eml --json | jq '.features[:3]'

The shares of all features and the base add up to the log-odds. A positive share speaks for spam, a negative one for
ham. Of a feature that a message holds several times the share counts once.

\b
Exit codes: 0 whatever the verdict, 1 if the message could not be read, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@click.argument("path", metavar="PATH|-", type=MailPath())
@click.option("--top", type=click.IntRange(1), metavar="N", help="Features shown; 30 unless said otherwise.")
@click.option("--all", "everything", is_flag=True, help="Show every feature.")
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write a page that marks the telling words in the message's own text.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON: all features, in full precision.")
@learner_option
@home_option
def explain(
    path: str,
    top: int | None,
    page: str | None,
    home: str | None,
    learner: str | None,
    *,
    everything: bool,
    as_json: bool,
) -> None:
    """Say why a message is judged as it is.

    PATH is one message: a file, - for standard input, or MBOX#N, the Nth message of an mbox.
    """
    from thresher.mail.mime import parse
    from thresher.mail.stream import tokenize
    from thresher.report.explained import TOP, tabulate

    if top and everything:
        raise click.UsageError("--all shows every feature, --top N only the first; say one of them")
    settings = settings_for(home, learner=learner)
    item = load_one(path)
    message = parse(item.raw)
    with engine_for(settings) as engine:
        explanation = engine.explain(tokenize(message))
        table = tabulate(explanation, None if everything else top or TOP)
        if page is not None:
            from thresher.report.explain_html import Subject, write_page

            subject = Subject(item.path, message, engine.view.learner.n_ham, engine.view.learner.n_spam)
            with private_file(Path(page)) as file:
                file.write(write_page(subject, explanation, table).encode("utf-8", "replace"))
        if as_json:
            write_lines([json_line(_as_json(item.path, engine, explanation))])
            return
        write_lines(_heading(item.path, engine, explanation))
        write_lines(_table_lines(table))
        if page is not None:
            write_lines([f"\nmarked in its text: {page}"])


def _as_json(path: str, engine: "Engine", explanation: "Explanation") -> dict[str, object]:
    judgement, base, evidence = explanation
    return {
        "verdict": judgement.verdict,
        "probability": judgement.probability,
        "log_odds": judgement.log_odds,
        "path": path,
        "learner": engine.view.learner.name,
        "lessons": {"ham": engine.view.learner.n_ham, "spam": engine.view.learner.n_spam},
        "base": base,
        "features": [
            {
                "field": each.feature.field,
                "kind": each.feature.kind,
                "text": each.feature.text,
                "share": each.share,
                "spam": each.spam,
                "ham": each.ham,
            }
            for each in evidence
        ],
    }


def _heading(path: str, engine: "Engine", explanation: "Explanation") -> Iterator[str]:
    from thresher.report.explained import DIGITS
    from thresher.values import Verdict

    judgement = explanation.judgement
    learner = engine.view.learner
    verdict = _styled(judgement.verdict, VERDICT_COLOURS[judgement.verdict])
    yield f"{verdict}  probability {judgement.probability:.6f}, log-odds {judgement.log_odds:+.{DIGITS}f}  {path}"
    yield (
        f"rests on {engine.view.lessons:,} lessons: {learner.n_ham:,} ham and {learner.n_spam:,} spam; "
        f"learner {learner.name}"
    )
    above = engine.judges().promise.above
    if judgement.verdict is Verdict.UNSURE and judgement.probability >= engine.policy.spam_from:
        yield f"spam begins above log-odds {above:+.{DIGITS}f}, where the promise holds that `thresher status` tells"


def _table_lines(table: "Table") -> Iterator[str]:
    from thresher.report.explained import printed, shown

    longest = max((abs(line.units) for group in table.groups for line in group.lines), default=0) or 1
    yield ""
    yield f"{'share':>10}  {'for ham':>{BAR}}|{'for spam':<{BAR}}  {'in spam':>9} {'in ham':>9}"
    for group in table.groups:
        yield f"{printed(group.units):>10}  {_styled(shown(group.field), bold=True)}"
        for line in group.lines:
            yield _line(line, longest)
    yield ""
    if table.others_count:
        yield f"{printed(table.others):>10}  all others: {table.others_count:,} features"
    yield f"{printed(table.base):>10}  base: before any feature is looked at"
    yield f"{printed(table.total):>10}  total: the log-odds of spam"


def _line(line: "Line", longest: int) -> str:
    from thresher.report.explained import printed, shown, told

    evidence = line.evidence
    bar = "█" * round(BAR * abs(line.units) / longest)
    against, towards = (bar, "") if line.units < 0 else ("", bar)
    bars = f"{_styled(f'{against:>{BAR}}', 'green')}|{_styled(f'{towards:<{BAR}}', 'red')}"
    return f"{printed(line.units):>10}  {bars}  {evidence.spam:>9,} {evidence.ham:>9,}  {shown(told(evidence.feature))}"


def _styled(text: str, colour: str | None = None, *, bold: bool | None = None) -> str:
    return click.style(text, fg=colour, bold=bold) if sys.stdout.isatty() else text
