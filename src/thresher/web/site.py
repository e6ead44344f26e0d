"""What all pages share, made once in each process that serves: accounts, the log of what was judged, templates."""

import hashlib
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from thresher.build import build_verdicts
from thresher.store.people import People
from thresher.web import shown
from thresher.web.desk import Desk

SETUP_KEY: Final = "page-key"
"""In the home: whoever can read it may make the first account."""
KINDS: Final = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


class Asset(NamedTuple):
    """A style sheet, a script or a picture of ours."""

    body: bytes
    kind: str
    version: str
    """Changes with the content, so that browsers may keep it for ever."""


class Site:
    """One for a process."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.settings = desk.settings
        self.people = People(self.settings.home)
        self.verdicts = build_verdicts(self.settings)
        self.memory: dict[str, Any] = {}
        """What pages computed and may show again: see memo.py."""

    @cached_property
    def assets(self) -> dict[str, Asset]:
        """Our own files, by name."""
        found = {}
        for file in files("thresher.web").joinpath("static").iterdir():
            body = file.read_bytes()
            version = hashlib.blake2b(body, digest_size=6).hexdigest()
            found[file.name] = Asset(body, KINDS[Path(file.name).suffix], version)
        return found

    @cached_property
    def templates(self) -> Environment:
        """The templates: everything is escaped, and a name that is missing is an error."""
        made = Environment(
            loader=PackageLoader("thresher.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=shown.finalize,
        )
        made.filters.update(
            when=shown.when, stamp=shown.stamp, number=shown.number, percent=shown.percent, rate=shown.rate_of
        )
        made.globals["asset"] = lambda name: Markup(f"/static/{self.assets[name].version}/{name}")  # noqa: S704 - ours
        return made

    @property
    def setup_key(self) -> Path:
        """Where the key to the first account lies."""
        return self.settings.home / SETUP_KEY
