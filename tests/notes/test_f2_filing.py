"""F2: spam is put into a folder of its own by itself, in a Maildir and over IMAP on a real server."""

import mailbox
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.cli.running import done
from tests.serve.making import taught_home
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.fixtures import imap_server, new_user
from thresher import boxes
from thresher.boxes.imap_login import Server
from thresher.boxes.imap_mailbox import ImapMailbox
from thresher.boxes.mailbox import INBOX
from thresher.build import build_engine
from thresher.prepare import streams_of
from thresher.values import Verdict

__all__ = ["imap_server", "new_user"]


def test_in_a_maildir_spam_is_in_junk_and_all_else_in_the_inbox(tmp_path: Path) -> None:
    """Read back by Python's own mailbox module."""
    (told,) = done("demo", "--dir", tmp_path / "demo", "--json").objects
    box = mailbox.Maildir(tmp_path / "demo" / "Maildir", create=False)
    filed = {Path(each["path"]).name.split(":")[0] for each in told["messages"] if each["verdict"] == "spam"}
    others = {Path(each["path"]).name.split(":")[0] for each in told["messages"]} - filed
    assert filed
    assert filed <= set(box.get_folder("Junk").keys())
    assert others <= set(box.keys())
    assert sum(each["truth"] == "ham" for each in told["messages"] if each["verdict"] == "spam") <= 1


@pytest.mark.dovecot
def test_over_imap_spam_is_moved_from_the_inbox_into_junk(
    tmp_path: Path, imap_server: Dovecot, new_user: Callable[[Dovecot], Server]
) -> None:
    sent = [ham(90), spam(91), ham(92), spam(93)]
    engine = build_engine(taught_home(tmp_path / "home"))
    with closing(ImapMailbox(new_user(imap_server), PASSWORD)) as account:
        account.create("Junk")
        uids = [account.append(INBOX, raw) for raw in sent]
        engine.load()
        spams = []
        for uid, entry in account.entries(INBOX, uids):
            (judged,) = engine.check(streams_of(list(boxes.load(entry))))
            if judged.verdict is not Verdict.HAM:
                spams.append(uid)
        moved = account.move(INBOX, spams, "Junk")
        assert spams == [uids[1], uids[3]]
        assert list(account.scan(INBOX).uids or ()) == [uids[0], uids[2]]
        assert set(account.scan("Junk").uids or ()) == set(moved.values())
    engine.journal.close()
