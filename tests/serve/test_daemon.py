"""One process of the daemon: conversations side by side, each to its end, none hurt by another."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from thresher.serve.daemon import Conversation, Daemon, Listener
from thresher.serve.scanner import Scanner


async def shout(_: Scanner, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer each line in capitals; fail at the word "fail"."""
    while line := await reader.readline():
        if line == b"fail\n":
            raise ValueError("a word of the message")
        writer.write(line.upper())
        await writer.drain()


def unix_socket(path: Path) -> socket.socket:
    bound = socket.socket(socket.AF_UNIX)
    bound.bind(str(path))
    bound.listen()
    return bound


def tcp_socket() -> socket.socket:
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    bound.listen()
    return bound


def while_it_runs(
    scanner: Scanner,
    listening: socket.socket,
    visit: Callable[[Daemon], Awaitable[None]],
    converse: Conversation = shout,
    grace: float = 10.0,
) -> None:
    """Run a daemon, visit it, and see it stop."""

    async def both() -> None:
        daemon = Daemon(scanner, [Listener("shout", converse, listening)])
        running = asyncio.create_task(daemon.run(grace))
        await visit(daemon)
        daemon.stop()
        await asyncio.wait_for(running, 30)

    asyncio.run(both())


def test_conversations_run_side_by_side(scanner: Scanner, tmp_path: Path) -> None:
    path = tmp_path / "socket"

    async def visit(_daemon: Daemon) -> None:
        visitors = [await asyncio.open_unix_connection(path) for _ in range(20)]
        for number, (_, writer) in enumerate(visitors):
            writer.write(b"a%d\n" % number)
        for number, (reader, _) in reversed(list(enumerate(visitors))):
            assert await reader.readline() == b"A%d\n" % number
        for _, writer in visitors:
            writer.close()

    while_it_runs(scanner, unix_socket(path), visit)
    assert path.exists(), "other workers listen at it"


def test_a_conversation_that_fails_hurts_no_other_and_its_words_are_not_logged(
    scanner: Scanner, caplog: pytest.LogCaptureFixture
) -> None:
    listening = tcp_socket()

    async def visit(_: Daemon) -> None:
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        other_reader, other_writer = await asyncio.open_connection(*listening.getsockname())
        writer.write(b"fail\n")
        assert await reader.read() == b""
        other_writer.write(b"fine\n")
        assert await other_reader.readline() == b"FINE\n"
        for each in (writer, other_writer):
            each.close()

    while_it_runs(scanner, listening, visit)
    assert "shout: a conversation failed: ValueError at " in caplog.text
    assert "a word" not in caplog.text


def test_answers_over_tcp_wait_for_no_full_segment(scanner: Scanner) -> None:
    """TCP_NODELAY: without it a milter conversation over TCP takes 40 ms and more."""
    listening = tcp_socket()
    seen: list[int] = []

    async def look(_: Scanner, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted: socket.socket = writer.get_extra_info("socket")
        seen.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        await reader.read()

    async def visit(_: Daemon) -> None:
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        writer.write_eof()
        await reader.read()
        writer.close()

    while_it_runs(scanner, listening, visit, look)
    assert seen == [1]


def test_stopping_lets_a_conversation_come_to_its_end_and_takes_no_new_one(scanner: Scanner, tmp_path: Path) -> None:
    path = tmp_path / "socket"

    async def visit(daemon: Daemon) -> None:
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(b"one\n")
        assert await reader.readline() == b"ONE\n"
        daemon.stop()
        await asyncio.sleep(0.1)
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_unix_connection(path)
        writer.write(b"two\n")
        assert await reader.readline() == b"TWO\n"
        writer.close()

    while_it_runs(scanner, unix_socket(path), visit)


def test_a_conversation_that_does_not_end_is_cut_off_after_the_grace(
    scanner: Scanner, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    path = tmp_path / "socket"

    async def visit(daemon: Daemon) -> None:
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(b"one\n")
        assert await reader.readline() == b"ONE\n"
        daemon.stop()
        assert await reader.read() == b""
        writer.close()

    while_it_runs(scanner, unix_socket(path), visit, grace=0.2)
    assert "were cut off" in caplog.text
