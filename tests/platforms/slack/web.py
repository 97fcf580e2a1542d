"""The HTTP side: the Web API, upload addresses, response_urls and the address of sockets."""

import asyncio
import base64
import json
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
        return await _call(slack, request)

    async def upload(request: web.Request) -> web.StreamResponse:
        return await _upload(slack, request)

    async def response(request: web.Request) -> web.StreamResponse:
        with slack.lock:
            answer = respond(slack, request.match_info["id"], json.loads(await request.text()))
            slack.changed()
        return web.Response(text="ok") if answer.get("ok") else web.json_response(answer, status=404)

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


async def _call(slack: "Server", request: web.Request) -> web.StreamResponse:
    method = request.match_info["method"]
    args, token = await arguments(request)
    with slack.lock:
        trouble = slack.troubles.take(method)
        record = Call(method, args, slack.world.now(), token=token)
        slack.calls.append(record)
        if trouble is not None:
            record.asked = True
        early = None if trouble is None else _early(trouble, record, request)
        if early is None:
            asked = api.Request(slack, method, dict(args), token)
            record.answer = api.answer(asked)
            record.team = asked.team_id
            scopes = asked.scopes
        slack.changed()
    if early is not None:
        return early
    if trouble is not None and trouble.how == "lose":
        record.status = 0
        return _cut(request)
    if trouble is not None:
        await asyncio.sleep(trouble.seconds)
    accepted = api.METHODS[method].scopes if method in api.METHODS else ()
    headers = {"x-oauth-scopes": scopes, "x-accepted-oauth-scopes": ",".join(accepted)}
    return web.json_response(record.answer, headers=headers)


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


async def _upload(slack: "Server", request: web.Request) -> web.StreamResponse:
    if request.content_type.startswith("multipart/"):
        part = next(iter((await request.post()).values()))
        content = part.file.read() if isinstance(part, web.FileField) else str(part).encode()
    else:
        content = await request.read()
    with slack.lock:
        file = slack.world.files.get(request.match_info["id"])
        if file is None or file.content:
            return web.Response(status=404, text="no such upload")
        if len(content) != file.length:
            slack.note(f"the upload of {file.name} has {len(content)} bytes and not {file.length}")
            return web.Response(status=400, text="wrong length")
        file.content = content
        slack.changed()
    return web.Response(text=f"OK - {len(content)}")
