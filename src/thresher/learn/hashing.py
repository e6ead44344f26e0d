"""Token streams -> feature ids, for a whole batch at once and without a Python object per token.

A token stream (see mail.stream) is lines of ``field TAB word word ... LF``. Its features are
    word    the word, under its field:                         body: meeting
    pair    two neighbouring words of one field:               body: meeting tomorrow
    field   the field itself, so that its presence counts:     reply-to
    order   two neighbouring fields, so that order counts:     from, then to
    shape   a word with digits, by its shape:                  body: $19 -> $00, x4k9 -> x0k0
    plain   a word of letters and digits, read as letters:     body: v1agra -> viagra
    joined  a run of one-letter words, read as one:            body: f r e e -> free
The last two are the very features of the words 'viagra' and 'free', so what was learned of these counts. A plain word
has a letter among its first eight bytes, a joined one takes the first 24 letters of its run.
Each feature is a 64-bit hash, its two lowest bits its view (learn.views), which names one of 2**bits slots. A message's
slots are distinct: presence is counted, not frequency (evidence/features.md).

The hash of a word reads it as little-endian 8-byte numbers: finish(sum_i word_i KEY_i mod 2**64), which is gathers and
multiplications on arrays. tests/learn/test_hashing.py holds a slow, obvious version; both must agree.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.learn import kernel, views

U64 = views.U64
Ids = views.Ids

DEFAULT_BITS: Final = 20
MIN_BITS: Final = 8
MAX_BITS: Final = 26
"""26 bits are 1 GB of counts and weights, more than any mailbox fills."""
BATCH: Final = 32
"""Streams hashed at once: their arrays stay in the second-level cache (evidence/tokenizer-speed.md)."""
MAX_WORD: Final = 24
"""Bytes of a word that count. A longer word is known by its length alone: it is an identifier or noise."""

_BLANK: Final = 32
_LINE_FEED: Final = 10

# Odd 64-bit constants with well-mixed bits: fractional parts of the square roots of small primes, last bit set.
# Any odd constants would do.
KEYS: Final = (0x6A09E667F3BCC909, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B)
KEY_LONG: Final = 0xA54FF53A5F1D36F1
KEY_FINISH: Final = 0x510E527FADE682D1
KEY_FIELD: Final = 0x9B05688C2B3E6C1F
KEY_PAIR: Final = 0x1F83D9ABFB41BD6B
KEY_ORDER: Final = 0x5BE0CD19137E2179
KEY_SHAPE: Final = 0xCBBB9D5DC1059ED9
KEY_SLOT: Final = 0x629A292A367CD507
SHIFT: Final = np.uint64(32)
JOINED_RUN: Final = 4
"""One-letter words in a row that make one word; three occur in ordinary text ('plan b or c')."""

_LOW: Final = np.array([(1 << 8 * i) - 1 for i in range(9)], np.uint64)
_MASKS: Final = tuple(_LOW.take(np.clip(np.arange(MAX_WORD + 2) - 8 * i, 0, 8)) for i in range(3))


def _every_byte(byte: int) -> np.uint64:
    return np.uint64(byte * 0x0101010101010101)


_HIGH_BITS: Final = _every_byte(0x80)
_LOW_BITS: Final = _every_byte(0x7F)
_ZEROS: Final = _every_byte(0x30)
_ABOVE_NINE: Final = _every_byte(0x76)
_LETTER_BITS: Final = _every_byte(0x40)


def _byte_table(changes: dict[str, str]) -> npt.NDArray[np.uint8]:
    table = np.arange(256, dtype=np.uint8)
    for old, new in changes.items():
        table[ord(old)] = ord(new)
    return table


SHAPE_TABLE: Final = _byte_table(dict.fromkeys("0123456789", "0"))
PLAIN_TABLE: Final = _byte_table(dict(zip("0134578$", "oieastbs", strict=True)))


_TABLES: Final = SHAPE_TABLE.tobytes() + PLAIN_TABLE.tobytes()
COMPILED: Final = not str(kernel.__file__).endswith(".py")
"""Whether there is a compiled kernel; without one, arrays are faster than Python (evidence/kernel.md)."""


class Features(NamedTuple):
    """The distinct slots of each message of a batch, one message after the other."""

    slots: Ids
    offsets: Ids
    """Message m owns slots[offsets[m]:offsets[m + 1]]."""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of(self, message: int) -> Ids:
        """Return the slots of one message."""
        return self.slots[self.offsets[message] : self.offsets[message + 1]]


class Words(NamedTuple):
    """Where the words of a batch stand, and their hashes."""

    starts: Ids
    lengths: Ids
    fields: Ids
    """Indices, among the words, of those that are field names."""
    under: U64
    """What a word's own hash is mixed with: its field."""
    hashes: U64
    pieces: tuple[tuple[Ids, U64], ...]
    """Eight bytes of words at a time, and which words these are."""
    bounds: Ids
    """Message m owns the words bounds[m] to bounds[m + 1]."""

    @property
    def marks(self) -> U64:
        """The view of each word."""
        return self.under & np.uint64(views.MARK)


class Kind(NamedTuple):
    """Features of one kind: their hashes, and the words they begin at."""

    name: str
    at: Ids
    hashes: U64


def find_words(streams: Sequence[bytes]) -> Words:
    """Find and hash every word of a batch of token streams."""
    # A line feed before each keeps messages apart whatever their streams hold, so that features never depend on the
    # batch; the padding lets the last word be read whole.
    joined = b"\n".join([b"", *streams]) + b" " * (MAX_WORD + 8)
    text = np.frombuffer(joined, np.uint8)
    filled = text > _BLANK
    edges = np.flatnonzero(filled[1:] != filled[:-1]) + 1
    starts = edges[0::2].copy()
    lengths = edges[1::2] - starts
    bounds = np.searchsorted(starts, np.cumsum([1, *(len(stream) + 1 for stream in streams)]))
    leads = text.take(starts - 1) == _LINE_FEED
    leads[bounds[bounds < len(starts)]] = True  # a message's first word, even behind a blank
    fields = np.flatnonzero(leads)
    pieces = tuple(_pieces(joined, starts, np.minimum(lengths, MAX_WORD + 1)))
    own = _hash_pieces(pieces, lengths)
    names = own.take(fields)
    marks = np.repeat(_marks(names), np.diff(np.append(fields, len(starts))))
    under = views.marked(np.repeat(names * np.uint64(KEY_FIELD), np.diff(np.append(fields, len(starts)))), marks)
    return Words(starts, lengths, fields, under, views.marked(_finish(own ^ under), marks), pieces, bounds)


def _marks(names: U64) -> U64:
    """Return the views of fields, by the own hashes of their names."""
    marks = np.full(len(names), views.REST, np.uint64)
    marks[np.isin(names, _CONTENT)] = views.CONTENT
    marks[np.isin(names, _PEOPLE)] = views.PEOPLE
    return marks


def _pieces(joined: bytes, starts: Ids, lengths: Ids) -> Iterator[tuple[Ids, U64]]:
    windows: npt.NDArray[np.uint64] = np.ndarray((len(joined) - 7,), "<u8", joined, 0, (1,))
    at = np.arange(len(starts))
    for i in range(3):
        yield at, windows.take(starts + 8 * i) & _MASKS[i].take(lengths)
        longer = np.flatnonzero(lengths > 8 * (i + 1))
        at, starts, lengths = at.take(longer), starts.take(longer), lengths.take(longer)


def _hash_pieces(pieces: Sequence[tuple[Ids, U64]], lengths: Ids) -> U64:
    """h(word) = finish(sum_i word_i KEY_i), word_i its i-th eight bytes as a little-endian number, zero-padded."""
    total = pieces[0][1] * np.uint64(KEYS[0])
    for (at, piece), key in zip(pieces[1:], KEYS[1:], strict=True):
        total[at] += piece * np.uint64(key)
    long = np.flatnonzero(lengths > MAX_WORD)
    # Length classes: powers of two.
    total[long] = np.log2(lengths.take(long)).astype(np.uint64) * np.uint64(KEY_LONG)
    return _finish(total)


def _finish(hashes: U64) -> U64:
    hashes ^= hashes >> SHIFT
    hashes *= np.uint64(KEY_FINISH)
    return hashes


def _own_hashes(names: Sequence[bytes]) -> U64:
    """Hash words of at most MAX_WORD bytes, by themselves."""
    pieces = [np.frombuffer(name.ljust(MAX_WORD, b"\0"), "<u8") for name in names]
    return _finish((np.array(pieces, np.uint64) * np.array(KEYS, np.uint64)).sum(axis=1))


_CONTENT: Final = _own_hashes(views.CONTENT_FIELDS)
_PEOPLE: Final = _own_hashes(views.PEOPLE_FIELDS)
_KEYS: Final = np.concatenate(
    [
        np.array((*KEYS, KEY_FINISH, KEY_LONG, KEY_FIELD, KEY_PAIR, KEY_ORDER, KEY_SHAPE, KEY_SLOT), np.uint64),
        _CONTENT,
        _PEOPLE,
    ]
)
"""In the order in which learn.kernel takes them."""


def kinds_of(words: Words) -> list[Kind]:
    """Return all features of a batch, kind by kind."""
    everything = words.pieces[0][0]
    return [
        Kind("word", everything, words.hashes),
        Kind("pair", everything, _pairs(words)),
        Kind("order", words.fields, _order(words)),
        *_with_digits(words),
        *_joined_runs(words),
    ]


def _pairs(words: Words) -> U64:
    """Each word with its right neighbour in the same field; a field's last word stands for itself once more."""
    pairs = words.hashes * np.uint64(KEY_PAIR)
    pairs[:-1] ^= words.hashes[1:]
    pairs = views.marked(pairs, words.marks)
    last = np.append(words.fields[1:] - 1, len(pairs) - 1) if len(pairs) else words.fields
    pairs[last] = words.hashes[last]
    return pairs


def _order(words: Words) -> U64:
    """Each field with the one after it; a message's last field stands for itself once more."""
    names = words.hashes.take(words.fields)
    order = names * np.uint64(KEY_ORDER)
    order[:-1] ^= names[1:]
    order = views.marked(order, words.marks.take(words.fields))
    last = np.searchsorted(words.fields, words.bounds[1:]) - 1
    last = last[last >= 0]
    order[last] = names[last]
    return order


def _with_digits(words: Words) -> list[Kind]:
    """Words with digits: all by their shape, and those with letters as if the digits were look-alike letters."""
    digits = _digit_bits(words.pieces[0][1]) != 0
    for at, piece in words.pieces[1:]:
        digits[at[_digit_bits(piece) != 0]] = True
    digits[words.fields] = False
    digits &= words.lengths <= MAX_WORD
    at = np.flatnonzero(digits)
    # A letter among the first eight bytes: a disguised word has one, a long number with a letter behind it has not.
    lettered = (words.pieces[0][1].take(at) & _LETTER_BITS) != 0
    mixed = at[lettered]
    return [
        Kind("shape", at, views.marked(_retold(words, at, SHAPE_TABLE) * np.uint64(KEY_SHAPE), words.marks.take(at))),
        Kind("plain", mixed, _retold(words, mixed, PLAIN_TABLE)),
    ]


def _digit_bits(piece: U64) -> U64:
    """High bit of each byte that is a digit: exclusive-or makes digits 0 to 9, adding 0x76 lifts all others to 0x80."""
    moved = piece ^ _ZEROS
    return ~(((moved & _LOW_BITS) + _ABOVE_NINE) | moved) & _HIGH_BITS


def _retold(words: Words, at: Ids, table: npt.NDArray[np.uint8]) -> U64:
    """Hashes of these words with each byte replaced from a table."""
    first = words.pieces[0][1].take(at)
    total = table.take(first.view(np.uint8)).view(np.uint64) * np.uint64(KEYS[0])
    for i, ((where, piece), key) in enumerate(zip(words.pieces[1:], KEYS[1:], strict=True), 1):
        longer = np.flatnonzero(words.lengths.take(at) > 8 * i)
        told = table.take(piece.take(np.searchsorted(where, at.take(longer))).view(np.uint8)).view(np.uint64)
        total[longer] += told * np.uint64(key)
    return views.marked(_finish(_finish(total) ^ words.under.take(at)), words.marks.take(at))


def _joined_runs(words: Words) -> list[Kind]:
    """Runs of one-letter words, read as one word. Rare, so found with arrays and built one by one."""
    single = words.lengths == 1
    single[words.fields] = False
    if not (single[:-3] & single[1:-2] & single[2:-1] & single[3:]).any():
        return []
    edges = np.flatnonzero(np.diff(np.concatenate(([False], single, [False])).astype(np.int8)))
    starts, ends = edges[0::2], edges[1::2]
    keep = ends - starts >= JOINED_RUN
    at = starts[keep]
    hashes = np.zeros(len(at), np.uint64)
    for i, (start, end) in enumerate(zip(at, ends[keep], strict=True)):
        letters = words.pieces[0][1][start:end].astype(np.uint8).tobytes()[:MAX_WORD]
        padded = np.frombuffer(letters.ljust(MAX_WORD, b"\0"), "<u8")
        hashes[i] = (padded * np.array(KEYS, np.uint64)).sum()
    hashes = views.marked(_finish(_finish(hashes) ^ words.under.take(at)), words.marks.take(at))
    return [Kind("joined", at, hashes)] if len(at) else []


def to_slots(hashes: U64, bits: int) -> Ids:
    """Slot of a hash: its top bits after one more mixing, within its view."""
    mixed = hashes ^ (hashes >> SHIFT)
    mixed *= np.uint64(KEY_SLOT)
    return views.slots_of(mixed, hashes & np.uint64(views.MARK), bits)


class Hasher:
    """Turns batches of token streams into Features. Holds the scratch that finds a message's distinct slots."""

    def __init__(self, bits: int = DEFAULT_BITS) -> None:
        if not MIN_BITS <= bits <= MAX_BITS:
            raise ValueError(f"bits must lie between {MIN_BITS} and {MAX_BITS}, not {bits}")
        self.bits = bits
        self._last_seen = np.zeros(1 << bits, np.int32)

    def take_memory(self) -> None:
        """Have the scratch in memory now and not page by page as slots are met: a process then soon stops growing."""
        self._last_seen.fill(0)

    def features(self, streams: Sequence[bytes]) -> Features:
        """Return the distinct slots of each stream, in a fixed order."""
        return self._by_kernel(list(streams)) if COMPILED else self._by_arrays(streams)

    def _by_kernel(self, streams: list[bytes]) -> Features:
        # A word and the blank behind it are two bytes.
        rooms = [len(stream) // 2 + 1 for stream in streams]
        longest = 3 * max(rooms, default=0) + 1
        places, hashes = np.empty(longest, np.int64), np.empty(longest, np.uint64)
        slots = np.empty(kernel.KINDS * sum(rooms), np.int64)
        offsets = np.zeros(len(streams) + 1, np.int64)
        kernel.hash_streams(streams, _KEYS, _TABLES, self.bits, self._last_seen, places, hashes, slots, offsets)
        return Features(slots[: offsets[-1]].copy(), offsets)

    def _by_arrays(self, streams: Sequence[bytes]) -> Features:
        found: list[Ids] = []
        for first in range(0, len(streams), BATCH):
            words = find_words(streams[first : first + BATCH])
            kinds = [
                (to_slots(kind.hashes, self.bits), np.searchsorted(kind.at, words.bounds)) for kind in kinds_of(words)
            ]
            for message in range(len(words.bounds) - 1):
                slices = [slots[at[message] : at[message + 1]] for slots, at in kinds]
                found.append(self._distinct(np.concatenate(slices)))
        offsets = np.cumsum([0, *map(len, found)])
        return Features(np.concatenate(found) if found else np.zeros(0, np.intp), offsets)

    def _distinct(self, slots: Ids) -> Ids:
        """Keep the last of each: a scatter and a gather, which keep the order (evidence/tokenizer-speed.md)."""
        places = np.arange(len(slots), dtype=np.int32)
        self._last_seen[slots] = places
        distinct: Ids = slots[self._last_seen.take(slots) == places]
        return distinct
