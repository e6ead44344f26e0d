"""What the order of teaching does to the running learner: evidence/order.md.

usage: order.py --corpus DIR      (as unpacked: DIR/streams/*.index)
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from thresher import boxes
from thresher.learn.hashing import Hasher, Ids
from thresher.learn.online import ScaledLogistic
from thresher.learn.running import RunningLearner, one
from thresher.learn.schedule import in_learning_order
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize
from thresher.values import Label

BITS = 20
Example = tuple[Ids, bool]


def read(index: Path) -> list[Example]:
    listed = boxes.read_index(index)
    hasher = Hasher(BITS)
    streams = [tokenize(parse(next(boxes.read(entry.path)).raw)) for entry in listed]
    features = hasher.features(streams)
    return [(features.of(i), entry.label is Label.SPAM) for i, entry in enumerate(listed)]


def taught(examples: Sequence[Example]) -> RunningLearner:
    learner = ScaledLogistic(BITS)
    for slots, spam in examples:
        learner.learn(slots, spam=spam)
    return learner


def error(learner: RunningLearner, examples: Sequence[Example]) -> float:
    wrong = sum(bool(learner.scores(one(slots))[0] > 0) != spam for slots, spam in examples)
    return 100 * wrong / len(examples)


def by_class(examples: Sequence[Example], *, spam_first: bool) -> list[Example]:
    return sorted(examples, key=lambda example: example[1] is not spam_first)


def thinned(examples: Sequence[Example], spam: int) -> list[Example]:
    """Keep all ham and so many spam, evenly spread."""
    all_spam = [i for i, (_, is_spam) in enumerate(examples) if is_spam]
    kept = {all_spam[i * len(all_spam) // spam] for i in range(spam)}
    return [example for i, example in enumerate(examples) if not example[1] or i in kept]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", type=Path, required=True)
    corpus = parser.parse_args().corpus
    print(
        f"{'stream':<10}{'ham:spam':>12}{'as it came':>12}{'ham, spam':>12}{'spam, ham':>12}{'settled':>12}   error %"
    )
    for name in ("sa-full", "ling", "list"):
        examples = read(corpus / "streams" / f"{name}.index")
        half = len(examples) // 2
        train, test = examples[:half], examples[half:]
        n_ham = sum(not spam for _, spam in train)
        for chosen in (train, thinned(train, round(n_ham / 50))):
            ham_first, spam_first = by_class(chosen, spam_first=False), by_class(chosen, spam_first=True)
            settled = in_learning_order(ham_first, [spam for _, spam in ham_first])
            again = in_learning_order(spam_first, [spam for _, spam in spam_first])
            models = [taught(each) for each in (chosen, ham_first, spam_first, settled, again)]
            assert np.array_equal(models[3].state()[1]["weights"], models[4].state()[1]["weights"])
            figures = "".join(f"{error(model, test):>12.2f}" for model in models[:4])
            print(f"{name:<10}{f'{n_ham}:{len(chosen) - n_ham}':>12}{figures}")


if __name__ == "__main__":
    main()
