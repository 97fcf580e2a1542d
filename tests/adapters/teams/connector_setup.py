"""A connector that writes to the small Microsoft, without long waits."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from adapters.teams.calls import Calls, session
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, reference_of
from adapters.teams.tokens import BotTokens
from tests.adapters.teams.fake_microsoft import Microsoft, activity


@asynccontextmanager
async def connected(here: Microsoft, **changes: Any) -> AsyncIterator[tuple[Connector, Reference]]:
    """Give a connector, and the reference of a channel's thread."""
    async with session() as asking:
        calls = Calls(asking, BotTokens(asking, here.access(**changes)), pause=0.001)
        yield Connector(calls), reference_of(activity(serviceUrl=f"{here.url}/emea/", locale="en-GB"))


def no(status: int, code: str = "", **headers: str) -> tuple[int, dict[str, str], Any]:
    """Return an answer that says no."""
    return status, headers, {"error": {"code": code, "message": "no"}}
