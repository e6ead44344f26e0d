"""bogofilter's command line: what scripts, procmail recipes and mail readers call.

It differs in three things. A lesson counts once, however often it is given. `-u` judges and teaches nothing: this
filter never learns from its own verdict alone. Databases, caches and the parameters of its formula are accepted and
have no meaning here.
"""

import math
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from thresher.cli.compat.common import Given, World, WrongUsage, complain, message_in, messages_in, parsed, say, write
from thresher.cli.door import Asking, door
from thresher.values import Label, Verdict

if TYPE_CHECKING:
    from thresher.serve.scan import Scan

SHORT: Final = "hVQpeuMbBRsnSNc:Cd:Hk:lL:I:O:m:o:tTqUvy:Dx:"
LONG: Final = {
    "help": "-h", "version": "-V", "query": "-Q", "passthrough": "-p", "ham-true": "-e", "update-as-scored": "-u",
    "classify-mbox": "-M", "classify-stdin": "-b", "classify-files": "-B", "dataframe": "-R", "register-spam": "-s",
    "register-ham": "-n", "unregister-spam": "-S", "unregister-nonspam": "-N", "config-file=": "-c",
    "no-config-file": "-C", "bogofilter-dir=": "-d", "no-header-tags": "-H", "db-cachesize=": "-k", "use-syslog": "-l",
    "syslog-tag=": "-L", "input-file=": "-I", "output-file=": "-O", "terse": "-t", "fixed-terse-format": "-T",
    "quiet": "-q", "report-unsure": "-U", "verbosity": "-v", "timestamp-date=": "-y", "debug-to-stdout": "-D",
    "debug-flags=": "-x",
}  # fmt: skip
NUMBERS: Final = ("min-dev=", "robs=", "robx=", "spam-cutoff=", "ham-cutoff=")
CODES: Final = {Verdict.SPAM: 0, Verdict.HAM: 1, Verdict.UNSURE: 2}
FIELD: Final = b"x-bogosity"
SHOWN: Final = 0.1
"""Distance of a feature's probability from a half from which bogofilter counts it, roughly; marked with a plus."""
USAGE: Final = """\
Usage: bogofilter [options] < message

  -p pass the message through with X-Bogosity, -e exit with 0 for any verdict, -u judge only (it teaches nothing here)
  -s -n register as spam, ham; -S -N take that back; -Sn -Ns correct
  -M an mbox; -b names from standard input; -B names as arguments; -I FILE, -O FILE
  -t -T -TT terse; -v verdict, -vv histogram, -vvv features; -o SPAM[,HAM] cutoffs; -d DIR the home
"""


class _Options(NamedTuple):
    flags: str
    """Letters given, each as often as it was given."""
    values: dict[str, str]
    paths: list[str]

    def has(self, letters: str) -> bool:
        return any(letter in self.flags for letter in letters)


def run(args: Sequence[str], world: World) -> int:
    """Run the program."""
    try:
        options = _read(args)
    except WrongUsage as error:
        complain(f"bogofilter: {error}")
        return 2
    if options.has("h"):
        say(USAGE.rstrip())
        return 0
    if options.has("VQ"):
        say(f"bogofilter version {version('thresher')} (thresher)")
        return 0
    with door(world.settings(options.values.get("d"))) as asked:
        if options.has("snSN"):
            return _register(asked, options)
        return _classify(asked, options)


def _read(args: Sequence[str]) -> _Options:
    given: Given
    given, paths = parsed(args, SHORT, [*LONG, *NUMBERS])
    flags, values = "", {}
    for name, value in given:
        plain = name.removeprefix("--")
        letter = (LONG.get(plain) or LONG.get(f"{plain}=") or name).removeprefix("-")
        flags += letter if len(letter) == 1 else ""
        values[letter.removeprefix("-")] = value
    for letter in "om":
        for number in values.get(letter, "").split(","):
            _number(number)
    return _Options(flags, values, paths)


def _number(text: str) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        raise WrongUsage(f"{text!r} is no number") from None


def _sources(options: _Options) -> Iterator[tuple[str, bytes]]:
    """Yield the messages, each with its name where several are named."""
    if options.has("b"):
        names = message_in().decode("utf-8", "surrogateescape").splitlines()
    elif options.has("B"):
        names = options.paths
    else:
        names = []
    for name in names:
        yield from messages_in(name)
    if options.has("bB"):
        return
    file = options.values.get("I", "")
    if options.has("M"):
        yield from (("", raw) for raw in _mbox(message_in(file)))
    else:
        yield "", message_in(file)


def _mbox(raw: bytes) -> list[bytes]:
    """Cut an mbox into its messages."""
    import tempfile

    from thresher import boxes

    with tempfile.NamedTemporaryFile(suffix=".mbox") as file:
        file.write(raw)
        file.flush()
        return [item.raw for item in boxes.read(file.name)]


# lessons --------------------------------------------------------------------------------------------------------------


def _register(asked: Asking, options: _Options) -> int:
    if options.has("s") and options.has("n"):
        complain("bogofilter: -s and -n exclude each other")
        return 2
    raws = [raw for _, raw in _sources(options)]
    for letter, label in (("s", Label.SPAM), ("n", Label.HAM)):
        if options.has(letter):
            # What was said before is corrected by this, so that -Sn and -Ns need nothing else.
            asked.learn(raws, label, "bogofilter")
    if not options.has("sn"):
        for raw in raws:
            asked.forget(raw)
    if options.has("v"):
        from thresher.mail.mime import parse
        from thresher.mail.stream import tokenize

        words = sum(len(tokenize(parse(raw)).split()) for raw in raws)
        say(f"# {words} word{'' if words == 1 else 's'}, {len(raws)} message{'' if len(raws) == 1 else 's'}")
    return 0


# verdicts -------------------------------------------------------------------------------------------------------------


def _classify(asked: Asking, options: _Options) -> int:
    code = CODES[Verdict.UNSURE]
    for name, raw in _sources(options):
        scan = asked.check(raw)
        verdict = _verdict(scan, options)
        code = CODES[verdict]
        if options.has("p"):
            _pass_on(raw, _line(verdict, scan, options), options)
        elif line := _line(verdict, scan, options) if options.has("vtTR") else "":
            named = options.has("bB") and not (options.has("t") and not options.has("T"))
            say(f"{name} {line}" if named else line)
        if options.flags.count("v") > 1 and not options.has("ptT"):
            _print_evidence(asked, raw, options)
    return 0 if options.has("eM") else code


def _verdict(scan: "Scan", options: _Options) -> Verdict:
    """Return the verdict, or that of the cutoffs that were given."""
    chosen = options.values.get("o", "").split(",")
    spam_from = _number(options.values.get("spam-cutoff", "") or chosen[0])
    ham_to = _number(options.values.get("ham-cutoff", "") or (chosen[1] if len(chosen) > 1 else ""))
    probability = scan.judgement.probability
    if spam_from is None or scan.unjudged:
        return scan.verdict
    if probability >= spam_from:
        return Verdict.SPAM
    return (
        Verdict.HAM if scan.verdict is Verdict.HAM or (ham_to is not None and probability <= ham_to) else Verdict.UNSURE
    )


def _line(verdict: Verdict, scan: "Scan", options: _Options) -> str:
    letter, probability = verdict[0].upper(), scan.judgement.probability
    match options.flags.count("T"), options.has("t"):
        case 0, False:
            tested = f"tests=bogofilter, spamicity={probability:.6f}, version={version('thresher')}"
            return f"X-Bogosity: {verdict.capitalize()}, {tested}"
        case 0, True:
            return f"{letter} {probability:.6f}"
        case 1, _:
            return f"{letter} {probability:g}"
        case _:
            return f"{probability:.16f}"


def _pass_on(raw: bytes, line: str, options: _Options) -> None:
    from thresher.mail.annotate import annotated

    if ": " in line:
        name, _, value = line.partition(": ")
        out = annotated(raw, [(name.encode(), value.encode())], {FIELD})
    else:
        out = line.encode() + b"\n" + annotated(raw, [], {FIELD})
    if file := options.values.get("O"):
        Path(file).write_bytes(out)
    else:
        write(out)


def _print_evidence(asked: Asking, raw: bytes, options: _Options) -> None:
    explained = asked.explain(raw)
    rows = [(each, 1 / (1 + math.exp(-max(-700.0, min(700.0, each.share))))) for each in explained.evidence]
    if options.flags.count("v") == 2:  # noqa: PLR2004 - -vv
        say("   int  cnt   prob  spamicity histogram")
        for tenth in range(10):
            inside = [p for _, p in rows if tenth <= min(9, int(p * 10)) < tenth + 1]
            mean = sum(inside) / len(inside) if inside else 0.0
            bar = "#" * min(len(inside), 48)
            say(f"  {tenth / 10:.2f} {len(inside):4} {mean:.6f} {explained.probability:.6f} {bar}")
        return
    ham, spam = asked.counts()
    say(f"{'n':>41}    pgood     pbad      fw     U")
    for each, p in rows:
        good, bad = each.ham / max(ham, 1), each.spam / max(spam, 1)
        quoted = f'"{each.field}:{each.text}"'
        used = "+" if abs(p - 0.5) >= SHOWN else "-"
        say(f"  {quoted:<33} {each.spam + each.ham:5}  {good:.6f}  {bad:.6f}  {p:.6f} {used}")
