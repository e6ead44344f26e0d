"""Scans in the words of rspamd: an action, symbols. Pure."""

from typing import Final

from thresher.serve.protocol.rspamd import Result, Symbol
from thresher.serve.scan import THRESHOLD, Scan
from thresher.values import Verdict

ACTIONS: Final = {Verdict.SPAM: "add header", Verdict.UNSURE: "no action", Verdict.HAM: "no action"}


def result(scan: Scan, identifier: str, seconds: float) -> Result:
    """Return a scan in rspamd's terms."""
    action = ACTIONS[scan.verdict]
    note = f"not judged: {scan.unjudged}" if scan.unjudged else ""
    return Result(scan.points, THRESHOLD, action, {"add header": THRESHOLD}, symbols(scan), identifier, seconds, note)


def symbols(scan: Scan) -> tuple[Symbol, ...]:
    """Return the names under which rspamd tells what its classifier thinks, and what told most."""
    if scan.unjudged:
        return (Symbol("THRESHER_UNJUDGED", 0.0, "The message could not be judged", (scan.unjudged,)),)
    probability = scan.judgement.probability
    name, sure = ("BAYES_SPAM", probability) if probability >= 0.5 else ("BAYES_HAM", 1.0 - probability)  # noqa: PLR2004 - even odds
    description = f"Message probably {name.removeprefix('BAYES_').lower()}, probability: {sure:.2%}"
    why = Symbol(
        "THRESHER_WHY", 0.0, "What told most", tuple(f"{each.text} {each.share:+.2f}" for each in scan.reasons)
    )
    return (Symbol(name, scan.points, description, (f"{sure:.2%}",)), why)
