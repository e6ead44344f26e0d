"""`thresher mailbox` add, list, learn, sort and undo, and the receipts of `thresher history`."""

import os
import signal
import stat
import sys
import time
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.cli.running import done, program, run, start
from tests.mailbox.living import NEW, Living, maildir_account
from tests.serve.making import taught_home
from tests.servers.dovecot import PASSWORD, USER, Dovecot
from thresher.boxes.mailbox import FLAGGED, INBOX, SEEN
from thresher.filing.account import Account, read_account, write_account
from thresher.mail.digest import digest
from thresher.values import Label

LONG_AGO = 1_700_000_000.0


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Give a home of few bits that was taught."""
    settings = taught_home(tmp_path / "home")
    (settings.home / "config.toml").write_text("bits = 14\n")
    return settings.home


# add ------------------------------------------------------------------------------------------------------------------


def test_a_maildir_is_added_and_its_folders_are_told(home: Path, tmp_path: Path) -> None:
    root = maildir_account(tmp_path).path
    told = done("mailbox", "add", "local", "--maildir", root, "--json", home=home).objects[0]
    assert told["folders"] == {"inbox": INBOX, "junk": "Junk", "sent": None, "archive": "Archive", "trash": "Trash"}
    assert read_account(home, "local").path == root
    assert stat.S_IMODE(Path(told["file"]).stat().st_mode) == 0o600
    assert done("mailbox", "list", "--json", home=home).objects[0]["name"] == "local"


@pytest.mark.dovecot
def test_an_account_is_asked_for_tried_out_and_written_down_without_its_password(
    home: Path, imap_server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORK_PASSWORD", PASSWORD)
    monkeypatch.setitem(sys.modules, "keyring", None)  # as where the extra is not installed
    options = ["--port", str(imap_server.imaps), "--authority", str(imap_server.certificate)]
    answers = f"localhost\n{USER}\nenv:WORK_PASSWORD\n"
    ran = run("mailbox", "add", "work", *options, home=home, stdin=answers.encode())
    assert ran.code == 0, ran
    assert "Where is the mail?" in ran.out
    assert "no password is kept in a file" in ran.out
    assert "junk      Junk" in ran.out
    assert "trash     Trash" in ran.out
    for file in home.rglob("*"):
        assert not file.is_file() or PASSWORD.encode() not in file.read_bytes()


@pytest.mark.dovecot
def test_a_password_that_is_asked_for_goes_into_the_key_ring_only(home: Path, imap_server: Dovecot) -> None:
    keyring = pytest.importorskip("keyring")
    from keyring.backend import KeyringBackend

    class InMemory(KeyringBackend):
        """A key ring for this test."""

        priority = 1.0
        kept: dict[tuple[str, str], str] = {}  # noqa: RUF012 - one test's

        def get_password(self, service: str, username: str) -> str | None:
            return self.kept.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            self.kept[service, username] = password

        def delete_password(self, service: str, username: str) -> None:
            del self.kept[service, username]

    before = keyring.get_keyring()
    keyring.set_keyring(InMemory())  # type: ignore[no-untyped-call] # keyring's own
    try:
        options = ["--imap", "localhost", "--login", USER, "--port", str(imap_server.imap), "--security", "none"]
        ran = run("mailbox", "add", "work", *options, home=home, stdin=f"{PASSWORD}\n".encode())
        assert ran.code == 0, ran
        assert InMemory.kept == {("thresher", "work"): PASSWORD}
        assert PASSWORD not in ran.out
        assert PASSWORD not in (home / "mailboxes" / "work.toml").read_text()
        assert run("mailbox", "learn", home=home).code == 0
    finally:
        keyring.set_keyring(before)


@pytest.mark.dovecot
def test_a_wrong_password_is_said_and_nothing_is_written(home: Path, imap_server: Dovecot) -> None:
    options = ["--imap", "localhost", "--login", USER, "--port", str(imap_server.imap), "--security", "none"]
    ran = run("mailbox", "add", "work", *options, "--secret", "command:echo wrong", home=home)
    assert ran.code == 1
    assert "user or password was not accepted" in ran.err
    assert "wrong" not in ran.err
    assert not (home / "mailboxes").exists()


def test_an_account_is_not_replaced_unless_asked(home: Path, tmp_path: Path) -> None:
    root = maildir_account(tmp_path).path
    done("mailbox", "add", "local", "--maildir", root, home=home)
    ran = run("mailbox", "add", "local", "--maildir", root, home=home)
    assert ran.code == 1
    assert "--replace" in ran.err
    done("mailbox", "add", "local", "--maildir", root, "--replace", "--junk", "Archive", home=home)
    assert read_account(home, "local").folders == {"junk": "Archive"}


def test_a_folder_that_is_no_maildir_is_refused(home: Path, tmp_path: Path) -> None:
    ran = run("mailbox", "add", "local", "--maildir", tmp_path, home=home)
    assert ran.code == 1
    assert "not a Maildir" in ran.err


def test_without_an_account_the_commands_say_what_to_do(home: Path) -> None:
    for command in ("list", "learn", "sort", "watch"):
        ran = run("mailbox", command, home=home)
        assert ran.code == 1
        assert "thresher mailbox add" in ran.err


# learn ----------------------------------------------------------------------------------------------------------------


def test_folders_are_learned_once_with_receipts(living: Living) -> None:
    living.person.append("Junk", spam(NEW), {SEEN}, LONG_AGO)
    living.person.append("Archive", ham(NEW), {SEEN}, LONG_AGO)
    living.person.append(INBOX, ham(NEW + 1), {SEEN}, LONG_AGO)
    living.person.append(INBOX, ham(NEW + 2), (), LONG_AGO)
    *receipts, summary, _ = done("mailbox", "learn", "-v", "--json", home=living.home).objects
    assert sorted(receipt["why"] for receipt in receipts) == ["archived", "in Junk", "read, and stayed"]
    assert all(receipt["before"] is not None and receipt["after"] is not None for receipt in receipts)
    assert summary["learned"] == {"ham": 2, "spam": 1}
    again = done("mailbox", "learn", "--json", home=living.home).objects[0]
    assert again["learned"] == {"ham": 0, "spam": 0}


def test_learning_that_was_killed_goes_on_and_learns_nothing_twice(tmp_path: Path) -> None:
    """bench/mailbox_learn.py does the same with 100,000 messages."""
    living = Living(maildir_account(tmp_path), tmp_path)
    root = Path(living.account.path)
    count = 1500
    for number in range(count):
        make, box = ((ham, root), (spam, root / ".Junk"))[number % 2]
        file = box / "cur" / f"1700000000.{number}.host:2,S"
        file.write_bytes(make(NEW + number))
        os.utime(file, (LONG_AGO, LONG_AGO))
    with start("mailbox", "learn", "--jobs", 1, home=living.home) as process:
        with living.state() as state:
            end = time.monotonic() + 60
            while not state.places("Junk"):
                assert time.monotonic() < end
                time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    before = done("status", "--json", home=living.home).objects[0]["lessons"]
    assert 40 < sum(before.values()) < count
    summary = program("mailbox", "learn", "--json", home=living.home).objects[0]
    after = done("status", "--json", home=living.home).objects[0]["lessons"]
    assert sum(after.values()) == count + 40
    assert sum(after.values()) - sum(before.values()) == sum(summary["learned"].values())
    assert summary["read"] < count, "what was learned before the kill is not even read again"
    living.person.close()


def test_an_account_that_cannot_be_reached_is_said_and_the_others_are_learned(living: Living) -> None:
    away = Account("away", "imap", host="localhost", login="x", port=1, secret="command:echo x")
    write_account(living.home, away)
    living.person.append("Junk", spam(NEW), {SEEN}, LONG_AGO)
    for command in ("learn", "sort"):
        ran = run("mailbox", command, home=living.home)
        assert ran.code == 1
        assert "cannot be reached" in ran.err
    assert living.said(spam(NEW)) is Label.SPAM


# sort and undo --------------------------------------------------------------------------------------------------------


def test_sort_files_the_spam_and_leaves_the_rest(living: Living) -> None:
    living.person.append(INBOX, spam(NEW), {SEEN}, LONG_AGO + 1)
    living.person.append(INBOX, spam(NEW + 1), {FLAGGED}, LONG_AGO)
    living.deliver(spam(NEW + 2))
    living.deliver(ham(NEW))
    done("mailbox", "sort", "--no-learn", home=living.home)
    kept = {digest(spam(NEW + 1)), digest(ham(NEW)), digest(spam(NEW))}
    assert set(living.holds(INBOX)) == kept, "flagged, wanted, and read and kept for long"
    assert living.holds("Junk") == [digest(spam(NEW + 2))]


def test_a_dry_run_tells_what_would_be_moved_and_changes_nothing(living: Living) -> None:
    living.deliver(spam(NEW))
    living.deliver(ham(NEW))
    [told] = done("mailbox", "sort", "--dry-run", "--json", home=living.home).objects
    assert told["digest"] == digest(spam(NEW)).hex()
    assert told["subject"] == f"You WON ${NEW}00 !!!"
    assert told["probability"] > 0.9
    assert len(living.holds(INBOX)) == 2
    assert "You WON" in done("mailbox", "sort", "--dry-run", home=living.home).out
    with living.state() as state:
        assert not state.looked_at()
        assert not state.due(INBOX)


def test_undo_puts_back_what_was_moved_flags_and_date_and_all(living: Living) -> None:
    now = time.time() - 1000
    for number in range(3):
        living.person.append(INBOX, spam(NEW + number), (), now - number * 100 // 1)
    seen = {each.uid: each for each in living.person.scan(INBOX).changed}
    before = sorted((each.flags, int(each.arrived)) for each in seen.values())
    assert done("mailbox", "sort", "--json", home=living.home).objects[0]["moved"] == 3
    one = digest(spam(NEW)).hex()
    assert done("mailbox", "undo", "--message", one[:12], "--json", home=living.home).objects[0]["digest"] == one
    assert living.holds(INBOX) == [digest(spam(NEW))]
    told = done("mailbox", "undo", "--since", "1 hour", "--dry-run", home=living.home)
    assert "would put back 2 messages" in told.out
    assert "put back 2 messages" in done("mailbox", "undo", "--since", "1 hour", home=living.home).out
    after = sorted((each.flags, int(each.arrived)) for each in living.person.scan(INBOX).changed)
    assert after == before
    assert living.holds("Junk") == []
    assert "moved 0 messages" in done("mailbox", "sort", home=living.home).out
    assert "put back 0 messages" in done("mailbox", "undo", "--all", home=living.home).out


def test_undo_leaves_alone_what_somebody_has_moved_on(living: Living) -> None:
    living.deliver(spam(NEW))
    done("mailbox", "sort", home=living.home)
    living.move(spam(NEW), "Junk", "Trash")
    told = done("mailbox", "undo", "--all", home=living.home).out
    assert "put back 0 messages; 1 lie no longer where they were put" in told
    assert living.holds("Trash") == [digest(spam(NEW))]


# receipts -------------------------------------------------------------------------------------------------------------


def test_every_lesson_is_told_with_scores_source_and_person_and_taken_back_singly(living: Living) -> None:
    living.person.append("Junk", spam(NEW), {SEEN}, LONG_AGO)
    living.person.append("Junk", spam(NEW + 1), {SEEN}, LONG_AGO)
    done("mailbox", "learn", home=living.home)
    told = done("history", "--lessons", "--source", "work:Junk", "--json", home=living.home).objects
    assert len(told) == 2
    for lesson in told:
        assert lesson["before"] < lesson["after"]
        assert lesson["user"] == "local"
        assert lesson["source"].startswith("work:Junk/")
    done("forget", "--id", told[0]["id"], home=living.home)
    [left] = done("history", "--source", "work:Junk", "--json", home=living.home).objects
    assert left["id"] == told[1]["id"]
    assert " -> " in done("history", "--source", "work:Junk", home=living.home).lines[0]


def test_lessons_are_taken_back_by_folder_and_by_period(living: Living) -> None:
    living.person.append("Junk", spam(NEW), {SEEN}, LONG_AGO)
    living.person.append("Archive", ham(NEW), {SEEN}, LONG_AGO)
    done("mailbox", "learn", home=living.home)
    done("forget", "--source", "work:Junk", home=living.home)
    assert (living.said(spam(NEW)), living.said(ham(NEW))) == (None, Label.HAM)
    done("forget", "--since", "1 hour", "--source", "work:*", home=living.home)
    assert living.said(ham(NEW)) is None
    assert done("status", "--json", home=living.home).objects[0]["lessons"] == {"ham": 20, "spam": 20}


def test_what_was_taken_back_is_not_learned_again_from_the_same_place(living: Living) -> None:
    living.person.append("Junk", spam(NEW), {SEEN}, LONG_AGO)
    done("mailbox", "learn", home=living.home)
    done("forget", "--source", "work:Junk", home=living.home)
    done("mailbox", "learn", home=living.home)
    assert living.said(spam(NEW)) is None


def test_moves_are_told_with_what_became_of_them(living: Living) -> None:
    living.deliver(spam(NEW))
    done("mailbox", "sort", home=living.home)
    [move] = done("history", "--moves", "--json", home=living.home).objects
    assert (move["from"], move["to"], move["status"]) == (INBOX, "Junk", "done")
    done("mailbox", "undo", "--all", home=living.home)
    first, _ = done("history", "--moves", "--json", home=living.home).objects
    assert first["status"] == "undone"
