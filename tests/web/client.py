"""A browser without a screen: cookies, forms, redirects not followed; for what must be tried by hand."""

import html
import http.client
import re
from http.cookies import SimpleCookie
from typing import NamedTuple
from urllib.parse import urlencode

PASSWORD = "correct horse battery"


class Answer(NamedTuple):
    """What the page answered."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()

    @property
    def token(self) -> str:
        """The token of the forms on it."""
        found = re.search(r'name="token" value="([^"]+)"', self.text)
        assert found, self.text
        return found[1]

    def shows(self, text: str) -> bool:
        """Whether a person reads this somewhere on it."""
        return " ".join(text.split()) in " ".join(html.unescape(re.sub(r"<[^>]*>", "", self.text)).split())


class Client:
    """One person's browser."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, body: bytes = b"", /, **headers: str) -> Answer:
        """Send a request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookies:
            sent.setdefault("cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        connection.request(method, path, body, sent)
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
        connection.close()
        for line in answer.headers.get_all("set-cookie", []):
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = morsel.value
                if not morsel.value:
                    del self.cookies[name]
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        """Load a page."""
        return self.ask("GET", path, b"", **headers)

    def post(self, path: str, fields: dict[str, str], **headers: str) -> Answer:
        """Send a form."""
        return self.ask(
            "POST", path, urlencode(fields).encode(), content_type="application/x-www-form-urlencoded", **headers
        )

    def log_in(self, name: str = "owner", password: str = PASSWORD) -> Answer:
        """Log in."""
        token = self.get("/login").token
        return self.post("/login", {"token": token, "name": name, "password": password})
