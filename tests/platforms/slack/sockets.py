"""Socket Mode: the sockets that the app keeps open, what is sent through them and how it is acknowledged."""

import asyncio
import itertools
import json
import secrets
from collections.abc import Callable
from typing import Any

from aiohttp import WSMsgType, web

from tests.platforms.slack.payloads import APP

MOST = 10


class Lost(Exception):
    """The socket went away before the envelope was acknowledged."""


class Sockets:
    """The open sockets; all methods but `ticket` run in the loop of the stand-in."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self.open: list[web.WebSocketResponse] = []
        self._transports: dict[web.WebSocketResponse, asyncio.Transport | None] = {}
        self.opened = 0
        """The number of them so far."""
        self.pings = 0
        self.strangers: list[str] = []
        """Envelope ids that were acknowledged although nothing was waiting for it."""
        self._tickets: set[str] = set()
        self._waiting: dict[str, tuple[web.WebSocketResponse, asyncio.Future[Any]]] = {}
        self._turn = itertools.count()
        self._come = asyncio.Event()

    def ticket(self, root: str) -> str:
        """Return the address of a socket, which works once."""
        made = secrets.token_hex(8)
        self._tickets.add(made)
        return f"{root.replace('http', 'ws', 1)}/link/?ticket={made}&app_id={APP}"

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Keep one socket open until either side closes it."""
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets:
            return web.json_response({"ok": False, "error": "invalid_ticket"}, status=403)
        self._tickets.remove(ticket)
        socket = web.WebSocketResponse(autoping=False, timeout=0.1)
        await socket.prepare(request)
        if len(self.open) >= MOST:
            await socket.send_json({"type": "disconnect", "reason": "too_many_websockets"})
            await socket.close()
            return socket
        self.opened += 1
        await socket.send_json(self._hello())
        self.open.append(socket)
        self._transports[socket] = request.transport
        self._come.set()
        self._changed()
        try:
            await self._read(socket)
        finally:
            self._gone(socket)
        return socket

    def _hello(self) -> dict[str, Any]:
        return {
            "type": "hello",
            "num_connections": len(self.open) + 1,
            "debug_info": {"host": "stand-in", "build_number": 1, "approximate_connection_time": 18060},
            "connection_info": {"app_id": APP},
        }

    async def _read(self, socket: web.WebSocketResponse) -> None:
        async for message in socket:
            if message.type == WSMsgType.PING:
                self.pings += 1
                await socket.pong(message.data)
            elif message.type == WSMsgType.TEXT:
                self._acknowledged(message.data)

    def _acknowledged(self, data: str) -> None:
        answer = json.loads(data)
        _, waiting = self._waiting.get(answer.get("envelope_id", ""), (None, None))
        if waiting is None or waiting.done():
            self.strangers.append(str(answer.get("envelope_id")))
        else:
            waiting.set_result(answer.get("payload"))

    def _gone(self, socket: web.WebSocketResponse) -> None:
        if socket in self.open:
            self.open.remove(socket)
            del self._transports[socket]
        if not self.open:
            self._come.clear()
        for held, waiting in self._waiting.values():
            if held is socket and not waiting.done():
                waiting.set_exception(Lost())
        self._changed()

    async def send(self, envelope: dict[str, Any]) -> Any:
        """Send an envelope through one of the sockets and return what it is acknowledged with; Lost if it is not.

        Waits for a socket if there is none.
        """
        await self._come.wait()
        socket = self.open[next(self._turn) % len(self.open)]
        envelope_id = secrets.token_hex(16)
        waiting: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[envelope_id] = (socket, waiting)
        try:
            await socket.send_json({**envelope, "envelope_id": envelope_id})
            return await waiting
        except ConnectionError:
            raise Lost from None
        finally:
            del self._waiting[envelope_id]

    async def drop(self, count: int | None = None) -> None:
        """Cut this many sockets (all) without a word."""
        for socket in self.open[:count]:
            transport = self._transports[socket]
            self._gone(socket)
            if transport is not None:
                transport.abort()

    async def disconnect(self, reason: str = "refresh_requested") -> None:
        """Ask the app to come back through a new socket; the old ones stay until the app closes them."""
        for socket in list(self.open):
            await socket.send_json({"type": "disconnect", "reason": reason, "debug_info": {"host": "stand-in"}})

    async def close(self) -> None:
        """Close all sockets in good order."""
        await asyncio.gather(*(socket.close(code=1001) for socket in list(self.open)))
