"""The HTTP side: the connector, the login, the keys, and the addresses for uploads."""

import asyncio
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.platforms.teams.connector import ROUTES, answer
from tests.platforms.teams.connector.request import Request, wide_size
from tests.platforms.teams.keys import ISSUER
from tests.platforms.teams.login import discovery, log_in
from tests.platforms.teams.troubles import CODES, Trouble
from tests.platforms.teams.uploads import upload, wanted
from tests.platforms.teams.world import Call

if TYPE_CHECKING:
    from tests.platforms.teams.server import Server

REGION = "/emea"
OPENID = "/v1/.well-known/openidconfiguration"
KEYS = "/v1/.well-known/keys"
Work = Callable[[], tuple[int, Any]]


def application(teams: "Server") -> web.Application:
    """Return all that the stand-in answers to."""
    site = web.Application(client_max_size=64 * 1024 * 1024)

    def connector(method: str) -> Callable[[web.Request], Any]:
        async def call(request: web.Request) -> web.StreamResponse:
            match = request.match_info
            text = await request.text()
            record = Call(method, match.get("conversation", ""), {}, teams.world.now(), match.get("id", ""))
            return await answered(teams, request, record, lambda: _connector(teams, request, record, text))

        return call

    async def token(request: web.Request) -> web.StreamResponse:
        form = {name: str(value) for name, value in (await request.post()).items()}
        shown = {name: value for name, value in form.items() if name not in ("client_secret", "client_assertion")}
        record = Call("token", "", shown, teams.world.now())
        return await answered(teams, request, record, lambda: log_in(teams, request.match_info["tenant"], form))

    async def about_login(request: web.Request) -> web.StreamResponse:
        return web.json_response(discovery(teams, request.match_info["tenant"]))

    async def openid(request: web.Request) -> web.StreamResponse:
        told = {
            "issuer": ISSUER,
            "authorization_endpoint": "https://invalid.botframework.com",
            "jwks_uri": f"{teams.root}{KEYS}",
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["private_key_jwt"],
        }
        record = Call("openid", "", {}, teams.world.now())
        return await answered(teams, request, record, lambda: (200, told))

    async def keys(request: web.Request) -> web.StreamResponse:
        record = Call("keys", "", {}, teams.world.now())
        return await answered(teams, request, record, lambda: (200, teams.keys.jwks()))

    for verb, path, method in ROUTES:
        site.router.add_route(verb, f"{REGION}{path}", connector(method))
    site.router.add_post("/{tenant}/oauth2/v2.0/token", token)
    site.router.add_get("/{tenant}/v2.0/.well-known/openid-configuration", about_login)
    site.router.add_get(OPENID, openid)
    site.router.add_get(KEYS, keys)
    _take_uploads(teams, site)
    return site


def _take_uploads(teams: "Server", site: web.Application) -> None:
    async def put(request: web.Request) -> web.StreamResponse:
        content = await request.read()
        record = Call("upload", "", {"size": len(content)}, teams.world.now(), request.match_info["id"])
        return await answered(teams, request, record, lambda: upload(teams, record.id, request.headers, content))

    async def missing(request: web.Request) -> web.StreamResponse:
        record = Call("uploaded", "", {}, teams.world.now(), request.match_info["id"])

        def work() -> tuple[int, Any]:
            status, told = wanted(teams, record.id)
            record.asked = status == 404  # which is the answer, and no refusal
            return status, told

        return await answered(teams, request, record, work)

    site.router.add_put("/upload/{id}", put)
    site.router.add_get("/upload/{id}", missing, allow_head=False)


def _connector(teams: "Server", request: web.Request, record: Call, text: str) -> tuple[int, Any]:
    """Do a call of the connector, if its token is good and its body is JSON."""
    header = request.headers.get("Authorization", "")
    if not teams.anonymous and not teams.knows(header):
        code, message = CODES["401"]
        return 401, {"error": {"code": code, "message": message}}
    try:
        record.body = json.loads(text) if text else {}
    except ValueError:
        return 400, {"error": {"code": "BadSyntax", "message": "The body is no JSON."}}
    if not isinstance(record.body, dict):
        return 400, {"error": {"code": "BadSyntax", "message": "The body is no object."}}
    if record.body and request.content_type != "application/json":
        return 415, {"error": {"code": "BadSyntax", "message": "The body is no application/json."}}
    record.size = wide_size(record.body)
    wait = teams.limits.wait(record.conversation, record.time) if record.conversation else 0.0
    if wait and teams.limited:
        code, message = CODES["429"]
        return 429, {"error": {"code": code, "message": message}}
    asked = Request(teams, record.method, dict(record.body), record.conversation, record.id, dict(request.query))
    return answer(asked)


async def answered(teams: "Server", request: web.Request, record: Call, work: Work) -> web.StreamResponse:
    """Do one call, unless a test wants it to go wrong."""
    with teams.lock:
        trouble = teams.troubles.take(record.method, record.conversation)
        record.asked = trouble is not None
        teams.calls.append(record)
        if trouble is None or trouble.how in ("lose", "slow"):
            record.status, record.answer = work()
            made = _told(record, "1" if record.status == 429 else "")
        else:
            made = _early(trouble, record)
        teams.changed()
    if trouble is None:
        return made
    await asyncio.sleep(trouble.seconds)
    if trouble.how in ("lose", "drop", "hang"):
        record.status = 0
        if request.transport is not None:
            request.transport.abort()
    return made


def _told(record: Call, retry_after: str) -> web.Response:
    headers = {"Retry-After": retry_after} if retry_after else {}
    if record.answer is None:
        return web.Response(status=record.status, headers=headers)
    return web.json_response(record.answer, status=record.status, headers=headers)


def _early(trouble: Trouble, record: Call) -> web.Response:
    """Return what is answered instead of doing anything."""
    if trouble.how == "garbage":
        return web.Response(text="<html>not what you asked for</html>", content_type="text/html")
    if not trouble.how.isdigit():
        return web.Response()
    code, message = CODES[trouble.how]
    record.status = int(trouble.how)
    record.answer = {"error": {"code": trouble.code or code, "message": message}}
    told = trouble.how in ("429", "503") and trouble.retry_after >= 0
    return _told(record, f"{trouble.retry_after:g}" if told else "")
