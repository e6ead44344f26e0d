"""F2: spam is put into a folder of its own by itself, in a Maildir, over IMAP on a real server, and at delivery."""

import mailbox
import os
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.cli.running import done
from tests.e2e.postfix import postfix
from tests.mailbox.conftest import living
from tests.mailbox.imapsieve import Installed, contents, installed
from tests.mailbox.living import NEW, Living
from tests.serve.running import serving
from tests.serve.waiting import eventually
from tests.servers.dovecot import owner
from tests.servers.fixtures import imap_server, new_user
from thresher.boxes.mailbox import INBOX
from thresher.mail.digest import digest

__all__ = ["imap_server", "living", "new_user"]

LDA = "/usr/lib/dovecot/dovecot-lda"
ANYBODY_MAY_DELIVER = """
service auth {{
  unix_listener auth-userdb {{
    mode = 0666
  }}
}}
"""


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


def test_new_spam_goes_to_junk_and_ham_stays_on_a_maildir_and_over_imap(living: Living) -> None:
    """`thresher mailbox watch` moves it, and nobody else."""
    with living.watched():
        for number in range(3):
            living.deliver(spam(NEW + number))
            living.deliver(ham(NEW + number))
        eventually(lambda: len(living.holds("Junk")) == 3)
    assert living.holds("Junk") == sorted(digest(spam(NEW + number)) for number in range(3))
    assert living.holds(INBOX) == sorted(digest(ham(NEW + number)) for number in range(3))


@pytest.fixture
def open_place() -> Iterator[Path]:
    """Give a folder that every user of the machine may enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.postfix
@pytest.mark.dovecot
@pytest.mark.spamc
@pytest.mark.skipif(os.geteuid() != 0, reason="Postfix is started by root only")
def test_at_delivery_behind_a_real_mta_spam_goes_to_junk_and_what_a_person_moves_is_learned(open_place: Path) -> None:
    """Postfix asks the milter, Dovecot delivers by its tag and teaches by imapsieve: everything as documented."""
    with installed(open_place, more=ANYBODY_MAY_DELIVER) as place:
        milter = f"unix:{open_place}/milter.sock"
        service = (
            f"lda unix - n n - - pipe flags=DRhu user={owner().pw_name} "
            f"argv={LDA} -c {place.server.base}/dovecot.conf -f ${{sender}} -d ${{user}}\n"
        )
        socket_mode = {"THRESHER_SERVE_SOCKET_MODE": "0666"}
        mta = open_place / "mta"
        mta.mkdir(mode=0o755)
        with (
            serving(place.settings, "--milter", milter, environment=socket_mode),
            postfix(
                mta, services=service, smtpd_milters=milter, virtual_transport="lda",
                lda_destination_recipient_limit="1",
            ) as server,
        ):  # fmt: skip
            for number in range(2):
                server.send(spam(NEW + number))
                server.send(ham(NEW + number))
            _delivered(place)


def _delivered(place: Installed) -> None:
    with closing(place.person("alice")) as box:
        try:
            eventually(lambda: [len(contents(box, folder)) for folder in ("Junk", INBOX)] == [2, 2])
        except AssertionError:
            raise AssertionError(place.server.log) from None
        assert all(b"Subject: You WON" in raw for raw in contents(box, "Junk"))
        assert all(b"Subject: Minutes" in raw for raw in contents(box, INBOX))
        missed = contents(box, INBOX)[0]
        box.move(INBOX, [min(box.scan(INBOX).uids or ())], "Junk")
        eventually(lambda: place.said(missed))
