"""The HTTP side: what Teams sends, what people download, and whether the bot is well."""

import logging
from collections.abc import Awaitable, Callable
from typing import Final

from aiohttp import web

from adapters.serving import body_of
from adapters.teams.authentication import Gate, Refused
from adapters.teams.process import OnActivity, activity_of, process

log = logging.getLogger("icc_bot")

MESSAGES: Final = "/api/messages"
"""The path of the messaging endpoint, as every bot of Azure has it."""
FILES: Final = "/files/{token}"

BODY: Final = 1024 * 1024
"""The longest body that is read, in bytes; what Teams sends is a tenth of it."""

Download = Callable[[web.Request], Awaitable[web.StreamResponse]]
"""Answers a request for a file; `request.match_info["token"]` says which."""


def application(gate: Gate, on_activity: OnActivity, download: Download | None = None) -> web.Application:
    """Return the application that hands each activity on which the gate lets in."""
    site = web.Application(client_max_size=BODY)

    async def messages(request: web.Request) -> web.Response:
        if request.content_type != "application/json":
            raise web.HTTPUnsupportedMediaType(text="An activity is JSON.")
        try:
            proof = await gate.open(request.headers)
            activity = await _activity(request)
            gate.admit(proof, activity)
        except Refused as refused:
            # An outage is ours to look after, and no attack.
            grade = logging.ERROR if refused.status >= 500 else logging.WARNING
            log.log(grade, "a request from %s was refused (%d): %s", request.remote, refused.status, refused)
            return web.Response(status=refused.status)
        answer = await process(activity, on_activity)
        if not answer.body:
            return web.Response(status=answer.status)
        return web.Response(status=answer.status, text=answer.body, content_type="application/json")

    async def health(request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    site.router.add_post(MESSAGES, messages)
    site.router.add_get("/health", health)
    if download is not None:
        site.router.add_get(FILES, download)
    return site


async def _activity(request: web.Request) -> dict[str, object]:
    """Return the activity of a request, or end it: 400 for what is none, 408 and 413 for what is slow or long."""
    try:
        return activity_of(await body_of(request))
    except ValueError as error:
        log.warning("a request from %s holds no activity: %s", request.remote, type(error).__name__)
        raise web.HTTPBadRequest(text="This is no activity.") from None
