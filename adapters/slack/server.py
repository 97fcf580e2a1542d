"""The HTTP side: what Slack sends, what installs the app, and whether the bot is well."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from aiohttp import web
from pydantic import TypeAdapter
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.request.internals import parse_body
from slack_sdk.signature import SignatureVerifier

from adapters.public_pages import SitePages, add_pages
from adapters.serving import EVENT_MAX_BYTES, body_of
from adapters.slack.access import SlackAccess
from adapters.slack.bolt import INSTALL, REDIRECT
from adapters.slack.clients import UNSURE_ERRORS, NotListed
from adapters.slack.pages import write_pages

REFUSALS_MAX: Final = 20
"""Refusals in a row after which the secret seems to be wrong: anybody may send a forgery or two."""

REFUSED: Final = (
    "a request from %s was refused: it is not signed, or not as Slack would just now. If that was Slack, "
    "SLACK_SIGNING_SECRET is not the one under Basic Information > App Credentials, or this machine's clock is wrong"
)


class Signatures:
    """Judges requests by their signature, before anything in them is read."""

    def __init__(self, secret: str) -> None:
        self._verifier, self._refused = SignatureVerifier(secret), 0

    @property
    def fail(self) -> bool:
        """True if the secret seems to be wrong: for a long time, nothing was signed as it should be."""
        return self._refused >= REFUSALS_MAX

    def accept(self, body: bytes, headers: Mapping[str, str]) -> bool:
        """Return whether this comes from Slack, and not long ago."""
        try:
            good = self._verifier.is_valid_request(body, dict(headers))
        except (ValueError, TypeError):  # a timestamp that is no number, or a body or signature that is no text
            good = False
        if good:
            self._refused = 0
        elif "X-Slack-Signature" in headers:  # a request without one says nothing about the secret
            self._refused += 1
        return good


log = logging.getLogger("icc_bot")

SLACK_AWAY: Final = "Slack could not be reached. Nothing was installed; please begin again in a minute."

UNLISTED: Final = (
    "This workspace is not one of those that this bot serves. No token was kept, and nothing will be answered there: "
    "please remove the app from it, or ask your administrator to add it to SLACK_TEAMS and install it again."
)

Healthy = Callable[[], Awaitable[bool]]


def application(
    app: AsyncApp,
    access: SlackAccess,
    healthy: Healthy,
    facts: SitePages,
) -> web.Application:
    """Return /health, and what else this way of reaching the bot needs: over HTTP, pages with these facts."""
    site = web.Application(client_max_size=EVENT_MAX_BYTES)
    # Through a socket comes what needs no signature, and there may be no secret.
    signatures = Signatures(access.signing_secret.get_secret_value()) if access.mode == "http" else None

    async def health(request: web.Request) -> web.Response:
        fail = signatures is not None and signatures.fail
        ill = "signatures fail" if fail else "" if await healthy() else "not connected to Slack"
        return web.json_response({"status": ill or "ok", "mode": access.mode}, status=503 if ill else 200)

    site.router.add_get("/health", health)
    if signatures:
        site.router.add_post("/slack/events", _events(app, signatures))
        add_pages(site, write_pages(facts, INSTALL if app.oauth_flow else ""))
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
            except UNSURE_ERRORS as error:
                log.warning("a workspace could not install the app: %s", type(error).__name__)
                return web.Response(text=SLACK_AWAY, status=502)

        site.router.add_get(INSTALL, install)
        site.router.add_get(REDIRECT, redirected)
    return site


@dataclass(frozen=True, slots=True)
class _Payload:
    """The parts of Slack's payloads whose shape Bolt takes for granted."""

    event: dict[str, object] | None = None
    team: dict[str, object] | None = None
    user: dict[str, object] | None = None
    view: dict[str, object] | None = None
    enterprise: dict[str, object] | None = None
    authorizations: list[dict[str, object]] | None = None
    actions: list[dict[str, object]] | None = None


_PAYLOAD: Final = TypeAdapter(_Payload)


def _events(app: AsyncApp, signatures: Signatures) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def events(request: web.Request) -> web.Response:
        """Hand on what Slack signed; all else is refused before anything in it is read, and logged."""
        body = await body_of(request)
        if not signatures.accept(body, request.headers):
            log.warning(REFUSED, request.remote)
            return web.json_response({"error": "invalid request"}, status=401)
        try:
            _PAYLOAD.validate_python(parse_body(body.decode(), request.content_type))
            asked = AsyncBoltRequest(body=body.decode(), query=request.query_string, headers=dict(request.headers))
        except (ValueError, RecursionError):
            log.warning("a request from %s was signed, but cannot be read", request.remote)
            return web.json_response({"error": "unreadable"}, status=400)
        return await to_aiohttp_response(await app.async_dispatch(asked))

    return events
