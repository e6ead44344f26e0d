"""Servers that many tests share: each test is a user of its own there."""

from collections.abc import Callable, Iterator
from itertools import count

import pytest

from tests.servers.dovecot import HOST, STRICT, Dovecot, Options, dovecot
from thresher.boxes.imap_login import Security, Server

_USERS = count(1)


@pytest.fixture(scope="session")
def imap_server() -> Iterator[Dovecot]:
    """Give a Dovecot."""
    with dovecot() as server:
        yield server


@pytest.fixture(scope="session")
def strict_imap_server() -> Iterator[Dovecot]:
    """Give a Dovecot without MOVE, with little room and a folder that is read-only."""
    with dovecot(Options(more=STRICT)) as server:
        yield server


@pytest.fixture
def new_user() -> Callable[[Dovecot], Server]:
    """Give an account nobody has used yet."""

    def new(server: Dovecot) -> Server:
        return Server(HOST, f"user{next(_USERS)}", server.imap, Security.NONE)

    return new
