"""What the daemon writes about itself: never a word of a message, a subject or an address.

A line is a time, a level, the process, a sentence and what belongs to it as key=value, fit for systemd's journal.
"""

import json
import logging
import traceback
from typing import IO, Final

_STANDARD: Final = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime"}


class Formatter(logging.Formatter):
    """A sentence, then what was given as `extra`."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """Write one line."""
        extra = {key: value for key, value in record.__dict__.items() if key not in _STANDARD}
        told = {key: value for key, value in extra.items() if value not in {"", None}}
        moment = self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z")
        level, sentence = record.levelname.lower(), record.getMessage()
        if self._as_json:
            return json.dumps({"time": moment, "level": level, "pid": record.process, "event": sentence, **told})
        pairs = "".join(f" {key}={_quoted(str(value))}" for key, value in told.items())
        return f"{moment} {level} [{record.process}] {sentence}{pairs}"


def _quoted(value: str) -> str:
    return value if value.isascii() and value.isprintable() and not set(value) & set(' "=') else json.dumps(value)


def set_up(stream: IO[str], level: int = logging.INFO, *, as_json: bool = False) -> None:
    """Write the log to a stream."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Formatter(as_json=as_json))
    logger = logging.getLogger("thresher")
    logger.setLevel(level)
    logger.addHandler(handler)


def where(error: BaseException) -> str:
    """Say what failed and where, and not its text: that may quote the message it failed on."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__} at {frames[-1].filename}:{frames[-1].lineno}" if frames else type(error).__name__
