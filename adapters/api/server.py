"""The HTTP side: who is let in, what is read of a request, and what is answered if it goes wrong."""

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from aiohttp import web
from pydantic import BaseModel, ValidationError

from adapters.api.auth import ApiTokens, acting_people, token_of
from adapters.api.jobs import JobAnswer, WaitParameters
from adapters.api.problems import InvalidRequest, problem
from adapters.api.request import ApiCall
from adapters.api.routes import KEY_PATTERN, ROUTES, Route, build_description
from adapters.api.throttle import WrongTokens
from adapters.serving import body_of
from router.errors import BotError, log_bug
from router.jobs.results.export import FORMATS
from router.jobs.runner import JobBackend

BODY_BYTES_MAX: Final = 2 * 1024 * 1024
"""The longest SQL with every sign of it escaped is a little over half."""
THREADS: Final = 16
DATABASE_THREADS: Final = 32
"""Threads for what asks databases: however slow those are, all else is answered."""
REQUESTS_AT_ONCE: Final = 8
"""Requests of one token, and of one person that it names, that are worked on at once."""
JOB_POLL_SECONDS: Final = 0.2
"""Time between two looks at a job that somebody waits for."""


def application(site: JobBackend, tokens: ApiTokens) -> web.Application:
    """Return the application that answers."""
    app = web.Application(client_max_size=BODY_BYTES_MAX, middlewares=[_refusals_as_problems])
    endpoints = _Endpoints(site, tokens)
    description = build_description()

    async def health(request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def openapi(request: web.Request) -> web.Response:
        return web.json_response(description)

    app.router.add_get("/health", health, allow_head=False)
    app.router.add_get("/v1/openapi.json", openapi, allow_head=False)
    for route in ROUTES:
        app.router.add_route(route.method, route.path_with_patterns, partial(endpoints.answer, route), name=route.name)
    app.on_cleanup.append(endpoints.close)
    return app


@web.middleware
async def _refusals_as_problems(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Answer whatever goes wrong with a status and a sentence; a bug is logged, and its number shown."""
    try:
        answer = await handler(request)
    except (web.HTTPException, BotError, InvalidRequest) as error:
        answer = problem(error)
    except Exception:
        answer = problem(web.HTTPInternalServerError(text=log_bug("answering the API")))
    answer.headers.update({"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"})
    return answer


class _Endpoints:
    """All routes over one site: each request is let in, read, and answered in a thread."""

    def __init__(self, site: JobBackend, tokens: ApiTokens) -> None:
        self._site, self._tokens, self._wrong_tokens = site, tokens, WrongTokens()
        self._inside: Counter[str] = Counter()
        """Requests that are worked on, by token and person."""
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="api")
        self._database_threads = ThreadPoolExecutor(DATABASE_THREADS, thread_name_prefix="api asks")

    async def answer(self, route: Route, request: web.Request) -> web.StreamResponse:
        """Return the answer; if the request waits for the end of a job, then or after that time."""
        authorization = request.headers.get("Authorization", "")
        token = token_of(self._tokens, authorization, request.remote or "", self._wrong_tokens)
        if route.scope and route.scope not in token.scopes:
            raise web.HTTPForbidden(text=f"This token lacks the scope {route.scope}.")
        acting, approving = acting_people(token, request.headers)
        inputs = await _inputs(route, request)
        call = ApiCall(token, inputs.get("body"), _idempotency_key(request), acting, approving)
        handle = partial(route.handler, self._site, call, **inputs)
        loop, query = asyncio.get_running_loop(), inputs.get("query")
        end = loop.time() + (query.wait if isinstance(query, WaitParameters) else 0)
        while True:
            with self._counted(f"{token.name} {call.user.id}"):
                answer = await loop.run_in_executor(self._database_threads if route.asks else self._threads, handle)
            if loop.time() >= end or not isinstance(answer, JobAnswer) or answer.over:
                return _response(route, answer)
            await asyncio.sleep(JOB_POLL_SECONDS)

    async def close(self, app: web.Application) -> None:
        """Wait for the threads."""
        for threads in (self._database_threads, self._threads):
            await asyncio.to_thread(threads.shutdown, cancel_futures=True)

    @contextmanager
    def _counted(self, person: str) -> Iterator[None]:
        """Count a request until the end of the block; refuse it if the person has too many."""
        if self._inside[person] >= REQUESTS_AT_ONCE:
            sentence = f"{REQUESTS_AT_ONCE} requests by this token are being answered. Send this one again in a moment."
            raise web.HTTPTooManyRequests(text=sentence, headers={"Retry-After": "1"})
        self._inside[person] += 1
        try:
            yield
        finally:
            self._inside[person] -= 1


async def _inputs(route: Route, request: web.Request) -> dict[str, Any]:
    """Return what the route's function takes beside site and call; refuses what cannot be read."""
    inputs = route.path_values(dict(request.match_info))
    if route.body:
        if request.content_type != "application/json" or "Content-Encoding" in request.headers:
            raise web.HTTPUnsupportedMediaType(text="A body is application/json, without an encoding.")
        content = await body_of(request)
        try:
            inputs["body"] = route.body.model_validate_json(content)
        except ValidationError as error:
            raise InvalidRequest("body", error) from None
    if route.query:
        try:
            inputs["query"] = route.query.model_validate(dict(request.query))
        except ValidationError as error:
            raise InvalidRequest("address", error) from None
    return inputs


def _idempotency_key(request: web.Request) -> str:
    key = request.headers.get("Idempotency-Key")
    if key is not None and not re.fullmatch(KEY_PATTERN, key):
        raise web.HTTPUnprocessableEntity(text="The header Idempotency-Key holds 1 to 255 visible signs of ASCII.")
    return key or ""


def _response(route: Route, answer: BaseModel | Path | None) -> web.StreamResponse:
    match answer:
        case None:
            return web.Response(status=204)
        case Path():
            return web.FileResponse(answer, headers={"Content-Type": FORMATS[answer.suffix[1:]]})
    return web.Response(
        status=route.status, text=answer.model_dump_json(by_alias=True), content_type="application/json"
    )
