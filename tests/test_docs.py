"""The documents say what is: links lead somewhere, the command reference is the commands' own help."""

import re
from pathlib import Path

import pytest

from tools.cli_reference import reference

ROOT = Path(__file__).resolve().parents[1]
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
