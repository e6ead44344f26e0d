"""A message before it is bytes, and the scene it is written in."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from time import gmtime, strftime

from thresher.demo.campaigns import Campaign
from thresher.demo.cast import World
from thresher.demo.dice import Dice
from thresher.demo.languages import Language, heard, language
from thresher.demo.mailers import message_id
from thresher.demo.people import Person, invent

Mailbox = tuple[str, str]

THREADS = 48
"""Conversations a later message may continue: what the generator remembers, whatever the number of messages."""
QUOTE = 900
"""Characters of a message a later one may quote."""


@dataclass(frozen=True, slots=True)
class File:
    """An attachment, an inline picture or a part of a report."""

    content_type: str
    name: str
    data: bytes
    cid: str = ""
    """Content-ID of an inline picture."""
    bare: bool = False
    """Sent as it is, without a transfer encoding or a disposition: a part of a report."""


@dataclass(slots=True)
class Draft:
    """What a message says and how it travels; compose.py makes bytes of it."""

    kind: str
    sender: Person
    subject: str
    text: str = ""
    html: str = ""
    to: tuple[Mailbox, ...] = ()
    """The owner if empty."""
    cc: tuple[Mailbox, ...] = ()
    reply_to: str = ""
    message_id: str = ""
    references: tuple[str, ...] = ()
    extra: list[tuple[str, str]] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    inline: list[File] = field(default_factory=list)
    alternatives: list[File] = field(default_factory=list)
    container: str = "mixed"
    envelope: str = ""
    """Return-Path in its brackets, if not the sender's address; <> for a bounce."""
    route: str = "people"
    """people, bulk, list, local or bot."""
    auth: str = "pass"
    """pass, none, soft or fail."""
    charset: str = ""
    encoding: str = ""
    flaws: frozenset[str] = frozenset()
    """Breaches of the standards, on purpose: date, subject, boundary."""


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation as far as a later message needs it."""

    subject: str
    references: tuple[str, ...]
    people: tuple[Person, ...]
    speaker: Person
    text: str
    kind: str
    list_index: int = -1


@dataclass(slots=True)
class Scene:
    """What a writer of a message has at hand."""

    dice: Dice
    world: World
    time: float
    threads: deque[Thread]
    language: Language
    known: dict[str, str]
    campaign: Campaign | None
    """What a spam message belongs to; None for ham."""

    def speak(self, code: str) -> None:
        """Go on in this language."""
        self.language = language(code)

    def hear(self, rule: str) -> str:
        """Go on in a language that has something to say on the rule, and return its code."""
        code = self.campaign.code if self.campaign else heard(self.dice, "ham")
        self.language = language(code)
        if not self.has(rule):
            self.language = language("en")
        return self.language.code

    @property
    def _turn(self) -> int:
        return self.campaign.turn if self.campaign else -1

    def say(self, rule: str) -> str:
        """Return a text of the rule in the language of the scene."""
        return self.language.grammar.say(rule, self.dice, self.known, self._turn)

    def several(self, rule: str, low: int, high: int) -> list[str]:
        """Return different texts of the rule."""
        return self.language.grammar.several(rule, self.dice.between(low, high), self.dice, self.known, self._turn)

    def has(self, rule: str) -> bool:
        """Whether the language has anything to say on the rule."""
        return rule in self.language.grammar.rules

    def chance(self, share: float) -> bool:
        """Return true in this share of the calls."""
        return self.dice.chance(share)

    def stamp(self) -> str:
        """Return the time as some Message-IDs hold it."""
        return strftime("%Y%m%d%H%M%S", gmtime(self.time))

    def new_id(self, sender: Person) -> str:
        """Return a Message-ID of this sender."""
        return message_id(sender.mailer, self.dice, sender.host, self.stamp())

    def introduce(self, sender: Person) -> None:
        """Let texts know who writes."""
        self.known["me"] = sender.given
        self.known["sender"] = sender.name

    def remember(self, draft: Draft, people: tuple[Person, ...], list_index: int = -1) -> None:
        """Keep the draft as a conversation that may go on."""
        references = (*draft.references[-7:], draft.message_id)
        text = draft.text
        if len(text) > QUOTE:
            # Cut at a line, so that no address is cut in two.
            text = text[: max(text.rfind("\n", 0, QUOTE), 0)]
        self.threads.append(Thread(draft.subject, references, people, draft.sender, text, draft.kind, list_index))


Writer = Callable[[Scene], Draft]


def scene(dice: Dice, place: World, time: float, threads: deque[Thread], campaign: Campaign | None) -> Scene:
    """Return the scene of one message."""
    owner = place.owner
    known = {
        "to": owner.given,
        "owner": owner.name,
        "address": owner.address,
        "company": invent(dice),
        "carrier": dice.pick(place.carriers).name,
        "me": "",
        "sender": "",
        "host": owner.host,
        "link": "",
        "address2": owner.address,
        "quoted": owner.name,
    }
    return Scene(dice, place, time, threads, language("en"), known, campaign)
