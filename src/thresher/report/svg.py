"""Figures drawn by matplotlib -> SVG that is part of a page: its colours are the page's, and its text is text.

The law of this file: what comes out needs no style attribute, no script and nothing from elsewhere, so it may stand on
a page whose policy allows one style sheet. Equal styles are one class; identifiers are unique on the page.
"""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from thresher.report.html import safe

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PALETTE: Final = {
    "text": "#010203",
    "quiet": "#010204",
    "rule": "#010205",
    "panel": "#010206",
    "spam": "#010207",
    "ham": "#010208",
    "unsure": "#010209",
}
"""Colours to draw with; on the page each becomes the page's own of that name, light or dark."""
_TRIPLES: Final = frozenset({"spam", "ham"})
"""Those that the style sheet keeps as three numbers."""
SETTINGS: Final[dict[Any, Any]] = {
    "svg.fonttype": "none",
    "font.size": 10.0,
    "text.color": PALETTE["text"],
    "axes.edgecolor": PALETTE["rule"],
    "axes.labelcolor": PALETTE["text"],
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10.0,
    "figure.facecolor": "none",
    "xtick.color": PALETTE["rule"],
    "ytick.color": PALETTE["rule"],
    "xtick.labelcolor": PALETTE["quiet"],
    "ytick.labelcolor": PALETTE["quiet"],
    "grid.color": PALETTE["rule"],
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.labelcolor": PALETTE["text"],
    "lines.linewidth": 1.6,
}
_STYLE: Final = re.compile(r' style="([^"]*)"')
_ID: Final = re.compile(r' id="([^"]*)"')
_USED: Final = re.compile(r'(?:xlink:href="|url\()#([^")]+)')
_FONT: Final = re.compile(r"font: (?:\w+ )?([\d.]+)px [^;]*")


@contextmanager
def drawing() -> Iterator[None]:
    """Have figures drawn in the page's style within the block; nothing else is drawn otherwise after it."""
    import matplotlib as mpl

    with mpl.rc_context(SETTINGS):
        yield


class Styles:
    """The styles of all figures of a page, each a class."""

    def __init__(self) -> None:
        self._classes: dict[str, str] = {}

    def name(self, style: str) -> str:
        """Return the class of a style."""
        return self._classes.setdefault(style, f"g{len(self._classes)}")

    def sheet(self) -> str:
        """Return them as a style sheet."""
        rules = (f"svg .{name} {{ {style} }}\n" for style, name in self._classes.items())
        return "svg * { stroke-linejoin: round; stroke-linecap: butt }\n" + "".join(rules)


def inline(figure: "Figure", name: str, alternative: str, styles: Styles) -> str:
    """Return a figure, drawn within `drawing`, as an element of a page; `alternative` says what is to be seen."""
    import matplotlib as mpl

    written = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": name}):
        figure.savefig(written, format="svg", transparent=True, metadata={"Date": None})
    text = written.getvalue()
    body = text[text.index(">", text.index("<svg")) + 1 :]
    body = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", body, flags=re.DOTALL)
    body = _STYLE.sub(lambda found: f' class="{styles.name(_on_page(found[1]))}"', body)
    body = re.sub(r"\n\s*", "\n", _with_unique_ids(body, name))
    width, height = (72 * inches for inches in figure.get_size_inches())
    return (
        f'<svg role="img" aria-label="{safe(alternative)}" viewBox="0 0 {width:g} {height:g}" '
        f'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">{body}'
    )


def _on_page(style: str) -> str:
    """Say a style with the page's colours, and leave the family of letters to the page."""
    style = _FONT.sub(r"font-size: \1px", style)
    for name, colour in PALETTE.items():
        style = style.replace(colour, f"rgb(var(--{name}))" if name in _TRIPLES else f"var(--{name})")
    return style


def _with_unique_ids(body: str, name: str) -> str:
    used = set(_USED.findall(body))
    body = _ID.sub(lambda found: f' id="{name}-{found[1]}"' if found[1] in used else "", body)
    return _USED.sub(lambda found: found[0][: -len(found[1])] + f"{name}-{found[1]}", body)
