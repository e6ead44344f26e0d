"""``thresher doctor``: whether home, journal and model are sound, and the way out where they are not."""

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec

from thresher.build import JOURNAL
from thresher.cli.common import (
    engine_for,
    home_option,
    json_line,
    json_option,
    learner_option,
    progress,
    settings_for,
    write_lines,
)
from thresher.values import ThresherError

if TYPE_CHECKING:
    from thresher.config import Settings
    from thresher.engine import Engine

LEVELS: Final = {"ok": "green", "note": None, "warning": "yellow", "problem": "red"}
FEW: Final = 20
"""Lessons of one class below which a filter has met too little of it to be relied on."""
LOPSIDED: Final = 50
"""Times as many lessons of one class as of the other: as far as the tests of the order of teaching go."""
ROOM: Final = 3
"""Times the present files that should be free: a snapshot and a backup are written beside what they replace."""
LITTLE: Final = 50 << 20
EPILOG: Final = """\
\b
Examples:
  thresher doctor
  thresher doctor --json | jq 'select(.level == "problem")'

\b
Exit codes: 0 nothing is wrong, though there may be warnings, 1 something is, 2 wrong usage.
"""


class Finding(msgspec.Struct, frozen=True):
    """What was looked at, what was found, and what to do about it."""

    check: str
    level: str
    text: str
    way_out: str = ""


@click.command(epilog=EPILOG)
@json_option
@learner_option
@home_option
def doctor(home: str | None, learner: str | None, *, as_json: bool) -> None:
    """Check that home, journal and model are sound."""
    settings = settings_for(home, learner=learner)
    findings: list[Finding] = []
    for finding in _examine(settings):
        findings.append(finding)
        write_lines([json_line(finding)] if as_json else _lines(finding))
    if any(finding.level == "problem" for finding in findings):
        click.get_current_context().exit(1)


def _lines(finding: Finding) -> Iterator[str]:
    level = f"{finding.level:<8}"
    if sys.stdout.isatty():
        level = click.style(level, fg=LEVELS[finding.level])
    yield f"{level}  {finding.check:<11}  {finding.text}"
    if finding.way_out:
        yield f"{'':<23}-> {finding.way_out}"


def _examine(settings: "Settings") -> Iterator[Finding]:
    yield from _programs()
    yield from _other_homes(settings.home)
    yield from _environment()
    if not settings.home.is_dir():
        yield Finding("home", "problem", f"there is no folder {settings.home}", "`thresher learn` makes it, or --home")
        return
    yield from _rights(settings.home)
    yield from _room(settings.home)
    if not (settings.home / JOURNAL).exists():
        yield Finding("journal", "problem", "nothing has been learned yet", "`thresher learn`, or `thresher restore`")
        return
    try:
        with engine_for(settings, load=False) as engine:
            yield from _journal(engine)
            yield from _lessons(engine)
            yield from _model(engine)
    except ThresherError as error:
        yield Finding("journal", "problem", str(error))


def _programs() -> Iterator[Finding]:
    import sqlite3

    import numpy as np

    try:
        ours = version("thresher")
    except PackageNotFoundError:
        ours = "from its sources, not installed"
    python = ".".join(map(str, sys.version_info[:3]))
    text = f"thresher {ours}; Python {python}, NumPy {np.__version__}, SQLite {sqlite3.sqlite_version}"
    yield Finding("versions", "ok", text)


def _other_homes(home: Path) -> Iterator[Finding]:
    """Name the homes that other people, or this one without THRESHER_HOME, would use."""
    import pwd

    from thresher.config import default_home

    mine = default_home({})
    if _absolute(mine) != _absolute(home):
        there = os.access(mine / JOURNAL, os.F_OK)
        yield Finding(
            "home",
            "warning" if there else "note",
            f"without --home and THRESHER_HOME thresher uses {mine}, {'another journal' if there else 'not this home'}",
            "give whatever calls thresher, such as cron or the mail server, the same --home",
        )
    try:
        below = mine.relative_to(Path.home())
    except ValueError:
        return  # XDG_DATA_HOME leads elsewhere: nothing says where other people's leads
    for user in pwd.getpwall():
        theirs = Path(user.pw_dir) / below
        if os.access(theirs / JOURNAL, os.F_OK) and _absolute(theirs) not in {_absolute(home), _absolute(mine)}:
            yield Finding(
                "home",
                "note",
                f"started by {user.pw_name}, thresher uses {theirs}, another journal",
                f"if they are to be one filter, say --home {home} there too",
            )


def _absolute(path: Path) -> Path:
    return path.expanduser().resolve()


def _environment() -> Iterator[Finding]:
    from thresher.config import PREFIX, Settings

    named = [f"{PREFIX}{field.upper()}" for field in Settings.__struct_fields__ if field != "home"]
    if there := [name for name in named if name in os.environ]:
        yield Finding(
            "settings",
            "warning",
            f"set in this environment only: {', '.join(there)}",
            "write it into config.toml in the home, so that it holds for whatever calls thresher",
        )


def _rights(home: Path) -> Iterator[Finding]:
    import pwd

    owner = home.stat().st_uid
    try:
        name = pwd.getpwuid(owner).pw_name
    except KeyError:
        name = str(owner)
    sound = True
    files = [path for path in home.iterdir() if path.is_file() and not path.is_symlink()]
    for path, allowed in [(home, 0o700), *((path, 0o600) for path in files)]:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & ~allowed & 0o077:
            sound = False
            yield Finding("rights", "problem", f"{path} is open to others: {mode:o}", f"chmod {allowed:o} {path}")
    for path in files:
        if path.stat().st_uid != owner:
            sound = False
            yield Finding("rights", "problem", f"{path} does not belong to {name}", f"chown {name} {path}")
    if owner != os.geteuid():
        sound = False
        what = f"the home belongs to {name}, and you are somebody else: what you write, {name} may be unable to"
        yield Finding("rights", "warning", what, f"run thresher as {name}")
    if not os.access(home, os.W_OK | os.X_OK):
        sound = False
        yield Finding("rights", "problem", f"{home} cannot be written here", f"run thresher as {name}, or chmod 700 it")
    if sound:
        yield Finding("rights", "ok", f"{home} and its files are open to {name} only")


def _room(home: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(home).free
    used = sum(path.stat().st_size for path in home.iterdir() if path.is_file())
    text = f"{free / 1e6:,.0f} MB free, {used / 1e6:,.1f} MB used"
    if free < used + LITTLE:
        yield Finding("disk", "problem", text, "free some space, or move the home and say --home")
    elif free < ROOM * used + LITTLE:
        yield Finding("disk", "warning", text, "free some space: a backup and a new model need room beside the old")
    else:
        yield Finding("disk", "ok", text)
    kept = [path for path in home.iterdir() if path.name.startswith(f"{JOURNAL}.kept-")]
    if kept:
        size = sum(path.stat().st_size for path in kept)
        text = f"{len(kept)} files of former journals are kept, {size / 1e6:,.1f} MB"
        yield Finding("disk", "note", text, f"delete {home / JOURNAL}.kept-* once they are not needed")


def _journal(engine: "Engine") -> Iterator[Finding]:
    damage = engine.journal.integrity_check()
    if damage:
        more = f" (and {len(damage) - 1} more)" if len(damage) > 1 else ""
        yield Finding(
            "journal",
            "problem",
            f"damaged: {' '.join(damage[0].split())}{more}",
            "`thresher restore FILE`, with a backup",
        )
        return
    counts = engine.journal.counts()
    yield Finding("journal", "ok", f"sound; {counts.ham + counts.spam:,} lessons, each with its words")


def _lessons(engine: "Engine") -> Iterator[Finding]:
    import numpy as np

    from thresher.mail.stream import VERSION
    from thresher.values import Label

    counts = engine.journal.counts()
    yield from _balance(counts.ham, counts.spam)
    other = 0
    # Digests one after the other: as objects, those of a million lessons would take 100 MB.
    said = {label: bytearray() for label in Label}
    with progress("reading the journal", counts.ham + counts.spam) as step:
        for entry in engine.journal.entries():
            other += entry.tokenizer != VERSION
            said[entry.label] += entry.digest
            step(1)
    if other:
        yield Finding(
            "tokenizer",
            "warning",
            f"{other:,} lessons were read by another version of thresher; new mail is read differently",
            "forget them and learn the same messages again, where these are still there",
        )
    else:
        yield Finding("tokenizer", "ok", f"all lessons were read as mail is read now, version {VERSION}")
    ham, spam = (np.frombuffer(said[label], "S16") for label in Label)
    disputed = np.intersect1d(ham, spam).size
    if disputed:
        yield Finding(
            "agreement",
            "warning",
            f"{disputed:,} messages are ham to one person and spam to another",
            "`thresher export` shows who said what; `thresher forget MESSAGE --user NAME` takes one word back",
        )


def _balance(ham: int, spam: int) -> Iterator[Finding]:
    text = f"{ham:,} ham and {spam:,} spam"
    rarer = "ham" if ham < spam else "spam"
    if not min(ham, spam):
        yield Finding("balance", "problem", f"{text}: every message is unsure", f"learn some {rarer}")
    elif min(ham, spam) < FEW:
        yield Finding("balance", "note", f"{text}: a beginning", f"learn more {rarer}")
    elif max(ham, spam) > LOPSIDED * min(ham, spam):
        yield Finding("balance", "warning", f"{text}: one is rare", f"learn more {rarer}")
    else:
        yield Finding("balance", "ok", text)


def _model(engine: "Engine") -> Iterator[Finding]:
    from thresher.store.snapshot import SnapshotCorrupt
    from thresher.view import read_snapshot

    view = engine.view
    rebuild = f"`thresher rebuild --learner {view.learner.name}` builds it now"
    try:
        header, _ = read_snapshot(view.path)
    except FileNotFoundError:
        yield Finding("model", "note", "not built yet; the next command does it", rebuild)
        return
    except (SnapshotCorrupt, OSError) as error:
        yield Finding("model", "problem", f"not usable: {error}", rebuild)
        return
    now = engine.journal.position()
    if header.bits != view.hasher.bits:
        text = f"saved with {header.bits} bits, and {view.hasher.bits} are asked for: every command builds another"
        yield Finding("model", "warning", text, f"set bits = {header.bits} in config.toml, or {rebuild}")
    elif header.position.identity != now.identity:
        yield Finding("model", "note", "of a former journal; the next command builds it again", rebuild)
    elif header.position != now or not header.settled:
        yield Finding("model", "note", "of the lessons so far, yet to be settled", rebuild)
    else:
        yield Finding("model", "ok", f"{header.learner}, sound, and what the journal says")
