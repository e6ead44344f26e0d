"""Homes with a past, for the tests of the page."""

import time
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from tests.serve.making import settings_in
from thresher.boxes import Item
from thresher.build import build_engine, build_verdicts
from thresher.config import Settings
from thresher.demo import messages
from thresher.engine import Teaching
from thresher.history import judged
from thresher.mail.digest import digest
from thresher.mail.mime import parse
from thresher.prepare import prepare
from thresher.values import Label

TAUGHT = 80
JUDGED = 120
HOUR = 3600


def past_home(home: Path, seed: int = 3) -> Settings:
    """Make a home that was taught made-up mail and then judged some, over the last days."""
    settings = settings_in(home)
    made = list(islice(messages(TAUGHT + JUDGED, seed), TAUGHT + JUDGED))
    taught = [(each.raw, each.label) for each in made[:TAUGHT]]
    engine = build_engine(settings)
    try:
        engine.load()
        prepared = prepare([Item("", raw) for raw, _ in taught], engine.view.hasher)
        engine.learn([Teaching(*each, "tests") for each in zip(prepared, (label for _, label in taught), strict=True)])
        engine.rebuild()
    finally:
        engine.journal.close()
    arrive(settings, [each.raw for each in made[TAUGHT:]])
    return settings


def arrive(
    settings: Settings, raws: Iterable[bytes], *, user: str = "local", folder: str = "", apart: float = HOUR
) -> list[int]:
    """Judge messages as the daemon does, and write them down; return their rows' ids."""
    engine = build_engine(settings)
    try:
        engine.load()
        rows = []
        listed = list(raws)
        for number, raw in enumerate(listed):
            (message,) = prepare([Item("", raw)], engine.view.hasher)
            (judgement,) = engine.check([message.stream])
            at = time.time() - apart * (len(listed) - number)
            rows.append(
                judged(
                    *(raw, parse(raw), message.stream, digest(raw), judgement),
                    time=at, user=user, via="milter", folder=folder,
                )
            )  # fmt: skip
    finally:
        engine.journal.close()
    with build_verdicts(settings) as verdicts:
        return verdicts.add(rows)


def labels_of(settings: Settings) -> dict[bytes, tuple[Label, str]]:
    """Return what the journal says of each message, and who said so."""
    engine = build_engine(settings)
    try:
        return {entry.digest: (entry.label, entry.user) for entry in engine.journal.entries()}
    finally:
        engine.journal.close()
