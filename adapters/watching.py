"""Health checks and metrics of a process: whether it lives, whether it can do its work, and what it counted.

`/health/live` answers as long as the event loop does; `/health/ready` is 503 while something is missing that work
needs, and says where questions wait for a model, which others would wait for as well; `/metrics`, for Prometheus, is
there if a token was set, and answers requests with it.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import web
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from router.observing.metrics import COUNTERS, DURATION_BUCKETS, DURATIONS, GAUGES, MODELS_AWAY
from router.storage.clock import now
from router.storage.database import Database
from router.storage.tables import inbox

READY_SECONDS: Final = 5.0
"""The time that the database has to answer."""

WATCHED_PATHS: Final = frozenset({"/health", "/health/live", "/health/ready", "/metrics"})
METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Watched:
    """A process as those see it who watch it; `token` lets them read its metrics, which nobody may without one.

    `well` tells what is missing beside the database, such as "not connected to Slack"; empty if nothing is.
    """

    database: Database
    token: str = ""
    well: Callable[[], Awaitable[str]] | None = None

    async def readiness(self) -> tuple[str, int]:
        """Return what the process lacks for its work, "ok" if that is nothing, with the HTTP status for it."""
        missing = await self._missing()
        # Other processes could not reach the model either: to send people there would help nobody.
        return missing or _waiting() or "ok", 503 if missing else 200

    async def _missing(self) -> str:
        try:
            async with asyncio.timeout(READY_SECONDS):
                await asyncio.to_thread(_ask, self.database)
        except (SQLAlchemyError, TimeoutError):
            return "the database does not answer"
        return await self.well() if self.well else ""

    def may_read(self, authorization: str) -> bool:
        """Return whether a request with this header may read the metrics."""
        scheme, _, given = authorization.partition(" ")
        brought = given.strip().encode() if scheme.lower() == "bearer" else b""
        return bool(self.token) and secrets.compare_digest(brought, self.token.encode())


def watch(site: web.Application, watched: Watched) -> None:
    """Have a server answer those who watch it."""

    async def live(request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def ready(request: web.Request) -> web.Response:
        said, status = await watched.readiness()
        return web.json_response({"status": said}, status=status)

    async def metrics(request: web.Request) -> web.Response:
        if not watched.token:
            raise web.HTTPNotFound
        if not watched.may_read(request.headers.get("Authorization", "")):
            raise web.HTTPUnauthorized(headers={"WWW-Authenticate": "Bearer"})
        text = await asyncio.to_thread(exposition, watched.database)
        return web.Response(body=text, headers={"Content-Type": METRICS_TYPE})

    for path, handler in (("/health/live", live), ("/health/ready", ready), ("/metrics", metrics)):
        site.router.add_get(path, handler, allow_head=False)


def exposition(database: Database | None = None) -> bytes:
    """Return what was counted, with the memory and CPU of the process, as Prometheus reads it.

    With the database, also how many inputs are not done, whichever process took them.
    """
    from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector, generate_latest

    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    registry.register(_Tallies())
    if database:
        registry.register(_Inputs(database))
    return generate_latest(registry)


class _Tallies:
    """The collector of what `router.observing` has counted."""

    def collect(self) -> Iterable[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        for counter in COUNTERS:
            counted = CounterMetricFamily(counter.name, counter.about, labels=counter.labels)
            for labels, number in sorted(counter.read().items()):
                counted.add_metric(labels, number)
            yield counted
        for durations in DURATIONS:
            measured = HistogramMetricFamily(durations.name, durations.about, labels=durations.labels)
            for labels, (counts, total) in sorted(durations.read().items()):
                measured.add_metric(labels, _classes(counts), total)
            yield measured
        for level in GAUGES:
            yield GaugeMetricFamily(level.name, level.about, value=level.read())


class _Inputs:
    """The collector of what was taken and is not done: the same for all processes that share a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def collect(self) -> Iterable[Any]:
        from prometheus_client.core import GaugeMetricFamily

        waiting = GaugeMetricFamily("icc_bot_queue_waiting", "Inputs that are worked on or wait.", labels=["platform"])
        oldest = GaugeMetricFamily(
            "icc_bot_queue_oldest_seconds", "The age of the oldest of them.", labels=["platform"]
        )
        query = select(inbox.c.platform, func.count(), func.min(inbox.c.at)).where(inbox.c.heard.is_not(None))
        try:
            with self._database.reading(wait=False) as connection:
                rows = connection.execute(query.group_by(inbox.c.platform)).all()
        except SQLAlchemyError:
            return  # `/health/ready` tells of that
        for platform, number, since in rows:
            waiting.add_metric([platform], number)
            oldest.add_metric([platform], (now() - since).total_seconds())
        yield from (waiting, oldest)


def _classes(counts: list[int]) -> list[tuple[str, float]]:
    """Return the classes as Prometheus has them: each holds all shorter ones."""
    ends = [*map(str, DURATION_BUCKETS), "+Inf"]
    return [(end, float(sum(counts[: place + 1]))) for place, end in enumerate(ends)]


def _ask(database: Database) -> None:
    with database.reading(wait=False) as connection:
        connection.exec_driver_sql("SELECT 1")


def _waiting() -> str:
    """Return that questions wait for a model that is away; empty if none does, as far as this process asked."""
    return "a language model cannot be reached, questions wait for it" if MODELS_AWAY.read() else ""
