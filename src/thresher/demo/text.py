"""Lines of a bounded length, and text made safe for HTML."""

import re

_LINK = re.compile(r"(https?://[!-~]+)")
_WIDTH = 72
_WIDE = 36
"""Characters a line of a language without spaces."""


def wrap(text: str, *, spaced: bool = True) -> str:
    """Return the text with no line much longer than a screen's."""
    rows: list[str] = []
    for line in text.split("\n"):
        if len(line) <= (_WIDTH if spaced else _WIDE) or line.startswith(">"):
            rows.append(line)
        elif spaced:
            _wrap_words(line, rows)
        else:
            _wrap_letters(line, rows)
    return "\n".join(rows)


def _wrap_letters(line: str, rows: list[str]) -> None:
    for piece in _LINK.split(line):
        if piece.startswith("http"):
            rows.append(piece)
        else:
            rows.extend(piece[at : at + _WIDE] for at in range(0, len(piece), _WIDE))


def _wrap_words(line: str, rows: list[str]) -> None:
    row = ""
    for word in line.split(" "):
        if row and len(row) + len(word) >= _WIDTH:
            rows.append(row)
            row = word
        else:
            row = f"{row} {word}" if row else word
    rows.append(row)


def escape(text: str) -> str:
    """Return the text safe within HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
