"""The reader's innermost loops, for a compiler (kernel.pxd, Cython): what mail/ does with the primitives of bytes.

Compiled, each takes half of the time, or less, of the calls it stands for. Interpreted, those that go byte by byte are
slow and only tested: evidence/mail-kernel.md. Total as all of mail/ is: any bytes go in, and bounds are checked.
"""

from collections.abc import Callable, Iterable
from typing import Protocol

COMPILED = not __file__.endswith(".py")
"""Whether this is. Without a compiler, calls of bytes and patterns are faster than loops in Python."""
LINE_FEED, TAB, BLANK, COLON = 10, 9, 32, 58
FIRST_VISIBLE, LAST_VISIBLE = 33, 126
OPENING, CLOSING = 60, 62
LETTER_A, LETTER_Z, BANG, SLASH, QUESTION = 97, 122, 33, 47, 63
VERTICAL_TAB_TO_RETURN = 13
MANY = 4096
"""Names that are remembered, so that few are ever made or hashed again."""
MAX_NAME = 76
"""Bytes of a header's name; a longer one is none."""
DOTS = 3
DOT, NINE = 46, 57
UNREAD, PLAIN, RECEIVED, RECURRING, OTHER = range(5)
"""How a header is read: not at all, as words, as words but for an id, by a rule that costs and recurs, by a rule."""

Rule = Callable[[bytes, set[bytes]], bytes]
Reading = tuple[int, Rule, bool]
"""Kind, the rule for what is not read here, and whether the value is an address to be compared."""


class Counts(Protocol):
    """An array, or a memoryview of one."""

    def __getitem__(self, at: int, /) -> int:
        """Read a number."""

    def __setitem__(self, at: int, number: int, /) -> None:
        """Write a number."""


def split_fields(source: bytes, most: int, names: dict[bytes, bytes]) -> list[tuple[bytes, bytes]] | None:
    """Return the fields of a header block, unfolded; None unless every line is a field or belongs to one."""
    head = source
    fields: list[tuple[bytes, bytes]] = []
    size = len(source)
    at = 0
    while at <= size:
        start = at
        while at < size and FIRST_VISIBLE <= head[at] <= LAST_VISIBLE and head[at] != COLON:
            at += 1
        stop = at
        while at < size and head[at] in (BLANK, TAB):
            at += 1
        if at >= size or head[at] != COLON or not 0 < stop - start <= MAX_NAME or len(fields) == most:
            return None
        at += 1
        begin = at
        folded = False
        while at < size:
            if head[at] == LINE_FEED:
                if at + 1 == size or head[at + 1] not in (BLANK, TAB):
                    break
                folded = True
            at += 1
        value = piece(source, begin, at)
        if folded:
            value = value.replace(b"\n ", b" ").replace(b"\n\t", b" ")
        fields.append((name_of(piece(source, start, stop), names), value))
        at += 1
    return fields


def name_of(written: bytes, names: dict[bytes, bytes]) -> bytes:
    """Return a header's name in lower case, one object for all of that name."""
    name = names.get(written)
    if name is None:
        name = written.lower()
        if len(names) < MANY:
            names[written] = name
    return name


def header_lines(
    headers: Iterable[tuple[bytes, bytes]],
    reading_of: Callable[[bytes], Reading],
    cached_line: Callable[[bytes, bytes], tuple[bytes, frozenset[bytes]]],
    table: bytes,
    bounds: tuple[int, int, int, int],
    hints: set[bytes],
    addresses: dict[bytes, bytes],
) -> list[bytes]:
    """Return a line for each header that is read, in the order of the message. Bounds are those of mail.fields."""
    unread, received, recurring = UNREAD, RECEIVED, RECURRING
    most_lines, most_value, most_cached, left = bounds
    lines: list[bytes] = []
    for name, whole in headers:
        kind, rule, addressed = reading_of(name)
        left -= kind == received
        if kind == unread or (kind == received and left < 0):
            continue
        value = whole[:most_value] if len(whole) > most_value else whole
        if addressed:
            addresses[name] = value
        if kind == recurring and len(whole) < most_cached:
            line, met = cached_line(name, whole)
            if met:
                hints |= met
        elif kind < recurring and is_plain(value):
            line = name + b"\t" + (without_id(value) if kind == received else value).translate(table)
        else:
            line = name + b"\t" + rule(value, hints)
        lines.append(line)
        if len(lines) == most_lines:
            break
    return lines


def is_plain(value: bytes) -> bool:
    """Tell whether a value is ASCII without encoded words. One byte is looked for ten times as fast as two."""
    return value.isascii() and (b"?" not in value or b"=?" not in value)


def without_id(value: bytes) -> bytes:
    """Return what a Received header says but for its id and its date, which never come again."""
    value = value.partition(b";")[0]
    before, found, after = value.partition(b" id ")
    return before + b" " + after.partition(b" ")[2] if found else value


def shape_of(identifier: bytes, table: bytes, most: int) -> bytes:
    """Return the classes of an identifier's bytes, runs of letters and of digits as one."""
    shape = bytearray(most)
    end = last = 0
    for i in range(len(identifier)):
        byte = table[identifier[i]]
        if byte == last and byte in (LETTER_A, NINE):
            continue
        if end == most:
            break
        shape[end] = last = byte
        end += 1
    return bytes(shape[:end])


def field_value(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> bytes:
    """Return the value of the first header of this name, or nothing."""
    for name, value in headers:
        if name == wanted:
            return value
    return b""


def count_marks(text: bytes, numbers: bytes, ellipsis: int, counts: Counts) -> None:
    """Add up how often each byte occurs, under its number, and runs of three dots under the ellipsis's."""
    dots = 0
    for i in range(len(text)):
        byte = text[i]
        counts[numbers[byte]] += 1
        dots = dots + 1 if byte == DOT else 0
        if dots == DOTS:
            counts[ellipsis] += 1
            dots = 0


def without_tags(source: bytes, glue: frozenset[bytes], names: set[bytes]) -> bytes:
    """Return lower-case HTML without its tags, a blank for each that is not in glue. Adds the tags' names to names."""
    page = source
    size = len(source)
    shown = bytearray(size)
    out = shown
    end = at = 0
    while at < size:
        byte = page[at]
        if byte != OPENING or at + 1 == size or not begins_tag(page[at + 1]):
            out[end] = byte
            end += 1
            at += 1
            continue
        at += 1
        start = at
        while at < size and page[at] != OPENING and page[at] != CLOSING and not is_space(page[at]):
            at += 1
        name = piece(source, start, at)
        while at < size and page[at] != OPENING and page[at] != CLOSING:
            at += 1
        if at < size and page[at] == CLOSING:
            at += 1
        names.add(name)
        if name not in glue:
            out[end] = BLANK
            end += 1
    return piece(bytes(shown), 0, end)


def find_places(source: bytes, words: tuple[bytes, ...], pairs: bytes, most: int) -> list[list[int]]:
    """Return where each of some words stands, its first so many places.

    `pairs` has, at 256 times a word's first byte plus its second, the word's number from 1 on; no two share a pair.
    """
    page = source
    table = pairs
    found: list[list[int]] = [[] for _ in words]
    for at in range(len(source) - 1):
        number = table[256 * page[at] + page[at + 1]]
        if number and len(found[number - 1]) < most and source.startswith(words[number - 1], at):
            found[number - 1].append(at)
    return found


def begins_tag(byte: int) -> bool:
    """Tell whether what follows an opening bracket makes it a tag's."""
    return LETTER_A <= byte <= LETTER_Z or byte in (BANG, SLASH, QUESTION)


def is_space(byte: int) -> bool:
    """Tell whether a byte is white space to a pattern."""
    return byte == BLANK or TAB <= byte <= VERTICAL_TAB_TO_RETURN


def piece(source: bytes, begin: int, end: int) -> bytes:
    """Return source[begin:end] without the numbers and the slice that Python would make for it."""
    if not 0 <= begin <= end <= len(source):
        raise IndexError(begin, end)
    start = source
    return start[begin:end]
