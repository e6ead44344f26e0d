"""Who comes in, and who does not: passwords, sessions, forged forms, other people's mail."""

import re
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.serve.making import settings_in
from tests.web.client import PASSWORD, Client
from tests.web.conftest import add
from tests.web.making import arrive, labels_of
from thresher.config import Settings
from thresher.store.people import ADDRESS_ATTEMPTS, ATTEMPTS, IDLE, WINDOW, People, Role
from thresher.web.entry import SHORTEST, BadPassword, account_of
from thresher.web.guard import FORM_BYTES, HEADERS

PAGES = ("/", "/messages", "/messages/1", "/review", "/learning", "/words", "/start", "/accounts", "/password")
Serve = Callable[[Settings], int]


def test_who_cannot_read_the_home_cannot_choose_the_first_password(home: Path, serve: Serve) -> None:
    stranger = Client(serve(settings_in(home)))
    page = stranger.get("/setup")
    form = {"token": page.token, "name": "eve", "password": PASSWORD, "again": PASSWORD}
    for key in ("", "guess", "\N{SNOWMAN}"):
        assert stranger.post("/setup", {**form, "key": key}).status == 400
    with People(home) as people:
        assert people.accounts() == []


def test_the_owner_chooses_the_first_password_once(home: Path, serve: Serve) -> None:
    settings = settings_in(home)
    owner = Client(serve(settings))
    assert owner.get("/").headers["location"] == "/login"
    assert owner.get("/login").headers["location"] == "/setup"
    file = home / "page-key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    page = owner.get(f"/setup?key={file.read_text()}")
    form = {"token": page.token, "key": file.read_text(), "name": "ada", "password": PASSWORD, "again": PASSWORD}
    short = owner.post("/setup", {**form, "password": "short", "again": "short"})
    assert (short.status, short.shows(f"at least {SHORTEST} characters")) == (400, True)
    assert owner.post("/setup", {**form, "again": "another password"}).shows("The two passwords differ.")
    assert owner.post("/setup", form).headers["location"] == "/start"
    assert owner.get("/accounts").shows("administrator")
    assert not file.exists()
    assert Client(owner.port).get("/setup").headers["location"] == "/login"


def test_neither_password_nor_session_can_be_read_from_the_file(settings: Settings, owner: Client) -> None:
    file = settings.home / "page.sqlite"
    kept = b"".join(path.read_bytes() for path in settings.home.glob("page.sqlite*"))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert b"$argon2id$" in kept
    assert PASSWORD.encode() not in kept
    assert owner.cookies["thresher-session"].encode() not in kept


def test_cookies_are_for_the_browser_alone(port: int) -> None:
    client = Client(port)
    answers = [client.get("/login"), client.log_in()]
    lines = [line for answer in answers for line in answer.headers.get_all("set-cookie", [])]
    assert len(lines) == 2
    for line in lines:
        assert {"httponly", "samesite=strict", "path=/"} <= {part.strip().lower() for part in line.split(";")}


def test_a_stranger_sees_nothing_and_changes_nothing(settings: Settings, port: int) -> None:
    before = labels_of(settings)
    stranger = Client(port)
    for path in PAGES:
        answer = stranger.get(path)
        assert (answer.status, answer.headers["location"]) == (303, "/login")
        assert not answer.body
    for path in ("/messages/teach", "/messages/undo", "/accounts", "/password", "/learning/folder", "/learning/demo"):
        assert stranger.post(path, {"id": "1", "say": "spam"}).status == 401
    assert stranger.get("/events").status == 401
    assert labels_of(settings) == before


@pytest.mark.parametrize("token", ["", "0" * 64, "another"])
def test_a_forged_form_changes_nothing(settings: Settings, owner: Client, token: str) -> None:
    before = labels_of(settings)
    assert owner.post("/messages/teach", {"token": token, "id": "1", "say": "spam"}).status == 403
    assert labels_of(settings) == before


def test_a_token_is_of_one_session(settings: Settings, port: int, owner: Client) -> None:
    other = Client(port)
    other.log_in()
    stolen = other.get("/messages").token
    before = labels_of(settings)
    assert owner.post("/messages/teach", {"token": stolen, "id": "1", "say": "spam"}).status == 403
    assert labels_of(settings) == before


@pytest.mark.parametrize(
    "headers", [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec_fetch_site": "cross-site"}]
)
def test_a_form_on_another_site_changes_nothing(settings: Settings, owner: Client, headers: dict[str, str]) -> None:
    before = labels_of(settings)
    form = {"token": owner.get("/messages").token, "id": "1", "say": "spam"}
    assert owner.post("/messages/teach", form, **headers).status == 403
    assert labels_of(settings) == before


def test_another_name_for_this_machine_is_refused(owner: Client) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example", "evil.example@127.0.0.1", ""):
        answer = owner.get("/messages", host=host)
        assert answer.status in {400, 421}
        assert b"Messages" not in answer.body


def test_a_session_that_was_left_alone_ends(tmp_path: Path) -> None:
    clock = [time.time()]
    with People(tmp_path, lambda: clock[0]) as people:
        people.put(account_of("ada", PASSWORD, Role.USER, "ada"))
        secret = people.begin("ada")
        clock[0] += IDLE - 1
        assert people.whose(secret) is not None
        clock[0] += IDLE - 1
        assert people.whose(secret) is not None, "it was used"
        clock[0] += IDLE + 1
        assert people.whose(secret) is None


def test_an_expired_session_sees_nothing_and_changes_nothing(settings: Settings, owner: Client) -> None:
    form = {"token": owner.get("/messages").token, "id": "1", "say": "spam"}
    before = labels_of(settings)
    with People(settings.home) as people, people.writing() as connection:
        connection.execute("UPDATE session SET seen = seen - ?", (IDLE + 1,))
    assert owner.get("/messages").headers["location"] == "/login"
    assert owner.post("/messages/teach", form).status == 401
    assert labels_of(settings) == before


def test_who_logs_out_is_out(owner: Client) -> None:
    cookies = dict(owner.cookies)
    owner.post("/logout", {"token": owner.get("/").token})
    owner.cookies = cookies
    assert owner.get("/").headers["location"] == "/login"


def test_logging_in_ends_the_session_before(owner: Client) -> None:
    before = dict(owner.cookies)
    token = owner.get("/").token
    answer = owner.post("/login", {"token": token, "name": "owner", "password": PASSWORD})
    assert answer.status == 303
    assert owner.cookies["thresher-session"] != before["thresher-session"]
    owner.cookies = before
    assert owner.get("/").headers["location"] == "/login"


def test_guessing_is_stopped_and_goes_on_being_stopped(home: Path, serve: Serve) -> None:
    settings = settings_in(home)
    add(settings, "ada", Role.ADMINISTRATOR, "ada")
    client = Client(serve(settings))
    answers = [client.log_in("ada", f"guess number {number}") for number in range(ATTEMPTS + 1)]
    assert [answer.status for answer in answers] == [401] * ATTEMPTS + [429]
    assert 0 < int(answers[-1].headers["retry-after"]) <= WINDOW
    assert client.log_in("ada", PASSWORD).status == 429, "not even with the right password"


def test_after_a_while_one_may_try_again(tmp_path: Path) -> None:
    clock = [1e9]
    with People(tmp_path, lambda: clock[0]) as people:
        for number in range(ADDRESS_ATTEMPTS):
            people.failed(f"name {number}", "192.0.2.1")
        assert people.wait("another", "192.0.2.1") > 0
        assert people.wait("another", "192.0.2.2") == 0
        clock[0] += WINDOW + 1
        assert people.wait("another", "192.0.2.1") == 0


def test_a_wrong_name_is_answered_as_a_wrong_password(port: int) -> None:
    answers = [Client(port).log_in(name, "no such password") for name in ("owner", "nobody")]
    bodies = [re.sub(r'value="[0-9a-f]{64}"', "", answer.text) for answer in answers]
    assert bodies[0] == bodies[1]


def test_every_answer_binds_the_browser(owner: Client) -> None:
    for path in ("/", "/messages", "/login", "/no/such/page", "/static/0/page.js"):
        answer = owner.get(path)
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, (path, name)


def test_a_form_of_any_length_is_cut_short(owner: Client) -> None:
    token = owner.get("/messages").token
    long = {"token": token, "id": "1" * FORM_BYTES, "say": "spam"}
    assert owner.post("/messages/teach", long).status == 413
    body = b"5\r\ntoken\r\n" + (b"ffff\r\n" + b"x" * 0xFFFF + b"\r\n") * 5 + b"0\r\n\r\n"
    kind = "application/x-www-form-urlencoded"
    answer = owner.ask("POST", "/messages/teach", body, content_type=kind, transfer_encoding="chunked")
    assert answer.status == 413


def test_a_user_sees_and_teaches_only_their_own_mail(home: Path, serve: Serve) -> None:
    settings = settings_in(home)
    add(settings, "ada", Role.USER, "ada")
    raw = "From: {0} <x@{0}.example>\nTo: me\nSubject: the word of {0}\n\nhello {0}\n"
    (own,) = arrive(settings, [raw.format("adamant").encode()], user="ada")
    (other,) = arrive(settings, [raw.format("boris").encode()], user="bob")
    ada = Client(serve(settings))
    ada.log_in("ada")
    for path in ("/messages", "/", "/messages?q=boris", "/review", "/words?q=boris", f"/messages/{other}", "/learning"):
        answer = ada.get(path)
        assert not answer.shows("the word of boris"), path
    assert ada.get("/messages").shows("the word of adamant")
    assert ada.get(f"/messages/{other}").status == 404
    token = ada.get("/messages").token
    assert ada.post("/messages/teach", {"token": token, "id": str(other), "say": "spam"}).status == 404
    assert labels_of(settings) == {}
    assert ada.post("/messages/teach", {"token": token, "id": str(own), "say": "spam"}).status == 303
    assert [user for _, user in labels_of(settings).values()] == ["ada"]
    for path in ("/accounts", "/start"):
        assert ada.get(path).status == 403, path
    for path in ("/accounts", "/learning/folder"):
        assert ada.post(path, {"token": token, "name": "eve", "path": "/"}).status == 403, path


def test_accounts_are_made_and_removed(settings: Settings, owner: Client) -> None:
    token = owner.get("/accounts").token
    made = {"token": token, "do": "add", "name": "carl", "password": PASSWORD, "role": "user", "person": ""}
    assert owner.post("/accounts", {**made, "name": "<b>"}).status == 400
    assert owner.post("/accounts", made).status == 303
    carl = Client(owner.port)
    carl.log_in("carl")
    assert carl.get("/").status == 200
    owner.post("/accounts", {"token": token, "do": "remove", "name": "carl"})
    assert carl.get("/").headers["location"] == "/login"
    assert owner.post("/accounts", {"token": token, "do": "remove", "name": "owner"}).status == 400
    with People(settings.home) as people:
        assert [account.name for account in people.accounts()] == ["owner"]


def test_a_new_password_ends_all_other_sessions(home: Path, serve: Serve) -> None:
    settings = settings_in(home)
    add(settings, "ada", Role.USER, "ada")
    port = serve(settings)
    here, there = Client(port), Client(port)
    for client in (here, there):
        client.log_in("ada")
    form = {"token": here.get("/password").token, "password": "another password", "again": "another password"}
    assert here.post("/password", {**form, "old": "wrong"}).status == 400
    assert here.post("/password", {**form, "old": PASSWORD}).status == 303
    assert here.get("/").status == 200
    assert there.get("/").headers["location"] == "/login"
    assert there.log_in("ada", "another password").status == 303


def test_a_password_must_be_long_enough_and_a_name_plain() -> None:
    for name, password in (("ada", "short"), ("ada", "x" * 5000), ("", PASSWORD), ("a b", PASSWORD), ("<", PASSWORD)):
        with pytest.raises(BadPassword):
            account_of(name, password, Role.USER, "ada")
