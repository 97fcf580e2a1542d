"""A small bot for the tests of the stand-in for Teams: aiohttp, and the connector's client of the Bot Framework."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import requests
from aiohttp import ClientSession, ClientTimeout, web
from botbuilder.schema import Activity
from botframework.connector.aio import ConnectorClient
from botframework.connector.auth import AppCredentials

from tests.platforms.teams.stand_in import Teams
from tests.platforms.teams.world import Message

Invoked = tuple[int, Any]


class Credentials(AppCredentials):
    """The bot's secret, shown to the stand-in's login; the SDK's own classes only log in by HTTPS."""

    def __init__(self, teams: Teams, password: str = "") -> None:
        super().__init__(teams.app_id, teams.tenant)
        self.teams, self.password = teams, password or teams.app_password

    def get_access_token(self, force_refresh: bool = False) -> str:
        """Return a new token; raises HTTPError if the login refuses it."""
        answer = requests.post(
            f"{self.teams.login_url}/{self.tenant}/oauth2/v2.0/token",
            data={
                "grant_type": "client_credentials",
                "client_id": self.microsoft_app_id,
                "client_secret": self.password,
                "scope": f"{self.oauth_scope}/.default",
            },
            timeout=10,
        )
        answer.raise_for_status()
        return str(answer.json()["access_token"])


def connector(teams: Teams, password: str = "") -> ConnectorClient:
    """Return the Bot Framework's client of the connector."""
    client = ConnectorClient(Credentials(teams, password), base_url=teams.service_url)
    client.config.retry_policy.retries = 0
    return client


def activity(text: str = "", *cards: dict[str, Any], **more: Any) -> Activity:
    """Return a message with these Adaptive Cards."""
    attached = [{"contentType": "application/vnd.microsoft.card.adaptive", "content": each} for each in cards]
    return Activity.deserialize({"type": "message", "text": text or None, "attachments": attached, **more})


async def show(teams: Teams, where: str, *cards: dict[str, Any], **more: Any) -> Message:
    """Return a message of the bot with these cards, which now stands in the conversation."""
    async with connector(teams) as client:
        place = teams.conversation(where)
        sent = await client.conversations.send_to_conversation(place.id, activity("Look", *cards, **more))
    return place.messages[sent.id]


async def posted(
    teams: Teams, body: dict[str, Any], where: str = "sales", path: str = "", seconds: float = 10.0
) -> tuple[int, Any, Mapping[str, str]]:
    """Post an activity as it is, which the SDK's client would not, and return status, body and headers.

    `path` is another one of the connector's than that of a new activity.
    """
    proof = {"Authorization": f"Bearer {Credentials(teams).get_access_token()}"}
    url = f"{teams.service_url}v3/conversations{path or f'/{teams.conversation(where).id}/activities'}"
    async with (
        ClientSession(timeout=ClientTimeout(total=seconds), headers=proof) as session,
        session.post(url, json=body) as answer,
    ):
        return answer.status, await answer.json(), answer.headers


@dataclass
class Bot:
    """A small bot that remembers what it was told, with the headers, and echoes messages into their conversation."""

    teams: Teams
    told: list[dict[str, Any]] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    """Answers to the next activities, in place of handling them."""
    sleeps: list[float] = field(default_factory=list)
    """Seconds before the next answers."""
    invoked: Callable[[dict[str, Any]], Invoked] = lambda activity: (200, None)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def handle(self, request: web.Request) -> web.Response:
        """Take an activity: answer an invoke, echo a message."""
        told = await request.json()
        self.told.append(told)
        self.headers.append(request.headers.get("Authorization", ""))
        if self.sleeps:
            await asyncio.sleep(self.sleeps.pop(0))
        if self.statuses:
            return web.Response(status=self.statuses.pop(0))
        if told["type"] == "invoke":
            status, body = self.invoked(told)
            return web.Response(status=status, text="" if body is None else json.dumps(body))
        if told["type"] == "message" and told.get("text"):
            task = asyncio.create_task(self.echo(told))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        return web.Response(status=202)

    async def echo(self, told: dict[str, Any]) -> None:
        """Say in the same conversation what was said."""
        async with connector(self.teams) as client:
            said = Activity(type="message", text=f"You said {told['text']}", text_format="plain")
            await client.conversations.send_to_conversation(told["conversation"]["id"], said)


@asynccontextmanager
async def bot(teams: Teams) -> AsyncIterator[Bot]:
    """Run a bot whose address Teams knows."""
    made = Bot(teams)
    site = web.Application()
    site.router.add_post("/api/messages", made.handle)
    runner = web.AppRunner(site, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    teams.bot_url = f"http://127.0.0.1:{runner.addresses[0][1]}/api/messages"
    try:
        yield made
        await asyncio.gather(*made.tasks)
    finally:
        await runner.cleanup()
