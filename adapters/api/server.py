"""The HTTP side: who is let in, what is read of a request, and what is answered where it goes wrong."""

import asyncio
import hashlib
import logging
import re
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from http import HTTPStatus
from typing import Any, Final

from aiohttp import web
from pydantic import BaseModel, ValidationError

from adapters.api.acting import people_of
from adapters.api.answers import Job
from adapters.api.bodies import KEY, Waiting
from adapters.api.call import Call, Done, Site
from adapters.api.crowd import Crowd
from adapters.api.openapi import described
from adapters.api.problems import Refused, from_aiohttp, refused, unfit, unreadable
from adapters.api.routes import PATTERNS, ROUTES, Route
from adapters.api.tokens import Token, Tokens
from adapters.serving import body_of
from router.errors import BotError, logged
from router.memory import User

log = logging.getLogger("icc_bot")

LONGEST: Final = 2 * 1024 * 1024
"""The longest body that is read, in bytes: the longest SQL with every sign of it escaped is a little over half."""
THREADS: Final = 16
ASKING: Final = 32
"""Threads for what asks databases: however slow those are, all else is answered."""
ASKING_AT_ONCE: Final = 24
"""Requests of one token that ask databases at once: that others' are answered too."""
AT_ONCE: Final = 8
"""Requests of one token, and of one person that it names, that are worked on at once."""
GLANCE: Final = 0.2
"""Seconds between two looks at a job that somebody waits for."""
WAITING: Final = ("queued", "running", "sending")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def application(site: Site, tokens: Tokens, crowd: Crowd) -> web.Application:
    """Return the application that answers; shutting it down ends what databases are asked at that moment."""
    app = web.Application(client_max_size=LONGEST, middlewares=[_in_sentences])
    threads = ThreadPoolExecutor(THREADS, thread_name_prefix="api")
    asking, askers = ThreadPoolExecutor(ASKING, thread_name_prefix="api asks"), Crowd(ASKING_AT_ONCE)
    description = described()

    async def health(request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def openapi(request: web.Request) -> web.Response:
        return web.json_response(description)

    def handler(route: Route) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            token = _let_in(tokens, request)
            if route.scope and route.scope not in token.scopes:
                raise Refused(HTTPStatus.FORBIDDEN, f"This token lacks the scope {route.scope}.")
            people = people_of(token, request.headers, route.person)

            def enter() -> AbstractContextManager[None]:
                name = f"{token.name} {people[0].id}" if people[0] else token.name
                return _inside((crowd, name), *([(askers, token.name)] if route.asks else []))

            with enter():
                call = await _call(route, token, request, people)
            return await _answered(route, site, call, request, asking if route.asks else threads, enter)

        return handle

    async def stop(app: web.Application) -> None:
        site.close()

    async def end(app: web.Application) -> None:
        await asyncio.to_thread(asking.shutdown, cancel_futures=True)
        await asyncio.to_thread(threads.shutdown, cancel_futures=True)

    app.router.add_get("/health", health, allow_head=False)
    app.router.add_get("/v1/openapi.json", openapi, allow_head=False)
    for route in ROUTES:
        path = re.sub(r"{(\w+)}", lambda found: f"{{{found[1]}:{PATTERNS[found[1]].strip('^$')}}}", route.path)
        app.router.add_route(route.method, path, handler(route), name=route.name)
    app.on_shutdown.append(stop)
    app.on_cleanup.append(end)
    return app


@web.middleware
async def _in_sentences(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer whatever goes wrong with a status and a sentence; a bug is logged, and its number shown."""
    try:
        answer = await handler(request)
    except Refused as error:
        answer = error.answer
    except web.HTTPException as error:
        answer = from_aiohttp(error).answer
    except BotError as error:
        answer = refused(error).answer
    except Exception:
        answer = Refused(HTTPStatus.INTERNAL_SERVER_ERROR, logged("answering the API")).answer
    answer.headers.update({"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"})
    return answer


@contextmanager
def _inside(*counted: tuple[Crowd, str]) -> Iterator[None]:
    with ExitStack() as stack:
        for crowd, name in counted:
            stack.enter_context(crowd.enter(name))
        yield


def _let_in(tokens: Tokens, request: web.Request) -> Token:
    """Return the token of the request; raises Refused where it has none that is known."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    token = tokens.find(secret.strip()) if scheme.lower() == "bearer" else None
    if token is None:
        if scheme:
            log.warning("a request to the API from %s had no token that is known", request.remote)
        sentence = "This needs a token that is known: Authorization: Bearer icc_..."
        raise Refused(HTTPStatus.UNAUTHORIZED, sentence, headers={"WWW-Authenticate": 'Bearer realm="icc-bot"'})
    return token


async def _answered(
    route: Route,
    site: Site,
    call: Call,
    request: web.Request,
    threads: Executor,
    enter: Callable[[], AbstractContextManager[None]],
) -> web.StreamResponse:
    """Return the answer; where somebody waits for news, once there are some."""
    loop = asyncio.get_running_loop()
    end = loop.time() + (call.query.wait if isinstance(call.query, Waiting) else 0)
    while True:
        with enter():
            done = await loop.run_in_executor(threads, route.handle, site, call)
        answer = _answer(done, request, route)
        if site.closed or loop.time() >= end or not _the_same(done, answer, request):
            return answer
        await asyncio.sleep(GLANCE)


async def _call(route: Route, token: Token, request: web.Request, people: tuple[User | None, User | None]) -> Call:
    body = await _body(route.body, request) if route.body else None
    query = _query(route.query, request) if route.query else None
    keys = request.headers.getall("Idempotency-Key", []) if route.creates else []
    if len(keys) > 1 or any(not re.fullmatch(KEY, key) for key in keys):
        raise unfit("The header Idempotency-Key holds 1 to 255 visible signs of ASCII.")
    acting, approver = people
    return Call(token, dict(request.match_info), body, query, "".join(keys), acting, approver)


async def _body(model: type[BaseModel], request: web.Request) -> BaseModel:
    if request.content_type != "application/json" or "Content-Encoding" in request.headers:
        raise web.HTTPUnsupportedMediaType
    content = await body_of(request)
    try:
        return model.model_validate_json(content)
    except ValidationError as error:
        raise unreadable(error, "body") from None


def _query(model: type[BaseModel], request: web.Request) -> BaseModel:
    given: dict[str, Any] = {}
    for name, value in request.query.items():
        if name in given:
            raise unfit(f"The parameter {name[:40]} is there more than once.")
        given[name] = value
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise unreadable(error, "address") from None


def _answer(done: Done, request: web.Request, route: Route) -> web.StreamResponse:
    headers = dict(done.headers)
    if done.file:
        return web.FileResponse(done.file, headers=headers)
    text = done.answer.model_dump_json(by_alias=True)
    if route.tagged:
        headers["ETag"] = f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
        if request.headers.get("If-None-Match") == headers["ETag"]:
            return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    return web.Response(status=done.status, text=text, content_type="application/json", headers=headers)


def _the_same(done: Done, answer: web.StreamResponse, request: web.Request) -> bool:
    """Tell whether whoever waits knows this already; who knows nothing waits for the end of the job."""
    if "If-None-Match" in request.headers:
        return answer.status == HTTPStatus.NOT_MODIFIED
    return isinstance(done.answer, Job) and done.answer.state in WAITING
