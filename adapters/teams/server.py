"""The HTTP side: what Teams sends, what people download, and whether the bot is well."""

import json
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from aiohttp import web

from adapters.serving import EVENT_MAX_BYTES, body_of
from adapters.teams.authentication import NotAuthenticated, RequestCheck
from router.errors import BotError
from router.language.outside_json import parse_json

# One activity: read, handed on, and answered as the protocol wants it.


log = logging.getLogger("icc_bot")

OnActivity = Callable[[dict[str, Any]], Awaitable[dict[str, Any] | None]]
"""Takes an activity and returns soon, since Teams waits 15 seconds; whatever takes longer belongs in a task.

For an invoke it returns `{"status": int, "body": dict}`, or None where it does not know this invoke; the body may be
left out. Where anything else raises, Teams sends it again.
"""

DEMANDED: Final = ("type", "channelId", "serviceUrl")
OBJECTS: Final = ("conversation", "from", "recipient", "channelData")
"""These are objects in every activity that is handed on, even where Teams leaves one out."""
LISTS: Final = ("entities", "attachments", "membersAdded", "membersRemoved", "reactionsAdded", "reactionsRemoved")
TEXTS: Final = ("id", "name", "text", "locale", "replyToId", "action", "timestamp", "localTimezone")

CARDS: Final = ("adaptiveCard/action", "application/search")
"""The invokes whose answers carry their own status, and a type, in the body."""
FAULT: Final = "application/vnd.microsoft.error"


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """The HTTP answer to an activity; `body` is JSON, or empty."""

    status: int
    body: str = ""


def activity_of(body: bytes) -> dict[str, Any]:
    """Return the activity of a request's body; raises ValueError where it is none.

    Every object in OBJECTS is there; lists and texts, where present, are lists of objects and texts. Each text is one
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
    for name in (*OBJECTS, *LISTS, *TEXTS):
        if activity.get(name, "") is None:
            del activity[name]
    for name in OBJECTS:
        _demand(isinstance(activity.setdefault(name, {}), dict), name)
    for name in LISTS:
        _demand(_is_list_of_objects(activity.get(name, [])), name)
    for name in TEXTS:
        _demand(isinstance(activity.get(name, ""), str), name)
    for name, value in [*((name, activity.get(name)) for name in DEMANDED), ("id", activity["conversation"].get("id"))]:
        _demand(isinstance(value, str) and value != "", name)
    return activity


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _demand(good: bool, name: str) -> None:
    if not good:
        raise ValueError(f"its {name} is not what an activity has there")


async def process(activity: dict[str, Any], on_activity: OnActivity) -> HttpAnswer:
    """Hand an activity on and return the answer to it; what is raised is logged under an id."""
    name = activity.get("name", "") if activity["type"] == "invoke" else None
    try:
        given = await on_activity(activity)
        if name is None:
            return HttpAnswer(HTTPStatus.OK)
        if given is None:
            return _fault(name, HTTPStatus.NOT_IMPLEMENTED, "This is not something that I can answer.")
        # Written here, so that a body which is no JSON is told as an error too.
        body = json.dumps(given["body"], allow_nan=False) if given.get("body") is not None else ""
        return HttpAnswer(int(given["status"]), body)
    except BotError as error:
        return _fault(name, HTTPStatus.BAD_REQUEST, str(error)) if name is not None else HttpAnswer(HTTPStatus.OK)
    except Exception:
        number = secrets.token_hex(4)
        log.exception("error %s while taking %s %s", number, activity["type"], name or "")
        if name is None:
            return HttpAnswer(HTTPStatus.INTERNAL_SERVER_ERROR)
        return _fault(name, HTTPStatus.INTERNAL_SERVER_ERROR, f"Something went wrong here (error {number}).")


def _fault(name: str, status: HTTPStatus, message: str) -> HttpAnswer:
    """Return the answer to an invoke that tells of an error; a card's is told inside of an answer that is well."""
    error = {"code": status.phrase.replace(" ", ""), "message": message}
    if name in CARDS:
        return HttpAnswer(HTTPStatus.OK, json.dumps({"statusCode": int(status), "type": FAULT, "value": error}))
    return HttpAnswer(status, json.dumps({"error": error}))


MESSAGES: Final = "/api/messages"
"""The path of the messaging endpoint, as every bot of Azure has it."""
FILES: Final = "/files/{token}"

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
