"""Message -> token stream: what the filter learns from, readable to a person.

A token stream is bytes: lines of ``field TAB word word ... LF``. A field says where its words stood: a header's name,
``body``, ``url``, ``html``, ``hidden``, ``attachment``, ``message``. Words hold no byte below '!'; blanks between them
may repeat. The stream is what the journal keeps, so VERSION grows whenever the same mail would give another stream.
"""

from array import array
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from thresher.mail import kernel
from thresher.mail.fields import header_fields
from thresher.mail.html import read_html
from thresher.mail.urls import MAX_URLS, find_urls, url_words, whole
from thresher.mail.words import NAMES, words
from thresher.values import Message, Part

VERSION: Final = 2
MAX_TEXT: Final = 8 << 10
"""Bytes of one part's text whose words are taken: 12 KB are no better (evidence/text-bounds.md)."""
MAX_STREAM_TEXT: Final = 64 << 10
MAX_MARKED: Final = 4 << 10
"""Bytes of text whose punctuation is counted."""
ELLIPSIS: Final = b"..."
TEXT_MARKS: Final = (b"!", b"?", b"$", b"%", b"*", ELLIPSIS, b"=", b">")
SUBJECT_MARKS: Final = (b"!", b"?", b"$", b"%")
_MARKS_TEMPLATE: Final = b" ".join(
    [mark.replace(b"%", b"%%") + b":%d" for mark in (*TEXT_MARKS, *(b"subject" + mark for mark in SUBJECT_MARKS))]
)

# What the kernel counts is numbered as the marks are, from 1 on; 0 is everything else.
_MARK_NUMBERS: Final = bytes(1 + TEXT_MARKS.index(bytes([i])) if bytes([i]) in TEXT_MARKS else 0 for i in range(256))
_NO_COUNTS: Final = bytes(8 * (1 + len(TEXT_MARKS)))


def tokenize(message: Message) -> bytes:
    """Return the message's token stream."""
    hints: set[bytes] = set()
    lines = header_fields(message.headers, hints)
    urls: list[bytes] = []
    texts: list[bytes] = []
    budget = MAX_STREAM_TEXT
    for part in message.parts:
        text = _add_part(part, lines, urls, hints, min(budget, MAX_TEXT))
        budget -= len(text)
        texts.append(text[:MAX_MARKED])
    lines += [b"url\t" + url_words(url) for url in list(dict.fromkeys(urls))[:MAX_URLS]]
    lines.append(
        b"message\t"
        + b" ".join([_punctuation(message, b"".join(texts)[:MAX_MARKED]), *_shape(message), *sorted(hints)])
    )
    lines.append(b"")
    return b"\n".join(lines)


def _add_part(part: Part, lines: list[bytes], urls: list[bytes], hints: set[bytes], most: int) -> bytes:
    if part.filename or part.attached or not part.content_type.startswith("text/"):
        lines.append(b"attachment\t" + _attachment(part, hints))
    if not part.text:
        return b""
    text = part.text
    if part.content_type == "text/html":
        page = read_html(text)
        text = page.text
        urls += page.urls
        lines.append(b"html\t" + b" ".join(page.signs).translate(NAMES))
        if page.hidden:
            lines.append(b"hidden\t" + words(page.hidden[:2048], hints))
    text = text[:most]
    urls += find_urls(text)
    lines.append(b"body\t" + words(text, hints))
    return text


def _attachment(part: Part, hints: set[bytes]) -> bytes:
    name = part.filename.encode("utf-8", "replace")
    tokens = [b"type:" + whole(part.content_type.encode())]
    tokens.append(b"size:%d" % (part.size.bit_length() // 2))
    if name:
        stem, dot, ending = name.rpartition(b".")
        if dot:
            tokens.append(b"ending:" + whole(ending[:12]))
            if b"." in stem[-5:]:
                tokens.append(b"double-ending")
        tokens.append(words(stem or ending, hints))
    return b" ".join(tokens)


def _punctuation(message: Message, text: bytes) -> bytes:
    """Count marks that shout, quote or decorate, by powers of two: 1-AUC -5, -8, -28 % on three corpora.

    See evidence/features.md.
    """
    subject = kernel.field_value(message.headers, b"subject")
    counts = (*_marks_of(text), *map(subject.count, SUBJECT_MARKS))
    return _MARKS_TEMPLATE % tuple(map(int.bit_length, counts))


def _marks_of(text: bytes) -> Iterable[int]:
    if not kernel.COMPILED:
        return map(text.count, TEXT_MARKS)
    counts = array("q", _NO_COUNTS)
    kernel.count_marks(text, _MARK_NUMBERS, 1 + TEXT_MARKS.index(ELLIPSIS), counts)
    return counts[1:]


def _shape(message: Message) -> list[bytes]:
    tokens = [b"defect:" + defect.encode() for defect in message.defects if defect != "mbox-from-line"]
    kinds = {part.content_type for part in message.parts}
    tokens += map(_has, sorted(kinds))
    tokens.append(b"parts:%d" % len(message.parts).bit_length())
    if kinds and not any(part.text.strip() for part in message.parts):
        tokens.append(b"no-text")
    return tokens


@lru_cache(maxsize=1024)
def _has(kind: str) -> bytes:
    return b"has:" + whole(kind.encode())
