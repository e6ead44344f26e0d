"""Hashed features: every fast way gives what the slow and obvious one gives, for every stream, in any batch.

All of it is asked of the kernel as compiled, of the kernel as plain Python, and of the arrays used without a compiler.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.kernels import compiled, interpreted
from thresher.learn import hashing, kernel, views
from thresher.learn.hashing import BATCH, JOINED_RUN, MAX_WORD, Features, Hasher
from thresher.learn.naming import Described, described

MODULO = 1 << 64
BITS = 20
HASHER = Hasher(BITS)
"""One for all tests: what a batch leaves in its scratch must not show in the next."""


@pytest.fixture(autouse=True, scope="module", params=["compiled", "interpreted", "arrays"])
def way(request: pytest.FixtureRequest) -> Iterator[str]:
    """Hash one way throughout."""
    name: str = request.param
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing, "COMPILED", name != "arrays")
        if name == "compiled":
            compiled(kernel)
        elif name == "interpreted":
            patch.setattr(hashing, "kernel", interpreted(kernel))
        yield name


# The reference: one word at a time, with Python's own numbers.


def finish(number: int) -> int:
    number %= MODULO
    return (number ^ number >> 32) * hashing.KEY_FINISH % MODULO


def own_hash(word: bytes) -> int:
    if len(word) > MAX_WORD:
        return finish((len(word).bit_length() - 1) * hashing.KEY_LONG)
    padded = word.ljust(MAX_WORD, b"\0")
    numbers = [int.from_bytes(padded[i : i + 8], "little") for i in range(0, MAX_WORD, 8)]
    return finish(sum(number * key for number, key in zip(numbers, hashing.KEYS, strict=True)))


def view(field: bytes) -> int:
    if field in {b"body", b"url", b"html", b"hidden", b"attachment", b"message"}:
        return 0
    return 1 if field in {b"subject", b"from", b"to", b"reply-to"} else 2


def marked(number: int, field: bytes) -> int:
    return number % MODULO // 4 * 4 + view(field)


def hash_under(field: bytes, word: bytes) -> int:
    under = marked(own_hash(field) * hashing.KEY_FIELD, field)
    return marked(finish(own_hash(word) ^ under), field)


def is_digit(byte: int) -> bool:
    return byte in b"0123456789"


def is_letter(byte: int) -> bool:
    """By the bit that sets ASCII letters and the first bytes of other characters apart, and few signs besides."""
    return bool(byte & 0x40)


def shape(word: bytes) -> bytes:
    return bytes(ord("0") if is_digit(byte) else byte for byte in word)


def plain(word: bytes) -> bytes:
    look_alikes = {b"0": b"o", b"1": b"i", b"3": b"e", b"4": b"a", b"5": b"s", b"7": b"t", b"8": b"b", b"$": b"s"}
    return b"".join(look_alikes.get(bytes([byte]), bytes([byte])) for byte in word)


def runs_of_one_letter(words: Sequence[bytes]) -> Iterator[bytes]:
    run = b""
    for word in [*words, b"the end"]:
        if len(word) == 1:
            run += word
        else:
            if len(run) >= JOINED_RUN:
                yield run[:MAX_WORD]
            run = b""


def reference_hashes(stream: bytes) -> set[int]:
    hashes = set()
    fields: list[bytes] = []
    for line in filter(None, stream.split(b"\n")):
        field, _, text = line.partition(b"\t")
        words = text.split()
        fields.append(field)
        in_order = [hash_under(field, word) for word in [field, *words]]
        hashes.update(in_order)
        hashes.update(marked(left * hashing.KEY_PAIR ^ right, field) for left, right in pairwise(in_order))
        for word in words:
            if len(word) <= MAX_WORD and any(map(is_digit, word)):
                hashes.add(marked(hash_under(field, shape(word)) * hashing.KEY_SHAPE, field))
                if any(map(is_letter, word[:8])):
                    hashes.add(hash_under(field, plain(word)))
        hashes.update(hash_under(field, run) for run in runs_of_one_letter(words))
    for left, right in pairwise(fields):
        hashes.add(marked(hash_under(left, left) * hashing.KEY_ORDER ^ hash_under(right, right), left))
    return hashes


def reference_slot(number: int, bits: int) -> int:
    """Half of the slots are the content's, a quarter people's, a quarter the rest's."""
    mixed = (number ^ number >> 32) * hashing.KEY_SLOT % MODULO
    first, wide = [(0, bits - 1), (2 << bits - 2, bits - 2), (3 << bits - 2, bits - 2)][number % 4]
    return first + (mixed >> (64 - wide))


def reference_slots(stream: bytes, bits: int) -> set[int]:
    return {reference_slot(number, bits) for number in reference_hashes(stream)}


# Streams: lines of a field, a tab and words.


def from_alphabet(alphabet: bytes, raw: bytes) -> bytes:
    """Draw bytes quickly: hypothesis draws whole bytes objects much faster than lists of numbers."""
    return bytes(alphabet[byte % len(alphabet)] for byte in raw)


any_bytes = st.binary(min_size=1, max_size=40).map(partial(from_alphabet, bytes(range(0x21, 0x100))))
mixed = st.binary(min_size=1, max_size=40).map(partial(from_alphabet, b"0123456789abcxyz$%'-\xc3\xa9"))
lengths_at_the_edges = st.sampled_from([7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 40]).flatmap(
    lambda length: st.binary(min_size=length, max_size=length).map(partial(from_alphabet, b"ab19$\xc3"))
)
word = any_bytes | mixed | lengths_at_the_edges
one_letter_run = st.binary(min_size=1, max_size=30).map(
    lambda raw: [bytes([byte]) for byte in from_alphabet(bytes(range(0x21, 0x100)), raw)]
)
words = st.lists(word, max_size=6) | st.builds(
    lambda before, run, after: [*before, *run, *after],
    st.lists(word, max_size=2),
    one_letter_run,
    st.lists(word, max_size=2),
)
blanks = st.sampled_from([b" ", b"   "])
field = st.sampled_from([*views.CONTENT_FIELDS, *views.PEOPLE_FIELDS]) | word
line = st.builds(lambda name, blank, text: name + b"\t" + blank.join(text) + b"\n", field, blanks, words)
stream = st.lists(line, max_size=6).map(b"".join)
streams = st.lists(stream, max_size=6)


def slots_of(text: bytes) -> set[int]:
    return set(HASHER.features([text]).of(0).tolist())


def word_slot(field: bytes, text: bytes) -> int:
    """The slot of a word itself: all that two lines with it share, but for their field."""
    first, second = slots_of(field + b"\t" + text + b" after\n"), slots_of(field + b"\tbefore " + text + b"\n")
    (slot,) = (first & second) - slots_of(field + b"\t\n")
    return slot


def messages(features: Features) -> list[bytes]:
    """The slots of each message, in their order, bit for bit."""
    return [features.of(i).tobytes() for i in range(len(features))]


@given(streams, st.sampled_from([8, 13, BITS]))
@example([b"", b"subject\t\nbody\tw8rd\n", b""], BITS)
@example([b"body\tf r e e\nurl\tf r e\n"], BITS)
def test_slots_are_those_of_the_slow_reference(texts: list[bytes], bits: int) -> None:
    hasher = HASHER if bits == BITS else Hasher(bits)
    features = hasher.features(texts)
    assert [set(features.of(i).tolist()) for i in range(len(features))] == [
        reference_slots(text, bits) for text in texts
    ]


@given(streams)
def test_every_way_gives_the_same_slots_in_the_same_order(texts: list[bytes]) -> None:
    """So a model has the same bits wherever it is folded."""
    arrays = HASHER._by_arrays(texts)  # noqa: SLF001
    assert messages(HASHER.features(texts)) == messages(arrays)


@given(st.lists(stream, min_size=1, max_size=4), st.integers(BATCH - 1, 3 * BATCH + 1))
def test_more_streams_than_a_batch_give_what_each_gives_alone(texts: list[bytes], count: int) -> None:
    many = [texts[i % len(texts)] for i in range(count)]
    assert messages(HASHER.features(many)) == [messages(HASHER.features([text]))[0] for text in many]


@given(st.lists(st.binary(max_size=60) | st.text("\t\n a1", max_size=30).map(str.encode), max_size=6), st.randoms())
def test_even_bytes_that_are_no_stream_have_features_that_depend_on_nothing_else(
    texts: list[bytes], random: Random
) -> None:
    order = list(range(len(texts)))
    random.shuffle(order)
    shuffled = messages(HASHER.features([texts[i] for i in order]))
    alone = [messages(HASHER.features([text]))[0] for text in texts]
    assert shuffled == [alone[i] for i in order]


@given(streams)
def test_slots_of_a_message_are_distinct_and_within_range(texts: list[bytes]) -> None:
    features = Hasher(8).features(texts)
    for i in range(len(features)):
        slots = features.of(i)
        assert len(set(slots.tolist())) == len(slots)
        assert ((slots >= 0) & (slots < 1 << 8)).all()


@given(streams)
def test_messages_own_all_slots_one_after_the_other(texts: list[bytes]) -> None:
    features = HASHER.features(texts)
    assert len(features) == len(texts)
    assert features.offsets[0] == 0
    assert features.offsets[-1] == len(features.slots)
    assert (np.diff(features.offsets) >= 0).all()


@pytest.mark.parametrize(
    ("field", "seen"),
    [
        *((name, views.CONTENT) for name in views.CONTENT_FIELDS),
        *((name, views.PEOPLE) for name in views.PEOPLE_FIELDS),
        (b"received", views.REST),
        (b"bod", views.REST),
        (b"body2", views.REST),
    ],
)
def test_all_features_of_a_field_lie_in_its_view(field: bytes, seen: int) -> None:
    text = field + b"\tred v1agra f r e e $19 " + b"x" * 40 + b"\n"
    for bits in (8, BITS):
        slots = Hasher(bits).features([text]).slots
        assert set(views.view_of(slots, bits).tolist()) == {seen}


def test_no_streams_make_an_empty_batch() -> None:
    features = HASHER.features([])
    assert len(features) == 0
    assert len(features.slots) == 0


def test_an_empty_stream_has_no_features() -> None:
    assert slots_of(b"") == set()


@pytest.mark.parametrize("bits", [0, 7, 27, 64])
def test_bits_out_of_range_are_refused(bits: int) -> None:
    with pytest.raises(ValueError, match=f"between 8 and 26, not {bits}"):
        Hasher(bits)


@pytest.mark.parametrize("disguised", [b"v1agra", b"vi4gra", b"v14gr4"])
def test_a_word_with_digits_for_letters_has_the_slot_of_the_plain_word(disguised: bytes) -> None:
    assert word_slot(b"body", b"viagra") in slots_of(b"body\tbuy " + disguised + b" now\n")


def test_a_dollar_among_letters_and_digits_is_an_s() -> None:
    assert word_slot(b"body", b"seats") in slots_of(b"body\t$e4ts\n")


def test_spaced_letters_have_the_slot_of_the_word() -> None:
    assert word_slot(b"body", b"free") in slots_of(b"body\tget f r e e money\n")


def test_three_letters_in_a_row_make_no_word() -> None:
    assert word_slot(b"body", b"bcd") not in slots_of(b"body\tplan b c d\n")


def test_letters_of_two_fields_make_no_word() -> None:
    assert word_slot(b"subject", b"free") not in slots_of(b"subject\tf r\nbody\te e\n")
    assert word_slot(b"body", b"free") not in slots_of(b"subject\tf r\nbody\te e\n")


def test_a_disguise_is_seen_through_under_its_own_field_only() -> None:
    assert word_slot(b"subject", b"viagra") not in slots_of(b"body\tv1agra\n")


@pytest.mark.parametrize(
    ("first", "second", "shared"),
    [
        (b"$19", b"$24", 1),
        (b"19:30", b"07:45", 1),
        (b"x4k9", b"x7k2", 1),
        (b"$19", b"$1999", 0),
        (b"$19", b"19%", 0),
        (b"x4k9", b"y4k9", 0),
        (b"red", b"tin", 0),
    ],
)
def test_numbers_share_the_slot_of_their_shape(first: bytes, second: bytes, shared: int) -> None:
    frame = slots_of(b"body\t\n")
    assert len((slots_of(b"body\t" + first + b"\n") & slots_of(b"body\t" + second + b"\n")) - frame) == shared


def test_a_word_means_something_else_in_another_field() -> None:
    assert word_slot(b"subject", b"meeting") != word_slot(b"body", b"meeting")


def test_a_pair_depends_on_the_order_of_its_words() -> None:
    assert slots_of(b"body\tred tin red\n") != slots_of(b"body\tred red tin\n")


def test_order_of_fields_counts() -> None:
    assert slots_of(b"from\ta\nto\tb\ndate\tc\n") != slots_of(b"to\tb\nfrom\ta\ndate\tc\n")


def test_a_field_without_words_counts() -> None:
    assert slots_of(b"body\ta\nreply-to\t\n") > slots_of(b"body\ta\n")


def test_a_word_counts_once_however_often_it_stands_there() -> None:
    assert slots_of(b"body\tred red red\n") == slots_of(b"body\tred red red red red\n")


def test_words_of_up_to_24_bytes_are_told_apart_by_every_byte() -> None:
    base = b"abcdefghijklmnopqrstuvwx"
    slots = {word_slot(b"body", base[:i] + b"z" + base[i + 1 :]) for i in range(MAX_WORD)}
    assert len(base) == MAX_WORD
    assert len(slots) == MAX_WORD


def test_longer_words_are_known_by_their_length_class_alone() -> None:
    assert word_slot(b"body", b"a" * 25) == word_slot(b"body", b"q" * 31)
    assert word_slot(b"body", b"a" * 31) != word_slot(b"body", b"a" * 32)


@given(stream)
def test_every_slot_of_a_stream_is_named(text: bytes) -> None:
    assert described(text, BITS).keys() == slots_of(text)


@pytest.mark.parametrize(
    ("stream", "name"),
    [
        (b"body\tred tin\n", Described("field", "body", "body")),
        (b"body\tred tin\n", Described("word", "body", "red")),
        (b"body\tred tin\n", Described("pair", "body", "red tin")),
        (b"body\tred tin\n", Described("pair", "body", "red")),
        (b"from\ta\nto\tb\n", Described("order", "from", "from, then to")),
        (b"body\tfor $1,99 now\n", Described("shape", "body", "$0,00")),
        (b"body\tv1agra\n", Described("plain", "body", "viagra")),
        (b"body\tget f r e e\nx\ty\n", Described("joined", "body", "free")),
        (b"body\tf r e e \xc3\xa9\n", Described("joined", "body", "free")),
    ],
)
def test_names_say_kind_field_and_text(stream: bytes, name: Described) -> None:
    assert name in described(stream, BITS).values()


@given(st.lists(st.sampled_from([b"red", b"don't", b"tin-foil", b"caf\xc3\xa9"]), min_size=1, max_size=5))
def test_a_named_word_is_the_word_whose_slot_it_is(texts: list[bytes]) -> None:
    names = described(b"body\t" + b" ".join(texts) + b"\n", BITS)
    for text in texts:
        assert names[word_slot(b"body", text)] == Described("word", "body", text.decode())
