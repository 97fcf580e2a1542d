"""The HTTP side: what Teams sends, what people download, and whether the bot is well."""

import json
import logging
import secrets
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from aiohttp import web

from adapters.serving import EVENT_MAX_BYTES, body_of
from adapters.teams.authentication import NotAuthenticated, RequestCheck
from adapters.teams.json_fields import Json
from router.errors import BotError
from router.language.outside_json import parse_json

# One activity: read, handed on, and answered as the protocol wants it.


log = logging.getLogger("icc_bot")

OnActivity = Callable[[Json], Awaitable[Json | None]]
"""Takes an activity and returns soon, since Teams waits 15 seconds; whatever takes longer belongs in a task.

For an invoke it returns `{"status": int, "body": dict}`, or None if it does not know this invoke; the body may be
left out. If anything else raises, Teams sends it again.
"""

DEMANDED = ("type", "channelId", "serviceUrl")
OBJECT_FIELDS = ("conversation", "from", "recipient", "channelData")
"""These are objects in every activity that is handed on, even if Teams leaves one out."""
LIST_FIELDS = ("entities", "attachments", "membersAdded", "membersRemoved", "reactionsAdded", "reactionsRemoved")
TEXT_FIELDS = ("id", "name", "text", "locale", "replyToId", "action", "timestamp", "localTimezone")

KINDS = {**dict.fromkeys(OBJECT_FIELDS, dict), **dict.fromkeys(LIST_FIELDS, list), **dict.fromkeys(TEXT_FIELDS, str)}

CARDS = ("adaptiveCard/action", "application/search")
"""The invokes whose answers carry their own status, and a type, in the body."""
FAULT = "application/vnd.microsoft.error"


def activity_of(body: bytes) -> Json:
    """Return the activity of a request's body; raises ValueError if it is none.

    Every object in OBJECTS is there; lists and texts, if present, are lists of objects and texts. Each text is one
    that can be written down.
    """
    try:
        activity = parse_json(body)
        # JSON can hold half a character, which no file or database takes.
        activity = json.loads(json.dumps(activity, ensure_ascii=False).encode(errors="replace"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(activity, dict):
        raise ValueError("it is no object")
    for name, kind in KINDS.items():
        if activity.get(name) is None:
            activity.pop(name, None)
        elif not isinstance(activity[name], kind):
            raise ValueError(f"its {name} is not what an activity has there")
    for name in OBJECT_FIELDS:
        activity.setdefault(name, {})
    if not all(isinstance(one, dict) for name in LIST_FIELDS for one in activity.get(name, [])):
        raise ValueError("a list holds something else than objects")
    demanded = [*(activity.get(name) for name in DEMANDED), activity["conversation"].get("id")]
    if not all(isinstance(value, str) and value for value in demanded):
        raise ValueError(f"it lacks {', '.join(DEMANDED)} or the id of its conversation")
    return activity


async def process(activity: Json, on_activity: OnActivity) -> web.Response:
    """Hand an activity on and return the answer to it; what is raised is logged under an id."""
    name = activity.get("name", "") if activity["type"] == "invoke" else None
    try:
        given = await on_activity(activity)
        if name is None:
            return web.Response()
        if given is None:
            return _fault(name, HTTPStatus.NOT_IMPLEMENTED, "This is not something that I can answer.")
        # Written here, so that a body which is no JSON is told as an error too.
        return _answer(int(given["status"]), given.get("body"))
    except BotError as error:
        return web.Response() if name is None else _fault(name, HTTPStatus.BAD_REQUEST, str(error))
    except Exception:
        number = secrets.token_hex(4)
        log.exception("error %s while taking %s %s", number, activity["type"], name or "")
        status = HTTPStatus.INTERNAL_SERVER_ERROR
        if name is None:
            return web.Response(status=status)
        return _fault(name, status, f"Something went wrong here (error {number}).")


def _answer(status: int, body: Any) -> web.Response:
    if body is None:
        return web.Response(status=status)
    return web.json_response(text=json.dumps(body, allow_nan=False), status=status)


def _fault(name: str, status: HTTPStatus, message: str) -> web.Response:
    """Return the answer to an invoke that failed; a card's error is inside of an answer that is well."""
    error = {"code": status.phrase.replace(" ", ""), "message": message}
    if name in CARDS:
        return _answer(HTTPStatus.OK, {"statusCode": int(status), "type": FAULT, "value": error})
    return _answer(status, {"error": error})


MESSAGES = "/api/messages"
"""The path of the messaging endpoint, as every bot of Azure has it."""
FILES = "/files/{token}"

Download = Callable[[web.Request], Awaitable[web.StreamResponse]]
"""Answers a request for a file; `request.match_info["token"]` says which."""


def application(check: RequestCheck, on_activity: OnActivity, download: Download | None = None) -> web.Application:
    """Return the application that hands each activity on which the check lets in."""
    site = web.Application(client_max_size=EVENT_MAX_BYTES)

    async def messages(request: web.Request) -> web.Response:
        if request.content_type != "application/json":
            raise web.HTTPUnsupportedMediaType(text="An activity is JSON.")
        try:
            proof = await check.open(request.headers)
            activity = await _activity(request)
            check.admit(proof, activity)
        except NotAuthenticated as refused:
            # An outage is ours to look after, and no attack.
            grade = logging.ERROR if refused.status >= 500 else logging.WARNING
            log.log(grade, "a request from %s was refused (%d): %s", request.remote, refused.status, refused)
            return web.Response(status=refused.status)
        return await process(activity, on_activity)

    async def health(request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    site.router.add_post(MESSAGES, messages)
    site.router.add_get("/health", health)
    if download is not None:
        site.router.add_get(FILES, download)
    return site


async def _activity(request: web.Request) -> Json:
    """Return the activity of a request, or end it: 400 for what is none, 408 and 413 for what is slow or long."""
    try:
        return activity_of(await body_of(request))
    except ValueError as error:
        log.warning("a request from %s holds no activity: %s", request.remote, type(error).__name__)
        raise web.HTTPBadRequest(text="This is no activity.") from None
