"""Somebody's mailbox, of each kind that the issue's bars are measured on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mailbox.living import Living, imap_account, maildir_account
from tests.servers.fixtures import imap_server, new_user, strict_imap_server

__all__ = ["imap_server", "new_user", "strict_imap_server"]


@pytest.fixture(params=["maildir", pytest.param("imap", marks=pytest.mark.dovecot)])
def living(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Living]:
    """Give a person whose thresher was taught twenty messages of each kind."""
    if request.param == "maildir":
        account = maildir_account(tmp_path)
    else:
        server = request.getfixturevalue("imap_server")
        account = imap_account(request.getfixturevalue("new_user")(server))
    made = Living(account, tmp_path)
    yield made
    made.person.close()
