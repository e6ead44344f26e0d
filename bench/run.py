"""How fast thresher is beside bogofilter and scikit-learn: whole runs as processes, interleaved, ratios first.

    python bench/run.py [--corpus DIR] [--rounds 5] [--messages 6000] [--json]

In each round every filter learns all messages into a fresh home and then checks them, first on one core, then on all,
as their users would run them; ratios are taken round by round, and their median stands for them. DIR holds the unpacked
corpora (the SpamAssassin part is used); without it the messages are thresher's own demo mail. docs/bench.md says more.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

if not __package__:  # run as a program: what stands beside it is bench.*, as it is to tests and types
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.peers import Filter, Mail, ProgramFailed, bogofilter, read_mail, scikit_learn, thresher
from bench.speed import ALL_CORES, COLD_CHECK, HEAVY, IMPORT_NUMPY, ONE_CORE, Findings, can_pin, measure
from bench.tables import Bar, Spread, bar_cells, ratios, spread, table
from thresher.demo import messages
from thresher.values import ThresherError

STREAM = "sa-full"
SEED = 1
MEGABYTE = 1e6

COLD = f"cold {COLD_CHECK}: times as long as {IMPORT_NUMPY}"
IMPORTED = f"cold {COLD_CHECK}: imports of {', '.join(HEAVY)}"
BARS = (
    Bar(f"check, {ONE_CORE}: times as fast as bogofilter", "at least", 1.5),
    Bar(f"check, {ALL_CORES}: times as fast as bogofilter", "at least", 2.0),
    Bar(f"learn, {ONE_CORE}: times as fast as bogofilter", "at least", 1.0),
    Bar(f"evaluate, {ONE_CORE}: messages/s", "at least", 2000),
    Bar(COLD, "at most", 3.0),
    Bar(IMPORTED, "at most", 0),
    Bar("learn: peak memory of all processes, MB", "at most", 200),
    Bar("check: peak memory of all processes, MB", "at most", 200),
)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="folder of the unpacked corpora")
    parser.add_argument("--rounds", type=positive, default=5, metavar="N", help="of which the median is taken (5)")
    parser.add_argument("--messages", type=positive, default=6000, metavar="N", help="of demo mail, without DIR (6000)")
    parser.add_argument("--json", action="store_true", help="print one object")
    args = parser.parse_args()
    filters = [one for one in (thresher(), bogofilter(), scikit_learn()) if one]
    try:
        with tempfile.TemporaryDirectory() as folder:
            mail = read_mail(index_of(args.corpus, args.messages, Path(folder)))
            setting = describe(mail, filters, args.rounds)
            if not args.json:
                print("\n".join(setting), flush=True)
            found = measure(mail, filters, args.rounds, Path(folder))
    except (ThresherError, ProgramFailed) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    count = len(mail.paths)
    print(as_json(setting, found, count) if args.json else "\n".join(tables(found, count)))
    return 0


def positive(text: str) -> int:
    """Read a number of at least 1."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def index_of(corpus: Path | None, count: int, folder: Path) -> Path:
    """Return the index of real mail, or write made-up messages, a file each, and an index of them."""
    if corpus:
        return corpus / "streams" / f"{STREAM}.index"
    made = folder / "mail"
    made.mkdir()
    lines = []
    for number, message in enumerate(messages(count, SEED)):
        name = f"{number:07}.eml"
        (made / name).write_bytes(message.raw)
        lines.append(f"{message.label} {name}\n")
    index = made / "demo.index"
    index.write_text("".join(lines))
    return index


def describe(mail: Mail, filters: Sequence[Filter], rounds: int) -> list[str]:
    """Say what is measured, and what is not."""
    size = sum(Path(path).stat().st_size for path in mail.paths) / len(mail.paths)
    said = [
        f"{mail.listed_in.stem}: {len(mail.paths)} messages, {len(mail.spam)} of them spam, {size / 1000:.1f} KB each",
        f"rounds: {rounds}; {os.cpu_count()} cores; Python {platform.python_version()}, "
        + ", ".join(one.version for one in filters),
    ]
    if mail.listed_in.stem != STREAM:
        said.append("The bars are those of the SpamAssassin corpus (CORPUS=DIR); on other mail they only give an idea.")
    if len(filters) < 3:
        said.append("bogofilter is not installed, so nothing is compared with it (Debian: apt install bogofilter).")
    if not can_pin():
        said.append("This system cannot hold a process to one core, so only runs on all cores are measured.")
    return said


def figures(found: Findings, count: int) -> dict[str, Spread]:
    """Name every figure that may have a bar, ratios first."""
    named = dict(_speeds(found))
    named[COLD] = ratios(found.cold[COLD_CHECK], found.cold[IMPORT_NUMPY])
    named[IMPORTED] = spread([len(found.imported)])
    for one, seconds in found.seconds.items():
        if one.command == "evaluate":
            named[f"evaluate, {one.cores}: messages/s"] = spread([count / taken for taken in seconds])
    for (command, name), peak in found.peaks.items():
        if name == "thresher" and peak["together"] is not None:
            named[f"{command}: peak memory of all processes, MB"] = spread([peak["together"] / MEGABYTE])
    return named


def _speeds(found: Findings) -> Iterator[tuple[str, Spread]]:
    for one, seconds in found.seconds.items():
        if one.filter != "thresher":
            ours = found.seconds[one._replace(filter="thresher")]
            yield f"{one.command}, {one.cores}: times as fast as {one.filter}", ratios(seconds, ours)


def tables(found: Findings, count: int) -> Iterator[str]:
    """Return what is printed: figures with their bars, then times, then memory."""
    named = figures(found, count)
    bars = {bar.figure: bar for bar in BARS}
    header = ("figure, median of the rounds", "value", "least", "most", "bar", "met")
    yield ""
    yield from table(header, [figure_row(name, named.get(name), bars.get(name)) for name in {**named, **bars}])
    yield ""
    yield from table(
        ("command", "cores", "filter", "seconds", "messages/s", "processor seconds"), [*times(found, count)]
    )
    yield ""
    yield from table(("peak memory, MB", "filter", "largest process", "all together"), [*peaks(found)])


def figure_row(name: str, value: Spread | None, bar: Bar | None) -> list[str]:
    """Return a row of the first table; a bar whose figure could not be measured has one too."""
    if value is None:
        return [name, "not measured", "", "", str(bar), ""]
    return [name, *(f"{number:.4g}" for number in value), *bar_cells(bar, value.median)]


def times(found: Findings, count: int) -> Iterator[list[str]]:
    """Return how long whole runs took."""
    for one, seconds in found.seconds.items():
        taken = median(seconds)
        yield [
            one.command,
            one.cores,
            one.filter,
            f"{taken:.3f}",
            f"{count / taken:.0f}",
            f"{median(found.busy[one]):.3f}",
        ]
    for name, seconds in found.cold.items():
        yield [f"cold {name}", ALL_CORES, "", f"{median(seconds):.3f}", "", ""]


def peaks(found: Findings) -> Iterator[list[str]]:
    """Return how much memory was held."""
    for (command, name), peak in found.peaks.items():
        cells = ("" if value is None else f"{value / MEGABYTE:.0f}" for value in (peak["largest"], peak["together"]))
        yield [command, name, *cells]


def as_json(setting: Sequence[str], found: Findings, count: int) -> str:
    """Return the same as one object, with the time of every run."""
    named = figures(found, count)
    bars = {bar.figure: bar for bar in BARS}
    rows = [
        {
            "figure": name,
            **(named[name]._asdict() if name in named else {}),
            **bar_fields(bars.get(name), named.get(name)),
        }
        for name in {**named, **bars}
    ]
    seconds = [
        {**one._asdict(), "seconds": taken, "processor_seconds": found.busy[one]}
        for one, taken in found.seconds.items()
    ]
    memory = [{"command": command, "filter": name, **peak} for (command, name), peak in found.peaks.items()]
    cold = {"seconds": found.cold, "imported": found.imported}
    return json.dumps({"setting": setting, "figures": rows, "runs": seconds, "cold": cold, "peak_bytes": memory})


def bar_fields(bar: Bar | None, value: Spread | None) -> dict[str, object]:
    """Return a bar and whether it is met, which is null where there is nothing to tell."""
    if bar is None:
        return {"bar": None, "met": None}
    return {"bar": str(bar), "met": bar.met(value.median) if value else None}


if __name__ == "__main__":
    sys.exit(main())
