"""What `install-sieve` writes, in a real Dovecot with Pigeonhole: moving a message in any mail program is a lesson."""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.cli.running import ENVIRONMENT, done
from tests.mailbox.imapsieve import Installed, installed, written
from tests.mailbox.living import NEW
from tests.serve.making import taught_home
from tests.serve.waiting import eventually
from tests.servers.dovecot import Dovecot, owner
from thresher.boxes import load
from thresher.boxes.imap_mailbox import ImapMailbox
from thresher.boxes.mailbox import INBOX
from thresher.mail.digest import digest
from thresher.values import Label

pytestmark = [pytest.mark.dovecot, pytest.mark.spamc]


@pytest.fixture(scope="module")
def place() -> Iterator[Installed]:
    """Give an installation that the tests of this file share, each with a user of its own."""
    with tempfile.TemporaryDirectory() as name, installed(Path(name)) as made:
        yield made


def uid_of(box: ImapMailbox, folder: str, raw: bytes) -> str:
    uids = sorted(box.scan(folder).uids or ())
    found = [uid for uid, entry in box.entries(folder, uids) for item in load(entry) if digest(item.raw) == digest(raw)]
    return found[0]


def test_moving_into_junk_teaches_spam_for_the_person_who_did_it(place: Installed) -> None:
    with closing(place.person("ann")) as box:
        box.move(INBOX, [box.append(INBOX, ham(NEW))], "Junk")
    eventually(lambda: place.said(ham(NEW)) == {"ann": Label.SPAM})


def test_moving_out_of_junk_teaches_ham(place: Installed) -> None:
    with closing(place.person("ben")) as box:
        box.move(INBOX, [box.append(INBOX, spam(NEW + 1))], "Junk")
        eventually(lambda: place.said(spam(NEW + 1)) == {"ben": Label.SPAM})
        box.move("Junk", [uid_of(box, "Junk", spam(NEW + 1))], INBOX)
    eventually(lambda: place.said(spam(NEW + 1)) == {"ben": Label.HAM})


def test_moving_out_of_junk_into_trash_teaches_nothing(place: Installed) -> None:
    with closing(place.person("cleo")) as box:
        box.move(INBOX, [box.append(INBOX, spam(NEW + 2))], "Junk")
        eventually(lambda: place.said(spam(NEW + 2)) == {"cleo": Label.SPAM})
        box.move("Junk", [uid_of(box, "Junk", spam(NEW + 2))], "Trash")
        # Another lesson, given after it, has come: then that one would have, too.
        box.move(INBOX, [box.append(INBOX, ham(NEW + 3))], "Junk")
        eventually(lambda: place.said(ham(NEW + 3)))
    assert place.said(spam(NEW + 2)) == {"cleo": Label.SPAM}


def test_a_move_between_other_folders_teaches_nothing(place: Installed) -> None:
    with closing(place.person("dora")) as box:
        box.move(INBOX, [box.append(INBOX, ham(NEW + 4))], "Archive")
        box.move(INBOX, [box.append(INBOX, ham(NEW + 5))], "Junk")
        eventually(lambda: place.said(ham(NEW + 5)))
    assert place.said(ham(NEW + 4)) == {}


def test_a_message_put_into_junk_by_a_program_teaches_spam(place: Installed) -> None:
    with closing(place.person("emil")) as box:
        box.append("Junk", spam(NEW + 6))
    eventually(lambda: place.said(spam(NEW + 6)) == {"emil": Label.SPAM})


def test_the_move_itself_never_fails_for_want_of_the_daemon(place: Installed) -> None:
    lesson = place.folder / "sieve" / "thresher-lesson"
    before = lesson.read_text()
    lesson.write_text(re.sub(r"spamd\.sock", "nobody-is-here.sock", before))
    try:
        with closing(place.person("fred")) as box:
            assert box.move(INBOX, [box.append(INBOX, ham(NEW + 7))], "Junk")
            assert len(box.scan("Junk").uids or ()) == 1
    finally:
        lesson.write_text(before)
    assert place.said(ham(NEW + 7)) == {}


def test_what_was_tagged_goes_to_junk_at_delivery_and_the_rest_to_the_inbox(place: Installed) -> None:
    for raw in (b"X-Spam: Yes\n" + spam(NEW + 8), b"X-Spam: No\n" + ham(NEW + 8), b"X-Spam: Unsure\n" + ham(NEW + 9)):
        deliver(place.server, "gina", raw)
    with closing(place.person("gina")) as box:
        assert len(box.scan("Junk").uids or ()) == 1
        assert len(box.scan(INBOX).uids or ()) == 2
    assert place.said(spam(NEW + 8)) == {}, "never from its own verdict"


def deliver(server: Dovecot, user: str, raw: bytes) -> None:
    """Deliver as an MTA does through dovecot-lda."""
    home = server.base / "mail" / user
    home.mkdir(exist_ok=True)
    account = owner()
    os.chown(home, account.pw_uid, account.pw_gid)
    ran = subprocess.run(
        ["/usr/lib/dovecot/dovecot-lda", "-c", server.base / "dovecot.conf"],
        input=raw, check=False, user=account.pw_uid, group=account.pw_gid,
        env={"HOME": str(home), "USER": user, "PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert ran.returncode == 0, server.log


def test_the_script_teaches_by_calling_thresher_where_no_daemon_is_named(tmp_path: Path) -> None:
    settings = taught_home(tmp_path / "home")
    (settings.home / "config.toml").write_text("bits = 14\n")
    written(tmp_path / "sieve", settings.home)
    script = tmp_path / "sieve" / "thresher-lesson"
    for label, user in (("spam", "ann o'neil"), ("ham", "ben")):
        subprocess.run([script, label, user], input=ham(NEW), env=ENVIRONMENT, check=True)
    assert Installed.said(Installed(None, settings, tmp_path), ham(NEW)) == {  # type: ignore[arg-type] # no server here
        "ann o'neil": Label.SPAM, "ben": Label.HAM,
    }  # fmt: skip
    assert subprocess.run([script, "rm -rf", "x"], input=b"", env=ENVIRONMENT, check=False).returncode == 64


def test_everything_is_printed_and_nothing_written(tmp_path: Path) -> None:
    files = done("install-sieve", "--print", "--json", "--junk", 'Un"wanted', home=tmp_path / "home").objects
    assert [file["name"] for file in files] == [
        "99-thresher.conf", "thresher-deliver.sieve", "thresher-spam.sieve", "thresher-ham.sieve", "thresher-lesson",
    ]  # fmt: skip
    assert 'fileinto :create "Un\\"wanted"' in files[1]["text"]
    assert not (tmp_path / "home").exists()
