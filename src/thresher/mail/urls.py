"""URLs -> host, registered domain and path words."""

import re
from functools import lru_cache
from pkgutil import get_data
from typing import Final

from thresher.mail.transfer import unquoted
from thresher.mail.words import NAMES, WORDS

MAX_URLS: Final = 25
MAX_URL: Final = 300
MAX_HOST: Final = 253
MAX_LABELS: Final = 8
"""More than the longest rule has."""
_REST: Final = re.compile(rb"[^\s<>\"'\x00-\x20]+")
_SCHEMES: Final = (b"http", b"https", b"ftp")
_AUTHORITY_END: Final = re.compile(rb"[/?#\\]")
_ADDRESS: Final = re.compile(rb"\d{1,3}(?:\.\d{1,3}){3}|0x[0-9a-f]+|\d{8,10}")


def find_urls(text: bytes) -> list[bytes]:
    """Return the first URLs that a text spells out, from the host on."""
    found: list[bytes] = []
    at = text.find(b"://")
    while at >= 0 and len(found) < MAX_URLS:
        if text[max(0, at - 5) : at].lower().endswith(_SCHEMES):
            rest = _REST.match(text, at + 3, at + 3 + MAX_URL)
            if rest:
                found.append(rest[0])
        at = text.find(b"://", at + 3)
    return found


@lru_cache(maxsize=1)
def _suffix_rules() -> frozenset[bytes]:
    """Return the lines of the Public Suffix List as publicsuffixlist ships it.

    Its own parser takes 50 ms, half of NumPy's import, on every check of a message with an address in it; the comments
    among the lines do no harm, for no host is like them.
    """
    import publicsuffixlist

    return frozenset((get_data(publicsuffixlist.__name__, "public_suffix_list.dat") or b"").split(b"\n"))


@lru_cache(maxsize=8192)
def registered_domain(host: bytes) -> bytes:
    """Return the domain somebody registered: example.co.uk for mail.example.co.uk; the host itself for an address.

    The public suffix is the longest that a rule names, and what is registered has one label more. A rule is a suffix;
    `*.x`, any label before x; or `!y.x`, an exception to that. A suffix that no rule names is the last label.
    """
    if b"." not in host or _ADDRESS.fullmatch(host):
        return host
    rules = _suffix_rules()
    labels = host.split(b".")[-MAX_LABELS:]
    for i in range(len(labels) - 1):
        suffix = b".".join(labels[i:])
        if b"!" + suffix in rules:
            return suffix
        if suffix in rules or b"*." + suffix.partition(b".")[2] in rules:
            return b".".join(labels[max(i - 1, 0) :])
    return b".".join(labels[-2:])


def split_url(rest: bytes) -> tuple[bytes, bytes]:
    """Split a URL without its scheme into authority and path."""
    end = _AUTHORITY_END.search(rest)
    return (rest[: end.start()], rest[end.start() :]) if end else (rest, b"")


def host_of(authority: bytes) -> bytes:
    """Return the host, lower case, without user, port and dots around it."""
    return authority.rpartition(b"@")[2].partition(b":")[0].strip(b". ").lower()[:MAX_HOST]


@lru_cache(maxsize=4096)
def host_words(authority: bytes) -> bytes:
    """Return the tokens of a URL's authority: host, registered domain, top-level domain, oddities."""
    host = host_of(authority)
    tokens = [b"host:" + whole(host)]
    if _ADDRESS.fullmatch(host):
        tokens.append(b"numeric-host")
    else:
        domain = registered_domain(host)
        if domain != host:
            tokens.append(b"domain:" + whole(domain))
        tokens.append(b"tld:" + whole(host.rpartition(b".")[2]))
    if b"@" in authority:
        tokens.append(b"user-in-host")
    return b" ".join(tokens)


def whole(name: bytes) -> bytes:
    """Return a name as one word; a character that some bound cut in two is left out."""
    word = name.translate(NAMES).replace(b" ", b"")
    return word if word.isascii() else word.decode("utf-8", "ignore").encode()


def url_words(rest: bytes) -> bytes:
    """Return the tokens of a URL without its scheme."""
    authority, path = split_url(rest)
    if b"%" in path:
        path = unquoted(path)
    words = path.translate(WORDS)
    if not words.isascii():
        words = words.decode("utf-8", "ignore").encode()
    return host_words(authority) + b" " + words
