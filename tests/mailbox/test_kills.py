"""A sort killed at any moment: every message is there, exactly once after the next run, flags and dates kept."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.mailbox.kills import fill, found, killed_at_random, sort, spam_to_be_moved, together
from tests.mailbox.living import Living, imap_account
from tests.servers.dovecot import Dovecot, Options, dovecot
from thresher.boxes.imap_login import Server
from thresher.boxes.mailbox import INBOX

WITHOUT_MOVE = "\nimap_capability = IMAP4rev1 LITERAL+ IDLE UIDPLUS CONDSTORE SPECIAL-USE NAMESPACE ENABLE\n"


def survives(living: Living, count: int, kills: int, longest: float) -> None:
    known = fill(living.person, count)

    def nothing_is_lost() -> None:
        there = together(found(living.person))
        # In one of the two folders, or for now, where a move is a copy and a removal, in both.
        assert there.keys() == known.keys()
        assert all(number <= 2 for number in there.values())

    assert killed_at_random(living.home, kills, longest, random.Random(1), nothing_is_lost) > 0
    assert sort(living.home).wait(120) == 0
    there = found(living.person)
    assert together(there) == known
    assert there["Junk"].total() == spam_to_be_moved(count)
    assert there[INBOX].total() == count - spam_to_be_moved(count)
    living.person.close()


def test_a_sort_killed_at_random_moments_loses_and_doubles_nothing(living: Living) -> None:
    """bench/mailbox_kills.py does the same with 5,000 messages and 50 kills."""
    survives(living, 300, 6, 1.5)


@pytest.mark.dovecot
def test_nor_does_it_where_a_move_is_a_copy_and_a_removal(
    new_user: Callable[[Dovecot], Server], tmp_path: Path
) -> None:
    with dovecot(Options(more=WITHOUT_MOVE)) as server:
        survives(Living(imap_account(new_user(server)), tmp_path), 300, 6, 1.5)
