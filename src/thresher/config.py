"""Settings: what the command line says, else the environment, else config.toml in the home, else the defaults.

Between config.toml and the defaults stands tuned.toml, the choice that `tune` made on the owner's mail: a learner and
the settings that were chosen for it, which count as long as nothing that comes first names another learner.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, cast

import msgspec

from thresher.decide import CONFIDENCE, HAM_TO, PROMISE, SPAM_FROM
from thresher.learn.hashing import DEFAULT_BITS
from thresher.learn.online import ScaledLogistic
from thresher.store import tuned
from thresher.store.verdicts import KEPT
from thresher.values import ThresherError
from thresher.view import SETTLE_SECONDS

FILE: Final = "config.toml"
PREFIX: Final = "THRESHER_"
PAGE: Final = "127.0.0.1:8025"


class ConfigError(ThresherError):
    """A setting that cannot be used: where it stands, what is wrong and what would do."""


class Deed(StrEnum):
    """What the milter does with spam, beside saying so in the headers."""

    TAG = "tag"
    SUBJECT = "subject"
    QUARANTINE = "quarantine"
    TEMPFAIL = "tempfail"
    REJECT = "reject"


Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Positive = Annotated[int, msgspec.Meta(ge=1)]


class Serve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a person can set of the daemon: [serve] in the file, THRESHER_SERVE_* in the environment."""

    milter: str = ""
    """Where to listen: unix:PATH or HOST:PORT; empty for nowhere. The same for the others."""
    spamd: str = ""
    http: str = ""
    page: str = PAGE
    """The page for people; "none" for nowhere."""
    page_host: str = ""
    """The name under which the page is reached where it is not on this machine: spam.example.org."""
    page_https: bool = False
    """Whether a server in front of it speaks TLS to the browser: cookies are then never sent without."""
    workers: Positive = 1
    socket_mode: Annotated[str, msgspec.Meta(pattern="^0?[0-7]{3}$")] = "0660"
    """Of a Unix socket: the mail server must be in its group."""
    timeout: Annotated[float, msgspec.Meta(gt=0)] = 2.0
    """Seconds after which a message goes on unjudged; Postfix and Exim wait 30 and more."""
    queue: Positive = 256
    """Messages in hand at once in a worker: a second's worth. More go on unjudged."""
    max_size: Annotated[int, msgspec.Meta(ge=1024)] = 1 << 20
    """Bytes of a message that are judged; the rest passes. Little text stands beyond the first."""
    spam: Deed = Deed.TAG
    act_from: Share = 0.99
    """From which probability a deed other than "tag" is done: a rejected ham is lost, a tagged one is not."""
    subject_prefix: str = "[SPAM] "
    reject_text: str = "This message looks like spam"
    remember: Annotated[int, msgspec.Meta(ge=0)] = KEPT
    """Messages kept in the list of what was judged; 0 keeps none."""
    learning: bool = False
    """Whether lessons are taken over the network."""
    token: str = ""
    """What whoever teaches or asks over HTTP must show; empty lets those on this machine."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a person can set."""

    home: Path
    learner: str = ScaledLogistic.name
    bits: int = DEFAULT_BITS
    alpha: Annotated[float, msgspec.Meta(gt=0)] | None = None
    """Smoothing; None is the learner's own."""
    rate: Annotated[float, msgspec.Meta(gt=0)] | None = None
    """Length of a first step, of the learners that take steps; None is the learner's own."""
    user: str = "local"
    spam_from: float = SPAM_FROM
    ham_to: float = HAM_TO
    promise: float = PROMISE
    confidence: float = CONFIDENCE
    settle_seconds: float = SETTLE_SECONDS
    serve: Serve = Serve()


def default_home(environment: Mapping[str, str]) -> Path:
    """Return where thresher keeps what it learned, unless told otherwise."""
    if given := environment.get(PREFIX + "HOME"):
        return Path(given).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("thresher"))


def read_settings(
    home: Path | None, given: Mapping[str, object], environment: Mapping[str, str] = os.environ
) -> Settings:
    """Put the settings together; given are those of the command line, None where it says nothing."""
    folder = home or default_home(environment)
    values: dict[str, Any] = {"home": folder}
    said = said_by_person(folder, given, environment)
    chosen = _from_tuned(folder)
    if said.get("learner", chosen.values.get("learner")) == chosen.values.get("learner"):
        _check(chosen)
        _merge(values, chosen.values)
    _merge(values, said)
    return msgspec.convert(values, Settings, strict=False)


def said_by_person(
    folder: Path, given: Mapping[str, object], environment: Mapping[str, str] = os.environ
) -> dict[str, Any]:
    """Return the settings that a person has set, in whatever place; `tune` leaves them alone."""
    values: dict[str, Any] = {}
    for source in (_from_file(folder / FILE), _from_environment(environment), _from_options(given)):
        _check(source)
        _merge(values, source.values)
    return values


class _Source(NamedTuple):
    """Settings of one place, and how that place names one."""

    values: dict[str, Any]
    named: Callable[[str], str]


def _from_tuned(folder: Path) -> _Source:
    file = folder / tuned.FILE
    try:
        found = tuned.read_tuned(folder)
    except (ValueError, msgspec.ValidationError) as error:
        raise ConfigError(f"{file}: {error}; delete it to do without what was tuned") from error
    except OSError as error:
        raise ConfigError(f"{file}: {(error.strerror or str(error)).lower()}") from error
    return _Source(dict(found.values) if found else {}, lambda key: f"{file}, {key}")


def _from_file(file: Path) -> _Source:
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        return _Source({}, str)
    except OSError as error:
        raise ConfigError(f"{file}: {(error.strerror or str(error)).lower()}") from error
    # 4 ms to import; few people have such a file.
    import tomllib

    try:
        text = raw.decode()
        return _Source(tomllib.loads(text), lambda key: f"{file}{_line(text, key)}, {key}")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from error


def _line(text: str, key: str) -> str:
    """Say in which line of a TOML file a key stands; nothing if it is written in a way not looked for."""
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if heading := re.match(r"\s*\[([^\[\]]+)\]", line):
            table = heading[1].strip() + "."
            if table == key + ".":
                return f", line {number}"
        elif (name := re.match(r"\s*([\w.-]+)\s*=", line)) and table + name[1] == key:
            return f", line {number}"
    return ""


def _from_environment(environment: Mapping[str, str]) -> _Source:
    values: dict[str, Any] = {}
    for key in keys():
        if (name := _variable(key)) in environment and key != "home":
            _merge(values, _nested(key, environment[name]))
    return _Source(values, _variable)


def _variable(key: str) -> str:
    return PREFIX + key.replace(".", "_").upper()


def _from_options(given: Mapping[str, object]) -> _Source:
    """Take the command line's: a setting of a table comes as `serve.milter`."""
    values: dict[str, Any] = {}
    for key, value in given.items():
        if value is not None:
            _merge(values, _nested(key, value))
    return _Source(values, lambda key: "--" + key.rpartition(".")[2].replace("_", "-"))


def keys(struct: type[msgspec.Struct] = Settings, prefix: str = "") -> Iterator[str]:
    """Name every setting, those of a table as `serve.milter`."""
    for field in msgspec.structs.fields(struct):
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from keys(field.type, f"{prefix}{field.name}.")
        else:
            yield prefix + field.name


def _nested(key: str, value: object) -> dict[str, Any]:
    for name in reversed(key.split(".")):
        value = {name: value}
    return cast("dict[str, Any]", value)


def _merge(into: dict[str, Any], values: Mapping[str, Any]) -> None:
    for key, value in values.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def faults(folder: Path, environment: Mapping[str, str] = os.environ) -> list[str]:
    """Say all that cannot be used in the settings of a home and the environment, each with its place."""
    found = []
    places: tuple[Callable[[], _Source], ...] = (
        lambda: _from_file(folder / FILE),
        lambda: _from_tuned(folder),
        lambda: _from_environment(environment),
    )
    for read in places:
        try:
            source = read()
        except ConfigError as error:
            found.append(str(error))
            continue
        while fault := _fault(source):
            found.append(fault.text)
            if not _removed(source.values, fault.key):
                break
    return found


def where_set(folder: Path, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Say where each setting comes from that is not a default."""
    places: dict[str, str] = {}
    for source in (_from_tuned(folder), _from_file(folder / FILE), _from_environment(environment)):
        places |= {key: source.named(key) for key in keys() if _holds(source.values, key)}
    return places


def _holds(values: Mapping[str, Any], key: str) -> bool:
    first, _, rest = key.partition(".")
    return first in values and (not rest or (isinstance(values[first], dict) and _holds(values[first], rest)))


def _removed(values: dict[str, Any], key: str) -> bool:
    """Take a setting out; say whether it was there."""
    first, _, rest = key.partition(".")
    if rest and isinstance(values.get(first), dict):
        return _removed(values[first], rest)
    return values.pop(first, None) is not None


class _Fault(NamedTuple):
    """A setting that cannot be used."""

    key: str
    text: str


def _fault(source: _Source) -> _Fault | None:
    """Find what cannot be used, by the name it has where it stands."""
    try:
        msgspec.convert({"home": Path(), **source.values}, Settings, strict=False)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        key = where.strip("`.")
        if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", what):
            key = f"{key}.{unknown[1]}".lstrip(".")
            import difflib

            near = difflib.get_close_matches(key, keys(), 1)
            what = "there is no such setting" + (f"; did you mean {near[0]}?" if near else "")
        return _Fault(key, f"{source.named(key)}: {what[0].lower() + what[1:]}")
    return None


def _check(source: _Source) -> None:
    """Refuse what cannot be used."""
    if fault := _fault(source):
        raise ConfigError(fault.text)
