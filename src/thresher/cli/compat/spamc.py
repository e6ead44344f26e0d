"""spamc's command line. With -d, -p or -U it asks the server there, else the daemon of the home, else it judges itself.

Both ways go through spamd's protocol: what is printed is made of the reply's bytes.
"""

import socket
import subprocess
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Final, NamedTuple

from thresher.cli.compat.common import World, WrongUsage, complain, message_in, parsed, say, write
from thresher.cli.door import door
from thresher.serve.protocol.spamd import Code, Command, Fault, Request
from thresher.serve.protocol.spamd_replies import fault, pong, told
from thresher.values import Label, ThresherError

SHORT: Final = "d:Hp:SU:F:t:n:s:u:L:C:BcyrRExXle:hVKf46"
LONG: Final = {
    "dest=": "-d", "randomize": "-H", "port=": "-p", "socket=": "-U", "config=": "-F", "timeout=": "-t",
    "connect-timeout=": "-n", "max-size=": "-s", "username=": "-u", "learntype=": "-L", "reporttype=": "-C",
    "check": "-c", "tests": "-y", "full-spam": "-r", "full": "-R", "headers": "headers", "exitcode": "-E",
    "no-safe-fallback": "-x", "unavailable-tempfail": "-X", "log-to-stderr": "-l", "pipe-to=": "-e", "help": "-h",
    "version": "-V", "filter-retries=": "", "filter-retry-sleep=": "", "connect-retries=": "", "retry-sleep=": "",
    "no-safe-fallback-tempfail": "-X",
}  # fmt: skip
UNKNOWN: Final = {"-S": "TLS", "--ssl": "TLS", "-B": "BSMTP", "--bsmtp": "BSMTP"}
MAX_SIZE: Final = 500 * 1024
PORT: Final = 783
PATIENCE: Final = 600.0
"""Seconds for an answer, spamc's own."""
EX_USAGE: Final = 64
EX_UNAVAILABLE: Final = 69
EX_TEMPFAIL: Final = 75
SPAM: Final = 1
VERSION: Final = "1.5"
LABELS: Final = {"spam": Label.SPAM, "ham": Label.HAM, "forget": None}
REPORTS: Final = {"report": "spam", "revoke": "ham"}
NOT_JUDGED: Final = "0/0"
USAGE: Final = """\
Usage: spamc [options] [-e command [args]] < message

  -c score/threshold and exit code, -E exit code too, -y names of tests, -R report, -r report of spam, --headers
  -L spam|ham|forget, -K, -d HOST, -p PORT, -U SOCKET, -u USER, -s BYTES, -t SECONDS, -x no safe fallback, -X"""


class Reply(NamedTuple):
    """What a server answered."""

    code: int
    spam: bool
    points: str
    """score/threshold, as it is printed."""
    headers: dict[str, str]
    content: bytes
    first: str
    reason: str


class Unreachable(Exception):
    """There is no server, or it does not answer."""


Ask = Callable[[Request], bytes]


class _Options(NamedTuple):
    values: dict[str, str]
    command: list[str]

    def has(self, *names: str) -> bool:
        return any(name in self.values for name in names)


def run(args: Sequence[str], world: World) -> int:
    """Run the program."""
    try:
        options = _read(args)
    except WrongUsage as error:
        complain(f"spamc: {error}\n{USAGE}")
        return EX_USAGE
    if options.has("-h", "-V"):
        say(f"SpamAssassin Client version {version('thresher')} (thresher)" if options.has("-V") else USAGE)
        return 0
    raw = b"" if options.has("-K") else message_in()
    request = _request(options, raw)
    limit = int(options.values.get("-s") or MAX_SIZE)
    if len(raw) > limit:
        # Passed on whatever -x says, as spamc does.
        return _fall_back(options, raw, strict=False)
    try:
        answered = parse(_ask(options, world, request))
    except Unreachable as error:
        if options.has("-l"):
            complain(f"spamc: {error}")
        return _fall_back(options, raw, strict=options.has("-x"))
    return _print(options, answered, raw)


def _read(args: Sequence[str]) -> _Options:
    command: list[str] = []
    own = list(args)
    for index, arg in enumerate(own):
        if arg in {"-e", "--pipe-to"}:
            own, command = own[:index], own[index + 1 :]
            break
    given, rest = parsed(own, SHORT, [*LONG, "ssl", "bsmtp"])
    if rest:
        raise WrongUsage(f"what is {rest[0]!r}?")
    values: dict[str, str] = {}
    for name, value in given:
        if name in UNKNOWN:
            raise WrongUsage(f"{UNKNOWN[name]} is not known to thresher's spamc")
        plain = name.removeprefix("--")
        values[LONG.get(plain) or LONG.get(f"{plain}=") or name] = value
    if values.get("-L", "spam") not in LABELS:
        raise WrongUsage("please specify a legal learn type: spam, ham or forget")
    if not (values.get("-s") or "0").isdecimal():
        raise WrongUsage(f"{values['-s']!r} is no number of bytes")
    return _Options(values, command)


def _request(options: _Options, raw: bytes) -> Request:
    commands = {
        "-K": Command.PING, "-L": Command.TELL, "-C": Command.TELL, "-c": Command.CHECK, "-y": Command.SYMBOLS,
        "-R": Command.REPORT, "-r": Command.REPORT_IFSPAM, "headers": Command.HEADERS,
    }  # fmt: skip
    command = next((command for name, command in commands.items() if options.has(name)), Command.PROCESS)
    # What is reported to others is learned, too; to others nothing is reported.
    kind = options.values.get("-L") or REPORTS.get(options.values.get("-C", ""), "")
    label = LABELS.get(kind)
    return Request(
        command, (1, 5), user=options.values.get("-u", ""), label=label, learn=label is not None,
        forget=kind == "forget", message=raw,
    )  # fmt: skip


def _ask(options: _Options, world: World, request: Request) -> bytes:
    if options.has("-d", "-p", "-U"):
        return _over_the_net(options, request)
    return _here(world, request)


def _over_the_net(options: _Options, request: Request) -> bytes:
    patience = float(options.values.get("-t") or PATIENCE) or None
    try:
        with _connected(options, patience) as connection:
            connection.sendall(encoded(request))
            connection.shutdown(socket.SHUT_WR)
            received = b""
            while data := connection.recv(1 << 16):
                received += data
    except OSError as error:
        raise Unreachable(f"the server does not answer: {error.strerror or error}") from error
    if not received:
        raise Unreachable("the server closed the connection")
    return received


def _connected(options: _Options, patience: float | None) -> socket.socket:
    if options.has("-U"):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(patience)
        connection.connect(options.values["-U"])
        return connection
    failure: OSError = OSError("no host was named")
    for host in (options.values.get("-d") or "localhost").split(","):
        try:
            return socket.create_connection((host, int(options.values.get("-p") or PORT)), patience)
        except OSError as error:
            failure = error
    raise failure


def encoded(request: Request) -> bytes:
    """Write a request as spamc does."""
    lines = [f"{request.command} SPAMC/{VERSION}", f"Content-length: {len(request.message)}"]
    if request.user:
        lines.append(f"User: {request.user}")
    if request.label:
        lines.append(f"Message-class: {request.label}")
    lines += ["Set: local"] * request.learn + ["Remove: local"] * request.forget
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode() + request.message


def _here(world: World, request: Request) -> bytes:
    """Answer as our own spamd would."""
    if request.command is Command.PING:
        return pong(request)
    from thresher.serve.spamd_answers import verdict

    try:
        with door(world.settings(user=request.user)) as asked:
            if request.command is not Command.TELL:
                return verdict(request, asked.check(request.message))
            learned = bool(request.label and asked.learn([request.message], request.label, "spamc"))
            return told(learned=learned, forgotten=request.forget and bool(asked.forget(request.message)))
    except ThresherError as error:
        return fault(Fault(Code.EX_TEMPFAIL, " ".join(str(error).split())))


def parse(reply: bytes) -> Reply:
    """Read a reply; what is none is no server."""
    head, _, content = reply.partition(b"\r\n\r\n")
    first, *lines = head.decode("utf-8", "replace").split("\r\n")
    words = first.split(None, 2)
    if len(words) < 2 or not words[0].startswith("SPAMD/") or not words[1].isdecimal():  # noqa: PLR2004 - a name, a code
        raise Unreachable("what answers is no spamd")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    is_spam, _, points = headers.get("spam", "").partition(";")
    spam = is_spam.strip() in {"True", "Yes"}
    return Reply(
        int(words[1]),
        spam,
        points.replace(" ", "") or NOT_JUDGED,
        headers,
        content,
        f"{words[0]} {words[1]}",
        " ".join(words[2:]),
    )


def _print(options: _Options, reply: Reply, raw: bytes) -> int:
    if options.has("-K"):
        say(reply.first)
        return 0
    if reply.code:
        if options.has("-l"):
            complain(f"spamc: the server answered {reply.code} {reply.reason}")
        return _fall_back(options, raw, strict=options.has("-x", "-L", "-C"), code=reply.code)
    if options.has("-L", "-C"):
        changed = {"didset", "didremove"} & reply.headers.keys()
        refused = "Unable to report/revoke message" if options.has("-C") else "Message was already un/learned"
        say("Message successfully un/learned" if changed and options.has("-L") else refused)
        return 0
    out = reply.content
    if options.has("-c"):
        out = f"{reply.points}\n".encode()
    elif options.has("-R"):
        out = f"{reply.points}\n".encode() + out
    elif options.has("headers"):
        out += _body(raw)
    code = _put(options, out)
    return code or (SPAM if reply.spam and options.has("-c", "-E") else 0)


def _body(raw: bytes) -> bytes:
    ends = [end + len(blank) for blank in (b"\r\n\r\n", b"\n\n") if (end := raw.find(blank)) >= 0]
    return raw[min(ends) :] if ends else b""


def _put(options: _Options, out: bytes) -> int:
    if not options.command:
        write(out)
        return 0
    return subprocess.run(options.command, input=out, check=False).returncode  # noqa: S603 - the caller's own command


def _fall_back(options: _Options, raw: bytes, *, strict: bool, code: int = EX_UNAVAILABLE) -> int:
    """Pass the message on as it came, unless told not to."""
    failed = EX_TEMPFAIL if options.has("-X") else code
    if options.has("-K", "-L", "-C"):
        return failed
    if options.has("-c", "-R", "-r"):
        say(NOT_JUDGED)
    elif options.has("-y"):
        say("")
    elif not strict:
        return _put(options, raw)
    return failed if strict else 0
