"""What all pages share: colours for light and dark, a policy under which nothing is fetched or run, and escaping.

The law of this file: every character from outside goes through `safe`, and a page has one style sheet, known to its
policy by its hash. So nothing a message holds can be more than text on the page.
"""

import base64
import hashlib
import html
from collections.abc import Iterator
from typing import Final

from thresher.report.explained import shown

COLOURS: Final = """
:root { color-scheme: light dark; --back: #fff; --text: #1c1c1e; --quiet: #6a6a70; --rule: #d8d8dc; --panel: #f6f6f8;
  --spam: 208 52 34; --ham: 18 112 180; --unsure: #8a6100 }
@media (prefers-color-scheme: dark) { :root { --back: #161618; --text: #e8e8ea; --quiet: #a0a0a8; --rule: #3a3a40;
  --panel: #202024; --spam: 255 110 90; --ham: 90 170 255; --unsure: #e0b040 } }
* { box-sizing: border-box }
"""


def head(title: str, style: str) -> Iterator[str]:
    """Begin a page, up to and with the tag of its body."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-{digest}'"
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield '<meta name="referrer" content="no-referrer">\n'
    yield f"<title>{safe(title)}</title>\n<style>{style}</style></head>\n<body>\n"


def safe(text: str) -> str:
    """Escape text from outside; of control characters only line ends and tabs stay."""
    lines = (shown(line) for line in text.replace("\t", "    ").split("\n"))
    return html.escape("\n".join(lines))
