"""The HTTP side: what Slack sends, what installs the app, and whether the bot is well."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from time import time
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
from adapters.slack.clients import UNSURE, NotListed
from adapters.slack.pages import written

# Signatures of requests.


SIGNATURE_MAX_AGE_SECONDS: Final = 300
"""Seconds after which a signed request may be a copy of an earlier one, as Slack says."""

REFUSALS_MAX: Final = 20
"""Refusals in a row after which a secret that was good before seems to be wrong: anybody may send a forgery or two."""

WRONG: Final = "its signature is wrong"
WRONG_TIMESTAMP: Final = "its timestamp is too old, or ahead of this machine's clock"
UNSIGNED: Final = "it has no signature"

SIGNATURE_REMEDIES: Final = {
    WRONG: "If that was Slack, SLACK_SIGNING_SECRET is not the one that stands under Basic Information > App "
    "Credentials: nobody is answered before it is.",
    WRONG_TIMESTAMP: "If that was Slack, this machine's clock is wrong: nobody is answered before it is right.",
}


class Signatures:
    """Judges requests by their signature; whoever runs the bot is told once that they seem to fail."""

    def __init__(self, secret: str, tell: Callable[[str], None]) -> None:
        self._verifier, self._tell = SignatureVerifier(secret), tell
        self._proven = False
        self._refused = 0

    @property
    def fail(self) -> bool:
        """Tells whether the secret seems to be wrong: nothing that was signed was right so far, or for a long time."""
        return self._refused >= self._enough

    @property
    def _enough(self) -> int:
        return REFUSALS_MAX if self._proven else 1

    def refusal(self, body: bytes, headers: Mapping[str, str]) -> str:
        """Return why this does not come from Slack, or came long ago; empty where it is good."""
        why = self._judged(body, headers)
        if not why:
            self._proven, self._refused = True, 0
        elif why in SIGNATURE_REMEDIES:  # whoever knocks without a signature says nothing about the secret
            self._refused += 1
            if self._refused == self._enough:
                self._tell(f"A request with a signature of Slack's kind was refused: {why}. {SIGNATURE_REMEDIES[why]}")
        return why

    def _judged(self, body: bytes, headers: Mapping[str, str]) -> str:
        stamp, signature = headers.get("X-Slack-Request-Timestamp", ""), headers.get("X-Slack-Signature", "")
        if not stamp.isascii() or not stamp.isdecimal() or not signature.isascii() or not signature:
            return UNSIGNED
        if abs(time() - int(stamp)) > SIGNATURE_MAX_AGE_SECONDS:
            return WRONG_TIMESTAMP
        try:
            good = self._verifier.is_valid(body, stamp, signature)
        except ValueError:  # the body is no text
            good = False
        return "" if good else WRONG


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
    tell: Callable[[str], None],
    facts: SitePages,
) -> web.Application:
    """Return /health, and what else this way of reaching the bot needs; `tell` tells whoever runs the bot.

    Over HTTP that is also pages for everybody, which tell these facts.
    """
    site = web.Application(client_max_size=EVENT_MAX_BYTES)
    # Through a socket comes what needs no signature, and there may be no secret.
    signatures = Signatures(access.signing_secret.get_secret_value(), tell) if access.mode == "http" else None

    async def health(request: web.Request) -> web.Response:
        fail = signatures is not None and signatures.fail
        ill = "signatures fail" if fail else "" if await healthy() else "not connected to Slack"
        return web.json_response({"status": ill or "ok", "mode": access.mode}, status=503 if ill else 200)

    site.router.add_get("/health", health)
    if signatures:
        site.router.add_post("/slack/events", _events(app, signatures))
        add_pages(site, written(facts, INSTALL if app.oauth_flow else ""))
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
        if why := signatures.refusal(body, request.headers):
            log.warning("a request from %s was refused: %s", request.remote, why)
            return web.json_response({"error": "invalid request"}, status=401)
        try:
            _PAYLOAD.validate_python(parse_body(body.decode(), request.content_type))
            asked = AsyncBoltRequest(body=body.decode(), query=request.query_string, headers=dict(request.headers))
        except (ValueError, RecursionError):
            log.warning("a request from %s was signed, but cannot be read", request.remote)
            return web.json_response({"error": "unreadable"}, status=400)
        return await to_aiohttp_response(await app.async_dispatch(asked))

    return events
