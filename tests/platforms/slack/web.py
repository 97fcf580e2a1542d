"""The HTTP side: the Web API, upload addresses, response_urls and the address of sockets."""

import asyncio
import base64
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.platforms.slack import api
from tests.platforms.slack.response_urls import respond
from tests.platforms.slack.troubles import Trouble
from tests.platforms.slack.world import Call

if TYPE_CHECKING:
    from tests.platforms.slack.server import Server

NESTED = ("blocks", "view", "prompts", "files", "attachments", "metadata", "loading_messages")


def application(slack: "Server") -> web.Application:
    """Return all that the stand-in answers to."""
    site = web.Application(client_max_size=64 * 1024 * 1024)

    async def call(request: web.Request) -> web.StreamResponse:
        args, token = await arguments(request)
        record = Call(request.match_info["method"], args, slack.world.now(), token=token)
        return await _answered(slack, request, record, lambda: _call(slack, record))

    async def upload(request: web.Request) -> web.StreamResponse:
        content = await _content(request)
        given = {"id": request.match_info["id"], "length": len(content)}
        record = Call("upload", given, slack.world.now())
        return await _answered(slack, request, record, lambda: _upload(slack, record, content))

    async def response(request: web.Request) -> web.StreamResponse:
        record = Call("response_url", json.loads(await request.text()), slack.world.now())
        return await _answered(slack, request, record, lambda: _respond(slack, record, request.match_info["id"]))

    site.router.add_route("*", "/api/{method}", call)
    site.router.add_post("/upload/{id}", upload)
    site.router.add_post("/response/{id}", response)
    site.router.add_get("/link/", slack.sockets.serve)
    return site


async def arguments(request: web.Request) -> tuple[dict[str, Any], str]:
    """Return the arguments of a call, and its token."""
    args: dict[str, Any] = dict(request.query)
    if request.content_type == "application/json":
        args |= json.loads(await request.text() or "{}")
    elif request.can_read_body:
        args |= dict(await request.post())
    for name in NESTED:
        if isinstance(args.get(name), str):
            try:
                args[name] = json.loads(args[name])
            except ValueError:
                continue  # the method says what is wrong with it
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme == "Basic":
        args["client_id"], _, args["client_secret"] = base64.b64decode(token).decode().partition(":")
        token = ""
    return args, str(args.pop("token", "")) or token


async def _answered(
    slack: "Server", request: web.Request, record: Call, work: Callable[[], web.StreamResponse]
) -> web.StreamResponse:
    """Do one call, unless a test wants it to go wrong."""
    with slack.lock:
        trouble = slack.troubles.take(record.method)
        record.asked = trouble is not None
        slack.calls.append(record)
        answer = None if trouble is None else _early(trouble, record, request)
        if answer is None:
            answer = work()
        slack.changed()
    if trouble is not None and trouble.how == "lose":
        record.status = 0
        return _cut(request)
    if trouble is not None:
        await asyncio.sleep(trouble.seconds)
    return answer


def _call(slack: "Server", record: Call) -> web.StreamResponse:
    asked = api.Request(slack, record.method, dict(record.arguments), record.token)
    record.answer = api.answer(asked)
    record.team = asked.team_id
    accepted = api.METHODS[record.method].scopes if record.method in api.METHODS else ()
    headers = {"x-oauth-scopes": asked.scopes, "x-accepted-oauth-scopes": ",".join(accepted)}
    return web.json_response(record.answer, headers=headers)


def _respond(slack: "Server", record: Call, url_id: str) -> web.StreamResponse:
    record.answer = respond(slack, url_id, record.arguments)
    if record.answer["ok"]:
        return web.Response(text="ok")
    record.status = 404
    return web.json_response(record.answer, status=404)


async def _content(request: web.Request) -> bytes:
    """Return what is uploaded: the body, or the first part of a form."""
    if not request.content_type.startswith("multipart/"):
        return await request.read()
    part = next(iter((await request.post()).values()))
    return part.file.read() if isinstance(part, web.FileField) else str(part).encode()


def _upload(slack: "Server", record: Call, content: bytes) -> web.StreamResponse:
    file = slack.world.files.get(record.arguments["id"])
    if file is None or file.content or len(content) != file.length:
        record.status, record.answer = 400, {"ok": False, "error": "upload_refused"}
        return web.Response(status=400, text="upload refused")
    file.content = content
    record.answer = {"ok": True}
    return web.Response(text=f"OK - {len(content)}")


def _early(trouble: Trouble, record: Call, request: web.Request) -> web.StreamResponse | None:
    """Return what is answered instead of doing anything; None for troubles that come afterwards."""
    if trouble.how in ("lose", "slow"):
        return None
    if trouble.how == "drop":
        record.status = 0
        return _cut(request)
    if trouble.how == "ratelimited":
        record.status, record.answer = 429, {"ok": False, "error": "ratelimited"}
        return web.json_response(record.answer, status=429, headers={"Retry-After": str(trouble.retry_after)})
    if trouble.how in ("500", "503"):
        record.status = int(trouble.how)
        record.answer = {"ok": False, "error": "internal_error" if trouble.how == "500" else "service_unavailable"}
        return web.json_response(record.answer, status=record.status)
    record.answer = {"ok": False, "error": trouble.how}
    return web.json_response(record.answer)


def _cut(request: web.Request) -> web.StreamResponse:
    """Close the connection without an answer."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
