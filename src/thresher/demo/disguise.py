"""How spam hides its words from filters: look-alike letters, digits for letters, spaces, invisible characters."""

from thresher.demo.dice import Dice
from thresher.demo.text import escape

_LEET = {"a": "@4", "e": "3", "i": "1!", "o": "0", "s": "5$", "t": "7", "l": "1", "b": "8"}
_TWINS = {
    "a": "а", "c": "с", "e": "е", "i": "і", "o": "оο", "p": "рρ", "x": "х", "y": "у", "s": "ѕ", "A": "АΑ", "B": "ВΒ",
    "C": "С", "E": "ЕΕ", "H": "НΗ", "K": "КΚ", "M": "МΜ", "O": "ОΟ", "P": "РΡ", "T": "ТΤ", "X": "ХΧ", "v": "ν",
}  # fmt: skip
"""Letters of other scripts that look like Latin ones."""
_INVISIBLE = ("\u200b", "\u200c", "\u200d", "\u00ad", "\u2060", "\ufeff")
_LONG = 5
"""Words shorter than this are not worth disguising."""


def leet(word: str, dice: Dice) -> str:
    """Return the word with digits and marks for some letters."""
    return "".join([dice.pick(_LEET[at]) if at in _LEET and dice.chance(0.6) else at for at in word])


def spaced(word: str, dice: Dice) -> str:
    """Return the word with its letters apart."""
    return dice.pick((" ", " ", ".", "-", "_", "*")).join(word)


def invisible(word: str, dice: Dice) -> str:
    """Return the word with characters nobody sees."""
    mark = dice.pick(_INVISIBLE)
    return "".join([letter + mark if dice.chance(0.5) else letter for letter in word])


def twins(word: str, dice: Dice) -> str:
    """Return the word with look-alike letters of other scripts."""
    return "".join([dice.pick(_TWINS[at]) if at in _TWINS and dice.chance(0.7) else at for at in word])


STYLES = {"leet": leet, "spaced": spaced, "invisible": invisible, "twins": twins}


def disguise(text: str, style: str, dice: Dice, share: float = 0.4) -> str:
    """Return the text with a share of its longer words disguised, links left alone."""
    change = STYLES[style]
    rows = []
    for word in text.split(" "):
        worth = len(word) >= _LONG and not word.startswith("http") and "@" not in word and "\n" not in word
        rows.append(change(word, dice) if worth and dice.chance(share) else word)
    return " ".join(rows)


def hidden(texts: list[str], dice: Dice) -> str:
    """Return HTML whose text nobody sees: harmless words to outweigh the others."""
    inner = " ".join([escape(text) for text in texts])
    style = dice.pick(
        (
            "display:none",
            "font-size:0px;line-height:0",
            "color:#ffffff;background-color:#ffffff;font-size:1px",
            "visibility:hidden;height:0",
            "position:absolute;left:-9999px",
            "opacity:0;max-height:0;overflow:hidden",
        )
    )
    tag = dice.pick(("div", "span", "p"))
    return f'<{tag} style="{style}">{inner}</{tag}>\n'
