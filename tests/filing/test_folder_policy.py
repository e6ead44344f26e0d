"""What the folders teach, a test a case: on a Maildir, and on a real IMAP server with MOVE and without."""

import pytest

from tests.cli.making import ham, spam
from tests.filing.world import INBOX, World
from thresher.boxes.mailbox import ANSWERED, DELETED, FLAGGED, SEEN
from thresher.values import Label

HAM, SPAM = Label.HAM, Label.SPAM


def test_junk_is_spam(world: World) -> None:
    world.put("Junk", spam(1))
    world.look()
    assert world.said(spam(1)) is SPAM


def test_the_inbox_is_ham_after_it_was_read_and_stayed(world: World) -> None:
    world.look()
    world.put(INBOX, ham(1), SEEN)
    world.look()
    world.pass_days(2.5)
    world.look()
    assert world.said(ham(1)) is None
    world.pass_days(0.5)
    world.look(everything=False)
    assert world.said(ham(1)) is HAM


def test_the_inbox_is_no_lesson_as_long_as_it_is_unread(world: World) -> None:
    world.put(INBOX, ham(1))
    world.look()
    world.pass_days(100)
    world.look()
    assert world.lessons() == 0
    world.flag(INBOX, ham(1), SEEN)
    world.look(everything=False)
    assert world.said(ham(1)) is HAM


def test_the_inbox_is_ham_at_once_when_it_was_answered(world: World) -> None:
    world.look()
    world.put(INBOX, ham(1), SEEN, ANSWERED, days_ago=0)
    world.look()
    assert world.said(ham(1)) is HAM


def test_how_long_a_message_must_stay_can_be_set(world: World) -> None:
    world.account = world._look.account = type(world.account)("work", "maildir", stay_days=0.1)  # noqa: SLF001
    world.look()
    world.put(INBOX, ham(1), SEEN)
    world.pass_days(0.2)
    world.look()
    world.pass_days(0.2)
    world.look()
    assert world.said(ham(1)) is HAM


def test_a_clock_that_was_set_back_teaches_nothing_too_early(world: World) -> None:
    world.look()
    world.put(INBOX, ham(1), SEEN)
    world.look()
    world.pass_days(-100)
    world.look()
    assert world.said(ham(1)) is None


@pytest.mark.parametrize("folder", ["Sent", "Archive"])
def test_what_was_sent_or_archived_is_ham(world: World, folder: str) -> None:
    world.put(folder, ham(1))
    world.look()
    assert world.said(ham(1)) is HAM


@pytest.mark.parametrize("flag", [FLAGGED, ANSWERED])
@pytest.mark.parametrize("folder", [INBOX, "Lists"])
def test_what_was_flagged_or_replied_to_is_ham(world: World, folder: str, flag: str) -> None:
    world.look()
    world.put(folder, ham(1), flag, days_ago=0)
    world.look()
    assert world.said(ham(1)) is HAM


def test_trash_is_neutral(world: World) -> None:
    world.put("Trash", ham(1), SEEN)
    world.put("Trash", ham(2), SEEN, FLAGGED)
    world.put("Trash", spam(1))
    world.look()
    assert world.lessons() == 0


def test_the_inbox_thrown_away_is_no_lesson(world: World) -> None:
    world.look()
    world.put(INBOX, ham(1), SEEN)
    world.look()
    world.move(ham(1), INBOX, "Trash")
    world.look()
    world.pass_days(100)
    world.look()
    assert world.lessons() == 0


def test_junk_emptied_into_trash_is_not_ham_and_stays_spam(world: World) -> None:
    world.put("Junk", spam(1))
    world.look()
    world.move(spam(1), "Junk", "Trash")
    world.look()
    assert world.said(spam(1)) is SPAM


def test_junk_that_thresher_filled_is_emptied_without_a_lesson(world: World) -> None:
    world.school()
    before = world.lessons()
    world.put(INBOX, spam(1))
    assert world.sort() == 1
    world.look()
    world.move(spam(1), "Junk", "Trash")
    world.look()
    assert world.lessons() == before


@pytest.mark.parametrize(
    ("folder", "label"), [("Junk/2024", SPAM), ("Archive/2024/May", HAM), ("Trash/Junk", None), ("Sent/Old", HAM)]
)
def test_sub_folders_inherit(world: World, folder: str, label: Label | None) -> None:
    world.put(folder, ham(1))
    world.look()
    assert world.said(ham(1)) is label


@pytest.mark.parametrize(("flag", "label"), [("$Junk", SPAM), ("$NotJunk", HAM), ("Junk", SPAM), ("NonJunk", HAM)])
def test_marks_of_junk_and_not_junk_are_lessons(world: World, flag: str, label: Label) -> None:
    world.put(INBOX, ham(1))
    world.look()
    world.flag(INBOX, ham(1), flag)
    world.look(everything=False)
    assert world.said(ham(1)) is label


def test_a_mark_of_not_junk_in_trash_is_no_lesson(world: World) -> None:
    world.put("Trash", ham(1))
    world.look()
    world.flag("Trash", ham(1), "$NotJunk")
    world.look()
    assert world.lessons() == 0


def test_a_mark_of_junk_in_trash_is_one(world: World) -> None:
    world.put("Trash", spam(1))
    world.look()
    world.flag("Trash", spam(1), "$Junk")
    world.look()
    assert world.said(spam(1)) is SPAM


def test_a_move_by_thresher_itself_is_never_a_lesson(world: World) -> None:
    world.school()
    before = world.lessons()
    world.put(INBOX, spam(1))
    assert world.sort() == 1
    for _ in range(3):
        world.look()
        world.pass_days(10)
    assert world.lessons() == before
    assert len(world.holds("Junk")) == 1


def test_a_move_into_junk_by_a_person_is_spam_at_once(world: World) -> None:
    world.put(INBOX, spam(1), days_ago=0)
    world.look()
    world.move(spam(1), INBOX, "Junk")
    world.look(everything=False)
    assert world.said(spam(1)) is SPAM
    assert list(world.why.values()) == [["moved to Junk"]]


def test_a_move_out_of_junk_by_a_person_is_ham_at_once(world: World) -> None:
    world.school()
    world.put(INBOX, spam(1), days_ago=0)
    assert world.sort() == 1
    world.look()
    world.move(spam(1), "Junk", INBOX)
    world.look(everything=False)
    assert world.said(spam(1)) is HAM
    assert list(world.why.values()) == [["moved out of Junk"]]


def test_what_a_person_took_out_of_junk_is_never_put_there_again(world: World) -> None:
    world.school()
    world.put(INBOX, spam(1), days_ago=0)
    assert world.sort() == 1
    world.move(spam(1), "Junk", INBOX)
    assert world.sort() == 0
    assert len(world.holds(INBOX)) == 1


def test_moved_there_and_back_is_a_correction(world: World) -> None:
    world.put(INBOX, ham(1), SEEN)
    world.look()
    assert world.said(ham(1)) is HAM
    world.move(ham(1), INBOX, "Junk")
    world.look(everything=False)
    assert world.said(ham(1)) is SPAM
    world.move(ham(1), "Junk", INBOX)
    world.look(everything=False)
    assert world.said(ham(1)) is HAM
    assert world.lessons() == 1


def test_duplicates_count_once(world: World) -> None:
    for folder in ("Archive", "Archive", "Sent", "Lists"):
        world.put(folder, ham(1), SEEN)
    world.look()
    world.look()
    assert world.lessons() == 1


def test_two_copies_in_folders_that_differ_do_not_correct_each_other(world: World) -> None:
    world.put("Junk", spam(1))
    world.put("Archive", spam(1))
    world.look()
    first = world.said(spam(1))
    world.look()
    world.pass_days(100)
    world.look()
    assert world.said(spam(1)) is first
    assert sum(map(len, world.why.values())) == 1


def test_a_move_while_thresher_was_off_is_seen(world: World) -> None:
    """By Sieve, by another mail program: whoever moved it, it was not thresher."""
    world.put(INBOX, ham(1), SEEN)
    world.put("Junk", spam(1))
    world.look()
    world.move(ham(1), INBOX, "Junk")
    world.move(spam(1), "Junk", "Lists")
    world.look(everything=False)
    assert (world.said(ham(1)), world.said(spam(1))) == (SPAM, HAM)


def test_a_message_marked_as_deleted_and_copied_is_a_message_moved(world: World) -> None:
    """So programs move that know no MOVE: the copy is seen first, the removal later."""
    world.put(INBOX, spam(1), days_ago=0)
    world.look()
    world.put("Junk", spam(1), days_ago=0)
    world.flag(INBOX, spam(1), DELETED)
    world.look(everything=False)
    assert world.said(spam(1)) is SPAM
    world.put(INBOX, spam(1), SEEN, days_ago=0)
    world.pass_days(0)
    world.look(everything=False)
    world.flag("Junk", spam(1), DELETED)
    world.look(everything=False)
    assert world.said(spam(1)) is HAM


def test_thresher_never_learns_from_its_own_verdict_alone(world: World) -> None:
    """What a delivery agent filed by the verdict it carries is not spam because of that."""
    world.put("Junk", b"X-Thresher: spam, probability 0.99\n" + spam(1))
    world.look()
    world.pass_days(100)
    world.look()
    assert world.lessons() == 0


def test_a_verdict_named_in_the_text_is_not_one(world: World) -> None:
    world.put("Junk", spam(1) + b"X-Thresher: ham\n")
    world.look()
    assert world.lessons() == 1


def test_undoing_is_no_lesson_and_is_not_done_again(world: World) -> None:
    world.school()
    before = world.lessons()
    world.put(INBOX, spam(1), days_ago=0)
    assert (world.sort(), world.undo()) == (1, 1)
    world.look(everything=False)
    assert world.sort() == 0
    assert world.lessons() == before
    assert len(world.holds(INBOX)) == 1


def test_a_lesson_given_by_hand_is_not_corrected_by_where_the_message_lies(world: World) -> None:
    world.teach(spam(1), SPAM)
    world.put(INBOX, spam(1), SEEN)
    world.look()
    world.pass_days(100)
    world.look()
    assert world.said(spam(1)) is SPAM


def test_but_it_is_by_what_a_person_does_with_it(world: World) -> None:
    world.teach(spam(1), SPAM)
    world.put("Junk", spam(1))
    world.look()
    world.move(spam(1), "Junk", INBOX)
    world.look()
    assert world.said(spam(1)) is HAM


def test_drafts_are_no_lesson(world: World) -> None:
    world.put("Drafts", ham(1), SEEN)
    world.look()
    assert world.lessons() == 0
