"""Homes for the tests of the commands."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.making import folder, ham, spam
from tests.cli.running import done


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the settings of whoever runs the tests, and their home, out of them."""
    for name in ("HOME", "LEARNER", "BITS", "USER", "SPAM_FROM", "HAM_TO", "SETTLE_SECONDS"):
        monkeypatch.delenv(f"THRESHER_{name}", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "somebody"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Give a home in which nothing was learned, of few bits, so that its model is small."""
    return fresh_home(tmp_path / "home")


def fresh_home(path: Path) -> Path:
    """Make a home of few bits."""
    path.mkdir(mode=0o700)
    config = path / "config.toml"
    config.touch(mode=0o600)
    config.write_text("bits = 14\n")
    return path


@pytest.fixture
def taught(home: Path, tmp_path: Path) -> Path:
    """Give a home that was taught ten messages of each kind, from taught-ham and taught-spam."""
    hams = folder(tmp_path / "taught-ham", map(ham, range(10)))
    spams = folder(tmp_path / "taught-spam", map(spam, range(10)))
    done("learn", "--ham", hams, "--spam", spams, home=home)
    return home


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that every user of the machine may enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)
