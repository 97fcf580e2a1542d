"""Listening for HTTP until the end of a block, with little patience for clients that keep it waiting."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, cast

from aiohttp import StreamReader, web

from router.errors import SettingsError

# Slowloris: clients that connect and then send half a head, half a body, or nothing. Each costs a file descriptor,
# and a process has about a thousand. So each awaited client has a deadline, and if too many are waited for, the
# one that is waited for longest has to go: a client that speaks is always let in. One that has asked and waits for us
# (a long poll, a download, a WebSocket) is in nobody's way and not counted.


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """Limits of a server: the seconds that it waits for its clients, and the number of them at once."""

    head: float = 10
    """For the head of the first request, from the moment that the client is connected."""
    body: float = 30
    """For a whole body; the longest that anybody reads has 2 MB."""
    idle: float = 75
    """For the head of a further request, as long as most proxies keep a connection."""
    clients: int = 500


DEFAULT_CLIENT_LIMITS: Final = ClientLimits()


class SlowClients:
    """The connections of one server whose clients are to send something, the longest waited for first."""

    def __init__(self, patience: ClientLimits = DEFAULT_CLIENT_LIMITS) -> None:
        self.patience = patience
        self._deadlines: dict[asyncio.Transport, asyncio.TimerHandle] = {}

    def wait(self, client: asyncio.Transport, seconds: float) -> None:
        """Give the client so many seconds from now to send what it is to send."""
        self.thank(client)
        if client.is_closing():
            return
        self._deadlines[client] = asyncio.get_running_loop().call_later(seconds, self._let_go, client)
        if len(self._deadlines) > self.patience.clients:
            self._let_go(next(iter(self._deadlines)))

    def thank(self, client: asyncio.Transport) -> None:
        """Wait no longer: the client sent it, or is gone."""
        if deadline := self._deadlines.pop(client, None):
            deadline.cancel()

    def _let_go(self, client: asyncio.Transport) -> None:
        self.thank(client)
        if client.get_write_buffer_size():
            client.abort()  # it does not even take what it was sent, and close() would wait for that
        else:
            client.close()


ALL_INTERFACES: Final = "0.0.0.0"  # noqa: S104 - a platform, or a proxy before the bot, comes from outside
LOOPBACK: Final = "127.0.0.1"
EVENT_MAX_BYTES: Final = 1024 * 1024
"""The longest body of a platform that is read; a message with all its cards is a tenth of it."""
BODY_MAX_SECONDS: Final = 10
"""The time that a body may take to come in that somebody reads."""


@asynccontextmanager
async def listening_on(
    site: web.Application, port: int, host: str = ALL_INTERFACES, patience: ClientLimits = DEFAULT_CLIENT_LIMITS
) -> AsyncIterator[int]:
    """Listen until the end of the block, and give the port; what is being answered then gets a moment to end.

    Raises SettingsError if the port is taken.
    """
    runner = web.AppRunner(site, shutdown_timeout=2, handle_signals=False)
    await runner.setup()
    server, slow, loop = cast(web.Server, runner.server), SlowClients(patience), asyncio.get_running_loop()
    make = server.request_factory

    def begun(message: Any, body: StreamReader, connection: web.RequestHandler, *rest: Any) -> web.BaseRequest:
        cast(_Connection, connection).head_came(body)
        return make(message, body, connection, *rest)

    server.request_factory = begun
    listener = None
    try:
        try:
            listener = await loop.create_server(lambda: _Connection(server, slow, loop), host, port, backlog=128)
        except OSError as error:
            raise SettingsError(
                [f"PORT: port {port} cannot be listened on ({error.strerror}). Set PORT to a free one."]
            ) from error
        yield int(listener.sockets[0].getsockname()[1])
    finally:
        if listener:
            listener.close()
        await runner.cleanup()


async def body_of(request: web.Request, seconds: float = BODY_MAX_SECONDS) -> bytes:
    """Return the whole body; raises HTTPRequestTimeout if it does not come in time, or not at all."""
    try:
        async with asyncio.timeout(seconds):
            return await request.read()
    except (TimeoutError, ConnectionError):
        raise web.HTTPRequestTimeout from None


class _Connection(web.RequestHandler):
    """One client's connection, which tells for what the client is waited."""

    def __init__(self, server: web.Server, slow: SlowClients, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(server, loop=loop, keepalive_timeout=slow.patience.idle)
        self._slow, self._client, self._in_body = slow, cast(asyncio.Transport, None), False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._client = cast(asyncio.Transport, transport)
        self._slow.wait(self._client, self._slow.patience.head)
        super().connection_made(transport)

    def head_came(self, body: StreamReader) -> None:
        """Wait for the body, if there is one still to come."""
        self._in_body = True
        self._slow.wait(self._client, self._slow.patience.body)
        body.on_eof(self._body_came)

    def _body_came(self) -> None:
        if self._in_body:
            self._in_body = False
            self._slow.thank(self._client)

    def log_access(self, *answered: Any) -> None:
        """Wait for the next request, and log nothing: addresses hold tokens."""
        self._in_body = False
        self._slow.wait(self._client, self._slow.patience.idle)

    def connection_lost(self, exc: BaseException | None) -> None:
        self._slow.thank(self._client)
        super().connection_lost(exc)
