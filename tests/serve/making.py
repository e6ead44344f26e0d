"""Homes that were taught, and daemons, for the tests of the daemon."""

from collections.abc import Iterable
from pathlib import Path

from tests.cli.making import ham, spam
from thresher.boxes import Item
from thresher.build import build_engine
from thresher.config import Settings
from thresher.engine import Receipt, Teaching
from thresher.prepare import prepare
from thresher.values import Label

BITS = 14
"""Few, so that models are small."""
TAUGHT = 20


def settings_in(home: Path) -> Settings:
    """Return the settings of a home."""
    return Settings(home=home, bits=BITS)


def teach(settings: Settings, raws: Iterable[bytes], label: Label) -> list[Receipt]:
    """Teach messages as another process would, without saving a model."""
    return _teach(settings, ((raw, label) for raw in raws))


def _teach(settings: Settings, lessons: Iterable[tuple[bytes, Label]]) -> list[Receipt]:
    engine = build_engine(settings)
    try:
        engine.load()
        raws, labels = zip(*lessons, strict=True)
        prepared = prepare([Item("", raw) for raw in raws], engine.view.hasher)
        return engine.learn([Teaching(*each, "tests") for each in zip(prepared, labels, strict=True)])
    finally:
        engine.journal.close()


def settle(settings: Settings) -> None:
    """Fold the journal anew and save the model, as `thresher rebuild` does."""
    engine = build_engine(settings)
    try:
        engine.rebuild()
    finally:
        engine.journal.close()


def taught_home(home: Path) -> Settings:
    """Make a home that was taught some messages of each kind."""
    settings = settings_in(home)
    made = ((make(number), label) for number in range(TAUGHT) for make, label in ((ham, Label.HAM), (spam, Label.SPAM)))
    _teach(settings, made)
    settle(settings)
    return settings
