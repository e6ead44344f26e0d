"""Coming in and going out: the first password, log in, log out, accounts."""

import hmac
import logging
import math
import re
import secrets
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from thresher.store.people import Account, People, Role
from thresher.values import ThresherError
from thresher.web.visit import Refused, Visit

if TYPE_CHECKING:
    from pathlib import Path

    from argon2 import PasswordHasher

log = logging.getLogger(__name__)

SHORTEST: Final = 10
"""Characters of a password: with 770 guesses a day no shorter word list is safe."""
LONGEST_PASSWORD: Final = 1000
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@+-]{0,63}")
_TOO_MANY: Final = 429


class BadPassword(ThresherError):
    """A password or a name that cannot be used."""


def hasher() -> "PasswordHasher":
    """Return argon2id with the library's settings, those of RFC 9106 for little memory."""
    from argon2 import PasswordHasher

    return PasswordHasher()


def account_of(name: str, password: str, role: Role, person: str) -> Account:
    """Return an account that can be put."""
    if not NAME.fullmatch(name):
        raise BadPassword("A name has letters, digits and . _ @ + -, 64 at most, and begins with a letter or digit.")
    if not SHORTEST <= len(password) <= LONGEST_PASSWORD:
        raise BadPassword(f"A password has at least {SHORTEST} characters.")
    return Account(name, role, hasher().hash(password), person)


def prepare_setup(people: People, key: "Path") -> str | None:
    """Make the key to the first account if there is none yet; return it as long as it is needed."""
    if people.accounts():
        key.unlink(missing_ok=True)
        return None
    if not key.exists():
        from thresher.store.files import replaced

        with replaced(key) as file:
            file.write_text(secrets.token_urlsafe(24))
    return key.read_text()


def setup(visit: Visit) -> Response:
    """Make the first account: only whoever can read a file of the home, and only once."""
    people, key = visit.site.people, visit.site.setup_key
    wanted = prepare_setup(people, key)
    if wanted is None:
        return visit.go("/login")
    given = visit.text("key") or visit.query("key")
    proved = hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())
    error = ""
    if visit.request.method == "POST":
        if wait := people.wait("", visit.address):
            return _later(visit, "setup.html", wait, key=given, file=key, proved=proved)
        error = _set_up(visit, proved=proved)
        if not error:
            key.unlink(missing_ok=True)
            return visit.session(visit.go("/start"), people.begin(visit.text("name")))
    status = 400 if error else 200
    return visit.show("setup.html", status, key=given if proved else "", file=key, proved=proved, error=error)


def _set_up(visit: Visit, *, proved: bool) -> str:
    """Make the account; return what is wrong, if anything is."""
    if not proved:
        visit.site.people.failed("", visit.address)
        return "This is not the key in the file named below."
    if visit.text("password") != visit.text("again"):
        return "The two passwords differ."
    try:
        account = account_of(visit.text("name"), visit.text("password"), Role.ADMINISTRATOR, visit.site.settings.user)
    except BadPassword as error:
        return str(error)
    return "" if visit.site.people.put(account, first=True) else "There is an account by now; log in."


def login(visit: Visit) -> Response:
    """Begin a session."""
    people = visit.site.people
    if prepare_setup(people, visit.site.setup_key):
        return visit.go("/setup")
    if visit.request.method != "POST":
        return visit.go("/") if visit.known else visit.show("login.html", error="")
    name = visit.text("name")
    if wait := people.wait(name, visit.address):
        return _later(visit, "login.html", wait)
    account = people.account(name)
    if account is None or not _matches(account.hash, visit.text("password")):
        if account is None:
            hasher().hash(visit.text("password")[:LONGEST_PASSWORD])  # as long as for a name that is there
        people.failed(name, visit.address)
        log.warning("page: a failed attempt to log in")
        return visit.show("login.html", 401, error="This name and this password do not go together.")
    people.forgive(name)
    if visit.secret:
        people.end(visit.secret)
    return visit.session(visit.go("/"), people.begin(name))


def _matches(hashed: str, password: str) -> bool:
    from argon2.exceptions import VerificationError

    try:
        return hasher().verify(hashed, password[:LONGEST_PASSWORD])
    except VerificationError:
        return False


def _later(visit: Visit, template: str, wait: float, **context: object) -> Response:
    minutes = math.ceil(wait / 60)
    error = f"Too many failed attempts. Try again in {minutes} minute{'s' if minutes > 1 else ''}."
    response = visit.show(template, _TOO_MANY, error=error, **context)
    response.headers["retry-after"] = str(math.ceil(wait))
    return response


def logout(visit: Visit) -> Response:
    """End the session."""
    visit.site.people.end(visit.secret)
    return visit.session(visit.go("/login"), "")


def accounts(visit: Visit) -> Response:
    """Show accounts, make them, change them, remove them."""
    error = _change(visit) if visit.request.method == "POST" else ""
    if visit.request.method == "POST" and not error:
        return visit.go("/accounts")
    return visit.show("accounts.html", 400 if error else 200, accounts=visit.site.people.accounts(), error=error)


def _change(visit: Visit) -> str:
    people, name = visit.site.people, visit.text("name")
    if visit.text("do") == "remove":
        if name == visit.account.name:
            return "You cannot remove the account you are logged in with."
        people.remove(name)
        return ""
    role = Role.ADMINISTRATOR if visit.text("role") == Role.ADMINISTRATOR else Role.USER
    if people.account(name) is not None:
        return f"There is an account {name} already; remove it first."
    try:
        people.put(account_of(name, visit.text("password"), role, visit.text("person").strip() or name))
    except BadPassword as error:
        return str(error)
    return ""


def password(visit: Visit) -> Response:
    """Change one's own password; all sessions end but this one, which begins anew."""
    if visit.request.method != "POST":
        return visit.show("password.html", error="")
    people, account = visit.site.people, visit.account
    if wait := people.wait(account.name, visit.address):
        return _later(visit, "password.html", wait)
    if not _matches(account.hash, visit.text("old")):
        people.failed(account.name, visit.address)
        return visit.show("password.html", 400, error="This is not your present password.")
    if visit.text("password") != visit.text("again"):
        return visit.show("password.html", 400, error="The two passwords differ.")
    try:
        people.put(account_of(account.name, visit.text("password"), account.role, account.person))
    except BadPassword as error:
        return visit.show("password.html", 400, error=str(error))
    return visit.session(visit.go("/"), people.begin(account.name))


def missing(_: Visit) -> Response:
    """Answer for an address that is none."""
    raise Refused("There is no such page.", 404)
