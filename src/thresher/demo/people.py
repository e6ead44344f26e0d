"""People and companies: who they are, where their mail comes from, with what program, in what language."""

from dataclasses import dataclass, replace

from thresher.demo.dice import Dice
from thresher.demo.languages import language
from thresher.demo.mailers import MACHINES, PEOPLE, Mailer, signature
from thresher.demo.phrases.names import (
    COLOURS,
    ENDINGS,
    FAMILY,
    FAMILY_FIRST,
    FREE_HOSTS,
    FREE_SENDERS,
    GIVEN,
    NO_SPACE,
    SYLLABLES,
    TRADES,
)

_STREETS = ("Street", "Road", "Lane", "Square", "Park", "Quay")
_FONTS = ("Arial, sans-serif", "Helvetica, Arial", "Verdana, sans-serif", "Georgia, serif", "Calibri, sans-serif")
_NETS = ("192.0.2", "198.51.100", "203.0.113")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, or a company's desk, who sends mail."""

    name: str
    given: str
    address: str
    language: str
    mailer: Mailer
    version: str
    charset: str
    encoding: str
    zone: int
    """Minutes east of Greenwich."""
    relay: str
    """The host that hands their mail to the owner's."""
    ip: str
    inner_ip: str
    """Where they sit."""
    title: str = ""

    @property
    def host(self) -> str:
        """The host of the address."""
        return self.address.partition("@")[2]

    def rename(self, name: str, given: str) -> "Person":
        """Return the same sender under another's name."""
        return replace(self, name=name, given=given)

    @property
    def mailbox(self) -> tuple[str, str]:
        """Name and address, as To and Cc want them."""
        return self.name, self.address


@dataclass(frozen=True, slots=True)
class Company:
    """A shop, bank, carrier, service or magazine."""

    name: str
    host: str
    desk: Person
    colour: str
    links: str
    """The host its links go through, which may be the mailing provider's."""
    font: str
    images: str
    """The URL below which the pictures of its letters lie."""
    footer: str
    """What stands below each of its letters."""

    def post(self, local: str, display: str = "") -> Person:
        """Return the sender of mail from this desk of the company."""
        return replace(self.desk, name=display or self.name, address=f"{local}@{self.host}")


def invent(dice: Dice) -> str:
    """Return a made-up name, as a company's."""
    middle = "".join([dice.pick(SYLLABLES) for _ in range(dice.between(1, 2))])
    return (dice.pick(SYLLABLES) + middle + dice.pick(ENDINGS)).capitalize()


def invent_host(dice: Dice, name: str = "") -> str:
    """Return a made-up host below a reserved domain."""
    stem = (name or invent(dice)).lower().replace(" ", "-")
    match dice.between(0, 9):
        case 0 | 1 | 2 | 3:
            stem = f"{stem}-{dice.pick(TRADES)}"
        case 4:
            stem = f"{stem}{dice.between(1, 365)}"
    return f"{stem}.{'example' if dice.chance(0.8) else 'test'}"


def invent_ip(dice: Dice) -> str:
    """Return an address of those reserved for documentation."""
    if dice.chance(0.12):
        return f"2001:db8:{dice.hexadecimal(4)}:{dice.hexadecimal(2)}::{dice.hexadecimal(3)}"
    return f"{dice.pick(_NETS)}.{dice.between(1, 254)}"


def full_name(dice: Dice, code: str) -> tuple[str, str, str, str]:
    """Return a name as written, the given name as written, and both names in the letters of an address."""
    given, family = dice.pick(GIVEN[code]), dice.pick(FAMILY[code])
    if code in FAMILY_FIRST:
        name = f"{family[0]}{'' if code in NO_SPACE else ' '}{given[0]}"
    else:
        name = f"{given[0]} {family[0]}"
    return name, given[0], given[1], family[1]


def local_part(dice: Dice, given: str, family: str) -> str:
    """Return what stands before the @."""
    match dice.between(0, 7):
        case 0 | 1 | 2:
            return f"{given}.{family}"
        case 3:
            return f"{given[0]}{family}"
        case 4:
            return f"{given}{dice.between(1, 99)}"
        case 5:
            return f"{given}_{family}{dice.between(1950, 2009)}"
        case 6:
            return f"{family}{given[0]}"
        case _:
            return given + dice.pick(SYLLABLES)


def person(
    dice: Dice, code: str, host: str = "", *, mailers: tuple[Mailer, ...] = PEOPLE, ip: str = "", title: str = ""
) -> Person:
    """Return a person with an address at the host, or at a provider open to everybody."""
    name, given, plain_given, plain_family = full_name(dice, code)
    host = host or dice.favour(FREE_HOSTS)
    tongue = language(code)
    mailer = dice.favour(mailers)
    return Person(
        name,
        given,
        f"{local_part(dice, plain_given, plain_family)}@{host}",
        code,
        mailer,
        signature(mailer, dice),
        dice.pick(tongue.charsets),
        dice.pick(mailer.encodings),
        dice.pick(tongue.zones),
        f"{dice.pick(('mail', 'smtp', 'out', 'mx', 'relay'))}{dice.between(1, 9) if dice.chance(0.5) else ''}.{host}",
        ip or invent_ip(dice),
        invent_ip(dice),
        title,
    )


def company(dice: Dice, code: str, suffixes: tuple[str, ...] = ("",)) -> Company:
    """Return a company; the suffix says its trade."""
    stem = invent(dice)
    name = f"{stem} {dice.pick(suffixes)}".strip()
    host = invent_host(dice, stem)
    desk = replace(person(dice, code, host, mailers=MACHINES), name=name, given=name)
    if dice.chance(0.5):
        provider = f"{dice.pick(('mta', 'send', 'out'))}{dice.between(1, 60)}.{dice.pick(FREE_SENDERS)}"
        desk = replace(desk, relay=provider)
    links = (
        host
        if dice.chance(0.5)
        else f"{dice.pick(('click', 'links', 'email', 'go', 't'))}.{dice.pick((host, *FREE_SENDERS))}"
    )
    footer = f"{name}, {dice.between(1, 199)} {invent(dice)} {dice.pick(_STREETS)}, {invent(dice)}"
    if dice.chance(0.6):
        footer += f" | No. {dice.digits(7)}"
    images = f"https://{dice.pick(('img', 'static', 'media', 'cdn'))}.{host}/{dice.token(5)}"
    return Company(name, host, desk, dice.pick(COLOURS), links, dice.pick(_FONTS), images, footer)
