"""Hostile mail on every page that shows mail: nothing runs, nothing leaves, the policy is never called upon."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.serve.making import settings_in
from tests.web.browsing import chromium, visiting
from tests.web.conftest import Served, add
from tests.web.making import arrive
from tests.web.payloads import hostile, long_lines, payloads
from thresher.boxes import Item
from thresher.build import build_engine
from thresher.config import Settings
from thresher.engine import Teaching
from thresher.prepare import prepare
from thresher.store.people import Role
from thresher.values import Label

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(300)]
PAYLOADS = list(payloads())
WATCH = """
    window.violated = [];
    document.addEventListener("securitypolicyviolation", (event) => violated.push(event.violatedDirective));
"""
STANDS = """[violated, document.querySelectorAll("h1").length,
    document.querySelectorAll("script, iframe, object, embed, base, video, audio, style, form[action^='//']").length]"""
"""What must be: no violation, our one heading, our one script."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Give one browser for all tests of this file."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Make a home that got nothing but hostile mail, and was taught half of it."""
    made = settings_in(tmp_path_factory.mktemp("hostile") / "home")
    add(made, "owner", Role.ADMINISTRATOR, made.user)
    raws = [hostile(payload, number) for number, payload in enumerate(PAYLOADS)]
    engine = build_engine(made)
    try:
        engine.load()
        prepared = prepare([Item(PAYLOADS[i], raw) for i, raw in enumerate(raws)], engine.view.hasher)
        # The payload is also where the lesson is said to come from.
        engine.learn([
            Teaching(message, Label.SPAM if number % 3 else Label.HAM, PAYLOADS[number])
            for number, message in enumerate(prepared)
        ])  # fmt: skip
        engine.rebuild()
    finally:
        engine.journal.close()
    for number, raw in enumerate(raws):
        arrive(made, [raw], folder=PAYLOADS[number])
    arrive(made, long_lines())
    return made


@pytest.fixture(scope="module")
def port(settings: Settings) -> Iterator[int]:
    """Serve the page of that home."""
    with Served(settings) as port:
        yield port


def test_there_are_at_least_a_hundred() -> None:
    assert len(set(PAYLOADS)) >= 100


def test_nothing_in_hostile_mail_runs_or_leaves(browser: Browser, port: int, settings: Settings) -> None:
    """Every payload: as sender, subject, header, plain text, HTML, file name, folder and source of a lesson."""
    with visiting(browser, port, settings) as seen:
        seen.page.add_init_script(WATCH)
        lists = ["/", "/messages", "/review", "/words", "/learning"]
        lists += [
            f"/messages?sort={sort}&dir={way}" for sort in ("sender", "subject", "log_odds") for way in ("up", "down")
        ]
        messages = [f"/messages/{number}" for number in range(1, len(PAYLOADS) + len(long_lines()) + 1)]
        for path in [*lists, *messages]:
            answer = seen.page.goto(path)
            assert answer
            assert answer.status == 200, path
            assert seen.page.evaluate(STANDS) == [[], 1, 1], path
            assert seen.wrong == [], path


def test_a_search_for_a_payload_shows_it_as_text(browser: Browser, port: int, settings: Settings) -> None:
    from urllib.parse import urlencode

    with visiting(browser, port, settings) as seen:
        seen.page.add_init_script(WATCH)
        for payload in PAYLOADS[::8]:
            for path, names in (("/messages", ("q", "folder", "sender", "days")), ("/words", ("q", "field"))):
                seen.page.goto(f"{path}?{urlencode(dict.fromkeys(names, payload[:150]))}")
                assert seen.page.evaluate(STANDS) == [[], 1, 1], payload
                assert seen.wrong == [], payload


def test_a_page_of_a_megabyte_in_a_line_is_short(port: int, settings: Settings) -> None:
    from tests.web.client import Client

    owner = Client(port)
    owner.log_in()
    first = len(PAYLOADS) + 1
    for number in range(first, first + len(long_lines())):
        answer = owner.get(f"/messages/{number}")
        assert answer.status == 200
        assert len(answer.body) < 2_000_000
    del settings


def test_what_turns_the_direction_of_writing_is_not_on_any_page(port: int, settings: Settings, tmp_path: Path) -> None:
    from tests.web.client import Client

    owner = Client(port)
    owner.log_in()
    bidi = [
        chr(code) for code in (0x202A, 0x202B, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x200E, 0x200F, 0x1B, 0x07, 0)
    ]
    for path in (
        "/",
        "/messages",
        "/messages?sort=subject&dir=down",
        *(f"/messages/{n}" for n in range(1, len(PAYLOADS) + 1)),
    ):
        text = owner.get(path).body.decode()
        assert [hex(ord(character)) for character in bidi if character in text] == [], path
    del settings, tmp_path
