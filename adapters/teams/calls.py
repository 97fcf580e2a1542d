"""One call to Teams, made until it is answered for good."""

import asyncio
import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import (
    ClientConnectorError,
    ClientError,
    ClientSession,
    ClientTimeout,
    ConnectionTimeoutError,
    DummyCookieJar,
    TCPConnector,
)
from yarl import URL

from adapters.teams.failures import NoToken, Unanswered, Undone
from adapters.teams.tokens import BotTokens
from router.language.outside_json import parse_json
from router.observing.metrics import RETRIES
from router.retry_after import retry_after_seconds

# The wait until something that Microsoft put off is asked again.


BACKOFF_MAX_SECONDS = 60.0
"""The longest wait between two tries, in seconds, whatever is asked for."""


def wait_of(pause: float, tries: int, headers: Mapping[str, str] | None = None) -> float:
    """Return the seconds until the next try, after so many, twice as long each time.

    `pause` is the unit, in seconds; what the headers of the last answer ask for comes on top.
    """
    wait: float = pause * 2 ** (tries - 1) * random.uniform(0.5, 1.5)  # noqa: S311 - guards nothing
    return min(wait + retry_after_seconds(headers or {}), BACKOFF_MAX_SECONDS)


CALL_TRIES = 6
"""The number of times that a call is made before it is given up."""
BRIEF_CALL_TRIES = 2
"""The same for a call that keeps others waiting, and says what the next one says better."""
CALL_MAX_SECONDS = 30.0
"""The time that one try may take."""
IDLE_CONNECTION_SECONDS = 15.0
"""Seconds after which an idle connection is closed."""
RETRY_STATUSES = frozenset({408, 412, 429, 500, 502, 503, 504})
"""Answers after which Microsoft asks for another try, though it may have done what it was asked."""
NOT_DONE_STATUSES = frozenset({412, 429})
"""Those of them that say that nothing was done."""


@dataclass(frozen=True, slots=True)
class CallResponse:
    """An answer of Teams; `body` is its parsed JSON, None if it is none."""

    status: int
    headers: Mapping[str, str]
    body: Any


def session() -> ClientSession:
    """Return a session for all that Microsoft is asked; the caller closes it.

    A connection that lay idle is not used again: were it closed at the other end just then, nobody could tell whether
    a message went through.
    """
    return ClientSession(
        connector=TCPConnector(limit=50, keepalive_timeout=IDLE_CONNECTION_SECONDS), cookie_jar=DummyCookieJar()
    )


class Calls:
    """Makes calls with the bot's token; `pause` is the unit of waiting between tries, in seconds."""

    def __init__(self, session: ClientSession, tokens: BotTokens | None, pause: float = 1.0) -> None:
        """Without tokens, for a client on this machine, none is sent."""
        self._session, self._tokens, self._pause = session, tokens, pause

    @property
    def local(self) -> bool:
        """True if these are calls to a client on this machine."""
        return self._tokens is None

    async def make(
        self, method: str, url: str, body: dict[str, Any] | None = None, *, tries: int = CALL_TRIES
    ) -> CallResponse:
        """Make a call until it is answered for good, but not more often than this; raises Unanswered or NoToken."""
        content = None if body is None else json.dumps(body, allow_nan=False)
        problem: Undone = Unanswered("it was not tried", lost=False)
        headers: Mapping[str, str] = {}
        lost = False
        for turn in range(tries):
            if turn:
                RETRIES.add("teams")
                await asyncio.sleep(wait_of(self._pause, turn, headers))
            headers = {}
            try:
                said = await self._try(method, url, content)
            except NoToken as error:
                if error.lasting:
                    raise
                problem = error
            except Unanswered as error:
                problem, lost = error, lost or error.lost
            else:
                if said.status not in RETRY_STATUSES:
                    return said
                lost, headers = lost or said.status not in NOT_DONE_STATUSES, said.headers
                problem = Unanswered(f"Teams put it off each time ({said.status})", lost=lost)
        raise Unanswered(str(problem), lost=True) if lost else problem

    async def _try(self, method: str, url: str, content: str | None) -> CallResponse:
        """Make a call, and once more with a new token if this one is not taken (any more)."""
        token = await self._tokens.get() if self._tokens else ""
        said = await self._ask(method, url, token, content)
        if said.status == 401 and self._tokens:
            self._tokens.forget(token)
            said = await self._ask(method, url, await self._tokens.get(), content)
        return said

    async def _ask(self, method: str, url: str, token: str, content: str | None) -> CallResponse:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if content is not None:
            headers["Content-Type"] = "application/json"
        try:
            async with self._session.request(
                method,
                URL(url, encoded=True),
                data=content,
                headers=headers,
                timeout=ClientTimeout(total=CALL_MAX_SECONDS, sock_connect=CALL_MAX_SECONDS / 2),
                allow_redirects=False,  # a token goes to the address that was signed for, and nowhere else
            ) as answer:
                return CallResponse(answer.status, answer.headers, _json(await answer.read()))
        except (ClientConnectorError, ConnectionTimeoutError) as error:
            raise Unanswered(f"Teams cannot be reached ({type(error).__name__})", lost=False) from None
        except (ClientError, TimeoutError, OSError) as error:
            raise Unanswered(f"Teams did not answer ({type(error).__name__})", lost=True) from None


def _json(body: bytes) -> Any:
    try:
        return parse_json(body)
    except ValueError:
        return None
