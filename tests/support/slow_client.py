"""A client that sends little, slowly, or nothing at all."""

import asyncio
import time
from contextlib import suppress

from adapters.serving import LOOPBACK, ClientLimits

GET = b"GET / HTTP/1.1\r\nHost: here\r\n"
POST = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\n"
HASTE = ClientLimits(head=0.3, body=0.5, idle=0.4, clients=20)


async def until_let_go(port: int, *sent: bytes, each: float = 0.05) -> tuple[bytes, float]:
    """Send this bit by bit; return what was answered until the server hung up, and after how many seconds."""
    reader, writer = await asyncio.open_connection(LOOPBACK, port)
    began = time.monotonic()

    async def send() -> None:
        for piece in sent:
            writer.write(piece)
            await asyncio.sleep(each)

    sending = asyncio.create_task(send())
    answer = b""
    with suppress(ConnectionResetError):  # what was answered before it counts
        async with asyncio.timeout(5):
            while piece := await reader.read(65_536):
                answer += piece
    took = time.monotonic() - began
    sending.cancel()
    writer.close()
    return answer, took
