"""A stored stream comes back as it was, or its damage is noticed."""

import random
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.store.codec import pack, unpack

STREAM = b"subject\tagenda for thursday\nbody\t" + b"please find the agenda for thursday below " * 40


@given(st.one_of(st.binary(), st.binary(min_size=1).map(lambda piece: piece * 50)))
def test_what_is_packed_unpacks(stream: bytes) -> None:
    assert unpack(pack(stream)) == stream


@given(st.binary(max_size=200))
def test_packing_costs_at_most_one_byte(stream: bytes) -> None:
    assert len(pack(stream)) <= len(stream) + 1


def test_words_get_smaller() -> None:
    assert len(pack(STREAM)) < len(STREAM) / 3


def test_what_was_packed_with_zlib_is_still_read() -> None:
    assert unpack(b"\x01" + zlib.compress(STREAM)) == STREAM


def test_threads_pack_and_unpack_at_once() -> None:
    """The library lets other threads run meanwhile, and its engines are not to be shared."""
    streams = [STREAM[: 100 + 37 * i] * 20 for i in range(40)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda stream: unpack(pack(stream)), streams * 10)) == streams * 10


def test_damage_is_noticed_or_does_no_harm() -> None:
    """A few bits of a compressed stream mean nothing: those that say how hard the compressor tried, say."""
    packed = pack(STREAM)
    dice = random.Random(2)
    noticed = 0
    for _ in range(5000):
        position = dice.randrange(1, len(packed))
        damaged = packed[:position] + bytes([packed[position] ^ dice.randrange(1, 256)]) + packed[position + 1 :]
        try:
            assert unpack(damaged) == STREAM
        except ValueError:
            noticed += 1
    assert noticed > 4500


@pytest.mark.parametrize("stored", [b"", b"\x03abc", b"\xff"])
def test_a_codec_nobody_knows_is_refused(stored: bytes) -> None:
    with pytest.raises(ValueError, match="unknown codec"):
        unpack(stored)
