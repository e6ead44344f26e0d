"""What is remembered between two looks, so that one that is cut short is continued by the next."""

from tests.cli.making import ham, spam
from tests.filing.world import INBOX, World
from thresher.boxes.mailbox import FLAGGED


def test_an_account_is_new_until_all_its_folders_were_looked_at(world: World) -> None:
    world.put(INBOX, ham(1), days_ago=0)
    world._look.look(only={INBOX}, jobs=1)  # noqa: SLF001 - the world has no other use for a look at one folder
    assert not world.state.looked_at()
    world.look()
    assert world.state.looked_at()


def test_what_was_judged_and_not_yet_filed_is_filed_by_the_next_run(world: World) -> None:
    world.school()
    world.put(INBOX, spam(1), days_ago=0)
    assert len(world.look(judge=True).spam) == 1
    again = world.look(judge=True, everything=False)
    assert (again.new, len(again.spam)) == (0, 1)
    assert world.filer.file(again.spam) == 1
    assert world.look(judge=True, everything=False).spam == []


def test_what_its_owner_spoke_for_meanwhile_is_not_filed_any_more(world: World) -> None:
    world.school()
    world.put(INBOX, spam(1), days_ago=0)
    assert len(world.look(judge=True).spam) == 1
    world.flag(INBOX, spam(1), FLAGGED)
    assert world.look(judge=True, everything=False).spam == []


def test_what_somebody_keeps_in_another_folder_too_is_not_filed(world: World) -> None:
    world.school()
    world.put("Lists", spam(1), days_ago=0)
    world.look()
    world.put(INBOX, spam(1), days_ago=0)
    assert world.look(judge=True).spam == []


def test_a_first_look_at_the_inbox_alone_learns_of_a_move_once_the_other_folder_is_seen(world: World) -> None:
    """A watch looks there first; the message is new there before it is known to be gone from Junk."""
    world.school()
    world.put("Junk", spam(1), days_ago=0)
    world.look()
    world.pass_days(0)
    world.move(spam(1), "Junk", INBOX)
    assert world._look.look(judge=True, only={INBOX}, jobs=1).spam == []  # noqa: SLF001 - as above
    world.look(everything=False)
    assert world.said(spam(1)) == "ham"
