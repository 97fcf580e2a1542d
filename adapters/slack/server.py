"""The HTTP side: what Slack sends, what installs the app, and whether the bot is well."""

import logging
from collections.abc import Awaitable, Callable
from typing import Final

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest

from adapters.serving import body_of
from adapters.slack.access import Access
from adapters.slack.bolt import INSTALL, REDIRECT
from adapters.slack.clients import UNSURE, NotListed
from adapters.slack.signatures import Signatures

log = logging.getLogger("icc_bot")

BODY: Final = 1024 * 1024
"""The longest body that is read, in bytes; a message with all its blocks is a tenth of it."""

AWAY: Final = "Slack could not be reached. Nothing was installed; please begin again in a minute."

UNLISTED: Final = (
    "This workspace is not one of those that this bot serves. No token was kept, and nothing will be answered there: "
    "please remove the app from it, or ask whoever runs the bot to add it to SLACK_TEAMS and install it again."
)

Healthy = Callable[[], Awaitable[bool]]


def application(app: AsyncApp, access: Access, healthy: Healthy, tell: Callable[[str], None]) -> web.Application:
    """Return /health, and what else this way of reaching the bot needs; `tell` tells whoever runs the bot."""
    site = web.Application(client_max_size=BODY)
    signatures = Signatures(access.signing_secret.get_secret_value(), tell)

    async def health(request: web.Request) -> web.Response:
        ill = "signatures fail" if signatures.fail else "" if await healthy() else "not connected to Slack"
        return web.json_response({"status": ill or "ok", "mode": access.mode}, status=503 if ill else 200)

    site.router.add_get("/health", health)
    if access.mode == "http":
        site.router.add_post("/slack/events", _events(app, signatures))
    if flow := app.oauth_flow:

        async def install(request: web.Request) -> web.Response:
            await body_of(request)  # Bolt reads it, and would wait for ever
            return await to_aiohttp_response(await flow.handle_installation(await to_bolt_request(request)))

        async def redirected(request: web.Request) -> web.Response:
            await body_of(request)
            try:
                return await to_aiohttp_response(await flow.handle_callback(await to_bolt_request(request)))
            except NotListed as error:
                log.warning("workspace %s may not install the app: SLACK_TEAMS does not name it", error)
                return web.Response(text=UNLISTED, status=403)
            except UNSURE as error:
                log.warning("a workspace could not install the app: %s", type(error).__name__)
                return web.Response(text=AWAY, status=502)

        site.router.add_get(INSTALL, install)
        site.router.add_get(REDIRECT, redirected)
    return site


def _events(app: AsyncApp, signatures: Signatures) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def events(request: web.Request) -> web.Response:
        """Hand on what Slack signed; all else is refused before anything in it is read, and logged."""
        body = await body_of(request)
        if why := signatures.refusal(body, request.headers):
            log.warning("a request from %s was refused: %s", request.remote, why)
            return web.json_response({"error": "invalid request"}, status=401)
        try:
            asked = AsyncBoltRequest(body=body.decode(), query=request.query_string, headers=dict(request.headers))
        except ValueError:
            log.warning("a request from %s was signed, but cannot be read", request.remote)
            return web.json_response({"error": "unreadable"}, status=400)
        return await to_aiohttp_response(await app.async_dispatch(asked))

    return events
