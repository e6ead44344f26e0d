"""mbox files as a mailbox: locked against others, changed in place, whole again after a kill at any moment."""

import fcntl
import gzip
import os
import signal
from pathlib import Path

import pytest

from tests.boxes.making import letter, mbox
from thresher.boxes import BoxError, load, mbox_write
from thresher.boxes.item import BoxReadOnly
from thresher.boxes.locking import dot_locked, locked_file
from thresher.boxes.mailbox import ANSWERED, DELETED, FLAGGED, INBOX, SEEN
from thresher.boxes.mbox_mailbox import MboxMailbox
from thresher.boxes.mbox_write import finished, taken_out


def uids(mailbox: MboxMailbox, folder: str = INBOX) -> list[str]:
    return list(mailbox.scan(folder).uids or ())


def texts(mailbox: MboxMailbox, folder: str = INBOX) -> list[bytes]:
    found = mailbox.entries(folder, uids(mailbox, folder))
    return [item.raw.rstrip(b"\n") for _, entry in found for item in load(entry)]


def test_flags_are_read_as_mutt_and_thunderbird_write_them(tmp_path: Path) -> None:
    heads = [b"Status: RO\nX-Status: AF\n", b"X-Mozilla-Status: 000b\n", b"Status: O\nX-Keywords: NonJunk\n", b""]
    (tmp_path / "inbox").write_bytes(
        b"".join(b"From x Thu Jan  1 00:00:0%d 2015\n%bSubject: %d\n\nhi\n\n" % (n, h, n) for n, h in enumerate(heads))
    )
    seen = MboxMailbox(tmp_path).scan(INBOX).changed
    assert [set(one.flags) for one in seen] == [
        {SEEN, ANSWERED, FLAGGED},
        {SEEN, ANSWERED, DELETED},
        {"NonJunk"},
        set(),
    ]
    assert [one.arrived - 1420070400 for one in seen] == [0, 1, 2, 3]


def test_a_message_stays_the_same_when_its_flags_change(tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    inbox.write_bytes(b"From x Thu Jan  1 00:00:00 2015\nSubject: x\n\nhi\n")
    mailbox = MboxMailbox(tmp_path)
    before, text = uids(mailbox), texts(mailbox)
    inbox.write_bytes(b"From x Thu Jan  1 00:00:00 2015\nStatus: RO\nX-Mozilla-Keys:  \nSubject: x\n\nhi\n")
    assert (uids(mailbox), texts(mailbox)) == (before, text)


def test_a_compressed_mbox_is_read_and_never_changed(tmp_path: Path) -> None:
    (tmp_path / "inbox").write_bytes(packed := gzip.compress(mbox(3)))
    mailbox = MboxMailbox(tmp_path)
    assert texts(mailbox) == [letter(number).rstrip() for number in (1, 2, 3)]
    with pytest.raises(BoxReadOnly):
        mailbox.move(INBOX, uids(mailbox)[:1], "Junk")
    assert (tmp_path / "inbox").read_bytes() == packed


@pytest.mark.parametrize("lock", ["dot", "system"])
def test_an_mbox_that_another_program_holds_is_left_alone(
    tmp_path: Path, lock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox = tmp_path / "inbox"
    inbox.write_bytes(mbox(2))
    mailbox = MboxMailbox(tmp_path)
    first = uids(mailbox)[:1]
    monkeypatch.setattr("thresher.boxes.locking.PATIENCE", 0.2)
    read, write = os.pipe()
    child = os.fork()
    if not child:
        # The system's lock is a process's own: it takes another process to hold it.
        with inbox.open("rb+") as file:
            if lock == "dot":
                inbox.with_name("inbox.lock").touch()
            else:
                fcntl.lockf(file, fcntl.LOCK_EX)
            os.write(write, b"x")
            signal.pause()
        os._exit(0)
    os.read(read, 1)
    try:
        with pytest.raises(BoxError, match="locked by another program"), locked_file(inbox, 0.2):
            pass
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    inbox.with_name("inbox.lock").unlink(missing_ok=True)
    assert len(mailbox.move(INBOX, first, "Junk")) == 1


def test_a_lock_of_a_program_long_dead_is_broken(tmp_path: Path) -> None:
    lock = tmp_path / "inbox.lock"
    lock.touch()
    os.utime(lock, (0, 0))
    with dot_locked(tmp_path / "inbox", 0.2):
        assert lock.exists()
    assert not lock.exists()


KILLED_AFTER = ["before", "part", "all", "cut"]


class _KilledError(Exception):
    """Stands for kill -9: nothing that comes later is done."""


@pytest.mark.parametrize("when", KILLED_AFTER)
@pytest.mark.parametrize("delivered", [0, 1], ids=["nothing-came", "one-came"])
def test_killed_while_it_takes_a_message_out_the_rest_is_whole_afterwards(
    tmp_path: Path, when: str, delivered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox = tmp_path / "inbox"
    inbox.write_bytes(mbox(6, size=400))
    mailbox = MboxMailbox(tmp_path)
    [second] = uids(mailbox)[1:2]
    real = mbox_write._write  # noqa: SLF001

    def write(descriptor: int, data: bytes, offset: int) -> None:
        if when == "before":
            raise _KilledError
        real(descriptor, data[: len(data) // 2] if when == "part" else data, offset)
        if when != "cut":
            raise _KilledError

    def unlink(path: Path, missing_ok: bool = False) -> None:  # noqa: FBT001, FBT002 - pathlib's signature
        del missing_ok
        if path.name.endswith("-rest"):
            raise _KilledError

    with locked_file(inbox) as descriptor, monkeypatch.context() as patch:
        patch.setattr(mbox_write, "_write", write)
        if when == "cut":
            patch.setattr(Path, "unlink", unlink)
        start = inbox.read_bytes().index(b"From ", 1)
        length = inbox.read_bytes().index(b"From ", start + 1) - start
        with pytest.raises(_KilledError):
            taken_out(inbox, descriptor, start, length)
    came = [b"Subject: came since\n\nhi"] * delivered
    with inbox.open("ab") as file:
        file.write(b"".join(b"From x Thu Jan  1 00:00:00 2015\n" + raw + b"\n\n" for raw in came))
    with locked_file(inbox) as descriptor:
        finished(inbox, descriptor)
        finished(inbox, descriptor)
    assert texts(mailbox) == [letter(n, 400).rstrip() for n in (1, 3, 4, 5, 6)] + came
    assert second not in uids(mailbox)
    assert [path.name for path in tmp_path.iterdir()] == ["inbox"]


def test_one_file_is_the_inbox_and_its_neighbours_the_folders(tmp_path: Path) -> None:
    (tmp_path / "ann").write_bytes(mbox(2))
    mailbox = MboxMailbox(tmp_path / "ann")
    mailbox.move(INBOX, uids(mailbox)[:1], "Junk")
    assert len(texts(mailbox)) == len(texts(mailbox, "Junk")) == 1
    assert (tmp_path / "Junk").stat().st_mode & 0o777 == 0o600


def test_folders_inside_folders_lie_as_thunderbird_has_them(tmp_path: Path) -> None:
    (tmp_path / "Junk").write_bytes(b"")
    (tmp_path / "Junk.sbd").mkdir()
    (tmp_path / "Junk.sbd" / "Old").write_bytes(mbox(1))
    (tmp_path / "Junk.msf").write_bytes(b"index")
    mailbox = MboxMailbox(tmp_path)
    assert [folder.name for folder in mailbox.folders()] == [INBOX, "Junk", "Junk/Old"]
    assert len(texts(mailbox, "Junk/Old")) == 1
