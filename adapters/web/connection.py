"""One browser's connection to the page, as uvicorn holds it, with little patience for what does not come."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from adapters.slow_clients import SlowClients

IDLE: Final = 15
"""Seconds for the head of a further request; uvicorn itself hangs up after five of silence."""


class PageConnection(HttpToolsProtocol):
    """Tells for what the browser is waited; a web socket is handed on, and waited for no more."""

    def __init__(self, slow: SlowClients, **options: Any) -> None:
        super().__init__(**options)
        self._slow = slow

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._slow.wait(transport, self._slow.patience.head)

    def on_headers_complete(self) -> None:
        """Wait for the body, unless an earlier request is still being answered."""
        answering = self._answering()
        super().on_headers_complete()
        if not answering:
            self._slow.wait(self.transport, self._slow.patience.body)

    def on_message_complete(self) -> None:
        """Let the browser wait for us, unless it has its answer already."""
        super().on_message_complete()
        if self._answering():
            self._slow.thank(self.transport)

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the rest of a body that nobody needs."""
        super().on_response_complete()
        if not self._answering():
            self._slow.wait(self.transport, min(IDLE, self._slow.patience.idle))
        elif self.cycle.more_body:
            self._slow.wait(self.transport, self._slow.patience.body)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection on."""
        self._slow.thank(self.transport)
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._slow.thank(self.transport)
        super().connection_lost(exc)

    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete
