"""Settings: what the command line says, else the environment, else config.toml in the home, else the defaults."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from thresher.decide import CONFIDENCE, HAM_TO, PROMISE, SPAM_FROM
from thresher.learn.hashing import DEFAULT_BITS
from thresher.learn.online import ScaledLogistic
from thresher.values import ThresherError
from thresher.view import SETTLE_SECONDS

FILE: Final = "config.toml"
PREFIX: Final = "THRESHER_"


class ConfigError(ThresherError):
    """A setting that cannot be used: where it stands, what is wrong and what would do."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a person can set."""

    home: Path
    learner: str = ScaledLogistic.name
    bits: int = DEFAULT_BITS
    user: str = "local"
    spam_from: float = SPAM_FROM
    ham_to: float = HAM_TO
    promise: float = PROMISE
    confidence: float = CONFIDENCE
    settle_seconds: float = SETTLE_SECONDS


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
    file = folder / FILE
    values: dict[str, Any] = {**_from_file(file), **_from_environment(environment)}
    values.update({key: value for key, value in given.items() if value is not None})
    try:
        return msgspec.convert({**values, "home": folder}, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{file}, {PREFIX}* or the options: {error}") from error


def _from_file(file: Path) -> dict[str, Any]:
    if not file.exists():
        return {}
    import tomllib

    try:
        with file.open("rb") as opened:
            return tomllib.load(opened)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from error
    except OSError as error:
        raise ConfigError(f"{file}: {(error.strerror or str(error)).lower()}") from error


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    names = {field.upper(): field for field in Settings.__struct_fields__ if field != "home"}
    return {names[key]: environment[PREFIX + key] for key in names if PREFIX + key in environment}
