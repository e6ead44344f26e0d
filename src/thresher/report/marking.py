"""Which words of a message's own text carried its score. Pure.

Its law: the pieces, put together, are the text. A piece carries the shares of the features read from its words: of a
word its own share, of two neighbouring words half the pair's share each. A word that stands there more than once is
marked each time, though it counts once.
"""

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from thresher.judge import Evidence
from thresher.learn.hashing import JOINED_RUN, MAX_WORD, PLAIN_TABLE, SHAPE_TABLE
from thresher.mail.words import words

_PIECE: Final = re.compile(r"\s+|\S+")
_ASCII_WORD: Final = re.compile(r"[0-9A-Za-z$%'-]+")
# Scripts without blanks between words, which mail.words cuts into pairs of characters. A character missed here is
# marked together with its neighbours, no more.
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_KEPT: Final = frozenset("$%'-")
_NAMES: Final = ("address:", "domain:")
"""Tokens that mail.fields makes of an address beside its words."""
_SHAPES: Final = SHAPE_TABLE.tobytes()
_PLAIN: Final = PLAIN_TABLE.tobytes()


class Reason(NamedTuple):
    """A feature that a piece has a part in."""

    text: str
    share: float
    """The piece's part of the feature's share."""


class Piece(NamedTuple):
    """Some characters of the text, and what they carried."""

    text: str
    reasons: tuple[Reason, ...] = ()

    @property
    def share(self) -> float:
        """The sum of its reasons."""
        return math.fsum(reason.share for reason in self.reasons)


class _Token(NamedTuple):
    text: str
    at: tuple[int, ...]
    """The pieces it was read from: one, or the two characters of a pair."""


class Marker:
    """Marks texts with the shares of one message's features."""

    def __init__(self, evidence: Iterable[Evidence]) -> None:
        self._shares: dict[tuple[str, str, str], float] = {}
        self._names: list[tuple[str, Reason]] = []
        for (kind, field, text), share, _, _ in evidence:
            self._shares[field, kind, _known(text)] = share
            if kind == "word" and text.startswith(_NAMES):
                self._names.append((field, Reason(text, share)))

    def mark(self, field: str, text: str) -> list[Piece]:
        """Cut a text that stands in a field into pieces and say what each carried."""
        texts, tokens = _cut(text)
        reasons: defaultdict[int, list[Reason]] = defaultdict(list)
        for covered, kind, told, divided_by in _features(tokens):
            share = self._shares.get((field, kind, _known(told)))
            if share is not None:
                for token in covered:
                    for at in token.at:
                        reasons[at].append(Reason(told, share / divided_by / len(token.at)))
        return [Piece(piece, tuple(reasons[i])) for i, piece in enumerate(texts)]

    def mark_names(self, field: str, pieces: Sequence[Piece]) -> list[Piece]:
        """Share out what an address, or its domain, carried among the pieces it is made of."""
        reasons = [list(piece.reasons) for piece in pieces]
        text = "".join(piece.text for piece in pieces).lower()
        for where, (told, share) in self._names:
            name = told.partition(":")[2]
            at = text.find(name) if where == field and name else -1
            if at >= 0:
                within = [
                    i for i, start in _starts(pieces) if at <= start < at + len(name) and pieces[i].text.isalnum()
                ]
                for i in within:
                    reasons[i].append(Reason(told, share / len(within)))
        return [piece._replace(reasons=tuple(held)) for piece, held in zip(pieces, reasons, strict=True)]


def _starts(pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    start = 0
    for i, piece in enumerate(pieces):
        yield i, start
        start += len(piece.text)


def _features(tokens: Sequence[_Token]) -> Iterator[tuple[Sequence[_Token], str, str, int]]:
    """Name the features that words of one field take part in: which words, kind, text, among how many to divide it."""
    if tokens:
        # The first word's pair with its field's name; the other half is the name's.
        yield tokens[:1], "pair", tokens[0].text, 2
    for token in tokens:
        yield [token], "word", token.text, 1
        if any(character.isdecimal() for character in token.text):
            encoded = token.text.encode("utf-8", "replace")
            yield [token], "shape", encoded.translate(_SHAPES).decode("utf-8", "replace"), 1
            yield [token], "plain", encoded.translate(_PLAIN).decode("utf-8", "replace"), 1
    for one, two in pairwise(tokens):
        yield (one, two), "pair", f"{one.text} {two.text}", 2
    for run in _one_letter_runs(tokens):
        yield run, "joined", "".join(token.text for token in run)[:MAX_WORD], len(run)


def _one_letter_runs(tokens: Sequence[_Token]) -> Iterator[Sequence[_Token]]:
    start = 0
    for i in range(len(tokens) + 1):
        if i == len(tokens) or len(tokens[i].text.encode()) != 1:
            if i - start >= JOINED_RUN:
                yield tokens[start:i]
            start = i + 1


def _known(text: str) -> str:
    """Name words as the hash knows them: a long one by the class of its length."""
    if len(text) <= MAX_WORD:
        return text
    return " ".join(
        f"\n{size.bit_length()}" if (size := len(word.encode("utf-8", "replace"))) > MAX_WORD else word
        for word in text.split(" ")
    )


def _cut(text: str) -> tuple[list[str], list[_Token]]:
    """Cut a text into pieces, and read the words of each as the filter does."""
    pieces: list[str] = []
    tokens: list[_Token] = []
    for piece in _PIECE.findall(text):
        if piece.isspace():
            pieces.append(piece)
        else:
            for run, is_word in _runs(piece):
                _read(run, is_word, pieces, tokens)
    return pieces, tokens


def _runs(piece: str) -> Iterator[tuple[str, bool]]:
    """Part what may be words from punctuation."""
    end = 0
    for start, stop in _word_spans(piece):
        if start > end:
            yield piece[end:start], False
        yield piece[start:stop], True
        end = stop
    if end < len(piece):
        yield piece[end:], False


def _word_spans(piece: str) -> Iterator[tuple[int, int]]:
    if piece.isascii():
        yield from (match.span() for match in _ASCII_WORD.finditer(piece))
        return
    start = 0
    for i in range(len(piece) + 1):
        if i == len(piece) or not (piece[i] in _KEPT or unicodedata.category(piece[i])[0] in "LMNC"):
            if i > start:
                yield from _by_script(piece, start, i)
            start = i + 1


def _by_script(piece: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Part runs of scripts without blanks from the rest."""
    for match in _UNSPACED.finditer(piece, start, end):
        if match.start() > start:
            yield start, match.start()
        yield match.span()
        start = match.end()
    if start < end:
        yield start, end


def _read(run: str, is_word: bool, pieces: list[str], tokens: list[_Token]) -> None:  # noqa: FBT001
    first = len(pieces)
    found = words(run.encode("utf-8", "replace"), set()).decode("utf-8", "replace").split() if is_word else []
    if is_word and _UNSPACED.fullmatch(run) and len(found) == len(run) - 1:
        pieces.extend(run)
        tokens.extend(_Token(token, (first + i, first + i + 1)) for i, token in enumerate(found))
    else:
        pieces.append(run)
        tokens.extend(_Token(token, (first,)) for token in found)
