"""The daemon: existing mail servers plug into it unchanged.

    protocol/    codecs: bytes in, events out, any chunking; no sockets, no clock, no I/O
    scan.py      what every protocol is told of a message: verdict, points, reasons, digest
    scanner.py   the judging service every protocol calls: scan, explain, learn, forget; never blocks, never fails
    keeper.py    the one thread that touches the journal: lessons in, lessons of other processes followed
    daemon.py    one process: an event loop, the listeners, graceful stop

How a protocol plugs in: its codec goes to protocol/, and beside this file a module with one coroutine

    async def serve_NAME(scanner: Scanner, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None

which reads, feeds the codec, awaits `scanner.scan(raw)` (or learn, forget) and writes what the codec makes of the
answer. It returns when the conversation is over; the daemon closes the connection. Its name and coroutine go into
`protocols.PROTOCOLS`. `scan` always answers: what could not be judged comes back unsure, with the reason in `unjudged`.
`learn` and `forget` raise ThresherError with a sentence for the person who asked.
"""
