"""Lines of a bounded length, and text made safe for HTML."""

import re

_UNBROKEN = re.compile(r"[!-~]+|[^!-~]")
"""A word or link in ASCII, or any other character: what is not broken in a language without spaces."""
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
    row = ""
    for piece in _UNBROKEN.findall(line):
        if row and len(row) + len(piece) > _WIDE:
            rows.append(row)
            row = ""
        row += piece
    rows.append(row)


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
