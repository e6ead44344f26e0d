"""A running page, and people with their browsers."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.serve.in_thread import serving
from tests.web.client import PASSWORD, Client
from tests.web.making import past_home
from thresher.config import Settings
from thresher.serve.http import conversation
from thresher.serve.scanner import Scanner
from thresher.store.people import People, Role
from thresher.web.app import application
from thresher.web.entry import account_of


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Give the settings of a home with a past, and an account."""
    made = past_home(tmp_path_factory.mktemp("page") / "home")
    add(made, "owner", Role.ADMINISTRATOR, made.user)
    return made


@pytest.fixture(scope="module")
def port(settings: Settings) -> Iterator[int]:
    """Serve the page of that home."""
    with Served(settings) as port:
        yield port


@pytest.fixture
def owner(port: int) -> Client:
    """Give the owner's browser."""
    client = Client(port)
    assert client.log_in().status == 303
    return client


@pytest.fixture
def serve(request: pytest.FixtureRequest) -> Callable[[Settings], int]:
    """Give what serves a home until the test ends."""

    def begin(settings: Settings) -> int:
        running = Served(settings)
        port = running.__enter__()
        request.addfinalizer(lambda: running.__exit__(None, None, None))
        return port

    return begin


def add(settings: Settings, name: str, role: Role, person: str, password: str = PASSWORD) -> None:
    """Make an account."""
    with People(settings.home) as people:
        people.put(account_of(name, password, role, person))


class Served:
    """A scanner and its page, as long as the block lasts."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __enter__(self) -> int:
        self._scanner = Scanner(self._settings)
        self._running = serving(self._scanner, conversation(application))
        return self._running.__enter__()

    def __exit__(self, *_: object) -> None:
        self._running.__exit__(None, None, None)
        self._scanner.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Give a folder for a home."""
    return tmp_path / "home"
