"""The rules themselves, where no folder of a Maildir or of Dovecot can show them."""

import pytest

from thresher.boxes.mailbox import SEEN
from thresher.filing.policy import Here, Saying, Why, says
from thresher.filing.roles import Role
from thresher.values import Label


def said(role: Role, *flags: str, had: frozenset[str] | None = None, before: Role | None = None) -> Saying | None:
    return says(Here(role, frozenset(flags), had=had, before=before), now=10.0, stay=1.0)


def test_gmails_all_mail_is_ham_without_the_label_of_the_inbox() -> None:
    assert said(Role.ALL, "label:", SEEN) == Saying(Label.HAM, Why.ARCHIVED)
    assert said(Role.ALL, "label:", "label:\\Inbox", SEEN) is None


def test_a_folder_of_everything_says_nothing_where_labels_are_not_told() -> None:
    assert said(Role.ALL, SEEN) is None


def test_two_marks_that_contradict_each_other_say_nothing() -> None:
    assert said(Role.INBOX, "$Junk", "$NotJunk") is None


def test_a_move_counts_before_a_mark_that_came_with_the_message() -> None:
    assert said(Role.JUNK, "NonJunk", before=Role.INBOX) == Saying(Label.SPAM, Why.MOVED_TO_JUNK)
    assert said(Role.INBOX, "Junk", before=Role.JUNK) == Saying(Label.HAM, Why.MOVED_OUT)


def test_a_mark_set_after_the_move_counts_before_it() -> None:
    assert said(Role.JUNK, "NonJunk", had=frozenset(), before=Role.INBOX) == Saying(Label.HAM, Why.MARKED_NOT_JUNK)


def test_a_mark_taken_off_leaves_what_the_place_says() -> None:
    assert said(Role.JUNK, had=frozenset({"$NotJunk"})) == Saying(Label.SPAM, Why.IN_JUNK)


@pytest.mark.parametrize("flag", ["\\Flagged", "\\Answered"])
def test_what_lies_in_junk_and_was_answered_or_flagged_speaks_both_ways(flag: str) -> None:
    assert said(Role.JUNK, flag) is None
