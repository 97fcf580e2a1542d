"""The HTTP side: who is let in, what is read of a request, and what is answered where it goes wrong."""

import asyncio
import hashlib
import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from aiohttp import web
from pydantic import BaseModel, ValidationError

from adapters.api.auth import ApiTokens, acting_people, token_of
from adapters.api.jobs import JobAnswer, WaitParameters
from adapters.api.problems import (
    PROBLEM_CONTENT_TYPE,
    RequestRefused,
    forbidden,
    from_bot_error,
    from_http_status,
    from_validation,
    too_many,
    unprocessable,
)
from adapters.api.request import ApiCall, Site
from adapters.api.routes import JOB_PATH, KEY_PATTERN, ROUTES, Route, described
from adapters.api.submission import SubmittedJob
from adapters.api.throttle import WrongTokens
from adapters.serving import body_of
from router.errors import BotError, logged
from router.jobs.results.export import FORMATS

BODY_BYTES_MAX: Final = 2 * 1024 * 1024
"""The longest SQL with every sign of it escaped is a little over half."""
THREADS: Final = 16
DATABASE_THREADS: Final = 32
"""Threads for what asks databases: however slow those are, all else is answered."""
DATABASE_REQUESTS_AT_ONCE: Final = 24
"""Requests of one token that ask databases at once: that others' are answered too."""
REQUESTS_AT_ONCE: Final = 8
"""Requests of one token, and of one person that it names, that are worked on at once."""
JOB_POLL_SECONDS: Final = 0.2
"""Time between two looks at a job that somebody waits for."""

Answer = BaseModel | SubmittedJob | Path
"""Whatever a handler returns."""


class ConcurrencyLimit:
    """Requests that are worked on now, by token, that no program takes all threads; used by one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._inside: Counter[str] = Counter()

    def __len__(self) -> int:
        """Return how many tokens have requests inside."""
        return len(self._inside)

    @contextmanager
    def enter(self, name: str) -> Iterator[None]:
        """Count one until the end of the block; raises RequestRefused where there are too many."""
        if self._inside[name] >= self._most:
            raise too_many(
                f"{self._most} requests by this token are being answered. Send this one again in a moment.",
                retry_seconds=1,
            )
        self._inside[name] += 1
        try:
            yield
        finally:
            self._inside[name] -= 1
            if not self._inside[name]:
                del self._inside[name]


def application(site: Site, tokens: ApiTokens, at_once: int = REQUESTS_AT_ONCE) -> web.Application:
    """Return the application that answers; shutting it down ends what databases are asked at that moment."""
    app = web.Application(client_max_size=BODY_BYTES_MAX, middlewares=[_refusals_as_problems])
    endpoints = _Endpoints(site, tokens, at_once)
    description = described()

    async def health(request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def openapi(request: web.Request) -> web.Response:
        return web.json_response(description)

    app.router.add_get("/health", health, allow_head=False)
    app.router.add_get("/v1/openapi.json", openapi, allow_head=False)
    for route in ROUTES:
        app.router.add_route(route.method, route.path_with_patterns, partial(endpoints.answer, route), name=route.name)
    app.on_shutdown.append(endpoints.stop)
    app.on_cleanup.append(endpoints.close)
    return app


@web.middleware
async def _refusals_as_problems(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Answer whatever goes wrong with a status and a sentence; a bug is logged, and its number shown."""
    try:
        answer = await handler(request)
    except RequestRefused as error:
        answer = _problem(error)
    except web.HTTPException as error:
        answer = _problem(from_http_status(HTTPStatus(error.status), error.headers))
    except BotError as error:
        answer = _problem(from_bot_error(error))
    except Exception:
        answer = _problem(RequestRefused(HTTPStatus.INTERNAL_SERVER_ERROR, logged("answering the API")))
    answer.headers.update({"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"})
    return answer


def _problem(refused: RequestRefused) -> web.Response:
    text = json.dumps(refused.problem.model_dump())
    return web.Response(status=refused.status, text=text, content_type=PROBLEM_CONTENT_TYPE, headers=refused.headers)


class _Endpoints:
    """All routes over one site: each request is let in, read, and answered in a thread."""

    def __init__(self, site: Site, tokens: ApiTokens, at_once: int) -> None:
        self._site, self._tokens = site, tokens
        self._limit, self._database_limit = ConcurrencyLimit(at_once), ConcurrencyLimit(DATABASE_REQUESTS_AT_ONCE)
        self._wrong_tokens = WrongTokens()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="api")
        self._database_threads = ThreadPoolExecutor(DATABASE_THREADS, thread_name_prefix="api asks")

    async def answer(self, route: Route, request: web.Request) -> web.StreamResponse:
        """Return the answer; where somebody waits for news, once there are some."""
        token = token_of(
            self._tokens, request.headers.get("Authorization", ""), request.remote or "", self._wrong_tokens
        )
        if route.scope and route.scope not in token.scopes:
            raise forbidden(f"This token lacks the scope {route.scope}.")
        acting, approving = acting_people(token, request.headers)
        person = f"{token.name} {acting.id}" if acting else token.name
        with self._counted(route, token.name, person):
            inputs = await _inputs(route, request)
            call = ApiCall(token, inputs.get("body"), _idempotency_key(route, request), acting, approving)
        loop = asyncio.get_running_loop()
        handle = partial(route.handler, self._site, call, **inputs)
        query = inputs.get("query")
        end = loop.time() + (query.wait if isinstance(query, WaitParameters) else 0)
        while True:
            with self._counted(route, token.name, person):
                answer = await loop.run_in_executor(self._database_threads if route.asks else self._threads, handle)
            response = _response(route, answer, request)
            if self._site.closed or loop.time() >= end or _is_news(answer, response, request):
                return response
            await asyncio.sleep(JOB_POLL_SECONDS)

    async def stop(self, app: web.Application) -> None:
        """End what databases are asked."""
        self._site.close()

    async def close(self, app: web.Application) -> None:
        """Wait for the threads."""
        await asyncio.to_thread(self._database_threads.shutdown, cancel_futures=True)
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    @contextmanager
    def _counted(self, route: Route, token: str, person: str) -> Iterator[None]:
        with ExitStack() as stack:
            stack.enter_context(self._limit.enter(person))
            if route.asks:
                stack.enter_context(self._database_limit.enter(token))
            yield


async def _inputs(route: Route, request: web.Request) -> dict[str, Any]:
    """Return what the route's function takes beside site and call; raises RequestRefused for what cannot be read."""
    inputs = route.path_values(dict(request.match_info))
    if route.body:
        inputs["body"] = await _body(route.body, request)
    if route.query:
        inputs["query"] = _query(route.query, request)
    return inputs


def _idempotency_key(route: Route, request: web.Request) -> str:
    keys = request.headers.getall("Idempotency-Key", []) if route.creates else []
    if len(keys) > 1 or any(not re.fullmatch(KEY_PATTERN, key) for key in keys):
        raise unprocessable("The header Idempotency-Key holds 1 to 255 visible signs of ASCII.")
    return "".join(keys)


async def _body(model: type[BaseModel], request: web.Request) -> BaseModel:
    if request.content_type != "application/json" or "Content-Encoding" in request.headers:
        raise web.HTTPUnsupportedMediaType
    content = await body_of(request)
    try:
        return model.model_validate_json(content)
    except ValidationError as error:
        raise from_validation(error, "body") from None


def _query(model: type[BaseModel], request: web.Request) -> BaseModel:
    given: dict[str, Any] = {}
    for name, value in request.query.items():
        if name in given:
            raise unprocessable(f"The parameter {name[:40]} is there more than once.")
        given[name] = value
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise from_validation(error, "address") from None


def _response(route: Route, answer: Answer, request: web.Request) -> web.StreamResponse:
    if isinstance(answer, Path):
        return web.FileResponse(answer, headers={"Content-Type": FORMATS[answer.suffix[1:]]})
    status, headers = HTTPStatus.OK, {}
    if isinstance(answer, SubmittedJob):
        status = HTTPStatus.ACCEPTED if answer.new else HTTPStatus.OK
        answer = answer.job
    if isinstance(answer, JobAnswer) and route.path != JOB_PATH:
        headers["Location"] = JOB_PATH.format(job=answer.id)
    text = answer.model_dump_json(by_alias=True)
    if route.path == JOB_PATH:
        headers["ETag"] = f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
        if request.headers.get("If-None-Match") == headers["ETag"]:
            return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    return web.Response(status=status, text=text, content_type="application/json", headers=headers)


def _is_news(answer: Answer, response: web.StreamResponse, request: web.Request) -> bool:
    """Tell whether whoever waits does not know this yet; who knows nothing waits for the end of the job."""
    if "If-None-Match" in request.headers:
        return response.status != HTTPStatus.NOT_MODIFIED
    return not isinstance(answer, JobAnswer) or answer.over
