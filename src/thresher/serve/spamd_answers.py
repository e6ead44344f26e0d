"""Scans in the words of SpamAssassin: points, names of rules, a report, a message with headers. Pure."""

from typing import Final

from thresher.mail.annotate import annotated
from thresher.serve.protocol.spamd import Command, Request
from thresher.serve.protocol.spamd_replies import Found, judged
from thresher.serve.scan import THRESHOLD, Scan
from thresher.serve.tags import OWN, as_bytes, spamassassin_tags, tags
from thresher.values import Verdict

BAYES: Final = (
    (0.01, "BAYES_00"), (0.05, "BAYES_05"), (0.20, "BAYES_20"), (0.40, "BAYES_40"), (0.60, "BAYES_50"),
    (0.80, "BAYES_60"), (0.95, "BAYES_80"), (0.99, "BAYES_95"), (0.999, "BAYES_99"), (1.01, "BAYES_999"),
)  # fmt: skip
"""SpamAssassin's names for probabilities below each bound; rules and statistics are written against them."""


def verdict(request: Request, scan: Scan) -> bytes:
    """Return the reply to a command that asks for a verdict."""
    rewritten = b""
    if request.command in {Command.PROCESS, Command.HEADERS}:
        fields = tags(scan) + spamassassin_tags(scan, symbols(scan))
        rewritten = annotated(request.message, as_bytes(fields), OWN)
    return judged(request, found(scan), rewritten)


def found(scan: Scan) -> Found:
    """Return a scan in spamd's terms."""
    spam = scan.verdict is Verdict.SPAM
    return Found(spam, scan.points, THRESHOLD, symbols(scan), "add header" if spam else "no action", report(scan))


def symbols(scan: Scan) -> tuple[str, ...]:
    """Return the names of rules that SpamAssassin would have hit, and our own."""
    if scan.unjudged:
        return ("THRESHER_UNJUDGED",)
    probability = scan.judgement.probability
    bayes = next(name for bound, name in BAYES if probability < bound)
    return (bayes, f"THRESHER_{scan.verdict.upper()}")


def report(scan: Scan) -> str:
    """Say in a few lines what a message is, and why."""
    if scan.unjudged:
        return f"thresher has not judged this message: {scan.unjudged}\n"
    head = (
        f"thresher takes this message for {scan.verdict}: probability of spam {scan.judgement.probability:.4f},\n"
        f"{scan.points:.1f} points, {THRESHOLD:.1f} make it spam\n"
    )
    if not scan.reasons:
        return head
    return head + "\n points  what told most\n" + "".join(f"{each.share:+7.2f}  {each.text}\n" for each in scan.reasons)
