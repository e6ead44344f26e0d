"""Homes for the tests of the engine."""

from pathlib import Path

import pytest

from thresher.view import LEARNERS


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Give a home in which nothing was learned."""
    return tmp_path / "home"


@pytest.fixture(params=sorted(LEARNERS))
def learner(request: pytest.FixtureRequest) -> str:
    """Give each learner's name."""
    name: str = request.param
    return name
