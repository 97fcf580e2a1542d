"""The bot's HTTP side with a gate before it, and what came through."""

import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from adapters.serving import LOOPBACK, listening_on
from adapters.teams.authentication import Authentication, RequestCheck, SigningKeys
from adapters.teams.calls import session
from adapters.teams.cloud import openid_url_of
from adapters.teams.server import OnActivity, application
from tests.adapters.teams.fake_microsoft import Microsoft, activity


class Clock:
    """A clock that a test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Door:
    """The address, and what was let in."""

    url: str
    asking: aiohttp.ClientSession
    clock: Clock
    heard: list[dict[str, Any]] = field(default_factory=list)

    async def knock(
        self, authorization: str | None = None, body: Any = None, type: str = "application/json", **headers: str
    ) -> tuple[int, str]:
        """Post an activity, and return the status and the text of the answer."""
        content = body if isinstance(body, bytes) else json.dumps(activity() if body is None else body).encode()
        given = {"Content-Type": type, **headers}
        if authorization is not None:
            given["Authorization"] = authorization
        async with self.asking.post(f"{self.url}/api/messages", data=io.BytesIO(content), headers=given) as answer:
            return answer.status, await answer.text()


@asynccontextmanager
async def door(
    here: Microsoft | None = None,
    gate: RequestCheck | None = None,
    on_activity: OnActivity | None = None,
    patience: float = 5.0,
    **changes: Any,
) -> AsyncIterator[Door]:
    """Run the HTTP side of a bot until the end of the block."""
    async with session() as asking:
        clock = Clock()
        if gate is None:
            assert here is not None
            access = here.access(**changes)
            gate = Authentication(access, SigningKeys(asking, openid_url_of(access), clock, patience))
        made = Door("", asking, clock)

        async def heard(given: dict[str, Any]) -> dict[str, Any] | None:
            made.heard.append(given)
            return await on_activity(given) if on_activity else None

        async with listening_on(application(gate, heard), 0, LOOPBACK) as port:
            made.url = f"http://{LOOPBACK}:{port}"
            yield made
