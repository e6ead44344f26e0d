"""Token streams -> slots, a byte at a time: what learn.hashing does with arrays, for a compiler (kernel.pxd, Cython).

Compiled, it takes a third of the arrays' time; interpreted it gives the same slots, slowly, and is only tested:
evidence/kernel.md. Plain Python: numbers are cut to 64 bits where C does so by itself. Each pass takes a whole stream,
since handing arrays on word by word would cost more than the words.
"""

from collections.abc import Sequence
from typing import Protocol

BLANK = 32
LINE_FEED = 10
MAX_WORD = 24
JOINED_RUN = 4
ALL_BITS = (1 << 64) - 1
KINDS = 6
"""Kinds of features: word, pair, order, shape, plain, joined. A word has at most one of each."""
PIECE = 8
"""Bytes of a word that make a number."""
ZERO, NINE, LETTER = 0x30, 0x39, 0x40
PIECES = 3
GONE = -1
SHAPE, PLAIN = 0, 256
"""Where the tables begin."""
KEY_FINISH, KEY_LONG, KEY_FIELD, KEY_PAIR, KEY_ORDER, KEY_SHAPE, KEY_SLOT = 3, 4, 5, 6, 7, 8, 9
"""Places among the keys; 0 to 2 are those of a word's pieces."""
NAMES, CONTENT_NAMES, PEOPLE_NAMES = 10, 6, 4
"""Where, among the keys, the own hashes of the fields of learn.views begin, and how many each view has."""
CONTENT, PEOPLE, REST = 0, 1, 2
MARK = 3
"""The bits of a feature's hash that name its view."""


class Numbers(Protocol):
    """An array, or a memoryview of one."""

    def __getitem__(self, at: int, /) -> int:
        """Read a number."""

    def __setitem__(self, at: int, number: int, /) -> None:
        """Write a number."""


def hash_streams(
    streams: Sequence[bytes],
    keys: Numbers,
    tables: bytes,
    bits: int,
    seen: Numbers,
    places: Numbers,
    hashes: Numbers,
    slots: Numbers,
    offsets: Numbers,
) -> None:
    """Write each stream's distinct slots one after the other, and where each stream's end.

    A stream of n bytes has at most n // 2 + 1 words. `places` and `hashes` are scratch, three places for each word of
    the longest stream and one; `slots` has KINDS for each word of all; `seen` one for every slot there can be.
    """
    done = 0
    for i in range(len(streams)):
        done = hash_stream(streams[i], keys, tables, bits, seen, places, hashes, slots, done)
        offsets[i + 1] = done


def hash_stream(
    text: bytes,
    keys: Numbers,
    tables: bytes,
    bits: int,
    seen: Numbers,
    places: Numbers,
    hashes: Numbers,
    slots: Numbers,
    done: int,
) -> int:
    """Do one stream; return where its slots end."""
    room = len(text) // 2 + 1
    words = find_words(text, keys, places, room, hashes)
    put_under_fields(text, keys, places, words, hashes, room)
    end = add_slots(hashes, 0, words, keys, bits, slots, done)
    pair(text, keys, places, words, hashes, room)
    end = add_slots(hashes, 2 * room, words, keys, bits, slots, end)
    count = in_order(text, keys, places, words, hashes, room)
    end = add_slots(hashes, 2 * room, count, keys, bits, slots, end)
    count = hash_again(text, keys, tables, SHAPE, places, room, hashes)
    mix(keys, places, room, hashes, keys[KEY_SHAPE])
    end = add_slots(hashes, 2 * room, count, keys, bits, slots, end)
    keep_lettered(text, places, room)
    count = hash_again(text, keys, tables, PLAIN, places, room, hashes)
    mix(keys, places, room, hashes, 1)
    end = add_slots(hashes, 2 * room, count, keys, bits, slots, end)
    count = joined_runs(text, keys, places, room, words, hashes)
    mix(keys, places, room, hashes, 1)
    end = add_slots(hashes, 2 * room, count, keys, bits, slots, end)
    return keep_last(seen, bits, slots, done, end)


def finish(number: int, key: int) -> int:
    """Mix a sum's high bits into its low ones."""
    return ((number ^ (number >> 32)) * key) & ALL_BITS


def find_words(text: bytes, keys: Numbers, places: Numbers, room: int, hashes: Numbers) -> int:
    """Write where words begin, from `room` on their lengths, and their own hashes; count them.

    From twice `room` on stand the words, not too long and no field's name, that hold a digit, behind their number.
    """
    words = chosen = at = 0
    size = len(text)
    while at < size:
        if text[at] <= BLANK:
            at += 1
            continue
        start = at
        total = piece = shift = key = digits = 0
        while at < size and text[at] > BLANK:
            byte = text[at]
            digits += ZERO <= byte <= NINE
            piece |= byte << shift
            shift += PIECE
            at += 1
            if shift == PIECE * PIECE:
                if key < PIECES:
                    total += piece * keys[key]
                key += 1
                piece = shift = 0
        if shift and key < PIECES:
            total += piece * keys[key]
        if at - start > MAX_WORD:
            total = size_class(at - start) * keys[KEY_LONG]
        elif digits and words and text[start - 1] != LINE_FEED:
            chosen += 1
            places[2 * room + chosen] = words
        places[words] = start
        places[room + words] = at - start
        hashes[words] = finish(total & ALL_BITS, keys[KEY_FINISH])
        words += 1
    places[2 * room] = chosen
    return words


def size_class(length: int) -> int:
    """Return the power of two that a length reaches."""
    power = 0
    while length >> (power + 1):
        power += 1
    return power


def hash_again(
    text: bytes, keys: Numbers, tables: bytes, table: int, places: Numbers, room: int, hashes: Numbers
) -> int:
    """Write the own hashes of the chosen words, each byte replaced from a table; count them."""
    chosen = places[2 * room]
    for i in range(chosen):
        word = places[2 * room + 1 + i]
        total = piece = shift = key = 0
        for at in range(places[word], places[word] + places[room + word]):
            byte = tables[table + text[at]]
            piece |= byte << shift
            shift += PIECE
            if shift == PIECE * PIECE:
                total += piece * keys[key]
                key += 1
                piece = shift = 0
        if shift:
            total += piece * keys[key]
        hashes[2 * room + i] = finish(total & ALL_BITS, keys[KEY_FINISH])
    return chosen


def put_under_fields(text: bytes, keys: Numbers, places: Numbers, words: int, hashes: Numbers, room: int) -> None:
    """Mix each word's own hash with its field's, which is kept from `room` on; both bear the view's mark."""
    under = 0
    for i in range(words):
        if i == 0 or text[places[i] - 1] == LINE_FEED:
            under = marked((hashes[i] * keys[KEY_FIELD]) & ALL_BITS, view_of(hashes[i], keys))
        hashes[i] = marked(finish(hashes[i] ^ under, keys[KEY_FINISH]), under)
        hashes[room + i] = under


def marked(number: int, view: int) -> int:
    """Take the lowest bits from a view, or from what bears its mark."""
    return number ^ ((number ^ view) & MARK)


def view_of(name: int, keys: Numbers) -> int:
    """Return a field's view, by its name's own hash."""
    for i in range(CONTENT_NAMES + PEOPLE_NAMES):
        if keys[NAMES + i] == name:
            return CONTENT if i < CONTENT_NAMES else PEOPLE
    return REST


def pair(text: bytes, keys: Numbers, places: Numbers, words: int, hashes: Numbers, room: int) -> None:
    """Write each word with its right neighbour; a field's last word stands for itself once more."""
    for i in range(words):
        if i + 1 == words or text[places[i + 1] - 1] == LINE_FEED:
            hashes[2 * room + i] = hashes[i]
        else:
            both = ((hashes[i] * keys[KEY_PAIR]) & ALL_BITS) ^ hashes[i + 1]
            hashes[2 * room + i] = marked(both, hashes[i])


def in_order(text: bytes, keys: Numbers, places: Numbers, words: int, hashes: Numbers, room: int) -> int:
    """Write each field with the one after it, the last for itself; count them."""
    fields = 0
    for i in range(words):
        if i == 0 or text[places[i] - 1] == LINE_FEED:
            if fields:
                before = hashes[2 * room + fields - 1]
                both = ((before * keys[KEY_ORDER]) & ALL_BITS) ^ hashes[i]
                hashes[2 * room + fields - 1] = marked(both, before)
            hashes[2 * room + fields] = hashes[i]
            fields += 1
    return fields


def keep_lettered(text: bytes, places: Numbers, room: int) -> None:
    """Of the chosen words, keep those with a letter among the first eight bytes."""
    kept = 0
    for i in range(places[2 * room]):
        word = places[2 * room + 1 + i]
        start = places[word]
        for at in range(start, start + min(places[room + word], PIECE)):
            if text[at] & LETTER:
                kept += 1
                places[2 * room + kept] = word
                break
    places[2 * room] = kept


def joined_runs(text: bytes, keys: Numbers, places: Numbers, room: int, words: int, hashes: Numbers) -> int:
    """Write the own hashes of runs of one-letter words, each read as one word; choose their first words."""
    runs = first = 0
    for i in range(words + 1):
        if i < words and places[room + i] == 1 and i > 0 and text[places[i] - 1] != LINE_FEED:
            continue
        # Words from `first` on are of one letter; this one is not.
        if i - first >= JOINED_RUN:
            total = piece = shift = key = 0
            for word in range(first, min(i, first + MAX_WORD)):
                byte = text[places[word]]
                piece |= byte << shift
                shift += PIECE
                if shift == PIECE * PIECE:
                    total += piece * keys[key]
                    key += 1
                    piece = shift = 0
            if shift:
                total += piece * keys[key]
            hashes[2 * room + runs] = finish(total & ALL_BITS, keys[KEY_FINISH])
            runs += 1
            places[2 * room + runs] = first
        first = i + 1
    places[2 * room] = runs
    return runs


def mix(keys: Numbers, places: Numbers, room: int, hashes: Numbers, key: int) -> None:
    """Mix own hashes of chosen words with their fields'."""
    for i in range(places[2 * room]):
        under = hashes[room + places[2 * room + 1 + i]]
        mixed = marked(finish(hashes[2 * room + i] ^ under, keys[KEY_FINISH]), under)
        hashes[2 * room + i] = marked((mixed * key) & ALL_BITS, under)


def add_slots(hashes: Numbers, first: int, count: int, keys: Numbers, bits: int, slots: Numbers, end: int) -> int:
    """Turn hashes to slots; return where they end. Content has the first half of them, people the next quarter."""
    for i in range(count):
        mixed = finish(hashes[first + i], keys[KEY_SLOT])
        view = hashes[first + i] & MARK
        if view == CONTENT:
            slots[end + i] = mixed >> (65 - bits)
        else:
            slots[end + i] = (mixed >> (66 - bits)) + ((view + 1) << (bits - 2))
    return end + count


def keep_last(seen: Numbers, bits: int, slots: Numbers, done: int, end: int) -> int:
    """Keep the last of each slot; return where they end.

    Only as much of `seen` is used as stays in the first-level cache: a hash table, open addressing, of places plus one.
    """
    mask = 1
    while mask < 2 * (end - done) and mask < (1 << bits) - 1:
        mask = 2 * mask + 1
    for i in range(mask + 1):
        seen[i] = 0
    for i in range(end - 1, done - 1, -1):
        at = slots[i] & mask
        while seen[at] and slots[done + seen[at] - 1] != slots[i]:
            at = (at + 1) & mask
        if seen[at]:
            slots[i] = GONE
        else:
            seen[at] = i - done + 1
    kept = done
    for i in range(done, end):
        if slots[i] != GONE:
            slots[kept] = slots[i]
            kept += 1
    return kept
