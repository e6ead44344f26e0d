"""rspamd's HTTP interface: verdicts, lessons, passwords; no header makes the server read a file of its own."""

import asyncio
import json
import logging
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cli.making import ham, spam
from tests.serve.in_thread import serving
from tests.serve.waiting import eventually
from thresher.config import Settings
from thresher.serve.http import serve_http
from thresher.serve.scanner import Scanner

WORDS = " ".join(f"word{number} of a longer message" for number in range(30)).encode()


class Answer(NamedTuple):
    """What the server answered."""

    status: int
    body: Any
    kind: str


Ask = Callable[..., Answer]


@contextmanager
def asking(scanner: Scanner, **options: object) -> Iterator[Ask]:
    """Run a daemon that speaks HTTP; give what asks it, over one connection."""
    with serving(scanner, partial(serve_http, **options)) as port:  # type: ignore[arg-type]
        connection = HTTPConnection("127.0.0.1", port, timeout=30)

        def ask(path: str, message: bytes | None = None, method: str = "", **headers: str) -> Answer:
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method or ("GET" if message is None else "POST"), path, message, sent)
            response = connection.getresponse()
            raw = response.read()
            kind = response.getheader("Content-Type", "")
            return Answer(response.status, json.loads(raw) if "json" in kind else raw, kind)

        try:
            yield ask
        finally:
            connection.close()


def test_a_verdict_has_what_rspamds_clients_read(scanner: Scanner) -> None:
    with asking(scanner) as ask:
        status, body, kind = ask("/checkv2", spam(77), From="a@b.example", Rcpt="c@d.example", IP="192.0.2.1")
        assert (status, kind) == (200, "application/json")
        assert body["is_skipped"] is False
        assert body["score"] >= body["required_score"] == body["thresholds"]["add header"] == 5.0
        assert body["action"] == "add header"
        assert body["message-id"] == "77.prize@lottery.example"
        assert re.fullmatch(r"9\d\.\d\d%", body["symbols"]["BAYES_SPAM"]["options"][0])
        assert {"name", "score", "metric_score", "description", "options"} == body["symbols"]["BAYES_SPAM"].keys()
        assert len(body["symbols"]["THRESHER_WHY"]["options"]) == 3
        assert body["time_real"] > 0
        body = ask("/checkv2", ham(77)).body
        assert body["action"] == "no action"
        assert body["score"] < 5.0
        assert "BAYES_HAM" in body["symbols"]


@pytest.mark.parametrize("name", ["File", "Path", "Shm"])
@pytest.mark.parametrize("where", ["/checkv2", "/learnspam"])
def test_no_header_makes_the_server_read_a_file(scanner: Scanner, tmp_path: Path, name: str, where: str) -> None:
    secret = tmp_path / "secret.eml"
    secret.write_bytes(spam(77))
    with asking(scanner, learning=True) as ask:
        status, body, _ = ask(where, b"", **{name: str(secret)})
        assert (status, body) == (400, {"error": f"no message was sent, and the header {name} is not honoured"})
        if where == "/checkv2":
            assert ask(where, ham(77), **{name: str(secret)}).body["action"] == "no action"
    assert scanner.keeper.taught == 0


def test_an_empty_message_and_a_compressed_one_are_refused(scanner: Scanner) -> None:
    with asking(scanner, learning=True) as ask:
        assert ask("/checkv2", b"").status == 400
        assert ask("/learnham", b"").status == 400
        assert "compressed" in ask("/checkv2", b"x", Compression="zstd").body["error"]


def test_a_lesson_is_kept_answered_208_the_second_time_and_corrected(scanner: Scanner) -> None:
    with asking(scanner, learning=True) as ask:
        assert ask("/learnspam", ham(500), Deliver_To="bob").body == {"success": True}
        status, body, _ = ask("/learnspam", ham(500), Deliver_To="bob")
        assert status == 208
        assert body == {"error": "<500.minutes@work.example> has been already learned as spam, ignore it"}
        assert ask("/learnham", ham(500), Deliver_To="bob").status == 200
    entries = asyncio.run(scanner.ask(lambda engine: list(engine.journal.entries())))
    assert [(entry.label, entry.source) for entry in entries if entry.user == "bob"] == [("ham", "rspamd")]


def test_the_user_who_sent_a_lesson_stands_for_it_where_nobody_else_is_named(scanner: Scanner) -> None:
    with asking(scanner, learning=True) as ask:
        ask("/learnspam", spam(500), User="ada")
        ask("/learnspam", spam(501))
    entries = asyncio.run(scanner.ask(lambda engine: list(engine.journal.entries())))
    assert [entry.user for entry in entries if entry.source == "rspamd"] == ["ada", "local"]


def test_lessons_and_statistics_need_the_password_where_one_is_set(scanner: Scanner) -> None:
    with asking(scanner, learning=True, password="pässword") as ask:
        for given in ({}, {"Password": "wrong"}, {"Password": ""}):
            assert ask("/learnspam", spam(1), **given).status == 401
            assert ask("/stat", **given).status == 401
        right = {"Password": "pässword".encode().decode("latin-1")}
        assert ask("/learnspam", spam(500), **right).status == 200
        assert ask("/stat", **right).status == 200
        assert ask("/checkv2", spam(1)).status == 200


def test_lessons_are_refused_where_learning_is_not_switched_on(scanner: Scanner) -> None:
    with asking(scanner) as ask:
        assert ask("/learnspam", spam(500)).status == 403
    assert scanner.keeper.taught == 0


def test_statistics_count_messages_and_lessons(scanner: Scanner) -> None:
    with asking(scanner, learning=True) as ask:
        for number in range(3):
            ask("/checkv2", spam(number))
        ask("/checkv2", ham(1))
        ask("/learnham", ham(500))
        body = ask("/stat").body
    assert (body["scanned"], body["spam_count"], body["ham_count"]) == (4, 3, 1)
    assert body["actions"] == {"add header": 3, "no action": 1}
    assert body["learned"] == body["total_learns"] == 41
    assert {file["symbol"]: file["revision"] for file in body["statfiles"]} == {"BAYES_SPAM": 20, "BAYES_HAM": 21}


def test_health_tells_the_truth_and_judging_goes_on(scanner: Scanner, settings: Settings, tmp_path: Path) -> None:
    with asking(scanner, learning=True) as ask:
        assert ask("/ping").body == b"pong\r\n"
        assert ask("/healthy") == ask("/ready") == Answer(200, {"success": True}, "application/json")
        settings.home.rename(tmp_path / "elsewhere")
        eventually(lambda: scanner.keeper.trouble)
        assert ask("/healthy").status == 503
        assert ask("/ready").status == 200
        assert ask("/checkv2", spam(77)).body["action"] == "add header"
        assert ask("/learnspam", spam(500)).status == 503


def test_what_is_not_there_is_an_error_in_json(scanner: Scanner) -> None:
    with asking(scanner) as ask:
        assert ask("/nothing") == Answer(404, {"error": "Not Found"}, "application/json")
        assert ask("/checkv2") == Answer(400, {"error": "no message was sent"}, "application/json")
        assert ask("/checkv2", b"x", method="PUT").status == 405


def test_a_message_that_is_too_long_is_refused(scanner: Scanner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.serve.rspamd.MAX_BYTES", 1000)
    with asking(scanner) as ask:
        assert ask("/checkv2", bytes(1001)).status == 413
    with serving(scanner, serve_http) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("POST", "/checkv2", iter([bytes(600), bytes(600)]), encode_chunked=True)
        assert connection.getresponse().status == 413
        connection.close()


def test_a_request_that_fails_is_answered_and_no_word_of_it_is_logged(
    scanner: Scanner, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(raw: bytes) -> str:
        raise ValueError(raw.decode())

    monkeypatch.setattr("thresher.serve.rspamd.message_id", fail)
    with asking(scanner) as ask, caplog.at_level(logging.DEBUG):
        assert ask("/checkv2", b"Subject: quincelagoon\n\n").status == 500
    assert "a request failed: ValueError at " in caplog.text
    assert "quincelagoon" not in caplog.text


def test_a_stop_waits_for_no_idle_connection_longer_than_its_keep_alive(scanner: Scanner) -> None:
    """`asking` holds its connection open until after the daemon was told to stop."""
    with serving(scanner, serve_http) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/ping")
        assert connection.getresponse().read() == b"pong\r\n"
    connection.close()


@pytest.mark.curl
def test_curl_is_served(scanner: Scanner, tmp_path: Path) -> None:
    """Its Expect: 100-continue for long bodies included."""
    (tmp_path / "m").write_bytes(spam(77) + b"x" * 2_000_000)
    with serving(scanner, serve_http) as port:
        address = f"http://127.0.0.1:{port}/checkv2"
        command = ["curl", "--silent", "--show-error", "--fail", "--data-binary", f"@{tmp_path / 'm'}", address]
        ran = subprocess.run(command, capture_output=True, check=True)
    assert json.loads(ran.stdout)["action"] == "add header"
