"""Single choices measured by themselves: cutting words, hashing in batches, distinct slots, compression, checksums.

    python bench/pieces.py --corpus DIR [--rounds 5]      (as unpacked: DIR/streams/sa-full.index)

Prints the tables of evidence/tokenizer-speed.md, journal-compression.md and snapshot-checksum.md. All candidates of a
table run in turn in every round; figures are medians of processor time, and ratios those to the first row, round by
round.
"""

import argparse
import hashlib
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
import numpy.typing as npt
from zstandard import ZstdCompressor

from thresher import boxes
from thresher.learn import hashing
from thresher.learn.hashing import Hasher, Ids, find_words, kinds_of, to_slots
from thresher.mail.mime import parse
from thresher.mail.stream import MAX_TEXT, tokenize
from thresher.mail.words import WORDS
from thresher.store.snapshot import _checksum

BITS = 20
SOME = 1500
"""Messages; five rounds of every candidate over these take a minute."""
_WORD = re.compile(rb"[0-9a-z$%'\-\x80-\xff]+")
_SPLIT = re.compile(rb"[^0-9a-z$%'\-\x80-\xff]+")


def compare(title: str, candidates: Mapping[str, Callable[[], object]], rounds: int, per: int) -> None:
    """Print microseconds a piece, and ratios to the first candidate."""
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, work in candidates.items():
            start = process_time()
            work()
            times[name].append(process_time() - start)
    first = next(iter(times.values()))
    print(f"\n{title}\n")
    for name, taken in times.items():
        ratio = median(mine / theirs for mine, theirs in zip(taken, first, strict=True))
        print(f"| {name:<44} | {1e6 * median(taken) / per:9.1f} | {ratio:6.2f} |")


def in_batches(hasher: Hasher, streams: Sequence[bytes], size: int) -> None:
    """Hash with arrays, so many streams at once."""
    for first in range(0, len(streams), size):
        batch = find_words(streams[first : first + size])
        for kind in kinds_of(batch):
            to_slots(kind.hashes, hasher.bits)


def scattered(slots: Sequence[Ids], last_seen: npt.NDArray[np.int32]) -> None:
    """Find distinct slots with a scatter and a gather."""
    for each in slots:
        places = np.arange(len(each), dtype=np.int32)
        last_seen[each] = places
        each[last_seen.take(each) == places]


def sorted_out(slots: Sequence[Ids]) -> None:
    """Find distinct slots by sorting."""
    for each in slots:
        ordered = np.sort(each)
        ordered[np.append(True, ordered[1:] != ordered[:-1])]


def for_each(work: Callable[[bytes], object], things: Sequence[bytes]) -> None:
    """Do it for all."""
    for thing in things:
        work(thing)


def packed_share(work: Callable[[bytes], bytes], streams: Sequence[bytes]) -> str:
    """Say how much is left."""
    return f"{100 * sum(len(work(stream)) for stream in streams) / sum(map(len, streams)):.1f} %"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    hashing.COMPILED = False  # type: ignore[misc]  # the arrays are what is measured
    listed = boxes.read_index(args.corpus / "streams" / "sa-full.index")[:SOME]
    messages = [parse(item.raw) for one in listed for item in boxes.read(one.path)]
    texts = [part.text[:MAX_TEXT] for message in messages for part in message.parts]
    ascii_texts = [text for text in texts if text.isascii()]
    streams = [tokenize(message) for message in messages]
    compare(
        f"cutting {len(ascii_texts)} ASCII texts into words, us a text",
        {
            "translate(table).split()": partial(for_each, lambda text: text.translate(WORDS).split(), ascii_texts),
            "translate(table) alone": partial(for_each, lambda text: text.translate(WORDS), ascii_texts),
            "findall(word) of lower()": partial(for_each, lambda text: _WORD.findall(text.lower()), ascii_texts),
            "split(no word) of lower()": partial(for_each, lambda text: _SPLIT.split(text.lower()), ascii_texts),
        },
        args.rounds,
        len(ascii_texts),
    )
    hasher = Hasher(BITS)
    compare(
        "hashing with arrays, streams at once; us a message",
        {str(size): partial(in_batches, hasher, streams, size) for size in (32, 1, 8, 16, 64, 128, 256)},
        args.rounds,
        len(streams),
    )
    batches = [find_words([stream]) for stream in streams]
    slots = [np.concatenate([to_slots(kind.hashes, BITS) for kind in kinds_of(batch)]) for batch in batches]
    last_seen = np.zeros(1 << BITS, np.int32)
    compare(
        "distinct slots of a message, us a message",
        {"scatter and gather": partial(scattered, slots, last_seen), "sort and compare": partial(sorted_out, slots)},
        args.rounds,
        len(slots),
    )
    packers: dict[str, Callable[[bytes], bytes]] = {
        f"zlib level {level}": partial(zlib.compress, level=level) for level in (1, 6)
    }
    for level in (-1, 1, 2, 3, 6):
        packers[f"Zstandard level {level}"] = ZstdCompressor(level=level).compress
    named = {f"{name}: {packed_share(work, streams)} left": work for name, work in packers.items()}
    compare(
        "compressing a token stream, us a stream",
        {name: partial(for_each, work, streams) for name, work in named.items()},
        args.rounds,
        len(streams),
    )
    body = np.random.default_rng(1).integers(0, 1 << 63, 5 << 19, np.uint64)  # 20 MB, as a model of 20 bits
    compare(
        "checksum of 20 MB, us",
        {
            "CRC-32 of the sums of 512 words each": partial(_checksum, body),
            "CRC-32 of everything": partial(zlib.crc32, body.data),
            "Adler-32": partial(zlib.adler32, body.data),
            "BLAKE2b": lambda: hashlib.blake2b(body.data).digest(),
            "SHA-256": lambda: hashlib.sha256(body.data).digest(),
        },
        args.rounds,
        1,
    )


if __name__ == "__main__":
    main()
