"""What only a server can do: be unsafe to talk to, run out of room, go away, number anew, keep others' deletions."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.boxes.making import letter
from tests.servers.dovecot import HOST, PASSWORD, USER, Dovecot, Options, dovecot, token
from tests.servers.fixtures import imap_server, new_user, strict_imap_server
from thresher.boxes import BoxError
from thresher.boxes.imap_login import Security, Server
from thresher.boxes.imap_mailbox import ImapMailbox, flags_of
from thresher.boxes.item import BoxFull, BoxLost, BoxReadOnly
from thresher.boxes.mailbox import DELETED, INBOX, SEEN

__all__ = ["imap_server", "new_user", "strict_imap_server"]

pytestmark = pytest.mark.dovecot


@pytest.fixture
def strict(strict_imap_server: Dovecot, new_user: Callable[[Dovecot], Server]) -> Iterator[ImapMailbox]:
    """Give an account on the strict server."""
    with closing(ImapMailbox(new_user(strict_imap_server), PASSWORD)) as mailbox:
        yield mailbox


@pytest.fixture
def own_server() -> Iterator[Dovecot]:
    """Give a server that a test may stop."""
    with dovecot(Options(separator=".")) as server:
        yield server


def opened(server: Dovecot, **changed: object) -> ImapMailbox:
    return ImapMailbox(Server(HOST, USER, server.imap, Security.NONE, **changed), PASSWORD)  # type: ignore[arg-type]


@pytest.mark.parametrize(("security", "port"), [(Security.TLS, "imaps"), (Security.STARTTLS, "imap")])
def test_an_encrypted_connection_is_made_when_the_certificate_is_trusted(
    imap_server: Dovecot, security: Security, port: str
) -> None:
    server = Server(HOST, USER, getattr(imap_server, port), security, imap_server.certificate)
    with closing(ImapMailbox(server, PASSWORD)) as mailbox:
        assert INBOX in [folder.name for folder in mailbox.folders()]


@pytest.mark.parametrize(("security", "port"), [(Security.TLS, "imaps"), (Security.STARTTLS, "imap")])
def test_a_certificate_that_nobody_vouches_for_is_refused(imap_server: Dovecot, security: Security, port: str) -> None:
    with pytest.raises(BoxError, match="certificate is not to be trusted"):
        ImapMailbox(Server(HOST, USER, getattr(imap_server, port), security), PASSWORD)


def test_a_certificate_for_another_name_is_refused(imap_server: Dovecot) -> None:
    with pytest.raises(BoxError, match="not to be trusted"):
        ImapMailbox(Server("127.0.0.1", USER, imap_server.imaps, Security.TLS, imap_server.certificate), PASSWORD)


def test_no_password_travels_unencrypted() -> None:
    with pytest.raises(BoxError, match="unencrypted"):
        ImapMailbox(Server("mail.example", USER, 143, Security.NONE), PASSWORD)


def test_a_wrong_password_is_said_without_repeating_it(imap_server: Dovecot) -> None:
    with pytest.raises(BoxError, match="user or password was not accepted") as refused:
        ImapMailbox(Server(HOST, USER, imap_server.imap, Security.NONE), "not-the-word")
    assert "not-the-word" not in str(refused.value)


def test_a_token_logs_in(imap_server: Dovecot) -> None:
    server = Server(HOST, USER, imap_server.imap, Security.NONE, oauth=True)
    with closing(ImapMailbox(server, token())) as mailbox:
        assert mailbox.folders()


def test_a_forged_token_does_not(imap_server: Dovecot) -> None:
    server = Server(HOST, USER, imap_server.imap, Security.NONE, oauth=True)
    with pytest.raises(BoxError, match="token was not accepted"):
        ImapMailbox(server, token("bob")[:-4] + "AAAA")


def test_a_server_that_is_not_there_is_lost(own_server: Dovecot) -> None:
    own_server.stop()
    with pytest.raises(BoxLost, match="cannot be reached"):
        opened(own_server)


def test_special_folders_are_found_by_their_use(imap_server: Dovecot) -> None:
    with closing(opened(imap_server)) as mailbox:
        uses = {folder.name: folder.use for folder in mailbox.folders()}
    assert uses == {
        INBOX: "", "Junk": "\\Junk", "Sent": "\\Sent", "Archive": "\\Archive", "Trash": "\\Trash", "Drafts": "\\Drafts",
    }  # fmt: skip


def test_a_connection_that_breaks_is_lost_and_a_new_one_finds_everything(own_server: Dovecot) -> None:
    mailbox = opened(own_server)
    uid = mailbox.append("Junk/Ältere Sachen", letter(1))
    own_server.restart()
    with pytest.raises(BoxLost):
        mailbox.scan("Junk/Ältere Sachen")
    with pytest.raises(BoxLost):
        mailbox.folders()
    with closing(opened(own_server)) as again:
        assert list(again.scan("Junk/Ältere Sachen").uids or ()) == [uid]


def test_a_server_that_goes_away_ends_the_wait(own_server: Dovecot) -> None:
    mailbox = opened(own_server)
    mailbox.scan(INBOX)
    mailbox.listen([INBOX])
    own_server.stop()
    with pytest.raises(BoxLost):
        mailbox.wait(30)


def test_a_message_that_comes_as_the_wait_begins_ends_it_at_once(own_server: Dovecot) -> None:
    """Its news may come together with the answer to IDLE: now and then it did, and lay unread for 30 s."""
    with closing(opened(own_server)) as mailbox, closing(opened(own_server)) as other:
        mailbox.listen([INBOX])
        for number in range(16):
            mailbox.scan(INBOX)
            deliver = threading.Timer(number / 3_000, other.append, (INBOX, letter(number)))
            deliver.start()
            start = time.monotonic()
            assert mailbox.wait(30)
            deliver.join()
            assert time.monotonic() - start < 15


def test_what_others_marked_as_deleted_stays(strict: ImapMailbox) -> None:
    """Where a move is a copy and an expunge, only the copied are expunged."""
    marked = strict.append(INBOX, letter(1), {DELETED})
    moved = strict.append(INBOX, letter(2), {SEEN})
    strict.move(INBOX, [moved], "Junk")
    assert list(strict.scan(INBOX).uids or ()) == [marked]


def test_where_there_is_no_room_the_message_stays(strict: ImapMailbox) -> None:
    uids = [strict.append(INBOX, letter(number), {SEEN}) for number in range(9)]
    with pytest.raises(BoxFull, match="no room"):
        strict.move(INBOX, uids[:1], "Junk")
    scan = strict.scan(INBOX)
    assert list(scan.uids or ()) == uids
    assert {sighting.flags for sighting in scan.changed} == {frozenset({SEEN})}


def test_out_of_a_read_only_folder_nothing_is_moved_and_it_can_be_read(
    strict_imap_server: Dovecot, strict: ImapMailbox
) -> None:
    strict.create("Frozen")
    # Put there by the system, as a shared folder is filled.
    name = strict.server.user
    file = strict_imap_server.maildir(name) / ".Frozen" / "cur" / "1700000000.M1P1.host:2,S"
    file.write_bytes(letter(1))
    [uid] = strict.scan("Frozen").uids or ()
    with pytest.raises(BoxReadOnly):
        strict.move("Frozen", [uid], "Junk")
    assert [entry.item.raw for _, entry in strict.entries("Frozen", [uid]) if entry.item]
    assert list(strict.scan("Frozen").uids or ()) == [uid]


def test_a_folder_that_is_numbered_anew_holds_new_messages(own_server: Dovecot) -> None:
    with closing(opened(own_server)) as mailbox:
        mailbox.append(INBOX, letter(1))
        scan = mailbox.scan(INBOX)
    own_server.stop()
    uidlist = own_server.maildir() / "dovecot-uidlist"
    uidlist.write_text(re.sub(r"\bV\d+", "V7", uidlist.read_text(), count=1))
    for path in own_server.maildir().glob("dovecot.*"):
        path.unlink()
    own_server.start()
    with closing(opened(own_server)) as mailbox:
        again = mailbox.scan(INBOX, scan.mark)
        assert [sighting.uid for sighting in again.changed] == list(again.uids or ()) == ["7.1"]
        assert list(mailbox.entries(INBOX, list(scan.uids or ()))) == []


def test_labels_of_gmail_stand_among_the_flags() -> None:
    told = {b"FLAGS": (b"\\Seen", b"\\Recent", 7), b"X-GM-LABELS": (b"\\Inbox", b"work")}
    assert flags_of(told) == {"\\Seen", "7", "label:\\Inbox", "label:work"}


def test_files_of_authorities_that_are_none_are_named(tmp_path: Path) -> None:
    with pytest.raises(BoxError, match="no file of certificates"):
        ImapMailbox(Server(HOST, USER, 1, Security.TLS, tmp_path / "missing.pem"), PASSWORD)
