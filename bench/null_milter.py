"""A milter that does nothing: our own codec and loop, no judgement, no headers. What bench/serving.py measures beside.

python bench/null_milter.py SOCKET
"""

import asyncio
import sys
from pathlib import Path

if not __package__:  # run as a program: what stands beside it is bench.*, as it is to tests and types
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from thresher.serve.protocol.milter import Decision, Message, Quit, Reply, Session


async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Let every message pass."""
    session = Session(1 << 20)
    while data := await reader.read(1 << 16):
        for event in session.receive(data):
            match event:
                case Reply(answer):
                    writer.write(answer)
                case Message():
                    writer.write(session.verdict(event, frozenset(), [], Decision()))
                case Quit():
                    writer.close()
                    return
        await writer.drain()


async def main(path: str) -> None:
    """Serve until killed."""
    server = await asyncio.start_unix_server(converse, path)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
