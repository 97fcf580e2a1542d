"""Delivers events of Teams to the bot: by HTTP, again if it takes too long or fails."""

import asyncio
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import aiohttp

from tests.platforms.teams.activities import stamp

if TYPE_CHECKING:
    from tests.platforms.teams.server import Server


@dataclass
class Attempt:
    """One try to deliver; `latency` is in seconds, None if nothing came back."""

    number: int
    sent: float
    latency: float | None = None
    status: int | None = None
    body: Any = None
    problem: str = ""


@dataclass
class Post:
    """One activity that the bot is told, with every try so far."""

    activity: dict[str, Any]
    then: Callable[["Post"], None] | None = field(default=None, repr=False)
    """The client's work on the answer; the lock is held."""
    attempts: list[Attempt] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def type(self) -> str:
        """The kind: message, conversationUpdate, or the name of an invoke such as adaptiveCard/action."""
        return str(self.activity.get("name") or self.activity["type"])

    @property
    def _last(self) -> Attempt | None:
        return self.attempts[-1] if self.attempts else None

    @property
    def ok(self) -> bool:
        """True if the last try was taken in time."""
        return self._last is not None and self.over.is_set() and not self._last.problem

    @property
    def status(self) -> int | None:
        """The status of the bot's answer to the last try."""
        return None if self._last is None else self._last.status

    @property
    def body(self) -> Any:
        """The body of the bot's answer to the last try: JSON, else text, else None."""
        return None if self._last is None else self._last.body

    @property
    def latency(self) -> float | None:
        """Seconds to the first answer; None if there was none."""
        return next((each.latency for each in self.attempts if each.latency is not None), None)

    def wait(self, seconds: float = 60.0) -> "Post":
        """Return when it is taken or given up."""
        if not self.over.wait(seconds):
            raise TimeoutError(
                f"{self.type} was not over after {seconds} s; the bot must run in another loop or thread"
            )
        return self


class Posts(list[Post]):
    """Everything that was delivered, in order."""

    def late(self, seconds: float = 15.0) -> list[Post]:
        """Return what was not taken within this time at the first try."""
        return [each for each in self if each.over.is_set() and not _within(each, seconds)]

    def of(self, kind: str) -> "Posts":
        """Return those of a type: message, adaptiveCard/action..."""
        return Posts(each for each in self if each.type == kind)


def _within(post: Post, seconds: float) -> bool:
    first = post.attempts[0]
    return not first.problem and first.latency is not None and first.latency <= seconds


async def deliver(teams: "Server", post: Post) -> None:
    """Send it to the bot; a refused click is not repeated, one that had no answer in time is, with a new timestamp."""
    invoke = post.activity["type"] == "invoke"
    try:
        for number, wait in enumerate((0.0, *teams.retries)):
            await asyncio.sleep(wait)
            told = post.activity
            if number and invoke:
                told = told | {"timestamp": stamp(teams.world.now())}
            async with teams.lanes:
                attempt = Attempt(number, time.time())
                post.attempts.append(attempt)
                await _try(teams, told, attempt)
            teams.changed()
            if not attempt.problem or (invoke and attempt.status is not None):
                break
        if post.then is not None:
            with teams.lock:
                post.then(post)
    finally:
        post.over.set()
        teams.changed()


async def _try(teams: "Server", told: dict[str, Any], attempt: Attempt) -> None:
    began = time.perf_counter()
    headers = {"Content-Type": "application/json; charset=utf-8"}
    if not teams.anonymous:
        headers["Authorization"] = teams.authorization()
    body = json.dumps(told, ensure_ascii=False).encode()
    limit = aiohttp.ClientTimeout(total=teams.answer_seconds)
    try:
        async with teams.client.post(teams.bot_url, data=body, headers=headers, timeout=limit) as answer:
            said = await answer.text()
            attempt.latency = time.perf_counter() - began
            attempt.status, attempt.body = answer.status, read(said)
            if not 200 <= answer.status < 300:
                attempt.problem = f"http {answer.status}"
    except TimeoutError:
        attempt.problem = "timeout"
    except (aiohttp.ClientError, ConnectionError):
        attempt.problem = "connection failed"


def read(said: str) -> Any:
    """Return JSON as what it says, other text as it is, nothing as None."""
    if not said:
        return None
    try:
        return json.loads(said)
    except ValueError:
        return said
