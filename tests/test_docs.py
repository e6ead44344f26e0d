"""The documents say what is: links lead somewhere, what is printed or generated in them is what the code does."""

import doctest
import re
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from thresher.report.figures import FIGURES
from tools.cli_reference import reference
from tools.coverage import ROWS, covered, page

ROOT = Path(__file__).resolve().parents[1]
TUTORIAL = ROOT / "docs" / "tutorial.md"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "evidence").rglob("*.md")])

# [text](target), the target up to a title or an anchor.
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)(#[^)\s]*)?")


def anchors(page: Path) -> set[str]:
    """Name the headings of a page as links name them: lower case, hyphens for spaces, no punctuation."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {"#" + re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def targets(page: Path) -> list[tuple[str, str]]:
    """List the (file, anchor) of each link that stays within the project; code is not read."""
    text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.DOTALL)
    return [link for link in LINK.findall(text) if "://" not in link[0] and not link[0].startswith("mailto:")]


def test_there_are_pages_and_links() -> None:
    """The two tests below have something to read."""
    assert len(PAGES) > 3
    assert sum(len(targets(page)) for page in PAGES) > 5


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    """A link to a file of the project names one that is there, and a heading in it."""
    dead = []
    for file, anchor in targets(page):
        target = (page.parent / file).resolve() if file else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(file + anchor)
    assert dead == []


def test_the_command_reference_is_the_commands_own_help() -> None:
    """docs/cli.md is what `make docs` writes."""
    assert (ROOT / "docs" / "cli.md").read_text() == reference(), "run `make docs`"


def test_the_coverage_page_is_what_the_tests_say() -> None:
    """docs/coverage.md is what `make docs` writes."""
    assert (ROOT / "docs" / "coverage.md").read_text() == page(), "run `make docs`"


def test_every_row_has_tests_and_every_figure_a_row() -> None:
    """A1 to A3, B1 to B10, C1 to C5, D1 to D7, E1 to E5, F1 to F3, and no other."""
    assert [len([row for row in ROWS if row[0] == letter]) for letter in "ABCDEF"] == [3, 10, 5, 7, 5, 3]
    found = covered()
    assert set(found) == set(ROWS)
    assert [row for row, each in found.items() if each.tests < 2] == []
    assert [name for name, drawing in FIGURES.items() if not drawing.rows or not set(drawing.rows) <= set(ROWS)] == []


def test_the_tutorial_shows_every_figure() -> None:
    """Each one that `thresher figures` draws, and no other."""
    shown = {Path(file).stem for file, _ in targets(TUTORIAL) if file.startswith("figures/")}
    assert shown == set(FIGURES)


@pytest.mark.filterwarnings("error")
def test_the_tutorials_code_prints_what_it_says() -> None:
    """From top to bottom, in one go, without a warning."""
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", TUTORIAL.read_text(), re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, TUTORIAL.name, str(TUTORIAL), 0)
    assert len(test.examples) > 80
    said = StringIO()
    with np.printoptions():
        failed, _ = doctest.DocTestRunner(verbose=False).run(test, out=said.write)
    assert failed == 0, said.getvalue()
