"""Engines of few bits, and prepared messages for them."""

from collections.abc import Sequence
from pathlib import Path

from tests.cli.making import ham, spam
from thresher.boxes import Item
from thresher.build import build_engine
from thresher.config import Settings
from thresher.engine import Engine, Teaching
from thresher.learn.hashing import Hasher
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize
from thresher.prepare import Prepared, prepare
from thresher.values import Label

BITS = 10
HASHER = Hasher(BITS)
HAM, SPAM = Label.HAM, Label.SPAM


def opened(home: Path, learner: str, *, user: str = "ada", settle_seconds: float = 60.0) -> Engine:
    """Open a home as a command does; a minute is enough to settle anything here, so all is settled at once."""
    settings = Settings(home=home, learner=learner, bits=BITS, user=user, settle_seconds=settle_seconds)
    engine = build_engine(settings)
    engine.load()
    return engine


def message(number: int, label: Label = HAM) -> Prepared:
    """Prepare a message of its own words, of which some recur in all of its kind."""
    raw = {HAM: ham, SPAM: spam}[label](number)
    (prepared,) = prepare([Item(f"/mail/{label}/{number}", raw)], HASHER)
    return prepared


def teachings(numbers: Sequence[int], label: Label) -> list[Teaching]:
    """Say of messages, each of the kind it looks like, what they are."""
    return [Teaching(message(number, label), label) for number in numbers]


def stream(number: int, label: Label) -> bytes:
    """Return the token stream of a message."""
    return tokenize(parse({HAM: ham, SPAM: spam}[label](number)))
