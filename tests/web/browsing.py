"""A real browser on the page: every request, console message and violation of the policy is seen."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Route, sync_playwright

from thresher.config import Settings
from thresher.store.people import People

EXECUTABLE: Final = "/usr/bin/chromium"
ARGUMENTS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE: Final = 30_000
"""Milliseconds: other work may be going on beside."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


class Watched:
    """A page, and everything it did that it must not."""

    def __init__(self, page: Page, port: int) -> None:
        self.page = page
        self.wrong: list[str] = []
        self.received = 0
        self._host = f"127.0.0.1:{port}"
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.wrong.append(f"script failed: {error}"))
        page.on("dialog", lambda dialog: self.wrong.append(f"dialog: {dialog.message}"))
        page.on("popup", lambda popup: self.wrong.append(f"window: {popup.url}"))
        page.on("download", lambda download: self.wrong.append(f"download: {download.url}"))
        page.context.route("**/*", self._route)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.wrong.append(f"console: {message.text}")

    def _route(self, route: Route, request: Request) -> None:
        if urlsplit(request.url).netloc != self._host:
            self.wrong.append(f"request: {request.url}")
            route.abort()
        else:
            route.continue_()

    def text(self) -> str:
        """What a person reads on the page."""
        return " ".join(self.page.inner_text("main").split())


@contextmanager
def visiting(
    browser: Browser,
    port: int,
    settings: Settings | None = None,
    account: str = "owner",
    *,
    scripts: bool = True,
    dark: bool = False,
    width: int = 1200,
) -> Iterator[Watched]:
    """Open a window, logged in where there is an account; nothing wrong may have happened in it at the end."""
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{port}",
        java_script_enabled=scripts,
        color_scheme="dark" if dark else "light",
        viewport={"width": width, "height": 900},
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    try:
        if settings is not None:
            with People(settings.home) as people:
                secret = people.begin(account)
            context.add_cookies([
                {"name": "thresher-session", "value": secret, "url": f"http://127.0.0.1:{port}", "sameSite": "Strict"}
            ])  # fmt: skip
        watched = Watched(context.new_page(), port)
        yield watched
        assert watched.wrong == []
    finally:
        context.close()
