"""Keeps a command at work: its log, the model warmed before the first question, work that is shared, and a stop."""

import asyncio
import json
import logging
import logging.handlers
import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from adapters.ordered_calls import wait_for_server
from adapters.turns import TALKS_AT_ONCE, Turns
from bot.file_lock import hold_lock
from bot.settings.environment import Settings
from bot.wiring.bot import Bot
from router.errors import BotError, SettingsError
from router.observing.talk import present_work

if TYPE_CHECKING:
    from adapters.task_queue import TaskQueue

T = TypeVar("T")

LOG_MAX_BYTES = 5_000_000
NOISY_LOGGERS = ("httpx", "httpcore", "sqlitedict", "uvicorn.access", "mail.log", "procrastinate")


def log_to(settings: Settings) -> None:
    """Write the log to a file of its own: a trace belongs there, and never into a talk."""
    folder = settings.home / "log"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = logging.handlers.RotatingFileHandler(
        folder / "icc-bot.log", maxBytes=LOG_MAX_BYTES, backupCount=3, delay=True
    )
    handler.setFormatter(JsonLines() if settings.log_format == "JSON" else logging.Formatter(PLAIN_LINE))
    logging.basicConfig(level=settings.log_level, handlers=[handler])
    for noisy in NOISY_LOGGERS:
        logging.getLogger(noisy).setLevel(logging.WARNING)


PLAIN_LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class JsonLines(logging.Formatter):
    """Lines of JSON: when, how grave, where in the program, what; and which talk and trace, if one is worked on."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a line."""
        traced = present_work()
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "talk": traced.thread,
            "trace": traced.trace,
            "error": self.formatException(record.exc_info) if record.exc_info else "",
        }
        return json.dumps({name: value for name, value in said.items() if value}, ensure_ascii=False)


@contextmanager
def turns_of(bot: Bot, workers: int = TALKS_AT_ONCE, *, warm: bool = True) -> Iterator[Turns]:
    """Take turns of talks until the end of the block, so many at once; meanwhile the model is warmed, if asked."""
    turns = Turns(bot.router, workers or 1)
    if warm:
        Thread(target=_warm, args=(bot,), daemon=True, name="warm").start()
    try:
        yield turns
    finally:
        turns.close()


def _warm(bot: Bot) -> None:
    """Have the tables of the default database read, and the model warmed with them, before the first question comes."""
    connections = bot.services.connections
    first = connections.default or (next(iter(connections.values())) if len(connections) == 1 else None)
    if first is None:
        return
    try:
        bot.services.warm(bot.services.catalog.schema(first.name))
    except BotError as error:
        logging.getLogger("icc_bot").warning("%s", error)


@contextmanager
def alone(settings: Settings, queues: Sequence[str]) -> Iterator[None]:
    """Keep other processes from these queues of the home until the end of the block, unless they share the work.

    Raises SettingsError if one is at work on them: both would answer the same people.
    """
    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with ExitStack() as stack:
        for queue in () if settings.server else queues:
            stack.enter_context(hold_lock(settings.home / f"{queue}.lock", partial(_refuse, settings.home, queue)))
        yield


def _refuse(home: Path, queue: str) -> None:
    why = f"`icc-bot {queue}` is at work over {home} already. Stop it first, or give this one another ICC_BOT_HOME."
    raise SettingsError([f"{why} Several share their work where ICC_BOT_DATABASE_URL names a PostgreSQL."])


def task_queue(bot: Bot, settings: Settings) -> "TaskQueue | None":
    """Return the tasks of all processes that have the same server; None if this one does all of the work."""
    if not settings.server:
        return None
    from adapters.task_queue import TaskQueue  # with Procrastinate, which comes with PostgreSQL's driver

    return TaskQueue(bot.database)


@asynccontextmanager
async def sharing(
    bot: Bot,
    tasks: "TaskQueue | None",
    serving: AbstractAsyncContextManager[T],
    queues: Sequence[str],
    concurrency: int,
) -> AsyncIterator[T]:
    """Serve until the end of the block, which is given what the serving gives; share the work, if there are tasks.

    Of these `queues`, so many are done here at once.
    """
    if tasks is None:
        async with serving as given:
            yield given
        return
    await tasks.open()
    try:
        async with serving as given:
            if concurrency:
                tasks.work(queues, concurrency)
            try:
                with wait_for_server(bot.database):
                    yield given
            finally:
                tasks.drain()
    finally:
        await tasks.close()


def stop_signal() -> asyncio.Event:
    """Return an event that is set on the signal to stop; the second Ctrl-C is Python's own again."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def told() -> None:
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(name)
        stop.set()

    with suppress(NotImplementedError):  # Windows has no such handlers; Ctrl-C ends the loop there
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(name, told)
    return stop
