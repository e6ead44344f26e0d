"""URLs -> host, registered domain and path words; and the hosts a text shows."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_to_bytes

from thresher.mail.words import NAMES, WORDS

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

MAX_URLS: Final = 40
MAX_URL: Final = 300
_URL: Final = re.compile(rb"(?:https?|ftp)://[^\s<>\"'\x00-\x20]+", re.IGNORECASE)
_SHOWN_HOST: Final = re.compile(rb"(?:https?://)?((?:[a-z0-9-]{1,63}\.)+[a-z]{2,18})(?:[/:?\s]|$)")
_ADDRESS: Final = re.compile(rb"\d{1,3}(?:\.\d{1,3}){3}|0x[0-9a-f]+|\d{8,10}")
_PATH_PUNCTUATION: Final = re.compile(rb"[^a-z0-9]+")


def find_urls(text: bytes) -> list[bytes]:
    """Return the URLs a text spells out, at most MAX_URLS."""
    if b"://" not in text:
        return []
    found: list[bytes] = []
    for match in _URL.finditer(text):
        found.append(match[0][:MAX_URL])
        if len(found) == MAX_URLS:
            break
    return found


@lru_cache(maxsize=1)
def _suffixes() -> "PublicSuffixList":
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 - reads its list; only mail with links needs it

    return PublicSuffixList()


@lru_cache(maxsize=8192)
def registered_domain(host: bytes) -> bytes:
    """Return the domain somebody registered: example.co.uk for mail.example.co.uk; the host itself for an address."""
    if _ADDRESS.fullmatch(host) or b"." not in host:
        return host
    found = _suffixes().privatesuffix(host.decode("utf-8", "replace"))
    return found.encode("utf-8", "replace") if found else host


def host_of(url: bytes) -> bytes:
    """Return the host, lower case, without user, port and trailing dots."""
    rest = url.partition(b"://")[2] or url
    authority = re.split(rb"[/?#\\]", rest, maxsplit=1)[0]
    return authority.rpartition(b"@")[2].partition(b":")[0].strip(b". ").lower()[:253]


def url_words(url: bytes) -> bytes:
    """Return the tokens of one URL: host, registered domain, oddities, path words."""
    host = host_of(url)
    tokens = [b"host:" + host.translate(NAMES).replace(b" ", b"")]
    if _ADDRESS.fullmatch(host):
        tokens.append(b"numeric-host")
    else:
        domain = registered_domain(host)
        if domain != host:
            tokens.append(b"domain:" + domain.translate(NAMES).replace(b" ", b""))
        tokens.append(b"tld:" + host.rpartition(b".")[2].translate(NAMES).replace(b" ", b""))
    rest = url.partition(b"://")[2]
    authority = re.split(rb"[/?#\\]", rest, maxsplit=1)[0]
    if b"@" in authority:
        tokens.append(b"user-in-host")
    path = rest[len(authority) :]
    if b"%" in path:
        path = unquote_to_bytes(path)
    tokens.append(_PATH_PUNCTUATION.sub(b" ", path.translate(WORDS)))
    return b" ".join(tokens)


def shown_host(text: bytes) -> bytes:
    """Return the host that a link's text shows to the reader, or nothing."""
    match = _SHOWN_HOST.match(text.strip().lower()[:MAX_URL])
    return match[1] if match else b""
