"""Clients that connect and then keep a server waiting: half a head, half a body, or nothing at all (slowloris).

Each costs a file descriptor, and a process has about a thousand. So whoever is waited for has a deadline, and where too
many are waited for at once, the one that is waited for longest has to go: a client that speaks is always let in. Who
has asked and waits for us (a long poll, a download, a WebSocket) is in nobody's way and not counted.
"""

import asyncio
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server waits for its clients, in seconds, and for how many of them at once."""

    head: float = 10
    """For the head of the first request, from the moment that the client is connected."""
    body: float = 30
    """For a whole body; the longest that anybody reads has 2 MB."""
    idle: float = 75
    """For the head of a further request, as long as most proxies keep a connection."""
    clients: int = 500


PATIENCE: Final = Patience()


class SlowClients:
    """The connections of one server whose clients are to send something, the longest waited for first."""

    def __init__(self, patience: Patience = PATIENCE) -> None:
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
