"""Browsers that keep the page waiting are let go; everybody else is served."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from wsproto import ConnectionType, WSConnection
from wsproto import events as ws

from adapters.serving import LOOPBACK, ClientLimits, SlowClients
from adapters.web.admission import PageConnection
from tests.support.slow_client import GET, HASTE, until_let_go


async def bits() -> AsyncIterator[bytes]:
    for _ in range(5):
        await asyncio.sleep(0.2)
        yield b"bit"


async def slow(request: Request) -> Response:
    """Answer bit by bit, for longer than anybody is waited for."""
    return StreamingResponse(bits())


async def quick(request: Request) -> Response:
    return PlainTextResponse("here")


async def taken(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


async def echo(socket: WebSocket) -> None:
    await socket.accept()
    async for text in socket.iter_text():
        await socket.send_text(text)


@asynccontextmanager
async def serving(patience: ClientLimits = HASTE) -> AsyncIterator[int]:
    site = Starlette(
        routes=[
            Route("/", quick),
            Route("/", taken, methods=["POST"]),
            Route("/unread", quick, methods=["POST"]),
            Route("/slow", slow),
            WebSocketRoute("/echo", echo),
        ]
    )
    http = partial(PageConnection, SlowClients(patience))
    options = uvicorn.Config(site, http=http, ws="wsproto", lifespan="off", log_config=None)  # type: ignore[arg-type]
    server = uvicorn.Server(options)
    with socket.create_server((LOOPBACK, 0)) as listener:
        serving = asyncio.create_task(server.serve([listener]))
        yield listener.getsockname()[1]
        server.should_exit = True
        await serving


@pytest.mark.parametrize("sent", [(), (GET,), tuple(bytes([sign]) for sign in GET * 9), (b"\r\n",) * 90])
async def test_half_a_head(sent: tuple[bytes, ...]) -> None:
    """Who sends nothing, half a head, or a head sign by sign, is let go after the time for a head."""
    async with serving() as port:
        answer, took = await until_let_go(port, *sent)
    assert answer == b""
    assert 0.25 < took < 2


async def test_a_web_socket_is_never_waited_for() -> None:
    """A page that is open and silent stays open."""
    async with serving() as port:
        reader, writer = await asyncio.open_connection(LOOPBACK, port)
        browser = WSConnection(ConnectionType.CLIENT)

        async def heard() -> ws.Event:
            while (found := next(browser.events(), None)) is None:
                browser.receive_data(await reader.read(1000) or None)
            return found

        writer.write(browser.send(ws.Request(host="here", target="/echo")))
        async with asyncio.timeout(5):
            assert isinstance(await heard(), ws.AcceptConnection)
            await asyncio.sleep(1)
            writer.write(browser.send(ws.Message("still here")))
            message = await heard()
        writer.close()
    assert isinstance(message, ws.TextMessage)
    assert message.data == "still here"


async def test_a_crowd() -> None:
    """Of a crowd that keeps the page waiting the first have to go, and who speaks is answered at once."""
    async with serving(ClientLimits(clients=20)) as port:
        crowd = [await asyncio.open_connection(LOOPBACK, port) for _ in range(100)]
        for _, writer in crowd[::2]:
            writer.write(GET)
        reader, writer = await asyncio.open_connection(LOOPBACK, port)
        writer.write(GET + b"\r\n")
        async with asyncio.timeout(5):
            assert (await reader.readuntil(b"here")).endswith(b"here")
            gone = [await first.read(1) for first, _ in crowd[:80]]
        assert gone == [b""] * 80
        for _, each in (*crowd, (reader, writer)):
            each.close()
