"""A stored stream comes back as it was, or its damage is noticed."""

import random

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


def test_damage_is_noticed_or_does_no_harm() -> None:
    """A few bits of a compressed stream mean nothing: those that say how hard the compressor tried, say."""
    packed = pack(STREAM)
    dice = random.Random(2)
    noticed = 0
    for _ in range(500):
        position = dice.randrange(1, len(packed))
        damaged = packed[:position] + bytes([packed[position] ^ dice.randrange(1, 256)]) + packed[position + 1 :]
        try:
            assert unpack(damaged) == STREAM
        except ValueError:
            noticed += 1
    assert noticed > 450


@pytest.mark.parametrize("stored", [b"", b"\x02abc", b"\xff"])
def test_a_codec_nobody_knows_is_refused(stored: bytes) -> None:
    with pytest.raises(ValueError, match="unknown codec"):
        unpack(stored)
