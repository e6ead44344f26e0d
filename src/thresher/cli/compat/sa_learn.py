"""sa-learn's command line: what mail servers' pipes, web mail and cron jobs call.

It differs in this: a message that was learned with the other label is corrected, and `--sync`, `--force-expire` and
`--import` have nothing to do here. `--backup` writes lessons as `thresher export` does, and `--restore` reads that.
"""

import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

from thresher.boxes import BoxError
from thresher.cli.compat.common import Given, World, WrongUsage, complain, message_in, messages_in, parsed, say
from thresher.cli.door import Alone, Asking, door
from thresher.values import Label

SHORT: Final = "hVDLu:p:C:f:"
LONG: Final = (
    "ham", "nonspam", "spam", "forget", "use-ignores", "sync", "rebuild", "force-expire", "dbpath=", "dump", "regexp=",
    "folders=", "dir", "file", "mbox", "mbx", "max-size=", "showdots", "progress", "no-sync", "norebuild", "local",
    "import", "clear", "backup", "restore=", "username=", "configpath=", "config-file=", "prefspath=", "prefs-file=",
    "siteconfigpath=", "cf=", "debug", "version", "help", "single", "siteconfig=",
)  # fmt: skip
MAX_SIZE: Final = 500 * 1024
"""Bytes of a message that is learned, unless --max-size says otherwise: sa-learn's own default."""
USAGE: Final = """\
Please select either --spam, --ham, --folders, --forget, --sync, --import,
--dump, --clear, --backup or --restore
Usage:
    sa-learn [options] [file]...

    sa-learn [options] --dump [ all | data | magic ]"""
DUMPS: Final = ("all", "data", "magic")
EX_USAGE: Final = 64
LESSONS: Final = {"--ham": Label.HAM, "--nonspam": Label.HAM, "--spam": Label.SPAM}
NOTHING_TO_DO: Final = frozenset({"--sync", "--rebuild", "--force-expire", "--import"})


def run(args: Sequence[str], world: World) -> int:
    """Run the program."""
    try:
        given, paths = parsed(args, SHORT, LONG)
    except WrongUsage as error:
        complain(f"{error}\n{USAGE}")
        return EX_USAGE
    values = dict(given)
    user = values.get("-u") or values.get("--username")
    settings = world.settings(values.get("--dbpath"), user)
    if {"--version", "-V"} & values.keys():
        say(f"SpamAssassin version {version('thresher')} (thresher)")
    elif {"--help", "-h"} & values.keys():
        say(USAGE)
    elif {"--backup", "--restore"} & values.keys():
        return _copy(world, values)
    elif {"--dump", "--clear"} & values.keys():
        alone = Alone(settings)
        try:
            return _dump(alone, paths) if "--dump" in values else _clear(alone, settings.user)
        finally:
            alone.close()
    elif (LESSONS.keys() | {"--forget"}) & values.keys():
        with door(settings) as asked:
            return _learn(asked, given, paths)
    elif not NOTHING_TO_DO & values.keys():
        complain(USAGE)
        return EX_USAGE
    return 0


def _learn(asked: Asking, given: Given, paths: Sequence[str]) -> int:
    values = dict(given)
    limit = int(values.get("--max-size") or MAX_SIZE) or sys.maxsize
    raws = [raw for raw in _messages(values, paths) if len(raw) <= limit]
    label = next((LESSONS[name] for name, _ in reversed(given) if name in LESSONS), None)
    changed = asked.learn(raws, label, "sa-learn") if label else sum(asked.forget(raw) > 0 for raw in raws)
    done = "Learned" if label else "Forgot"
    say(f"{done} tokens from {changed} message(s) ({len(raws)} message(s) examined)")
    return 0 if raws else 1


def _messages(values: dict[str, str], paths: Sequence[str]) -> Iterator[bytes]:
    """Yield what there is to learn; what cannot be read is said, as sa-learn says it."""
    named = list(paths)
    if listed := values.get("-f") or values.get("--folders"):
        named += [line.split(":")[-1] for line in Path(listed).read_text().splitlines() if line.strip()]
    if not named or named == ["-"]:
        yield from _of_standard_input(mbox="--mbox" in values)
        return
    for path in named:
        try:
            yield from (raw for _, raw in messages_in(path, mbox="--mbox" in values))
        except (OSError, BoxError) as error:
            reason = error.reason if isinstance(error, BoxError) else error.strerror
            complain(f"archive-iterator: no access to {path}: {reason}")


def _of_standard_input(*, mbox: bool) -> Iterator[bytes]:
    raw = message_in()
    if not mbox:
        yield raw
        return
    import tempfile

    with tempfile.NamedTemporaryFile(suffix=".mbox") as file:
        file.write(raw)
        file.flush()
        yield from (each for _, each in messages_in(file.name, mbox=True))


def _dump(alone: Alone, paths: Sequence[str]) -> int:
    """Print the counts; of the data a line a slot: probability, spam, ham, time, name."""
    what = paths[0] if paths else "all"
    if what not in DUMPS:
        complain(USAGE)
        return EX_USAGE
    learner = alone.engine.view.learner
    seen = (learner.spam > 0) | (learner.ham > 0)
    if what in {"all", "magic"}:
        for name, value in (
            ("bayes db version", 3),
            ("nspam", learner.n_spam),
            ("nham", learner.n_ham),
            ("ntokens", int(seen.sum())),
            *((name, 0) for name in ("oldest atime", "newest atime", "last journal sync atime", "last expiry atime")),
            *((name, 0) for name in ("last expire atime delta", "last expire reduction count")),
        ):
            say(f"0.000 {0:10} {value:10} {0:10}  non-token data: {name}")
    if what in {"all", "data"}:
        for slot in seen.nonzero()[0].tolist():
            spam, ham = int(learner.spam[slot]), int(learner.ham[slot])
            in_spam, in_ham = spam / max(learner.n_spam, 1), ham / max(learner.n_ham, 1)
            say(f"{in_spam / (in_spam + in_ham):.3f} {spam:10} {ham:10} {0:10}  {slot:010x}")
    return 0


def _clear(alone: Alone, user: str) -> int:
    """Forget all that this user said."""
    from thresher.cli.common import settle
    from thresher.store.journal import Selection

    if alone.engine.forget(Selection(user=user)):
        settle(alone.engine)
    return 0


def _copy(world: World, values: dict[str, str]) -> int:
    """Write all lessons to standard output, or read them from a file."""
    from thresher.cli import main

    home = ["--home", world.home] if world.home else []
    command = ["export", "-"] if "--backup" in values else ["import", values["--restore"]]
    main.main([*home, *command], standalone_mode=False)
    return 0
