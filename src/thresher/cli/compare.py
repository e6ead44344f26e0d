"""``thresher compare``: whether one filter is better than another on the same messages, or lucky."""

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from thresher.cli.common import json_line, json_option, write_lines
from thresher.values import ThresherError

if TYPE_CHECKING:
    from thresher.choose.resampling import Comparison, Run

FIELDS: Final = 4
EPILOG: Final = """\
\b
Examples:
  thresher evaluate --index mail.index --results a.tsv
  thresher evaluate --index mail.index --results b.tsv --model multinomial
  thresher compare a.tsv b.tsv

The difference is B less A with its 95 % interval, from a thousand resamples of the messages, the same for both. Where
that does not hold 0 the difference is hardly chance; above 0, A is better. p is the chance of one as large.

\b
Exit codes: 0 done, 1 if the files cannot be compared, 2 wrong usage.
"""


class Results(NamedTuple):
    """What one file says."""

    is_spam: list[bool]
    log_odds: list[float]
    probability: list[float]
    paths: list[str]


@click.command(epilog=EPILOG)
@click.argument("a", type=click.Path(exists=True, dir_okay=False))
@click.argument("b", type=click.Path(exists=True, dir_okay=False))
@json_option
def compare(a: str, b: str, *, as_json: bool) -> None:
    """Compare two runs of `evaluate --results` over the same messages."""
    from thresher.choose import resampling

    ours, theirs = read_results(a), read_results(b)
    rows = _same_messages(ours, theirs, f"{a} and {b}")
    others = resampling.Run([theirs.log_odds[i] for i in rows], [theirs.probability[i] for i in rows])
    found = resampling.compare(ours.is_spam, _run(ours), others)
    write_lines([json_line(_as_objects(found))] if as_json else _table(found))


def read_results(path: str) -> Results:
    """Read what `evaluate --results` wrote."""
    results = Results([], [], [], [])
    try:
        text = Path(path).read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise ThresherError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split("\t", FIELDS - 1)
        try:
            label, probability, log_odds, shown = fields
            results.is_spam.append({"spam": True, "ham": False}[label])
            results.probability.append(float(probability))
            results.log_odds.append(float(log_odds))
        except (ValueError, KeyError):
            raise ThresherError(
                f"{path}:{number}: not `spam|ham TAB probability TAB log-odds TAB PATH`; `evaluate --results` writes it"
            ) from None
        results.paths.append(shown)
    return results


def _same_messages(ours: Results, theirs: Results, files: str) -> list[int]:
    """Find each message of ours among theirs."""
    places = {path: i for i, path in enumerate(theirs.paths)}
    if sorted(ours.paths) != sorted(theirs.paths) or len(places) != len(theirs.paths):
        raise ThresherError(f"{files} do not hold the same messages, each once; evaluate both on one index")
    rows = [places[path] for path in ours.paths]
    for path, is_spam, row in zip(ours.paths, ours.is_spam, rows, strict=True):
        if theirs.is_spam[row] != is_spam:
            raise ThresherError(f"{files} do not agree on what {path} is; evaluate both on one index")
    if len(set(ours.is_spam)) < 2:  # noqa: PLR2004 - ham and spam
        raise ThresherError(f"{files} hold one class only; a comparison needs ham and spam")
    return rows


def _run(results: Results) -> "Run":
    from thresher.choose.resampling import Run

    return Run(results.log_odds, results.probability)


def _as_objects(found: "dict[str, Comparison]") -> dict[str, object]:
    return {
        name: {
            "a": one.ours,
            "b": one.theirs,
            "difference": one.difference.value,
            "low": one.difference.low,
            "high": one.difference.high,
            "p_value": one.p_value,
        }
        for name, one in found.items()
    }


def _table(found: "dict[str, Comparison]") -> list[str]:
    lines = [f"{'':<26}{'A':>12}{'B':>12}{'B - A':>12}   {'95 % interval':<26}{'p':>7}"]
    for name, one in found.items():
        difference = one.difference
        interval = f"{difference.low:+.5f} to {difference.high:+.5f}"
        title = name.replace("one_minus_auc_percent", "1-AUC %").replace("_percent", " %").replace("_", " ")
        figures = f"{one.ours:>12.5f}{one.theirs:>12.5f}{difference.value:>+12.5f}"
        lines.append(f"{title:<26}{figures}   {interval:<26}{one.p_value:>7.3f}")
    return lines
