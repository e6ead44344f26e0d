"""Our own HTTP API: verdicts, explanations, lessons, history; who may ask, and how much is taken."""

import time

import pytest

from tests.cli.making import ham, spam
from tests.serve.making import TAUGHT
from tests.serve.test_rspamd import Answer, asking
from thresher.serve import api as module
from thresher.serve.scanner import Scanner

TOKEN = "Bearer s3cret"


def test_a_verdict_says_how_sure_it_is_and_why(scanner: Scanner) -> None:
    with asking(scanner) as ask:
        status, body, _ = ask("/api/v1/check", spam(77))
    assert (status, body["verdict"], body["unjudged"]) == (200, "spam", "")
    assert body["probability"] > 0.9
    assert body["points"] >= body["threshold"]
    assert len(body["reasons"]) == 3
    assert len(body["id"]) == 32


def test_an_explanation_adds_up_to_the_score(scanner: Scanner) -> None:
    with asking(scanner) as ask:
        whole = ask("/api/v1/explain?most=10000", spam(77)).body
        few = ask("/api/v1/explain?most=2", spam(77)).body
    assert len(whole["evidence"]) == whole["features"] == few["features"]
    total = whole["base"] + sum(each["share"] for each in whole["evidence"])
    assert total == pytest.approx(whole["log_odds"])
    assert few["evidence"] == whole["evidence"][:2]


def test_a_lesson_has_a_receipt_stands_in_the_history_and_is_taken_back(scanner: Scanner) -> None:
    with asking(scanner, learning=True) as ask:
        learned = ask("/api/v1/learn?label=ham&user=ada&source=folder", spam(500)).body
        assert (learned["change"], learned["label"]) == ("learned", "ham")
        assert learned["after"] < learned["before"]
        assert ask("/api/v1/learn?label=ham&user=ada", spam(500)).body["change"] == "unchanged"
        assert ask("/api/v1/learn?label=spam&user=ada", spam(500)).body["change"] == "corrected"
        [newest] = ask("/api/v1/history?limit=1").body["lessons"]
        assert (newest["id"], newest["label"], newest["user"]) == (learned["id"], "spam", "ada")
        assert abs(newest["time"] - time.time()) < 60
        assert ask("/api/v1/forget?user=ben", spam(500)).body == {"lessons": []}
        assert ask(f"/api/v1/forget?id={learned['id']}", b"").body == {"lessons": [newest]}
        assert ask("/api/v1/history?user=ada").body["lessons"] == []
        assert ask("/api/v1/learn?label=ham", ham(501)).body["change"] == "learned"
        assert len(ask("/api/v1/forget", ham(501)).body["lessons"]) == 1


def test_the_history_is_read_page_by_page_the_newest_first(scanner: Scanner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WINDOW", 5)
    with asking(scanner) as ask:
        found, before = [], ""
        while True:
            page = ask(f"/api/v1/history?limit=7{before}").body
            found += [lesson["number"] for lesson in page["lessons"]]
            if page["before"] is None:
                break
            before = f"&before={page['before']}"
    assert found == list(range(2 * TAUGHT, 0, -1))


def test_the_status_counts_lessons_and_names_trouble(scanner: Scanner, monkeypatch: pytest.MonkeyPatch) -> None:
    with asking(scanner) as ask:
        body = ask("/api/v1/status").body
        assert (body["ham"], body["spam"], body["learner"]) == (TAUGHT, TAUGHT, "scaled-logistic")
        assert body["trouble"] == ""
        assert 0 < body["promise"]["rate"] <= 1
        monkeypatch.setattr(scanner.keeper, "_reading", "the disk is full")
        assert ask("/api/v1/status").body["trouble"] == "the disk is full"


GUARDED = ("/api/v1/learn?label=ham", "/api/v1/forget", "/api/v1/status", "/api/v1/history")


def asked(ask: object, path: str, **headers: str) -> Answer:
    """Ask with the method that the path has."""
    message = ham(500) if "learn" in path or "forget" in path else None
    answer = ask(path, message, **headers)  # type: ignore[operator] # a test's own function
    assert isinstance(answer, Answer)
    return answer


@pytest.mark.parametrize("path", GUARDED)
def test_all_but_judging_needs_the_token_where_one_is_set(scanner: Scanner, path: str) -> None:
    with asking(scanner, learning=True, password="s3cret") as ask:
        assert ask("/api/v1/check", ham(1)).status == ask("/api/v1/explain", ham(1)).status == 200
        for wrong in ({}, {"Authorization": "Bearer other"}, {"Authorization": "Basic s3cret"}, {"Password": "s3cret"}):
            assert asked(ask, path, **wrong).status == 401
        assert asked(ask, path, Authorization=TOKEN).status == 200


@pytest.mark.parametrize("path", GUARDED)
def test_without_a_token_no_web_page_reaches_it_through_a_browser_here(scanner: Scanner, path: str) -> None:
    with asking(scanner, learning=True) as ask:
        assert asked(ask, path, Origin="http://elsewhere.example").status == 401
        assert asked(ask, path, Sec_Fetch_Site="cross-site").status == 401
        assert asked(ask, path).status == 200


def test_lessons_are_refused_where_learning_is_not_switched_on(scanner: Scanner) -> None:
    with asking(scanner) as ask:
        assert ask("/api/v1/learn?label=ham", ham(500)).status == 403
        assert ask("/api/v1/forget", ham(1)).status == 403
    assert scanner.keeper.taught == 0


@pytest.mark.parametrize(
    ("path", "message", "told"),
    [
        ("/api/v1/check", b"", "no message was sent"),
        ("/api/v1/learn", b"x", "?label=spam or ?label=ham"),
        ("/api/v1/learn?label=maybe", b"x", "?label=spam or ?label=ham"),
        ("/api/v1/forget?id=xyz", b"", "in hexadecimal"),
        ("/api/v1/history?limit=0", None, "a number from 1 to 1000"),
        ("/api/v1/explain?most=-1", b"x", "a number from 1 to 10000"),
    ],
)
def test_what_means_nothing_is_refused_with_what_would(
    scanner: Scanner, path: str, message: bytes | None, told: str
) -> None:
    with asking(scanner, learning=True) as ask:
        status, body, _ = ask(path, message)
    assert status == 400
    assert told in body["error"]


def test_a_message_that_is_too_long_is_refused(scanner: Scanner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 1000)
    with asking(scanner, learning=True) as ask:
        for path in ("check", "explain", "learn?label=ham", "forget"):
            assert ask(f"/api/v1/{path}", b"x" * 1001).status == 413


def test_a_message_that_was_not_judged_says_so(scanner: Scanner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanner, "in_hand", 1000)
    with asking(scanner) as ask:
        body = ask("/api/v1/check", spam(77)).body
    assert (body["verdict"], body["unjudged"]) == ("unsure", "1000 messages are waiting")
