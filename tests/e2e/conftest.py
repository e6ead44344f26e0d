"""Folders and homes for tests with real servers."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.making import taught_home
from thresher.config import Settings


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that every user of the machine may enter: servers drop root's rights."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def settings(open_folder: Path) -> Settings:
    """Give the settings of a home that was taught some messages of each kind."""
    return taught_home(open_folder / "home")
