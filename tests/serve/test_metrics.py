"""What Prometheus and monitors are told: figures of all workers together, health and readiness that are true."""

import asyncio
import os
import re
import signal
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.serve.making import TAUGHT
from tests.serve.running import free_port, serving
from tests.serve.test_rspamd import asking
from tests.serve.waiting import eventually
from thresher.config import Settings
from thresher.serve.scanner import Scanner
from thresher.values import Label


def figure(text: str, name: str) -> float:
    """Return a figure by its name and labels."""
    [found] = re.findall(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found)


def test_verdicts_seconds_lessons_and_the_model_are_told(scanner: Scanner) -> None:
    async def some() -> None:
        for number in range(3):
            await scanner.scan(spam(100 + number), via="milter")
        await scanner.scan(ham(100), via="spamd")
        await scanner.learn(ham(100), Label.HAM)

    asyncio.run(some())
    eventually(lambda: figure(scanner.metrics.text().decode(), "thresher_lessons_ham") == TAUGHT + 1)
    text = scanner.metrics.text().decode()
    assert figure(text, 'thresher_verdicts_total{verdict="spam",via="milter"}') == 3
    assert figure(text, 'thresher_verdicts_total{verdict="ham",via="spamd"}') == 1
    assert figure(text, 'thresher_lessons_given_total{change="learned"}') == 1
    assert figure(text, "thresher_scan_seconds_count") == 4
    assert 0 < figure(text, "thresher_scan_seconds_sum") < 60
    assert figure(text, "thresher_lessons_spam") == TAUGHT
    assert 0 <= figure(text, "thresher_model_age_seconds") < 600
    assert 0 < figure(text, "thresher_promised_rate") <= 1
    assert 0 <= figure(text, "thresher_drift_chance") <= 1
    assert figure(text, "thresher_lessons_spooled") == figure(text, "thresher_trouble") == 0
    assert "prize" not in text


def test_what_is_not_judged_is_counted_as_such(scanner: Scanner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanner, "in_hand", 1000)
    asyncio.run(scanner.scan(spam(1)))
    text = scanner.metrics.text().decode()
    assert figure(text, 'thresher_verdicts_total{verdict="unjudged",via="other"}') == 1


def test_trouble_with_the_journal_is_told(scanner: Scanner, settings: Settings, tmp_path: Path) -> None:
    settings.home.rename(tmp_path / "elsewhere")
    eventually(lambda: figure(scanner.metrics.text().decode(), "thresher_trouble") == 1)


def test_figures_need_the_token_where_one_is_set(scanner: Scanner) -> None:
    with asking(scanner, password="s3cret") as ask:
        assert ask("/metrics").status == 401
        answer = ask("/metrics", Authorization="Bearer s3cret")
    assert answer.status == 200
    assert answer.kind.startswith("text/plain; version=0.0.4")


def test_ready_means_that_a_message_was_judged(scanner: Scanner, monkeypatch: pytest.MonkeyPatch) -> None:
    with asking(scanner) as ask:
        assert ask("/ready").status == 200
        monkeypatch.setattr(scanner, "stopping", True)
        assert ask("/ready").status == 503
        monkeypatch.setattr(scanner, "stopping", False)

        def broken(*_: object) -> None:
            raise MemoryError

        monkeypatch.setattr("thresher.serve.scanner.tokenize", broken)
        answer = ask("/ready")
        assert (answer.status, answer.body) == (503, {"error": "the filter failed: MemoryError"})
        monkeypatch.setattr(scanner, "in_hand", 1000)
        assert ask("/ready").body == {"error": "1000 messages are waiting"}


def test_figures_are_those_of_all_workers_and_survive_one_that_is_killed(settings: Settings) -> None:
    port = free_port()

    def get(path: str, message: bytes | None = None) -> str:
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("POST" if message else "GET", path, message, {"Connection": "close"})
        return connection.getresponse().read().decode()

    with serving(settings, "--http", f":{port}", workers=2) as daemon:
        for number in range(20):
            get("/checkv2", spam(number))
        counted = 'thresher_verdicts_total{verdict="spam",via="rspamd"}'
        assert figure(get("/metrics"), counted) == 20
        os.kill(daemon.workers[0], signal.SIGKILL)
        eventually(lambda: daemon.serving() == 3)
        assert figure(get("/metrics"), counted) == 20
        for number in range(10):
            get("/checkv2", spam(number))
        text = get("/metrics")
        assert figure(text, counted) == 30
        assert figure(text, "thresher_lessons_spam") == TAUGHT
