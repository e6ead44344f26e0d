"""The stream of demo mail: which kind comes next, and everything else handed to its writer.

Message i depends on the seed, on i, and on conversations in the messages before it, of which a bounded number is kept:
so the first N messages are the same however many follow, and memory does not grow with their number.
"""

from collections import deque
from collections.abc import Iterator

import msgspec

from thresher.demo import ham_machines, ham_people, spam_frauds, spam_offers
from thresher.demo.campaigns import campaign
from thresher.demo.cast import world
from thresher.demo.compose import compose
from thresher.demo.dice import Dice
from thresher.demo.draft import THREADS, Thread, Writer, scene
from thresher.values import Label

START = 1_704_067_200.0
"""2024-01-01 00:00 UTC."""
GAP = 420.0
"""Mean seconds between two messages: some two hundred a day."""

# Of about a hundred: how often each kind comes. Mailing lists and newsletters lead, as in most mailboxes.
_HAM: dict[Writer, int] = {
    ham_people.family: 9,
    ham_people.friend: 6,
    ham_people.work: 11,
    ham_people.thread: 16,
    ham_people.note: 4,
    ham_people.photos: 1,
    ham_people.stranger: 3,
    ham_people.forward: 1,
    ham_people.scan: 1,
    ham_people.invitation: 3,
    ham_machines.newsletter: 12,
    ham_machines.digest: 5,
    ham_machines.receipt: 5,
    ham_machines.parcel_notice: 2,
    ham_machines.account_notice: 4,
    ham_machines.bank_notice: 2,
    ham_machines.forum: 3,
    ham_machines.mailing_list: 10,
    ham_machines.patch: 3,
    ham_machines.cron: 3,
    ham_machines.bounce: 1,
}
_CAMPAIGNS: dict[Writer, int] = {
    spam_offers.pharma: 13,
    spam_offers.counterfeit: 4,
    spam_offers.dating: 7,
    spam_offers.investment: 12,
    spam_offers.prize: 7,
    spam_offers.seo: 7,
    spam_offers.bulk_newsletter: 3,
    spam_offers.image_only: 3,
    spam_offers.hidden_text: 3,
    spam_offers.obfuscated: 4,
    spam_offers.sloppy: 2,
    spam_frauds.phishing_bank: 8,
    spam_frauds.phishing_parcel: 6,
    spam_frauds.phishing_account: 3,
    spam_frauds.phishing_mailbox: 4,
    spam_frauds.invoice: 4,
    spam_frauds.advance_fee: 8,
    spam_frauds.blackmail: 3,
    spam_frauds.job: 3,
}
# What is written to one person, or comes back from spam sent in the owner's name, belongs to no campaign.
_SINGLES: dict[Writer, int] = _CAMPAIGNS | {
    spam_offers.one_liner: 5,
    spam_frauds.malware: 5,
    spam_frauds.business_compromise: 5,
    spam_frauds.hijacked_thread: 2,
    spam_frauds.backscatter: 2,
}


def _table(shares: dict[Writer, int]) -> tuple[Writer, ...]:
    return tuple(writer for writer, share in shares.items() for _ in range(share))


_HAM_WRITERS, _CAMPAIGN_WRITERS, _SINGLE_WRITERS = _table(_HAM), _table(_CAMPAIGNS), _table(_SINGLES)


class DemoMessage(msgspec.Struct, frozen=True):
    """A made-up message and what it is."""

    label: Label
    raw: bytes
    kind: str
    """What sort of ham or spam: newsletter, thread, phishing-bank, ..."""
    time: float
    """When it was sent, seconds since 1970 UTC."""


def messages(count: int, seed: int, *, spam_share: float = 0.4, start: float = START) -> Iterator[DemoMessage]:
    """Return so many labelled messages, made as they are asked for: always the same for the same arguments."""
    if not 0 <= spam_share <= 1:
        raise ValueError(f"spam_share is a share, from 0 to 1, not {spam_share}")
    return _stream(count, seed, spam_share, start)


def _stream(count: int, seed: int, spam_share: float, start: float) -> Iterator[DemoMessage]:
    place = world(seed)
    threads: deque[Thread] = deque(maxlen=THREADS)
    for index in range(count):
        dice = Dice(f"{seed}/{index}")
        time = start + GAP * (index + dice.random())
        sent = campaign(dice, seed, index) if dice.chance(spam_share) else None
        here = scene(dice, place, time, threads, sent)
        if sent is None:
            label, draft = Label.HAM, dice.pick(_HAM_WRITERS)(here)
        else:
            writers = _SINGLE_WRITERS if sent.single else _CAMPAIGN_WRITERS
            label, draft = Label.SPAM, writers[int(sent.lot * len(writers))](here)
        yield DemoMessage(label, compose(draft, here), draft.kind, time)
