"""Addresses of pages, on the hosts of senders honest and dishonest."""

from thresher.demo.dice import Dice
from thresher.demo.people import invent, invent_host
from thresher.demo.phrases import words

_PAGES = words(
    "news,shop,item,p,story,offers,help,guide,photos,album,watch,docs,wiki,join,event,map,recipe,list,article,info"
)
_DESKS = ("account", "login", "verify", "secure", "signin", "confirm", "my", "auth", "portal", "settings")
_TRACKS = ("track", "parcel", "delivery", "shipment", "orders", "status", "t")
_HANDLERS = ("c", "click", "ls/click", "e", "go", "r", "track/click", "lnk")


def article(dice: Dice, host: str) -> str:
    """Return the address of a page to read."""
    www = "www." if dice.chance(0.4) else ""
    match dice.between(0, 3):
        case 0:
            path = f"{dice.pick(_PAGES)}/{invent(dice).lower()}-{invent(dice).lower()}"
        case 1:
            path = f"20{dice.between(15, 26)}/{dice.between(1, 12):02}/{invent(dice).lower()}.html"
        case 2:
            path = f"{dice.pick(_PAGES)}/{dice.token(8)}"
        case _:
            path = f"{dice.pick(_PAGES)}?id={dice.between(100, 99999)}"
    return f"https://{www}{host}/{path}"


def campaign(dice: Dice, host: str) -> str:
    """Return a link that counts who clicks."""
    noise = dice.base64(dice.between(16, 60)).replace("+", "-").replace("/", "_")
    return f"http{'s' if dice.chance(0.8) else ''}://{host}/{dice.pick(_HANDLERS)}/{noise}"


def account(dice: Dice, host: str) -> str:
    """Return a link to a place that asks who you are."""
    tail = (
        ""
        if dice.chance(0.3)
        else f"?{dice.pick(('token', 'id', 'ref', 'session', 'u'))}={dice.token(dice.between(8, 24))}"
    )
    return f"https://{host}/{dice.pick(_DESKS)}{tail}"


def parcel(dice: Dice, host: str) -> str:
    """Return a link that follows a parcel."""
    return f"https://{host}/{dice.pick(_TRACKS)}/{dice.token(10).upper()}"


def short(dice: Dice) -> str:
    """Return a shortened link, which says nothing of where it leads."""
    return f"https://{dice.pick(('tiny', 'lnk', 'sho', 'url'))}.example/{dice.token(6)}"


def anywhere(dice: Dice) -> str:
    """Return a page somewhere, of the sort people send one another."""
    return short(dice) if dice.chance(0.1) else article(dice, invent_host(dice))


def lookalike(dice: Dice, host: str) -> str:
    """Return a host that looks like another at a glance."""
    stem = host.rpartition(".")[0]
    match dice.between(0, 5):
        case 0:
            return f"{stem}-{dice.pick(('secure', 'login', 'support', 'online', 'update'))}.example"
        case 1:
            return f"{host}.{invent_host(dice)}"
        case 2:
            return f"{stem.replace('l', '1').replace('o', '0').replace('i', 'l')}.example"
        case 3:
            return f"{stem}.{invent_host(dice)}"
        case 4:
            return f"{dice.pick(('secure', 'my', 'id', 'info'))}-{stem}{dice.between(1, 99)}.test"
        case _:
            return invent_host(dice)
