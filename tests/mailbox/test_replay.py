"""`thresher mailbox replay`: what would have been, told day by day, and nothing moved, marked or learned."""

import hashlib
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.cli.running import done, run
from tests.mailbox.living import Living, imap_account, maildir_account
from tests.servers.dovecot import Dovecot
from thresher.boxes.imap_login import Server
from thresher.boxes.mailbox import INBOX, SEEN

DAY = 86400.0
BEGINNING = 1_700_000_000.0
SINCE = "2023-12-01"
AFTER = 1_701_500_000.0
INDEXES = ("dovecot", "maildirfolder", "subscriptions")


def tree(root: Path) -> dict[str, tuple[int, float, str]]:
    """Return every file: its mode, its time and its bytes; the server's own indexes aside."""
    return {
        str(path.relative_to(root)): (
            path.stat().st_mode, path.stat().st_mtime, hashlib.sha256(path.read_bytes()).hexdigest(),
        )
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.name.startswith(INDEXES)
    }  # fmt: skip


def fill(living: Living) -> None:
    """Twenty messages of each kind before the day, ten after; one ham of the later looks like spam."""
    for number in range(20):
        living.person.append("Archive", ham(number + 2000), {SEEN}, BEGINNING + number * 3600)
        living.person.append("Junk", spam(number + 2000), {SEEN}, BEGINNING + number * 3600)
    for number in range(10):
        living.person.append(INBOX, ham(number + 3000), {SEEN}, AFTER + number * DAY)
        living.person.append("Junk", spam(number + 3000), {SEEN}, AFTER + number * DAY)
    living.person.append("Archive", spam(4000), {SEEN}, AFTER + 11 * DAY)
    living.person.append("Trash", spam(4001), {SEEN}, AFTER + 11 * DAY)
    living.person.append("Sent", ham(4002), {SEEN}, AFTER + 11 * DAY)


def test_what_would_have_been_is_told_and_nothing_is_moved_byte_for_byte(
    living: Living, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    fill(living)
    if living.account.kind == "imap":
        server: Dovecot = request.getfixturevalue("imap_server")
        root = server.maildir(living.account.login)
    else:
        root = Path(living.account.path)
    lessons = done("export", home=living.home).out
    before = tree(root)
    assert len(before) == 63
    page = tmp_path / "replay.html"
    [told] = done("mailbox", "replay", "--since", SINCE, "--html", page, "--json", home=living.home).objects
    assert told["known"] == {"ham": 20, "spam": 20}
    assert told["together"] == {"moved": 10, "left": 10, "lost": 1, "unknown_moved": 1}
    assert sum(sum(value for key, value in week.items() if key != "monday") for week in told["weeks"]) == 22
    [wrong] = told["wrong"]
    assert (wrong["subject"], wrong["folder"]) == ("You WON $400000 !!!", "Archive")
    assert tree(root) == before
    assert done("export", home=living.home).out == lessons
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    text = page.read_text()
    assert "You WON $400000 !!!" in text
    assert "<script" not in text


def test_the_table_says_it_in_words(living: Living) -> None:
    fill(living)
    out = done("mailbox", "replay", "work", "--since", SINCE, home=living.home).out
    assert "Of 10 spam messages 10 would have been moved, 0 left" in out.replace("\n", " ")
    assert "week of" in out
    assert "Nothing was moved." in out


def test_what_a_person_said_counts_before_where_a_message_lies(living: Living, tmp_path: Path) -> None:
    fill(living)
    missed = tmp_path / "missed.eml"
    missed.write_bytes(spam(4000))
    done("learn", "--spam", missed, home=living.home)
    [told] = done("mailbox", "replay", "--since", SINCE, "--json", home=living.home).objects
    assert told["together"] == {"moved": 11, "left": 10, "unknown_moved": 1}


def test_without_mail_since_then_it_says_so(living: Living) -> None:
    ran = run("mailbox", "replay", "--since", "1 day", home=living.home)
    assert ran.code == 1
    assert "no mail has come" in ran.err


def test_a_hostile_subject_is_only_text(tmp_path: Path) -> None:
    living = Living(maildir_account(tmp_path), tmp_path)
    fill(living)
    hostile = spam(4003).replace(b"Subject: You", b"Subject: \x1b[2J<script>alert(1)</script> You")
    living.person.append("Archive", hostile, {SEEN}, AFTER + 2 * DAY)
    page = tmp_path / "replay.html"
    out = done("mailbox", "replay", "--since", SINCE, "--html", page, home=living.home).out
    assert "\x1b" not in out
    assert "<script>" not in page.read_text()
    assert "&lt;script&gt;" in page.read_text()
    living.person.close()


@pytest.mark.dovecot
def test_a_move_that_was_cut_short_is_not_finished_by_a_replay(
    imap_server: Dovecot, new_user: Callable[[Dovecot], Server], tmp_path: Path
) -> None:
    from thresher.filing.state import Move, Status

    living = Living(imap_account(new_user(imap_server)), tmp_path)
    fill(living)
    uid = living.person.append(INBOX, spam(5000), {SEEN}, AFTER)
    stand = living.person.stand("Junk")
    living.person.append("Junk", spam(5000), {SEEN}, AFTER)
    with living.state() as state:
        state.begin([Move(0, b"0" * 16, INBOX, uid, "Junk", stand, "", time.time(), 5.0, Status.BEGUN)])
    before = tree(imap_server.maildir(living.account.login))
    done("mailbox", "replay", "--since", SINCE, "--json", home=living.home)
    assert tree(imap_server.maildir(living.account.login)) == before
    living.person.close()
