"""Delivers events of Slack to the app: by HTTP or by socket, again and again if they are not acknowledged."""

import asyncio
import json
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import aiohttp

from tests.platforms.slack.payloads import encoded
from tests.platforms.slack.response_urls import command_answered
from tests.platforms.slack.signing import signed
from tests.platforms.slack.sockets import Lost

if TYPE_CHECKING:
    from tests.platforms.slack.server import Server

ENVELOPES = {"event": "events_api", "command": "slash_commands"}


@dataclass
class Attempt:
    """One try to deliver; `latency` is in seconds, None if nothing came back."""

    number: int
    sent: float
    latency: float | None = None
    status: int | None = None
    body: Any = None
    problem: str = ""

    @property
    def ok(self) -> bool:
        """True if it was acknowledged in time."""
        return not self.problem


@dataclass
class Delivery:
    """One thing the app is told: an event, interaction, command or options request, with every try so far."""

    kind: str
    payload: dict[str, Any]
    attempts: list[Attempt] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def type(self) -> str:
        """The kind: app_mention, message, block_actions, /ask..."""
        inner = self.payload.get("event", self.payload)
        return str(inner.get("type") or self.payload.get("command"))

    @property
    def acked(self) -> bool:
        """True if a try was acknowledged in time."""
        return any(attempt.ok and attempt.latency is not None for attempt in self.attempts)

    @property
    def latency(self) -> float | None:
        """Seconds to the first answer, in time or not; None if there was none."""
        return next((attempt.latency for attempt in self.attempts if attempt.latency is not None), None)

    @property
    def body(self) -> Any:
        """The body of the app's acknowledgement; None for an empty one."""
        return next((attempt.body for attempt in self.attempts if attempt.ok), None)

    def wait(self, seconds: float = 60.0) -> "Delivery":
        """Return when it is acknowledged or given up."""
        if not self.over.wait(seconds):
            raise TimeoutError(
                f"{self.type} was not over after {seconds} s; the app must run in another loop or thread"
            )
        return self


class Deliveries(list[Delivery]):
    """Everything that was delivered, in order."""

    def late(self, seconds: float = 3.0) -> list[Delivery]:
        """Return what was not acknowledged within this time."""
        return [each for each in self if each.attempts and each.over.is_set() and not _within(each, seconds)]

    def of(self, kind: str) -> "Deliveries":
        """Return those of a type: app_mention, block_actions, /ask..."""
        return Deliveries(each for each in self if each.type == kind)


def _within(delivery: Delivery, seconds: float) -> bool:
    first = delivery.attempts[0]
    return first.ok and first.latency is not None and first.latency <= seconds


async def deliver(slack: "Server", delivery: Delivery) -> None:
    """Send it to the app, up to four times for an event, once for all else."""
    waits = slack.retries if delivery.kind == "event" else ()
    reason = ""
    try:
        for number, wait in enumerate((0.0, *waits)):
            await asyncio.sleep(wait)
            async with slack.lanes:
                attempt = Attempt(number, time.time())
                delivery.attempts.append(attempt)
                await _try(slack, delivery, attempt, reason)
            slack.changed()
            if attempt.ok or attempt.problem == "no_retry":
                break
            reason = attempt.problem
        if delivery.kind == "command" and delivery.acked:
            with slack.lock:
                command_answered(slack, delivery.payload, delivery.body)
    finally:
        delivery.over.set()
        slack.changed()


async def _try(slack: "Server", delivery: Delivery, attempt: Attempt, reason: str) -> None:
    by = _post if slack.request_url else _send
    try:
        await asyncio.wait_for(by(slack, delivery, attempt, reason, time.perf_counter()), slack.ack_seconds)
    except TimeoutError:
        attempt.problem = "http_timeout" if slack.request_url else "timeout"
    except (Lost, aiohttp.ClientError, ConnectionError):
        attempt.problem = "connection_failed"


async def _post(slack: "Server", delivery: Delivery, attempt: Attempt, reason: str, began: float) -> None:
    if delivery.kind == "event":
        body, content_type = encoded(delivery.payload).encode(), "application/json"
    else:
        fields = delivery.payload if delivery.kind == "command" else {"payload": encoded(delivery.payload)}
        body, content_type = urlencode(fields).encode(), "application/x-www-form-urlencoded"
    headers = {"Content-Type": content_type, **signed(body, slack.signing_secret)}
    if attempt.number:
        headers |= {"X-Slack-Retry-Num": str(attempt.number), "X-Slack-Retry-Reason": reason}
    async with slack.client.post(slack.request_url, data=body, headers=headers) as answer:
        said = await answer.text()
        attempt.latency = time.perf_counter() - began
        attempt.status = answer.status
        attempt.body = _read(said)
        if answer.status != 200:
            attempt.problem = "no_retry" if answer.headers.get("X-Slack-No-Retry") == "1" else "http_error"


async def _send(slack: "Server", delivery: Delivery, attempt: Attempt, reason: str, began: float) -> None:
    envelope: dict[str, Any] = {
        "type": ENVELOPES.get(delivery.kind, "interactive"),
        "payload": delivery.payload,
        "accepts_response_payload": delivery.kind != "event",
    }
    if delivery.kind == "event":
        envelope |= {"retry_attempt": attempt.number, "retry_reason": reason}
    attempt.body = await slack.sockets.send(envelope)
    attempt.latency = time.perf_counter() - began
    attempt.status = 200


def _read(said: str) -> Any:
    if not said:
        return None
    try:
        return json.loads(said)
    except ValueError:
        return said
