"""The socket: opened, lost, refreshed and closed, against the stand-in and against a Slack that leads astray."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from pydantic import SecretStr

from adapters.slack.access import SlackAccess
from adapters.slack.bolt import OwnWorkspace, Workspace, bolt_app
from adapters.slack.clients import Clients
from adapters.slack.socket import Socket
from tests.platforms.slack.stand_in import Slack


@asynccontextmanager
async def socket(url: str, app_token: str) -> AsyncIterator[tuple[Socket, list[str]]]:
    """Yield an open socket and the words that were heard through it."""
    given = SlackAccess(
        mode="socket",
        api_url=url,
        bot_token=SecretStr("xoxb-T1-stand-in"),
        app_token=SecretStr(app_token),
        ping_interval=0.2,
    )

    async def token(team: str) -> str:
        return "xoxb-T1-stand-in"

    clients = Clients(token, given.api_url)
    app = bolt_app(given, clients, OwnWorkspace(Workspace("T1", "UBOT", "B1")))
    heard: list[str] = []

    async def said(event: dict[str, Any]) -> None:
        heard.append(event["text"])

    app.event("message")(said)
    app.event("app_mention")(said)
    opened = Socket(app, given, clients)
    opened.open()
    try:
        yield opened, heard
    finally:
        await opened.close()
        await clients.close()


async def until(condition: Any) -> None:
    for _ in range(1000):
        found = condition()
        if await found if asyncio.iscoroutine(found) else found:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it never came to be")


async def test_what_is_said_is_heard_and_acknowledged() -> None:
    """A message comes through the socket and is acknowledged."""
    with Slack() as slack:
        async with socket(slack.url, slack.app_token) as (open_, heard):
            await until(open_.is_connected)
            slack.dm("U1", "hello")
            await until(lambda: heard == ["hello"])
            await until(lambda: all(ack.acked for ack in slack.acks))
        assert not await open_.is_connected()


async def test_a_lost_socket_comes_back() -> None:
    """After a cut, and after Slack asks for it, there is a new socket, and nothing that was said is lost."""
    with Slack(retries=(0.1, 0.5, 1.0)) as slack:
        async with socket(slack.url, slack.app_token) as (open_, heard):
            await until(open_.is_connected)
            slack.drop_sockets()
            slack.dm("U1", "one")
            await until(lambda: "one" in heard)
            slack.refresh_sockets()
            slack.dm("U1", "two")
            await until(lambda: "two" in heard)
            await until(lambda: slack.sockets.opened >= 3)


async def test_an_address_that_leads_nowhere() -> None:
    """An address that was used up without a socket is not tried for ever: another is asked for."""
    asked: list[int] = []

    async def address(request: web.Request) -> web.Response:
        asked.append(len(asked) + 1)
        return web.json_response({"ok": True, "url": f"ws://127.0.0.1:{port}/link/{asked[-1]}"})

    async def link(request: web.Request) -> web.StreamResponse:
        if request.match_info["number"] == "1":
            return web.Response(status=503)
        opened = web.WebSocketResponse()
        await opened.prepare(request)
        async for _ in opened:
            pass
        return opened

    site = web.Application()
    site.router.add_post("/api/apps.connections.open", address)
    site.router.add_get("/link/{number}", link)
    runner = web.AppRunner(site, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    try:
        async with socket(f"http://127.0.0.1:{port}/api/", "xapp-1") as (open_, _):
            await until(open_.is_connected)
    finally:
        await runner.cleanup()

    assert asked[:2] == [1, 2]
