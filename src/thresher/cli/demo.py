"""``thresher demo``: the whole line once, on made-up mail."""

import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from thresher.cli.common import VERDICT_COLOURS, engine_for, json_line, json_option, progress, settle, write_lines
from thresher.values import Label

if TYPE_CHECKING:
    from thresher.engine import Engine
    from thresher.judge import Explanation
    from thresher.values import Judgement

TAUGHT: Final = 400
ARRIVED: Final = 100
REASONS: Final = 8
BAR: Final = 12
"""Width of the longest bar of an explanation."""
WIDE: Final = 48
EPILOG: Final = """\
\b
Examples:
  thresher demo
  thresher demo --dir /tmp/demo --seed 7
  thresher demo --page                     # then shows it in the browser

\b
Exit codes: 0 done, 1 if it could not be done, 2 wrong usage.
"""
NEXT: Final = (
    ("learn --ham ~/Maildir --spam ~/Maildir/.Junk", "teach it (an mbox or a folder of messages will do)"),
    ("check ~/Maildir/new", "ask it"),
    ("explain message.eml", "ask it why"),
    ("evaluate --index FILE", "measure it"),
    ("--help", "the rest"),
)


class Filed(NamedTuple):
    """What was done with one message that arrived."""

    path: str
    label: Label
    judgement: "Judgement"


@click.command(epilog=EPILOG)
@click.option(
    "--dir", "folder", type=click.Path(), metavar="DIR", help="Where to make it; else a new temporary folder."
)
@click.option("--seed", default=1, show_default=True, help="Another seed makes other mail.")
@click.option("--page", is_flag=True, help="At the end serve the page with what was judged, until Ctrl-C.")
@json_option
def demo(folder: str | None, seed: int, *, page: bool, as_json: bool) -> None:
    """Watch thresher learn a made-up mailbox, file the spam among new mail, and say why.

    Nothing but DIR is touched.
    """
    from thresher.config import Settings

    place = _fresh(folder)
    maildir = place / "Maildir"
    say = (lambda _: None) if as_json else click.echo
    say(f"1. A made-up mailbox: {TAUGHT} messages, sorted by hand, in {maildir}")
    arriving = _fill(maildir, seed)
    with engine_for(Settings(home=place / "home"), load=True) as engine:
        say("2. Learning: what lies in the inbox is ham, what lies in .Junk is spam")
        _learn(engine, maildir)
        lessons = engine.journal.counts()
        say(f"   learned {lessons.ham} ham and {lessons.spam} spam")
        say(f"3. {ARRIVED} new messages arrive; spam goes to {maildir}/.Junk")
        filed = _file(engine, maildir, arriving)
        explained = _most_telling(engine, filed)
    if as_json:
        write_lines([json_line(_summary(place, filed))])
        return
    _print_table(filed)
    _print_reasons(*explained)
    click.echo(f"\nAll of it is in {place}; delete it when you like.\n")
    _print_next()
    if page:
        from thresher.cli import demo_page

        demo_page.remember(place / "home", [(each.path, each.judgement) for each in filed])
        demo_page.show(place / "home", _program())


def _fresh(folder: str | None) -> Path:
    if folder is None:
        return Path(tempfile.mkdtemp(prefix="thresher-demo-"))
    place = Path(folder).expanduser()
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise click.ClickException(f"{place} is there already; name a new or an empty folder")
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return place


def _fill(maildir: Path, seed: int) -> list[tuple[str, Label]]:
    """Deliver the mail: the first messages sorted, the rest as they arrive. Return those with their true labels."""
    from thresher import boxes
    from thresher.demo import messages

    arrived: list[tuple[str, Label]] = []
    with progress("making mail", TAUGHT + ARRIVED) as step:
        for number, message in enumerate(messages(TAUGHT + ARRIVED, seed)):
            taught = number < TAUGHT
            junk = taught and message.label is Label.SPAM
            path = boxes.deliver(
                maildir,
                message.raw,
                folder="Junk" if junk else "",
                flags="S" if taught else "",
                durable=False,
            )
            if not taught:
                arrived.append((path, message.label))
            step(1)
    return arrived


def _learn(engine: "Engine", maildir: Path) -> None:
    from thresher import boxes
    from thresher.engine import Teaching
    from thresher.learn.schedule import in_learning_order
    from thresher.prepare import prepare

    taught = [
        Teaching(prepared, label)
        for part, label in ((maildir / "cur", Label.HAM), (maildir / ".Junk" / "cur", Label.SPAM))
        for prepared in prepare(list(boxes.read(part)), engine.view.hasher)
    ]
    engine.learn(in_learning_order(taught, [teaching.label is Label.SPAM for teaching in taught]))
    settle(engine)


def _file(engine: "Engine", maildir: Path, arriving: Sequence[tuple[str, Label]]) -> list[Filed]:
    from thresher import boxes
    from thresher.prepare import streams_of
    from thresher.values import Verdict

    filed: list[Filed] = []
    for path, label in arriving:
        (judgement,) = engine.check(streams_of(list(boxes.read(path))))
        now_at = boxes.move(path, maildir, "Junk") if judgement.verdict is Verdict.SPAM else path
        filed.append(Filed(now_at, label, judgement))
    return filed


def _most_telling(engine: "Engine", filed: Sequence[Filed]) -> "tuple[Filed, Explanation]":
    """Explain the clearest spam among what arrived."""
    from thresher import boxes
    from thresher.prepare import streams_of

    clearest = max(filed, key=lambda each: each.judgement.log_odds)
    return clearest, engine.explain(streams_of(list(boxes.read(clearest.path)))[0])


def _summary(place: Path, filed: Sequence[Filed]) -> dict[str, object]:
    counts = Counter((each.judgement.verdict, each.label) for each in filed)
    return {
        "folder": str(place),
        "verdicts": [{"verdict": verdict, "truth": truth, "messages": n} for (verdict, truth), n in counts.items()],
        "messages": [{"path": each.path, "truth": each.label, "verdict": each.judgement.verdict} for each in filed],
    }


def _print_table(filed: Sequence[Filed]) -> None:
    from thresher.values import Verdict

    counts = Counter((each.judgement.verdict, each.label) for each in filed)
    places = {Verdict.SPAM: "filed into .Junk", Verdict.UNSURE: "left in the inbox", Verdict.HAM: "left in the inbox"}
    click.echo(f"\n   {'verdict':<9}{'':<20}{'was spam':>9}{'was ham':>9}")
    for verdict, what in places.items():
        name = click.style(f"{verdict:<9}", fg=VERDICT_COLOURS[verdict])
        click.echo(f"   {name}{what:<20}{counts[verdict, Label.SPAM]:>9}{counts[verdict, Label.HAM]:>9}")


def _print_next() -> None:
    program = _program()
    width = max(len(words) for words, _ in NEXT)
    click.echo("Now with your own mail:")
    for words, what in NEXT:
        click.echo(f"  {program} {words:<{width}}    {what}")


def _program() -> str:
    """Return what to type for this program: its name where a shell finds it, else where it lies."""
    beside = Path(sys.executable).with_name("thresher")
    if not beside.exists() or which("thresher") == str(beside):
        return "thresher"
    here = Path.cwd()
    return str(beside.relative_to(here) if beside.is_relative_to(here) else beside)


def _print_reasons(spam: Filed, explanation: "Explanation") -> None:
    from thresher.report.explained import told

    click.echo(f"\n4. Why one of them is spam (probability {spam.judgement.probability:.4f}): {spam.path}")
    evidence = explanation.evidence[:REASONS]
    longest = max(abs(each.share) for each in evidence)
    for each in evidence:
        bar = "#" * max(1, round(BAR * abs(each.share) / longest))
        seen = f"seen in {each.spam} spam, {each.ham} ham"
        what = f"{each.feature.field}: {told(each.feature)}"
        short = what if len(what) <= WIDE else what[: WIDE - 1] + "…"
        click.echo(f"   {each.share:+.3f} {bar:<{BAR}}  {short:<{WIDE}}  {seen}")
    others = sum(each.share for each in explanation.evidence[REASONS:]) + explanation.base
    click.echo(
        f"   {others:+.3f} all other words together; the sum is {spam.judgement.log_odds:+.3f}, the log-odds of spam"
    )
