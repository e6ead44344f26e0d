"""A spam filter in a few lines of scikit-learn: words counted in the bytes of a message as they stand, no MIME at all.

Used as `sklearn_filter.py learn MODEL`, standard input being names of ham, an empty line, names of spam; and as
`sklearn_filter.py check MODEL`, standard input being names. Prints a line a message: verdict, probability, name.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import joblib
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline


def messages(names: list[bytes]) -> Iterator[bytes]:
    """Read messages one at a time."""
    return (Path(os.fsdecode(name)).read_bytes() for name in names)


def learn(model: str) -> None:
    """Fit and save."""
    ham, spam = (block.splitlines() for block in sys.stdin.buffer.read().split(b"\n\n"))
    # Latin-1 takes every byte for a character: nothing is refused, and nothing decoded twice.
    pipeline = make_pipeline(CountVectorizer(encoding="latin-1"), MultinomialNB())
    pipeline.fit(messages(ham + spam), ["ham"] * len(ham) + ["spam"] * len(spam))
    joblib.dump(pipeline, model)


def check(model: str) -> None:
    """Load and predict."""
    names = sys.stdin.buffer.read().splitlines()
    pipeline = joblib.load(model)
    for name, (ham, spam) in zip(names, pipeline.predict_proba(messages(names)), strict=True):
        verdict = b"spam" if spam > ham else b"ham"
        sys.stdout.buffer.write(b"%s\t%.6f\t%s\n" % (verdict, spam, name))


if __name__ == "__main__":
    {"learn": learn, "check": check}[sys.argv[1]](sys.argv[2])
