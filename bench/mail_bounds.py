"""How long, and in how much memory, the worst mail is read: one row a hostile shape, worst first.

    python -m bench.mail_bounds [--rounds 3] [--only WORD]

The bar: no message of up to a megabyte takes more than 50 ms of one core or 64 MB, from bytes to token stream. Time is
CPU time, the best of a few rounds, with every cache of thresher.mail emptied before each; what is loaded once in a
process, the public suffix list, is loaded before and shown by itself. Ends with 1 if a shape breaks a bound.
"""

import argparse
import importlib
import pkgutil
import sys
import tracemalloc
from time import process_time

import thresher.mail
from bench.hostile import LETTER, SHAPES
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize

MOST_SECONDS = 0.050
MOST_BYTES = 64 << 20
LOADED_ONCE = {"_suffix_rules"}
FIRST_LETTER = LETTER + b"\nhttp://www.example.co.uk/ " + "проверка ".encode("koi8-r") * 9


def empty_caches() -> None:
    """Forget what earlier messages taught the caches; nobody sends the same hostile message twice."""
    for module in pkgutil.iter_modules(thresher.mail.__path__, "thresher.mail."):
        for name, member in vars(importlib.import_module(module.name)).items():
            if hasattr(member, "cache_clear") and name not in LOADED_ONCE:
                member.cache_clear()


def seconds(raw: bytes, rounds: int) -> float:
    """CPU time from bytes to token stream, the best of some rounds."""
    taken = []
    for _ in range(rounds):
        empty_caches()
        begin = process_time()
        tokenize(parse(raw))
        taken.append(process_time() - begin)
    return min(taken)


def peak(raw: bytes) -> int:
    """Most bytes held while reading, without the message itself."""
    empty_caches()
    tracemalloc.start()
    tokenize(parse(raw))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="shapes with this in their name")
    args = parser.parse_args()

    begin = process_time()
    tokenize(parse(FIRST_LETTER))
    print(f"first letter of a process, with everything loaded once: {1000 * (process_time() - begin):.0f} ms\n")
    rows = []
    for name, make in SHAPES.items():
        if args.only in name:
            raw = make()
            stream = tokenize(parse(raw))
            rows.append((seconds(raw, args.rounds), peak(raw), len(raw), len(stream), name))
    rows.sort(reverse=True)
    print("      ms  peak MB   KB in  KB out  shape")
    for taken, most, size, stream_size, name in rows:
        print(f"{1000 * taken:8.1f} {most / 2**20:8.1f} {size / 1024:7.0f} {stream_size / 1024:7.0f}  {name}")
    broken = [name for taken, most, _, _, name in rows if taken > MOST_SECONDS or most > MOST_BYTES]
    print(f"\n{len(rows)} shapes, {len(broken)} beyond {1000 * MOST_SECONDS:.0f} ms or {MOST_BYTES >> 20} MB")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
