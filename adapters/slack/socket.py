"""The socket that Slack sends through if it cannot reach the bot over HTTP."""

import asyncio
from contextlib import suppress

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp

from adapters.slack.access import SlackAccess
from adapters.slack.clients import Clients


class Socket:
    """An open socket, opened again whenever it ends; made within a running loop."""

    def __init__(self, app: AsyncApp, access: SlackAccess, clients: Clients) -> None:
        self._handler = AsyncSocketModeHandler(
            app,
            access.app_token.get_secret_value(),
            web_client=clients.client(),
            ping_interval=access.ping_interval,
        )
        self._interval = access.ping_interval
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        """Begin to connect, and go on until it works."""
        self._tasks = [asyncio.create_task(self._handler.client.connect()), asyncio.create_task(self._renew())]

    async def is_connected(self) -> bool:
        """Return whether Slack can send."""
        return await self._handler.client.is_connected()

    async def _renew(self) -> None:
        """Have an address that led nowhere forgotten: each works once, and the client would try it for ever."""
        client = self._handler.client
        while True:
            before = client.wss_uri
            await asyncio.sleep(self._interval * 2)
            if client.wss_uri == before and not await client.is_connected():
                client.wss_uri = None  # as it is before the first

    async def close(self) -> None:
        """Take no more, and close the socket."""
        client = self._handler.client
        for task in self._tasks:
            task.cancel()
        await client.close()
        ended = [client.message_processor, client.current_session_monitor, client.message_receiver, *self._tasks]
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*(task for task in ended if task is not None), return_exceptions=True)
