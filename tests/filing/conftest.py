"""A world for each kind of mailbox that the issue's cases are tested on."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.conformance.mailboxes import SERVERS, kind_named
from tests.filing.world import World
from tests.servers.fixtures import imap_server, new_user, strict_imap_server

__all__ = ["imap_server", "new_user", "strict_imap_server"]


@pytest.fixture(params=["maildir", *(pytest.param(name, marks=pytest.mark.dovecot) for name in SERVERS)])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """Give a person with an empty mailbox."""
    with closing(World(kind_named(request.param, request, tmp_path), tmp_path / "home")) as made:
        yield made
