"""Homes and scanners for the tests of the daemon."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.making import taught_home
from thresher.config import Settings
from thresher.serve.scanner import Scanner


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Give the settings of a home that was taught some messages of each kind."""
    return taught_home(tmp_path / "home")


@pytest.fixture
def scanner(settings: Settings) -> Iterator[Scanner]:
    """Give a scanner of that home."""
    made = Scanner(settings)
    yield made
    made.close()
