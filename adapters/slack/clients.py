"""Slack's Web API for each workspace, over one pool of connections."""

from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import ClientConnectorError, ClientError, ClientSession, ClientTimeout, ConnectionTimeoutError
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import (
    AsyncConnectionErrorRetryHandler,
    AsyncRateLimitErrorRetryHandler,
    AsyncServerErrorRetryHandler,
)
from slack_sdk.web.async_client import AsyncWebClient

SLACK = "https://slack.com/api/"
CALL_SILENCE_SECONDS = 30
"""Seconds without a word from Slack after which a call has failed; a long file may take longer as a whole."""

CALL_RETRIES = 8
"""The number of times that a call is made again which was turned away for the moment."""


class NotInstalled(Exception):
    """The app is not installed in this workspace (any more)."""


class NotListed(Exception):
    """The workspace is not one of those that may install the app."""


UNSURE_ERRORS = (ClientError, TimeoutError, ConnectionError)
"""Errors that leave open whether Slack has done what it was asked to."""

UNREACHED = (ClientConnectorError, ConnectionTimeoutError)
"""Errors that say that Slack was never asked."""

FAILED = (SlackClientError, NotInstalled, *UNSURE_ERRORS)
"""Errors in which a call ends that is not done."""

Token = Callable[[str], Awaitable[str]]
"""Gives the bot token of a workspace; raises NotInstalled."""


class Clients:
    """The clients of all workspaces; `close` ends their connections."""

    def __init__(self, token: Token, base_url: str = SLACK) -> None:
        self._token, self.base_url = token, base_url
        self._session: ClientSession | None = None

    async def of(self, team: str) -> AsyncWebClient:
        """Return the client for calls that may be made twice."""
        return self.client(await self._token(team))

    async def poster(self, team: str) -> AsyncWebClient:
        """Return the client for calls that must not be made twice: it repeats only what Slack says it did not do."""
        return self.client(await self._token(team), once=True)

    def client(self, token: str = "", once: bool = False) -> AsyncWebClient:
        """Return a client with this token."""
        if self._session is None or self._session.closed:
            # slack_sdk's own timeout is for sessions that it makes itself.
            self._session = ClientSession(
                timeout=ClientTimeout(total=None, sock_connect=CALL_SILENCE_SECONDS, sock_read=CALL_SILENCE_SECONDS)
            )
        handlers: list[AsyncRetryHandler] = [AsyncRateLimitErrorRetryHandler(max_retry_count=CALL_RETRIES)]
        if not once:
            handlers += [AsyncServerErrorRetryHandler(CALL_RETRIES), AsyncConnectionErrorRetryHandler(CALL_RETRIES)]
        return AsyncWebClient(
            token or None,
            base_url=self.base_url,
            timeout=CALL_SILENCE_SECONDS,
            session=self._session,
            retry_handlers=handlers,
        )

    async def close(self) -> None:
        """End all connections."""
        if self._session is not None:
            await self._session.close()


def error_of(error: SlackApiError) -> str:
    """Return Slack's word for what was wrong, such as "channel_not_found"."""
    response: Any = error.response
    try:
        return str(response.get("error", ""))
    except (AttributeError, ValueError, TypeError):
        return ""


def is_unsure(error: Exception) -> bool:
    """Return whether Slack may have done what it was asked to, although it did not say so."""
    if isinstance(error, SlackApiError):
        # An answer that cannot be read comes as aiohttp's own response, which has no status_code.
        status = getattr(error.response, "status_code", 500)
        return status >= 500 or error_of(error) in ("internal_error", "fatal_error", "request_timeout")
    return isinstance(error, UNSURE_ERRORS)


def is_lost(error: Exception) -> bool:
    """Return whether a call reached Slack, as far as is known, and its answer did not come back."""
    return is_unsure(error) and not isinstance(error, UNREACHED)


def word_of(error: BaseException) -> str:
    """Return what goes into the log of an error: Slack's word, or the kind of it."""
    return (isinstance(error, SlackApiError) and error_of(error)) or type(error).__name__
