"""Write docs/coverage.md: for every row of the requirements its tests and its figures. A test holds the page to it."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from thresher.report.figures import FIGURES

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests" / "notes"

# How many there are of each kind: text to features, naive Bayes and so on, as the page says.
ROWS = [
    f"{letter}{number}"
    for letter, last in zip("ABCDEF", (3, 10, 5, 7, 5, 3), strict=True)
    for number in range(1, last + 1)
]

TITLE = """\
# Coverage

What the learning core must contain, row by row, with the tests that show it and the figures that picture it. A: text to
features; B: naive Bayes; C: generative against discriminative; D: regression, regularization and kernels; E: choosing
honestly; F: the system. This page is written by `make docs` from the tests and from `thresher figures --list`; do not
edit it. What the rows are about stands in the [tutorial](tutorial.md).

| row | what | tests | figures |
|---|---|---|---|
"""


class Covered(NamedTuple):
    """What the tests of one row say."""

    path: Path
    what: str
    tests: int


def covered() -> dict[str, Covered]:
    """Read the tests of each row; two modules for one row, or one that is named otherwise, is a ValueError."""
    found: dict[str, Covered] = {}
    for path in sorted(TESTS.glob("test_*.py")):
        row, what, tests = _read(path)
        if row in found:
            raise ValueError(f"{path} and {found[row].path} are both of row {row}")
        found[row] = Covered(path, what, tests)
    return found


def _read(path: Path) -> tuple[str, str, int]:
    tree = ast.parse(path.read_bytes())
    says = re.match(r"([A-F]\d+): (.+)", (ast.get_docstring(tree) or "").split("\n")[0])
    if not says or not path.stem.startswith(f"test_{says[1].lower()}_"):
        raise ValueError(f"{path} must begin with its row, as its name does: a docstring such as 'B1: what it shows'")
    tests = sum(isinstance(node, ast.FunctionDef) and node.name.startswith("test_") for node in tree.body)
    return says[1], says[2], tests


def figures_of(row: str) -> Iterator[str]:
    """Yield a link to each figure of a row."""
    return (f"[{name}](figures/{name}.png)" for name, drawing in FIGURES.items() if row in drawing.rows)


def page() -> str:
    """Return the whole page."""
    tests = covered()
    lines = []
    for row in ROWS:
        path, what, count = tests[row]
        link = f"[{path.name}](../{path.relative_to(ROOT)})"
        lines.append(f"| {row} | {what} | {count} in {link} | {', '.join(figures_of(row)) or '-'} |\n")
    return TITLE + "".join(lines)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page())
