"""rspamc's command line: verdicts, lessons and statistics, as people read them or as JSON.

With -h it asks the daemon there and no other, else that of the home, else it judges itself. What has no meaning here
(fuzzy hashes, symbols and actions that are added) is refused.
"""

import json
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

from thresher.cli.compat.common import World, WrongUsage, complain, message_in, parsed, say, write
from thresher.cli.door import Asking, door
from thresher.mail.annotate import annotated
from thresher.serve.client import NoDaemon
from thresher.serve.protocol.rspamd import Json, Statistics, already_learned, checked, message_id, statistics
from thresher.serve.rspamd_answers import result
from thresher.values import Label, ThresherError

SHORT: Final = "?h:P:c:w:f:pvi:u:d:F:r:t:b:jn:e:mS:EzU:D:"
LONG: Final = {
    "help": "-?", "connect=": "-h", "password=": "-P", "classifier=": "-c", "weight=": "-w", "flag=": "-f",
    "pass-all": "-p", "verbose": "-v", "ip=": "-i", "user=": "-u", "deliver=": "-d", "from=": "-F", "rcpt=": "-r",
    "helo=": "", "hostname=": "", "timeout=": "-t", "bind=": "-b", "commands": "commands", "json": "-j",
    "compact": "compact", "headers": "headers", "raw": "", "ucl": "-j", "max-requests=": "-n", "extended-urls": "",
    "key=": "", "exec=": "-e", "mime": "-m", "header=": "", "exclude=": "", "sort=": "", "empty": "-E",
    "fuzzy-symbol=": "-S", "compressed": "-z", "profile": "", "dictionary=": "-D", "skip-images": "",
    "skip-attachments": "", "user-agent=": "-U",
}  # fmt: skip
COMMANDS: Final = ("symbols", "check", "learn_spam", "learn_ham", "stat", "uptime")
REFUSED: Final = (
    "fuzzy_add", "fuzzy_del", "fuzzy_delhash", "stat_reset", "counters", "add_symbol", "add_action",
)  # fmt: skip
LABELS: Final = {"learn_spam": Label.SPAM, "learn_ham": Label.HAM}
PORTS: Final = {"learn_spam": 11334, "learn_ham": 11334, "stat": 11334, "uptime": 11334}
PORT: Final = 11333
REMOVED: Final = frozenset({b"x-spam", b"x-spam-action", b"x-spam-score", b"x-spam-level", b"x-spam-symbols"})
MOST_STARS: Final = 50
USAGE: Final = """\
Usage:
  rspamc [OPTION?] [symbols|learn_spam|learn_ham|stat|uptime] [FILE|FOLDER]...

  -h HOST:PORT, -P PASSWORD, -u USER, -d USER, -j or --json, --compact, -m the message with headers, -t SECONDS"""


class _Options(NamedTuple):
    values: dict[str, str]
    command: str
    paths: list[str]

    def has(self, name: str) -> bool:
        return name in self.values


def run(args: Sequence[str], world: World) -> int:
    """Run the program."""
    try:
        options = _read(args)
    except WrongUsage as error:
        complain(f"{error}\n{USAGE}")
        return 1
    if options.has("-?") or options.has("commands"):
        say("\n".join([USAGE, *COMMANDS]) if options.has("commands") else USAGE)
        return 0
    if options.command in REFUSED:
        complain(f"rspamc: {options.command} has no meaning in thresher")
        return 1
    user = options.values.get("-d") or options.values.get("-u")
    token = options.values.get("-P")
    address = _address(options)
    with door(world.settings(user=user), address, only=address is not None, token=token) as asked:
        if options.command in {"stat", "uptime"}:
            return _statistics(asked, options)
        return max([_message(asked, options, name) for name in _names(options)], default=0)


def _read(args: Sequence[str]) -> _Options:
    given, rest = parsed(args, SHORT, list(LONG))
    values: dict[str, str] = {}
    for name, value in given:
        plain = name.removeprefix("--")
        values[LONG.get(plain) or LONG.get(f"{plain}=") or name] = value
    if rest and rest[0] in {*COMMANDS, *REFUSED}:
        return _Options(values, rest[0], rest[1:])
    return _Options(values, "symbols", rest)


def _address(options: _Options) -> str | None:
    given = options.values.get("-h", "")
    if not given:
        return None
    if given.startswith(("/", "unix:")) or given.rpartition(":")[2].isdecimal():
        return given
    return f"{given}:{PORTS.get(options.command, PORT)}"


def _names(options: _Options) -> list[str]:
    """Name the messages: files, those in folders, or standard input."""
    names: list[str] = []
    for path in options.paths:
        if Path(path).is_dir():
            names += sorted(str(file) for file in Path(path).rglob("*") if file.is_file())
        else:
            names.append(path)
    return names if options.paths else [""]


def _message(asked: Asking, options: _Options, name: str) -> int:
    """Judge or teach one message, and say what came of it."""
    shown = name or "stdin"
    try:
        raw = message_in(name)
    except OSError:
        complain(f"cannot stat file {name}")
        return 1
    began = time.perf_counter()
    try:
        if not raw:
            answer: Json = {"error": "Empty body is not permitted"}
        elif label := LABELS.get(options.command):
            answer = _taught(asked, raw, label)
        else:
            answer = checked(result(asked.check(raw), message_id(raw), time.perf_counter() - began))
    except NoDaemon as error:
        say(f"Results for file: {shown} (0 seconds)\nIO write error: {error}\n")
        return 1
    except ThresherError as error:
        answer = {"error": str(error)}
    seconds = round(time.perf_counter() - began, 3)
    answer |= {"filename": shown, "scan_time": seconds}
    if options.has("-m") and "action" in answer:
        write(_tagged(raw, answer, seconds))
    elif options.has("-j"):
        say(_json(answer, options))
    else:
        say(f"Results for file: {shown} ({seconds:g} seconds)")
        say(_symbols(answer) if "action" in answer else _object(answer))
    return 0


def _taught(asked: Asking, raw: bytes, label: Label) -> Json:
    if asked.learn([raw], label, "rspamc"):
        return {"success": True}
    return already_learned(message_id(raw), label)


def _symbols(answer: Json) -> str:
    """Write a verdict as rspamc shows it."""
    lines = [
        "[Metric: default]",
        f"Action: {answer['action']}",
        f"Spam: {str(_spam(answer)).lower()}",
        f"Score: {answer['score']:.2f} / {answer['required_score']:.2f}",
    ]
    symbols = answer["symbols"]
    assert isinstance(symbols, dict)  # noqa: S101 - as `checked` made it
    lines += [f"Symbol: {name} ({each['score']:.2f})[{', '.join(each['options'])}]" for name, each in symbols.items()]
    lines += [f"Message-ID: {answer['message-id']}", ""]
    return "\n".join(lines)


def _spam(answer: Json) -> bool:
    return answer["action"] != "no action"


def _object(answer: Json) -> str:
    """Write an answer without a verdict as rspamc does: a setting a line."""
    return "".join(f"{name} = {_setting(value)};\n" for name, value in answer.items())


def _setting(value: object) -> str:
    return f"{value:f}" if isinstance(value, float) else json.dumps(value)


def _json(answer: Json, options: _Options) -> str:
    if options.has("compact"):
        return json.dumps(answer, separators=(",", ":"))
    return json.dumps(answer, indent=4)


def _tagged(raw: bytes, answer: Json, seconds: float) -> bytes:
    """Return the message with rspamc's headers."""
    symbols = answer["symbols"]
    score = answer["score"]
    assert isinstance(symbols, dict)  # noqa: S101 - as `checked` made it
    assert isinstance(score, float)  # noqa: S101 - the same
    fields = [
        ("X-Spam-Scanner", f"rspamc {version('thresher')} (thresher)"),
        ("X-Spam-Scan-Time", f"{seconds:g}"),
        *([("X-Spam", "yes")] if _spam(answer) else []),
        ("X-Spam-Action", str(answer["action"])),
        ("X-Spam-Score", f"{score:.2f} / {answer['required_score']:.2f}"),
        ("X-Spam-Level", "*" * min(max(int(score + 0.5), 0), MOST_STARS)),
        ("X-Spam-Symbols", ",\n\t".join(symbols)),
    ]
    return annotated(raw, [(name.encode(), value.encode()) for name, value in fields], REMOVED)


def _statistics(asked: Asking, options: _Options) -> int:
    try:
        ham, spam = asked.counts()
    except ThresherError as error:
        say(f"Results for command: {options.command} (0 seconds)\nIO write error: {error}\n")
        return 1
    answer = statistics(Statistics(version("thresher"), 0, 0, {}, ham, spam, 0))
    if options.has("-j"):
        say(_json(answer, options))
        return 0
    say(f"Results for command: {options.command} (0 seconds)")
    if options.command == "uptime":
        say(f"Rspamd version: {version('thresher')} (thresher)")
        return 0
    say(f"Messages learned: {ham + spam}")
    for symbol, learned in (("BAYES_SPAM", spam), ("BAYES_HAM", ham)):
        say(f"Statfile: {symbol} type: thresher; learned: {learned}; users: 1; languages: 0")
    say(f"Total learns: {ham + spam}\n")
    return 0
