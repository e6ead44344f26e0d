"""The world of one seed: the owner of the mailbox, and everybody who is heard from again and again."""

from dataclasses import dataclass, replace

from thresher.demo.dice import Dice
from thresher.demo.mailers import PEOPLE
from thresher.demo.people import Company, Person, company, invent, invent_host, invent_ip, person
from thresher.demo.phrases import words

_TITLES = [
    "Accounts",
    "Sales",
    "Head of IT",
    "Project manager",
    "Office",
    "Purchasing",
    "Design",
    "Legal",
    "Support",
    "Director",
    "Logistics",
]
_LIST_TOPICS = words("users,devel,announce,choir,gardeners,patches,neighbours")

# How many of each the owner knows; enough that some are heard from once in a thousand messages.
_FAMILY = ("en", "en", "en", "en", "en", "de", "fr", "en", "it", "pt")
_FRIENDS = ("en",) * 20 + words("de,fr,es,ru,it,ja,zh,el,ar,pt,zh_hant,de,es,ru,fr")
_COLLEAGUES = ("en",) * 22 + words("de,de,de,fr,fr,es,it,ru,ja,zh,pt,el,zh_hant,ar")
_COMPANIES = ("en",) * 20 + words("de,de,fr,es,it,pt,ru,ja,zh,ar,el,de")
_POSTERS = 24


@dataclass(frozen=True, slots=True)
class MailingList:
    """A list the owner reads."""

    name: str
    host: str
    tag: str
    posters: tuple[Person, ...]
    technical: bool
    ip: str

    def carry(self, poster: Person) -> Person:
        """Return the poster as a sender whose mail the list passes on."""
        return replace(poster, relay=self.host, ip=self.ip)

    @property
    def address(self) -> str:
        """Where to write."""
        return f"{self.name}@{self.host}"


@dataclass(frozen=True, slots=True)
class World:
    """Everybody of one seed."""

    owner: Person
    mx: str
    mx_ip: str
    office: Company
    family: tuple[Person, ...]
    friends: tuple[Person, ...]
    colleagues: tuple[Person, ...]
    shops: tuple[Company, ...]
    banks: tuple[Company, ...]
    carriers: tuple[Company, ...]
    services: tuple[Company, ...]
    magazines: tuple[Company, ...]
    lists: tuple[MailingList, ...]

    @property
    def companies(self) -> tuple[Company, ...]:
        """Every company the owner deals with, which is whom a fraud pretends to be."""
        return self.banks + self.carriers + self.services + self.shops


def _companies(dice: Dice, count: int, suffixes: str) -> tuple[Company, ...]:
    names = ("", *suffixes.split(","))
    return tuple(company(dice, dice.pick(_COMPANIES), names) for _ in range(count))


def _mailing_list(dice: Dice, topic: str) -> MailingList:
    host = f"lists.{invent_host(dice)}"
    posters = tuple(person(dice, "en", mailers=PEOPLE[::-1]) for _ in range(_POSTERS))
    stem = invent(dice).lower()
    technical = topic not in {"choir", "gardeners", "neighbours"}
    return MailingList(
        f"{stem}-{topic}", host, f"[{stem}]" if dice.chance(0.6) else "", posters, technical, invent_ip(dice)
    )


def world(seed: int) -> World:
    """Return the world of a seed."""
    dice = Dice(f"{seed}/world")
    home = f"{invent(dice).lower()}.example"
    office = company(dice, "en", ("Ltd", "Partners", "Engineering"))
    owner = person(dice, "en", home)
    return World(
        owner=owner,
        mx=f"mx.{home}",
        mx_ip="203.0.113.25",
        office=office,
        family=tuple(person(dice, code) for code in _FAMILY),
        friends=tuple(person(dice, code) for code in _FRIENDS),
        colleagues=tuple(
            person(dice, code, office.host, ip=office.desk.ip, title=dice.pick(_TITLES)) for code in _COLLEAGUES
        ),
        shops=_companies(dice, 18, "Direct,Home,Outdoor,Books,Wine,Garden"),
        banks=_companies(dice, 3, "Bank,Savings,Card"),
        carriers=_companies(dice, 3, "Post,Parcel,Express"),
        services=_companies(dice, 12, "Cloud,Mail,Energy,Mobile,Rail,Insurance,Forum,Air"),
        magazines=_companies(dice, 9, "Daily,Weekly,Review,Letter"),
        lists=tuple(_mailing_list(dice, topic) for topic in _LIST_TOPICS),
    )
