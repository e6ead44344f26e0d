"""The features of one stream as people read them: which words stand behind a slot."""

import itertools
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.learn.hashing import MAX_WORD, Ids, Words, find_words, kinds_of, to_slots

FEW: Final = 16
"""Slots that are looked for one by one."""


class Described(NamedTuple):
    """A feature as a person reads it."""

    kind: str
    field: str
    text: str


def described(stream: bytes, bits: int, wanted: Ids | None = None) -> dict[int, Described]:
    """Name the feature behind each slot of one stream, or each slot wanted; where several share a slot, the first."""
    words = find_words([stream])
    texts = _Texts(stream, words)
    heads = np.repeat(words.fields, np.diff(np.append(words.fields, len(texts)))).tolist()
    named: dict[int, Described] = {}
    for kind in kinds_of(words):
        slots = to_slots(kind.hashes, bits)
        chosen = slice(None) if wanted is None else _among(slots, wanted)
        for at, slot in zip(kind.at[chosen].tolist(), slots[chosen].tolist(), strict=True):
            if slot not in named:
                named[slot] = _describe(kind.name, at, texts, heads)
    return named


def _among(slots: Ids, wanted: Ids) -> npt.NDArray[np.bool_]:
    """Say which slots are wanted; a few are asked for one by one, which takes a third of np.isin's time."""
    if len(wanted) > FEW:
        return np.isin(slots, wanted)
    found = np.zeros(len(slots), np.bool_)
    for slot in wanted.tolist():
        found |= slots == slot
    return found


class _Texts:
    """The words of a stream as text, decoded when asked for: reasons need a few of a thousand."""

    def __init__(self, stream: bytes, words: Words) -> None:
        self._stream = stream
        self._words = words

    def __len__(self) -> int:
        return len(self._words.starts)

    def __getitem__(self, at: int) -> str:
        # find_words counts from the line feed it puts in front.
        start = int(self._words.starts[at]) - 1
        return self._stream[start : start + int(self._words.lengths[at])].decode("utf-8", "replace")


def _describe(kind: str, at: int, texts: _Texts, heads: list[int]) -> Described:
    field, text = texts[heads[at]], texts[at]
    following = texts[at + 1] if at + 1 < len(texts) else ""
    if kind == "word" and at == heads[at]:
        kind = "field"
    elif kind == "pair":
        text = f"{text} {following}" if at != heads[at] else following
    elif kind == "order":
        after = next((texts[head] for head in heads[at:] if head > at), "")
        text = f"{field}, then {after}"
    elif kind == "shape":
        text = text.translate(str.maketrans("123456789", "000000000"))
    elif kind == "plain":
        text = text.translate(str.maketrans("0134578$", "oieastbs"))
    elif kind == "joined":
        same_field = (i for i in range(at, len(texts)) if heads[i] == heads[at])
        run = itertools.takewhile(lambda one: len(one.encode()) == 1, (texts[i] for i in same_field))
        text = "".join(run)[:MAX_WORD]
    return Described(kind, field, text)
