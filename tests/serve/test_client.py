"""What asks the daemon by our own API: it gets its answers, or one of two errors."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.serve.in_thread import serving
from tests.serve.running import free_port
from thresher.serve.client import Client, NoDaemon, Refused
from thresher.serve.http import serve_http
from thresher.serve.listening import Address
from thresher.serve.scanner import Scanner
from thresher.values import Label, Verdict


@pytest.fixture
def client(scanner: Scanner) -> Iterator[Client]:
    """Give a client of a daemon that takes lessons."""
    with serving(scanner, partial(serve_http, learning=True)) as port:
        made = Client(Address(None, "127.0.0.1", port))
        yield made
        made.close()


def test_verdicts_lessons_and_the_status_come_back(client: Client, scanner: Scanner) -> None:
    scan = client.check(spam(100))
    assert scan.verdict is Verdict.SPAM
    assert len(scan.reasons) == 3
    assert client.explain(spam(100), 5).features > len(client.explain(spam(100), 5).evidence) == 5
    assert client.learn(ham(100), Label.HAM, "ada", "tests").change == "learned"
    assert [lesson.user for lesson in client.forget(ham(100), "ada").lessons] == ["ada"]
    assert client.status().ham == scanner.keeper.judge.learner.n_ham


def test_a_connection_that_was_closed_meanwhile_is_made_anew(client: Client) -> None:
    client.connect()
    connection = client._connection.sock  # noqa: SLF001 - a test's look inside
    assert isinstance(connection, socket.socket)
    connection.shutdown(socket.SHUT_RDWR)
    assert client.check(spam(100)).verdict is Verdict.SPAM


def test_no_daemon_is_said(tmp_path: Path) -> None:
    for address in (Address(tmp_path / "none.sock"), Address(None, "127.0.0.1", free_port())):
        with pytest.raises(NoDaemon, match="does not answer"):
            Client(address).check(spam(1))


def test_a_server_that_says_something_else_is_no_daemon() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")

        answering = threading.Thread(target=answer)
        answering.start()
        address = Address(None, "127.0.0.1", listening.getsockname()[1])
        with closing(Client(address)) as client, pytest.raises(NoDaemon, match="no daemon of ours: it answered 200"):
            client.status()
        answering.join()


def test_what_the_daemon_refuses_is_told_in_its_words(scanner: Scanner) -> None:
    with serving(scanner, partial(serve_http, password="s3cret")) as port:
        address = Address(None, "127.0.0.1", port)
        with closing(Client(address)) as client, pytest.raises(Refused, match="the token is missing or wrong"):
            client.status()
        with closing(Client(address, "s3cret")) as client:
            assert client.status().spam
