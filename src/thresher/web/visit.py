"""One request of one person: who it is, what the form says, what is answered.

Its law: a page runs only for who may see it, and a form is believed only with the token of the very session, or, before
there is one, of the very browser: the token is a keyed hash of the cookie's secret, which no other site can read.
"""

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from thresher.boxes import BoxError
from thresher.store.people import LONGEST, Account, Role
from thresher.values import ThresherError
from thresher.web.site import Site

SESSION: Final = "thresher-session"
VISITOR: Final = "thresher-visitor"
TOKEN: Final = "token"
MOST_FIELDS: Final = 2000
MOST_FILES: Final = 200
NAV: Final = (
    ("/", "Overview"),
    ("/messages", "Messages"),
    ("/review", "Review"),
    ("/learning", "Learning"),
    ("/words", "Words"),
)
NAV_OF_ADMINISTRATORS: Final = (("/tuning", "Tuning"),)
FILE_BYTES: Final = 1 << 20
"""Of one file that stay in memory; larger ones go to a private temporary file."""
_SEE_OTHER: Final = 303


class May(Enum):
    """Who may see a page."""

    ANYBODY = "anybody"
    PEOPLE = "people"
    ADMINISTRATORS = "administrators"


class Refused(Exception):
    """What was asked cannot be done; the text is for the person."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status


class Visit:
    """One request."""

    def __init__(self, request: Request, site: Site) -> None:
        self.request = request
        self.site = site
        self.form = FormData()
        self.secret = request.cookies.get(SESSION, "")
        self.visitor = request.cookies.get(VISITOR, "")
        self.new_visitor = ""
        self._account: Account | None = site.people.whose(self.secret) if self.secret else None

    @property
    def account(self) -> Account:
        """Who asks; pages for anybody do not ask this."""
        if self._account is None:
            raise Refused("Please log in.", 401)
        return self._account

    @property
    def known(self) -> bool:
        """Whether somebody is logged in."""
        return self._account is not None

    @property
    def address(self) -> str:
        """Where the request comes from."""
        return self.request.client.host if self.request.client else "local"

    @property
    def token(self) -> str:
        """What every form of this visit must carry."""
        if self._account is not None:
            return _token(self.secret)
        if not self.visitor:
            self.visitor = self.new_visitor = secrets.token_urlsafe(32)
        return _token(self.visitor)

    def proves(self, token: str) -> bool:
        """Whether a form is of this session or browser."""
        return bool(self.secret if self.known else self.visitor) and hmac.compare_digest(
            token.encode("utf-8", "replace"), self.token.encode()
        )

    def query(self, name: str, default: str = "") -> str:
        """Return a value of the address."""
        return self.request.query_params.get(name, default)

    def text(self, name: str) -> str:
        """Return a field of the form."""
        value = self.form.get(name, "")
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> list[str]:
        """Return all fields of that name."""
        return [value for value in self.form.getlist(name) if isinstance(value, str)]

    def files(self, name: str) -> list[UploadFile]:
        """Return the files of the form."""
        return [value for value in self.form.getlist(name) if isinstance(value, UploadFile) and value.filename]

    def number(self, name: str) -> int:
        """Return a number of the path."""
        return int(self.request.path_params[name])

    def show(self, template: str, status: int = 200, **context: Any) -> Response:  # noqa: ANN401 - templates take anything
        """Answer with a page."""
        made = self.site.templates.get_template(template)
        text = made.render(visit=self, account=self._account, here=self.request.url.path, nav=self._nav(), **context)
        return HTMLResponse(text.encode("utf-8", "replace"), status)

    def _nav(self) -> tuple[tuple[str, str], ...]:
        administrates = self._account is not None and self._account.role is Role.ADMINISTRATOR
        return (*NAV, *NAV_OF_ADMINISTRATORS) if administrates else NAV

    def go(self, address: str) -> Response:
        """Send the browser to another page of ours."""
        return RedirectResponse(ours(address), _SEE_OTHER)

    def session(self, response: Response, secret: str) -> Response:
        """Hand a session to the browser; an empty secret takes it away."""
        self._set(response, SESSION, secret, int(LONGEST) if secret else 0)
        return response

    def remember(self, response: Response) -> None:
        """Hand a browser that has none its own secret."""
        if self.new_visitor:
            self._set(response, VISITOR, self.new_visitor, int(LONGEST))

    def _set(self, response: Response, name: str, value: str, age: int) -> None:
        secure = self.site.settings.serve.page_https
        response.set_cookie(name, value, max_age=age, httponly=True, samesite="strict", secure=secure)


Page = Callable[[Visit], Response]


def ours(address: str) -> str:
    """Return an address if it is one of this page, else the front page: nobody is sent elsewhere."""
    return (
        address if address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable() else "/"
    )


def page(answer: Page, may: May = May.PEOPLE) -> Callable[[Request], Awaitable[Response]]:
    """Make an endpoint of a page."""

    async def endpoint(request: Request) -> Response:
        site: Site = request.app.state.site
        visit = await run_in_threadpool(Visit, request, site)
        if refused := _refusal(visit, may):
            return refused
        if request.method == "POST":
            visit.form = await request.form(max_files=MOST_FILES, max_fields=MOST_FIELDS, max_part_size=FILE_BYTES)
            if not visit.proves(visit.text(TOKEN)):
                return PlainTextResponse(
                    "This form is not of this session; go back, load the page and try again.\n", 403
                )
        try:
            response = await run_in_threadpool(_answered, answer, visit)
        finally:
            await visit.form.close()
        visit.remember(response)
        return response

    return endpoint


def _answered(answer: Page, visit: Visit) -> Response:
    try:
        return answer(visit)
    except Refused as refused:
        return visit.show("refused.html", refused.status, text=str(refused))
    except BoxError as error:
        return visit.show("refused.html", 400, text=str(error))
    except ThresherError as error:
        # Trouble with the disk: it says what, and the same may work later.
        return visit.show("refused.html", 503, text=str(error))


def _refusal(visit: Visit, may: May) -> Response | None:
    if may is May.ANYBODY:
        return None
    if not visit.known:
        if visit.request.method == "GET":
            return RedirectResponse("/login", _SEE_OTHER)
        return PlainTextResponse("Please log in.\n", 401)
    if may is May.ADMINISTRATORS and visit.account.role is not Role.ADMINISTRATOR:
        return visit.show("refused.html", 403, text="Only an administrator may see this.")
    return None


def _token(secret: str) -> str:
    return hmac.new(secret.encode("utf-8", "replace"), b"form", hashlib.sha256).hexdigest()
