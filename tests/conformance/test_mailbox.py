"""What every mailbox promises, whatever it is kept in: nothing changes by reading, and a move loses nothing."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.conformance.mailboxes import ALL_FLAGS, KINDS, STEPWISE, Kind, kind_named
from tests.servers.fixtures import imap_server, new_user, strict_imap_server
from thresher.boxes import load
from thresher.boxes.mailbox import ANSWERED, FLAGGED, INBOX, SEEN, Mailbox, Sighting

__all__ = ["imap_server", "new_user", "strict_imap_server"]

DAY = 86400
LONG_AGO = 1_600_000_000.0


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, tmp_path: Path) -> Kind:
    """Give a new mailbox of each kind in turn."""
    return kind_named(request.param, request, tmp_path)


@pytest.fixture
def mailbox(kind: Kind) -> Iterator[Mailbox]:
    """Give it opened."""
    with closing(kind.open()) as opened:
        yield opened


def letter(number: int) -> bytes:
    return b"From: ann@example.org\nSubject: letter %d\n\nDear Bob,\n\nall is well.\n" % number


def sightings(mailbox: Mailbox, folder: str) -> dict[str, Sighting]:
    return {sighting.uid: sighting for sighting in mailbox.scan(folder).changed}


def uids(mailbox: Mailbox, folder: str) -> list[str]:
    return sorted(mailbox.scan(folder).uids or ())


def contents(mailbox: Mailbox, folder: str) -> list[bytes]:
    found = mailbox.entries(folder, uids(mailbox, folder))
    return sorted(text(item.raw) for _, entry in found for item in load(entry))


def text(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n").rstrip(b"\n")


def test_a_new_mailbox_has_an_empty_inbox(mailbox: Mailbox) -> None:
    assert INBOX in [folder.name for folder in mailbox.folders()]
    assert uids(mailbox, INBOX) == []


def test_what_is_stored_is_there_with_its_flags_and_its_date(kind: Kind, mailbox: Mailbox) -> None:
    plain = mailbox.append(INBOX, letter(1), arrived=LONG_AGO)
    flagged = mailbox.append(INBOX, letter(2), ALL_FLAGS, LONG_AGO + DAY)
    seen = sightings(mailbox, INBOX)
    assert seen.keys() == {plain, flagged}
    assert seen[plain].flags & kind.flags == frozenset()
    assert seen[flagged].flags & ALL_FLAGS == kind.flags
    assert [seen[uid].arrived for uid in (plain, flagged)] == [LONG_AGO, LONG_AGO + DAY]
    assert contents(mailbox, INBOX) == [text(letter(1)), text(letter(2))]


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"\n", id="nothing"),
        pytest.param(b"no header, only this", id="no-header"),
        pytest.param(b"\xff\xfe: \x80\n\n\xe9t\xe9\n", id="eight-bit"),
        pytest.param(b"A: b\n\nFrom ann Thu Jan  1 00:00:00 1970\n>From x\n", id="from-lines"),
        pytest.param(b"A: b\n\n\n\n\nend\n\n\n", id="empty-lines"),
    ],
)
def test_odd_bytes_are_kept(mailbox: Mailbox, raw: bytes) -> None:
    uid = mailbox.append(INBOX, raw)
    mailbox.append(INBOX, letter(1))
    mailbox.move(INBOX, [uid], "Junk")
    assert contents(mailbox, "Junk") == [text(raw)]
    assert contents(mailbox, INBOX) == [text(letter(1))]


def test_reading_changes_nothing(kind: Kind, mailbox: Mailbox) -> None:
    mailbox.append(INBOX, letter(1))
    before = sightings(mailbox, INBOX)
    contents(mailbox, INBOX)
    with closing(kind.open()) as other:
        assert sightings(other, INBOX) == before


def test_a_moved_message_is_in_the_other_folder_with_its_flags_and_date(kind: Kind, mailbox: Mailbox) -> None:
    uid = mailbox.append(INBOX, letter(1), {SEEN, FLAGGED}, LONG_AGO)
    stays = mailbox.append(INBOX, letter(2))
    moved = mailbox.move(INBOX, [uid], "Junk")
    assert uids(mailbox, INBOX) == [stays]
    [there] = sightings(mailbox, "Junk").values()
    assert moved == {uid: there.uid}
    assert there.flags & ALL_FLAGS == {SEEN, FLAGGED} & kind.flags
    assert there.arrived == LONG_AGO
    assert contents(mailbox, "Junk") == [text(letter(1))]


def test_many_are_moved_at_once_and_those_gone_are_left_out(kind: Kind, mailbox: Mailbox) -> None:
    asked = [mailbox.append(INBOX, letter(number)) for number in range(5)]
    with closing(kind.open()) as other:
        other.move(INBOX, asked[:1], "Trash")
    moved = mailbox.move(INBOX, asked, "Junk")
    assert moved.keys() == set(asked[1:])
    assert uids(mailbox, INBOX) == []
    assert contents(mailbox, "Junk") == [text(letter(number)) for number in range(1, 5)]
    assert contents(mailbox, "Trash") == [text(letter(0))]


def test_a_message_moved_there_and_back_is_the_same(mailbox: Mailbox) -> None:
    uid = mailbox.append(INBOX, letter(1), {ANSWERED, SEEN}, LONG_AGO)
    before = sightings(mailbox, INBOX)[uid]
    moved = mailbox.move(INBOX, [uid], "Junk")
    mailbox.move("Junk", list(moved.values()), INBOX)
    [after] = sightings(mailbox, INBOX).values()
    assert (after.flags, after.arrived) == (before.flags, before.arrived)
    assert contents(mailbox, INBOX) == [text(letter(1))]


def test_two_equal_messages_are_two(mailbox: Mailbox) -> None:
    first, second = mailbox.append(INBOX, letter(1)), mailbox.append(INBOX, letter(1))
    assert first != second
    assert len(mailbox.move(INBOX, [first], "Junk")) == 1
    assert len(uids(mailbox, INBOX)) == len(uids(mailbox, "Junk")) == 1
    mailbox.move(INBOX, uids(mailbox, INBOX), "Junk")
    assert contents(mailbox, "Junk") == [text(letter(1))] * 2


def test_a_uid_is_not_given_to_a_message_that_comes_later(mailbox: Mailbox) -> None:
    gone = mailbox.append(INBOX, letter(1))
    mailbox.move(INBOX, [gone], "Junk")
    assert mailbox.append(INBOX, letter(2)) != gone
    assert gone not in uids(mailbox, INBOX)


def test_a_message_that_is_gone_is_passed_over(kind: Kind, mailbox: Mailbox) -> None:
    gone, there = mailbox.append(INBOX, letter(1)), mailbox.append(INBOX, letter(2))
    mailbox.scan(INBOX)
    with closing(kind.open()) as other:
        other.move(INBOX, [gone], "Junk")
    found = {uid: [item.raw for item in load(entry)] for uid, entry in mailbox.entries(INBOX, [gone, there])}
    assert [text(raw) for raws in found.values() for raw in raws] == [text(letter(2))]
    assert mailbox.move(INBOX, [gone], "Trash") == {}


def test_folders_are_made_where_they_are_needed_one_inside_the_other(mailbox: Mailbox) -> None:
    mailbox.create("Junk")
    mailbox.create("Junk")
    mailbox.append("Junk/Old", letter(1))
    assert {"Junk", "Junk/Old"} <= {folder.name for folder in mailbox.folders()}
    assert uids(mailbox, "Junk") == []
    assert contents(mailbox, "Junk/Old") == [text(letter(1))]


def test_a_mark_tells_what_changed_since(kind: Kind, mailbox: Mailbox) -> None:
    mailbox.append(INBOX, letter(1))
    scan = mailbox.scan(INBOX)
    if scan.mark:
        assert mailbox.scan(INBOX, scan.mark).uids is None
    new = mailbox.append(INBOX, letter(2))
    with closing(kind.open()) as other:
        again = other.scan(INBOX, scan.mark)
    assert len(again.uids or ()) == 2
    assert new in [sighting.uid for sighting in again.changed]


def test_a_mark_tells_what_went_since(mailbox: Mailbox) -> None:
    uid = mailbox.append(INBOX, letter(1))
    mark = mailbox.scan(INBOX).mark
    mailbox.move(INBOX, [uid], "Junk")
    assert mailbox.scan(INBOX, mark).uids is not None
    assert uids(mailbox, INBOX) == []


def test_a_move_that_was_not_begun_is_told_from_one_that_was_done(mailbox: Mailbox) -> None:
    uid = mailbox.append(INBOX, letter(1))
    stand = mailbox.stand("Junk")
    assert mailbox.resume(INBOX, uid, "Junk", stand) is None
    mailbox.move(INBOX, [uid], "Junk")
    assert mailbox.resume(INBOX, uid, "Junk", stand) is not None
    assert (len(uids(mailbox, INBOX)), len(uids(mailbox, "Junk"))) == (0, 1)


@pytest.mark.parametrize("kind", STEPWISE, indirect=True)
def test_a_move_cut_short_after_the_copy_is_finished(mailbox: Mailbox) -> None:
    """A copy that was there before is not taken for the one that was made."""
    mailbox.append("Junk", letter(1), {SEEN}, LONG_AGO)
    uid = mailbox.append(INBOX, letter(1), {SEEN}, LONG_AGO)
    stand = mailbox.stand("Junk")
    assert mailbox.resume(INBOX, uid, "Junk", stand) is None
    copy = mailbox.append("Junk", letter(1), {SEEN}, LONG_AGO)
    assert mailbox.resume(INBOX, uid, "Junk", stand) == copy
    assert (len(uids(mailbox, INBOX)), len(uids(mailbox, "Junk"))) == (0, 2)


def test_waiting_ends_when_something_comes(kind: Kind, mailbox: Mailbox) -> None:
    mailbox.append(INBOX, letter(1))
    mailbox.listen([INBOX])
    mailbox.scan(INBOX)
    assert not mailbox.wait(0.2)

    def deliver() -> None:
        time.sleep(0.2)
        with closing(kind.open()) as other:
            other.append(INBOX, letter(2))

    with ExitStack() as stack:
        thread = threading.Thread(target=deliver)
        thread.start()
        stack.callback(thread.join)
        assert mailbox.wait(30)


def test_what_came_before_the_wait_ends_it_too(kind: Kind, mailbox: Mailbox) -> None:
    mailbox.append("Junk", letter(1))
    mailbox.listen([INBOX, "Junk"])
    mailbox.scan(INBOX)
    mailbox.scan("Junk")
    with closing(kind.open()) as other:
        other.append("Junk", letter(2))
    assert mailbox.wait(30)


def test_closing_twice_is_no_error(mailbox: Mailbox) -> None:
    mailbox.close()
    mailbox.close()
