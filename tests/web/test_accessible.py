"""No page breaks a rule of axe-core's, in light or in dark."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.browsing import chromium, visiting
from tests.web.test_browser import PAGES
from thresher.config import Settings

pytestmark = [pytest.mark.chromium, pytest.mark.axe, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Give one browser for all tests of this file."""
    with chromium() as started:
        yield started


@pytest.mark.parametrize(("dark", "width"), [(False, 1200), (True, 375)], ids=["light", "dark, on a phone"])
def test_axe_finds_nothing_on_any_page(
    browser: Browser, port: int, settings: Settings, width: int, axe_core: Path, *, dark: bool
) -> None:
    source = axe_core.read_text()
    with visiting(browser, port, settings, dark=dark, width=width) as seen:
        for path in PAGES:
            seen.page.goto(path)
            assert _violations(seen.page, source) == [], path
        seen.page.goto("/messages")
        seen.page.keyboard.press("j")
        seen.page.keyboard.press("s")
        seen.page.get_by_role("status").wait_for()
        assert _violations(seen.page, source) == [], "with a receipt"
        seen.page.keyboard.press("u")
        seen.page.get_by_text("Taken back").wait_for()
    with visiting(browser, port, dark=dark, width=width) as seen:
        seen.page.goto("/login")
        assert _violations(seen.page, source) == [], "logging in"


def _violations(page: Any, source: str) -> list[tuple[str, list[str]]]:  # noqa: ANN401 - axe's answer is JSON
    page.evaluate(f"{source}; undefined")
    found = page.evaluate("axe.run(document)")
    assert len(found["passes"]) > 5, "axe has looked"
    return [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found["violations"]]
