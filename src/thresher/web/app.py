"""The application: every address, who may see it, and what answers."""

from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher.web import entry, learning, live, message, messages, overview, review, tuning, words
from thresher.web.desk import Desk
from thresher.web.guard import LOOPBACK, UPLOAD, Guard
from thresher.web.site import Site
from thresher.web.visit import May, Page, page

FOR_EVER: Final = "public, max-age=31536000, immutable"


def application(desk: Desk) -> Starlette:
    """Return the page of a running filter."""
    made = Starlette(
        routes=[
            _at("/", overview.show),
            _at("/setup", entry.setup, May.ANYBODY, form=True),
            _at("/login", entry.login, May.ANYBODY, form=True),
            _at("/logout", entry.logout, form=True, only=True),
            _at("/password", entry.password, form=True),
            _at("/accounts", entry.accounts, May.ADMINISTRATORS, form=True),
            _at("/messages", messages.show),
            _at("/messages/teach", messages.change, form=True, only=True),
            _at("/messages/undo", messages.take_back, form=True, only=True),
            _at("/messages/{number:int}", message.show),
            _at("/review", review.show),
            _at("/words", words.show),
            _at("/start", learning.start, May.ADMINISTRATORS),
            _at("/tuning", tuning.show, May.ADMINISTRATORS),
            _at("/tuning/tune", tuning.tune, May.ADMINISTRATORS, form=True, only=True),
            _at("/tuning/report", tuning.report, May.ADMINISTRATORS, form=True, only=True),
            _at("/tuning/apply", tuning.apply, May.ADMINISTRATORS, form=True, only=True),
            _at("/tuning/undo", tuning.undo, May.ADMINISTRATORS, form=True, only=True),
            _at("/report", tuning.read_report, May.ADMINISTRATORS),
            _at("/learning", learning.show),
            _at(UPLOAD, learning.upload, form=True, only=True),
            _at("/learning/demo", learning.demo, May.ADMINISTRATORS, form=True, only=True),
            _at("/learning/folder", learning.folder, May.ADMINISTRATORS, form=True, only=True),
            _at("/learning/imap", learning.imap, May.ADMINISTRATORS, form=True, only=True),
            _at("/learning/jobs/{number:int}/continue", learning.go_on, form=True, only=True),
            _at("/learning/jobs/{number:int}/forget", learning.take_back, form=True, only=True),
            Route("/learning/jobs/{number:int}/events", learning.events),
            Route("/events", live.messages),
            Route("/static/{version}/{name}", asset),
        ],
        exception_handlers={HTTPException: _failed},
    )
    made.state.site = Site(desk)
    host = desk.settings.serve.page_host
    made.add_middleware(Guard, hosts=LOOPBACK | ({host} if host else frozenset()))
    return made


def _at(path: str, answer: Page, may: May = May.PEOPLE, *, form: bool = False, only: bool = False) -> Route:
    methods = ["POST"] if only else ["GET", "POST"] if form else ["GET"]
    return Route(path, page(answer, may), methods=methods)


async def asset(request: Request) -> Response:
    """Answer with one of our own files."""
    site: Site = request.app.state.site
    found = site.assets.get(request.path_params["name"])
    if found is None or found.version != request.path_params["version"]:
        raise HTTPException(404)
    return Response(found.body, media_type=found.kind, headers={"cache-control": FOR_EVER})


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - starlette's signature says less than it means
    if error.status_code == 404 and request.method == "GET":  # noqa: PLR2004 - as HTTP has it
        return await page(entry.missing, May.ANYBODY)(request)
    return Response(f"{error.detail}\n", error.status_code, media_type="text/plain")
