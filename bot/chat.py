"""What starting the bot on a chat platform has in common."""

import asyncio
import signal
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from threading import Thread

from adapters.bridge import Bridge
from adapters.chat.desk import Desk
from adapters.chat.herald import ChatHerald
from adapters.chat.inbox import Inbox
from adapters.chat.outlet import Outlet
from adapters.chat.shown import Shown
from adapters.chat.surface import Surface
from adapters.finding import Finding
from adapters.turns import Turns
from bot.model_check import SQL_MODEL, check_sql_model
from bot.port_check import check_port
from bot.serve import log_to, warm
from bot.settings import Settings
from bot.wiring import Bot, Page, built
from router.errors import SettingsError

AtWork = Callable[[Bot, Turns], AbstractAsyncContextManager[int]]


def looked_at(settings: Settings, findings: Iterable[Finding], port: int | None) -> list[Finding]:
    """Return all that `--check` says of a platform: what was found, the model, and the port where one is needed."""
    return [*findings, check_sql_model(settings, "FAILED"), *([] if port is None else check_port(port))]


def demand(settings: Settings, findings: Iterable[Finding]) -> None:
    """Say what a start has to say of what was found, and which model writes SQL.

    Raises SettingsError with everything that failed and will not be well by itself; without a model, talks say so.
    """
    found = [*findings, check_sql_model(settings, "warning")]
    if failed := [f"{f.about}: {f.sentence}" for f in found if f.grade == "FAILED" and f.lasting]:
        raise SettingsError(failed)
    for finding in found:
        if finding.grade != "ok" or finding.about == SQL_MODEL:
            print(finding, flush=True)


def hold_talks(settings: Settings, at_work: AtWork, greeting: Callable[[int], str], page: Page) -> None:
    """Build the bot and serve a platform until the process is told to stop.

    `at_work` answers the platform until the end of its block and gives the port; `greeting` says so in the terminal.
    """
    log_to(settings.home)
    with built(settings, say=print, page=page, details=False) as bot:
        turns = Turns(bot.router)
        Thread(target=warm, args=(bot,), daemon=True, name="warm").start()

        async def serve() -> None:
            stop = stopping()
            async with at_work(bot, turns) as port:
                print(greeting(port), flush=True)
                await stop.wait()
                print("Stopping: what runs is ended, everything else is kept.", flush=True)

        try:
            asyncio.run(serve())
        finally:
            turns.close()


def desk_of(platform: str, surface: Surface, bot: Bot, turns: Turns, settings: Settings, stack: AsyncExitStack) -> Desk:
    """Return the desk of a platform, which takes up what was left and shows what is due; it is closed with the stack.

    What is put on the stack later ends before: nothing new comes in while the last words are said.
    """
    inbox = Inbox(settings.home / f"{platform}-inbox.sqlite")
    stack.callback(inbox.close)
    shown = Shown(settings.home / f"{platform}-shown.sqlite")
    stack.callback(shown.close)
    desk = Desk(platform, turns, bot.tools, Outlet(surface, shown, bot.router), inbox)
    recovering = asyncio.create_task(desk.recover())
    stack.push_async_callback(desk.close)
    stack.callback(recovering.cancel)
    herald = ChatHerald(desk, Bridge(asyncio.get_running_loop()))
    bot.tools.humans.open(herald)
    if bot.timer:
        bot.timer.open(platform, herald)
        stack.callback(bot.timer.stop)
    return desk


def stopping() -> asyncio.Event:
    """Return what is set once the process is told to stop; the second Ctrl-C is Python's own again."""
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
