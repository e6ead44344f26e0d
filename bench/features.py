"""Which features pay: the running learner on every stream, one kind of feature or one setting changed at a time.

    OMP_NUM_THREADS=1 taskset -c 1 python -m bench.features --corpus DIR [--orders 5]

Prints the tables of evidence/features.md. Takes a quarter of an hour.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from bench.prequential import (
    Corpora,
    Run,
    arguments,
    print_header,
    print_intervals,
    print_row,
    read_corpora,
    run,
)
from bench.valued import Valued
from thresher.learn.hashing import (
    BATCH,
    DEFAULT_BITS,
    KEYS,
    U64,
    Hasher,
    Ids,
    Kind,
    Words,
    find_words,
    kinds_of,
    to_slots,
)
from thresher.learn.online import ScaledLogistic
from thresher.learn.running import F64

Edit = Callable[[bytes], bytes]
Kinds = Callable[[Words], list[Kind]]


class Recipe(NamedTuple):
    """How token streams become features."""

    name: str
    kinds: Kinds = kinds_of
    edit: Edit = bytes
    bits: int = DEFAULT_BITS
    frequency: bool = False
    """Whether a feature's value grows with how often it stands in the message."""


class Frequent(Valued):
    """The same regression, a feature's value times 1 + log of how often it stands in the message."""

    factors: dict[bytes, F64]
    """By the message's slots."""

    def values(self, slots: Ids) -> F64:
        """Return v, changed."""
        return super().values(slots) * self.factors[slots.tobytes()]


def without(*names: str) -> Kinds:
    """Leave kinds of features out."""
    return lambda words: [kind for kind in kinds_of(words) if kind.name not in names]


def without_fields(words: Words) -> list[Kind]:
    """Leave out that a field is there, and the order of fields; words still differ by field."""
    kept = np.ones(len(words.hashes), np.bool_)
    kept[words.fields] = False
    at = np.flatnonzero(kept)
    others = [kind for kind in kinds_of(words) if kind.name not in {"word", "order"}]
    return [Kind("word", at, words.hashes[at]), *others]


def with_more(*distances: int) -> Kinds:
    """Add pairs of words that stand this far from each other."""
    return lambda words: [*kinds_of(words), *(distant_pairs(words, distance) for distance in distances)]


def distant_pairs(words: Words, distance: int) -> Kind:
    """Pairs of a word and the one that stands `distance` behind it in the same field."""
    at = same_field(words, distance)
    key = np.uint64(KEYS[0] + 2 * distance)
    return Kind("distant", at, words.hashes[at] * key ^ words.hashes[at + distance])


def with_triples(words: Words) -> list[Kind]:
    """Add three neighbouring words."""
    at = same_field(words, 2)
    h = words.hashes
    triples = (h[at] * np.uint64(KEYS[0]) ^ h[at + 1]) * np.uint64(KEYS[1]) ^ h[at + 2]
    return [*kinds_of(words), Kind("triple", at, triples)]


def same_field(words: Words, distance: int) -> Ids:
    """Words that have another one this far behind them in their field."""
    field = np.zeros(len(words.hashes), np.intp)
    field[words.fields] = 1
    field = np.cumsum(field)
    return np.flatnonzero(field[:-distance] == field[distance:])


# thresher.mail.stream counts these marks; the tokens look like `!:3` and `subject%:1`.
MARK = re.compile(rb"(?<=[\t ])(?:subject)?(?:[!?$%*=>]|\.\.\.):\d+(?=[ \n])")
MESSAGE = re.compile(rb"^message\t.*\n", re.MULTILINE)
HYPHENATED = re.compile(rb"^((?:body|hidden|subject)\t)(.*)$", re.MULTILINE)


def without_marks(stream: bytes) -> bytes:
    """Take the counts of punctuation out."""
    return MESSAGE.sub(lambda line: MARK.sub(b"", line[0]), stream)


def with_split_hyphens(stream: bytes) -> bytes:
    """Split words at hyphens where people write."""
    return HYPHENATED.sub(lambda line: line[1] + line[2].replace(b"-", b" "), stream)


def with_count_classes(words: Words) -> list[Kind]:
    """Add, for a word that stands k > 1 times in its field, the word with the bit length of k."""
    found, inverse, counts = message_counts(words)
    classes = np.frexp(counts)[1].astype(np.uint64)
    several = np.flatnonzero((counts > 1)[inverse])
    return [*kinds_of(words), Kind("count", several, (found * np.uint64(KEYS[1]) ^ classes)[inverse][several])]


def message_counts(words: Words) -> tuple[U64, Ids, Ids]:
    """Hashes of a batch's distinct (message, word), where each word has its own, and how often it stands there."""
    message = np.repeat(np.arange(len(words.bounds) - 1), np.diff(words.bounds)).astype(np.uint64)
    keys = words.hashes ^ message * np.uint64(KEYS[2])
    _, first, inverse, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    return words.hashes[first], inverse, counts


def without_stand_ins(words: Words) -> list[Kind]:
    """Leave out what stands for itself once more at the end of a field or message, which would count it twice."""
    kinds = []
    for kind in kinds_of(words):
        real = (kind.hashes != words.hashes[kind.at]) | (kind.name == "word")
        kinds.append(Kind(kind.name, kind.at[real], kind.hashes[real]))
    return kinds


RECIPES = (
    Recipe("words alone", without("pair", "order", "shape", "plain", "joined")),
    Recipe("without pairs", without("pair")),
    Recipe("without order", without("order")),
    Recipe("without fields and order", without_fields),
    Recipe("without shape", without("shape")),
    Recipe("without plain and joined", without("plain", "joined")),
    Recipe("without punctuation counts", edit=without_marks),
    Recipe("words split at hyphens", edit=with_split_hyphens),
    Recipe("and pairs at distance 2", with_more(2)),
    Recipe("and pairs at distances 2, 3", with_more(2, 3)),
    Recipe("and triples", with_triples),
    Recipe("and counts by powers of 2", with_count_classes),
    Recipe("values times 1 + log count", without_stand_ins, frequency=True),
    Recipe("18 bits", bits=18),
    Recipe("19 bits", bits=19),
    Recipe("22 bits", bits=22),
)


def hashed(texts: Sequence[bytes], recipe: Recipe) -> Iterator[tuple[Ids, Ids]]:
    """Yield each message's distinct slots, and how often each stands in it."""
    for first in range(0, len(texts), BATCH):
        words = find_words([recipe.edit(text) for text in texts[first : first + BATCH]])
        kinds = [
            (to_slots(kind.hashes, recipe.bits), np.searchsorted(kind.at, words.bounds)) for kind in recipe.kinds(words)
        ]
        for message in range(len(words.bounds) - 1):
            slots = np.concatenate([slots[at[message] : at[message + 1]] for slots, at in kinds])
            yield np.unique(slots, return_counts=True)


def measure(recipe: Recipe, corpora: Corpora) -> tuple[Run, float]:
    """Run the recipe over every stream; also the mean number of features a message has."""
    counted = list(hashed(corpora.texts, recipe))
    examples = [slots for slots, _ in counted]
    factors = {slots.tobytes(): 1.0 + np.log(counts) for slots, counts in counted}

    def make() -> ScaledLogistic:
        if not recipe.frequency:
            return ScaledLogistic(recipe.bits)
        learner = Frequent(recipe.bits)
        learner.factors = factors
        return learner

    return run(make, examples, corpora), float(np.mean([len(slots) for slots in examples]))


def check(corpora: Corpora) -> None:
    """Make sure that the base here is what the filter itself computes."""
    fast = Hasher().features(corpora.texts[:200])
    for message, (slots, _) in enumerate(hashed(corpora.texts[:200], Recipe("base"))):
        if not np.array_equal(np.sort(fast.of(message)), slots):
            raise AssertionError("these are not the filter's own features")


def main() -> None:
    """Print the tables."""
    args = arguments(__doc__)
    corpora = read_corpora(args.corpus, args.orders)
    check(corpora)
    print_header("features (a message)")
    base, size = measure(Recipe("base"), corpora)
    print_row(f"base ({size:.0f})", base)
    others = {}
    for recipe in RECIPES:
        others[recipe.name], size = measure(recipe, corpora)
        print_row(f"{recipe.name} ({size:.0f})", others[recipe.name])
    print_intervals(corpora, base, others)


if __name__ == "__main__":
    main()
