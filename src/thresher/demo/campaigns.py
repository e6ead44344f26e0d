"""Spam comes in campaigns: for some thousands of messages the same firm, words and tricks, then others follow."""

from dataclasses import dataclass
from functools import lru_cache

from thresher.demo.dice import Dice
from thresher.demo.disguise import STYLES
from thresher.demo.languages import heard
from thresher.demo.people import Company, company
from thresher.demo.phrases import words

# Chosen, with the shares in generate.py, for a task neither trivial nor hopeless. Over seeds 1 to 4 multinomial naive
# Bayes on whole messages errs on 9 % of the next 1,000 after 200 messages and on 4 % after 1,000; the filter itself,
# scoring before it learns, on 3 % between messages 100 and 500, 1 % between 1,000 and 2,000, 0.3 % after 4,000.
WINDOW = 8_000
"""Messages for which a campaign runs."""
SLOTS = 14
"""Campaigns that run at any time, the first ones sending most."""
RUNNING = 0.88
"""Share of the spam that belongs to a campaign; the rest comes from senders never seen again."""
_DISGUISED = 0.2
_SENDERS = words("firm,firm,firm,firm,bot,bot,bot,free,free,broken")
_SUFFIXES = ("", "", "Health", "Deals", "Invest", "Club", "Offers")


@dataclass(frozen=True, slots=True)
class Campaign:
    """What the messages of a campaign have in common; a single message is a campaign of its own."""

    firm: Company
    code: str
    """The language."""
    lot: float
    """Draws the kind of spam."""
    sender: str
    """Who sends it: the firm itself, a bot, a free account, a site broken into."""
    looks: float
    """Draws whether it is dressed as a newsletter."""
    style: str
    """How words are disguised; empty if they are not."""
    turn: int
    """Which of the templates it uses; -1 for all of them."""

    @property
    def single(self) -> bool:
        """Whether there is but one message of it."""
        return self.turn < 0


def _make(dice: Dice, turn: int) -> Campaign:
    style = dice.pick(tuple(STYLES)) if dice.chance(_DISGUISED) else ""
    firm = company(dice, "en", _SUFFIXES)
    return Campaign(firm, heard(dice, "spam"), dice.random(), dice.pick(_SENDERS), dice.random(), style, turn)


@lru_cache(maxsize=2 * SLOTS)
def _running(seed: int, slot: int, window: int) -> Campaign:
    """Return a campaign; it depends on the arguments alone, the cache only saves time."""
    dice = Dice(f"{seed}/campaign/{slot}/{window}")
    return _make(dice, dice.between(0, 1000))


def campaign(dice: Dice, seed: int, index: int) -> Campaign:
    """Return the campaign that a spam message belongs to."""
    if not dice.chance(RUNNING):
        return _make(dice, -1)
    slot = int(dice.random() ** 1.5 * SLOTS)
    # Shifted against one another, so that they do not all change at once.
    return _running(seed, slot, (index + slot * WINDOW // SLOTS) // WINDOW)
