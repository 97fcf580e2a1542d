"""One call to Teams, made until it is answered for good."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

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

from adapters.teams.backoff import wait_of
from adapters.teams.tokens import Tokens
from adapters.teams.undone import NoToken, Unanswered, Undone

TRIES: Final = 6
"""How often a call is made before it is given up."""
BRIEF: Final = 2
"""How often one is made that keeps others waiting, and says what the next one says better."""
SECONDS: Final = 30.0
"""How long one try may take."""
IDLE: Final = 15.0
"""Seconds after which an idle connection is closed."""
LATER: Final = frozenset({408, 412, 429, 500, 502, 503, 504})
"""Answers after which Microsoft asks for another try, though it may have done what it was asked."""
NOT_DONE: Final = frozenset({412, 429})
"""Those of them that say that nothing was done."""


@dataclass(frozen=True, slots=True)
class Response:
    """What Teams answered; `body` is what its JSON says, None where it is none."""

    status: int
    headers: Mapping[str, str]
    body: Any


def session() -> ClientSession:
    """Return a session for all that Microsoft is asked; the caller closes it.

    A connection that lay idle is not used again: were it closed at the other end just then, nobody could tell whether
    a message went through.
    """
    return ClientSession(connector=TCPConnector(limit=50, keepalive_timeout=IDLE), cookie_jar=DummyCookieJar())


class Calls:
    """Makes calls with the bot's token; `pause` is the unit of waiting between tries, in seconds."""

    def __init__(self, session: ClientSession, tokens: Tokens | None, pause: float = 1.0) -> None:
        """Without tokens, for a client on this machine, none is sent."""
        self._session, self._tokens, self._pause = session, tokens, pause

    @property
    def local(self) -> bool:
        """Whether these are calls to a client on this machine."""
        return self._tokens is None

    async def make(self, method: str, url: str, body: dict[str, Any] | None = None, *, tries: int = TRIES) -> Response:
        """Make a call until it is answered for good, but not more often than this; raises Unanswered or NoToken."""
        content = None if body is None else json.dumps(body, allow_nan=False)
        problem: Undone = Unanswered("it was not tried", lost=False)
        headers: Mapping[str, str] = {}
        lost = False
        for turn in range(tries):
            if turn:
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
                if said.status not in LATER:
                    return said
                lost, headers = lost or said.status not in NOT_DONE, said.headers
                problem = Unanswered(f"Teams put it off each time ({said.status})", lost=lost)
        raise Unanswered(str(problem), lost=True) if lost else problem

    async def _try(self, method: str, url: str, content: str | None) -> Response:
        """Make a call, and once more with a new token where this one is not taken (any more)."""
        token = await self._tokens.get() if self._tokens else ""
        said = await self._ask(method, url, token, content)
        if said.status == 401 and self._tokens:
            self._tokens.forget(token)
            said = await self._ask(method, url, await self._tokens.get(), content)
        return said

    async def _ask(self, method: str, url: str, token: str, content: str | None) -> Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if content is not None:
            headers["Content-Type"] = "application/json"
        try:
            async with self._session.request(
                method,
                URL(url, encoded=True),
                data=content,
                headers=headers,
                timeout=ClientTimeout(total=SECONDS, sock_connect=SECONDS / 2),
                allow_redirects=False,  # a token goes to the address that was signed for, and nowhere else
            ) as answer:
                return Response(answer.status, answer.headers, _json(await answer.read()))
        except (ClientConnectorError, ConnectionTimeoutError) as error:
            raise Unanswered(f"Teams cannot be reached ({type(error).__name__})", lost=False) from None
        except (ClientError, TimeoutError, OSError) as error:
            raise Unanswered(f"Teams did not answer ({type(error).__name__})", lost=True) from None


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None
