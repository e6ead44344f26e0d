"""The protocols by name: that of the option, of the setting, and of a socket that systemd passes."""

import asyncio
from typing import Final

from thresher.serve.daemon import Conversation
from thresher.serve.http import serve_http
from thresher.serve.milter import serve_milter
from thresher.serve.scanner import Scanner
from thresher.serve.spamd import serve_spamd


async def _spamd(scanner: Scanner, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await serve_spamd(scanner, reader, writer, learning=scanner.serve.learning)


async def _http(scanner: Scanner, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await serve_http(scanner, reader, writer, learning=scanner.serve.learning, password=scanner.serve.token)


async def serve_home(scanner: Scanner, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serve the socket in the home: whoever may open it may read the journal, too, and needs no token to teach."""
    await serve_http(scanner, reader, writer, learning=True)


PROTOCOLS: Final[dict[str, Conversation]] = {
    "milter": serve_milter,
    "spamd": _spamd,
    "http": _http,
}
