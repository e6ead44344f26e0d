"""Many messages over several processes: the same as over one, in order, with a bounded number under way."""

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.cli.making import folder, ham, mbox, spam
from tests.engine.making import HASHER, message
from thresher.boxes import BoxError, Entry, Item, entries
from thresher.mail.digest import digest
from thresher.prepare import AHEAD, CHUNK, WORTH_FORKING, chunks, cores, features_of, jobs_for, over_cores, prepare
from thresher.prepare import read_chunk as read


def square(number: int) -> int:
    return number * number


def broken(number: int) -> int:
    raise BoxError(str(number), "is broken", "mend it")


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_the_order_of_the_pieces(jobs: int) -> None:
    assert list(over_cores(square, range(200), jobs)) == [square(number) for number in range(200)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_pieces_have_no_results(jobs: int) -> None:
    assert list(over_cores(square, [], jobs)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_the_work_raises_is_raised_here(jobs: int) -> None:
    """Wholly: an error that came from another process says what it said there."""
    with pytest.raises(BoxError) as caught:
        list(over_cores(broken, range(3), jobs))
    assert (caught.value.path, caught.value.reason) == ("0", "is broken")


@pytest.mark.parametrize("jobs", [1, 2])
def test_pieces_are_taken_only_as_results_are(jobs: int) -> None:
    """So a mailbox of any size goes through in constant memory."""
    taken = 0

    def pieces() -> Iterator[int]:
        nonlocal taken
        for number in range(10_000):
            taken += 1
            yield number

    results = over_cores(square, pieces(), jobs)
    for expected in range(100):
        assert next(results) == square(expected)
    # Time for whoever hands out work to fill the room there is, and to wait for more.
    time.sleep(0.1)
    assert taken <= 100 + AHEAD * jobs + 1
    # The rest is not asked for: ending early is no error, and ends.
    results.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("count", [0, 1, CHUNK, CHUNK + 1, 5 * CHUNK - 1])
def test_chunks_are_all_of_the_work_in_order(count: int) -> None:
    pieces = chunks(range(count))
    assert [number for piece in pieces for number in piece] == list(range(count))
    assert all(0 < len(piece) <= CHUNK for piece in pieces)


def test_few_messages_are_not_worth_a_process() -> None:
    assert jobs_for(WORTH_FORKING - 1, None) == 1
    assert jobs_for(WORTH_FORKING, None) == cores()
    assert jobs_for(10, 8) == 1
    assert jobs_for(8 * CHUNK, 3) == 3


def test_what_cannot_be_read_is_an_error_and_the_rest_is_read(tmp_path: Path) -> None:
    place = folder(tmp_path / "mail", [ham(1), spam(1), ham(2)])
    listed = [*entries([str(place)]), Entry(str(tmp_path / "missing"))]
    (place / "00001.eml").unlink()
    chunk = read(listed)
    assert [item.raw for item in chunk.items] == [ham(1), ham(2)]
    assert chunk.origins == [0, 2]
    assert [Path(error.path).name for error in chunk.errors] == ["00001.eml", "missing"]


def test_messages_of_an_mbox_come_from_their_entries(tmp_path: Path) -> None:
    box = mbox(tmp_path / "box", [ham(1), spam(1)])
    chunk = read([Entry(str(box))])
    assert (chunk.origins, [item.path for item in chunk.items]) == ([0, 0], [f"{box}#1", f"{box}#2"])


def test_a_prepared_message_has_its_name_its_stream_and_its_slots() -> None:
    (prepared,) = prepare([Item("/mail/1", ham(1))], HASHER)
    assert (prepared.path, prepared.digest) == ("/mail/1", digest(ham(1)))
    assert np.array_equal(HASHER.features([prepared.stream]).slots, prepared.slots)


def test_prepared_messages_put_together_are_the_batch_they_would_have_been() -> None:
    three = [message(number) for number in (1, 2, 3)]
    whole = HASHER.features([one.stream for one in three])
    again = features_of(three)
    assert np.array_equal(again.slots, whole.slots)
    assert np.array_equal(again.offsets, whole.offsets)
    assert len(features_of([])) == 0
