"""What starting the bot on a chat platform has in common."""

import asyncio
import signal
from contextlib import AsyncExitStack

from adapters.chat.desk import Desk
from adapters.chat.inbox import Inbox
from adapters.chat.outlet import Outlet
from adapters.chat.shown import Shown
from adapters.chat.surface import Surface
from adapters.turns import Turns
from bot.settings import Settings
from bot.wiring import Bot


def desk_of(platform: str, surface: Surface, bot: Bot, turns: Turns, settings: Settings, stack: AsyncExitStack) -> Desk:
    """Return the desk of a platform; its files are closed with the stack."""
    inbox = Inbox(settings.home / f"{platform}-inbox.sqlite")
    stack.callback(inbox.close)
    shown = Shown(settings.home / f"{platform}-shown.sqlite")
    stack.callback(shown.close)
    return Desk(platform, turns, bot.tools, Outlet(surface, shown, bot.router), inbox)


def stopping() -> asyncio.Event:
    """Return what is set once the process is told to stop; the second Ctrl-C is Python's own again."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def told() -> None:
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(name)
        stop.set()

    try:
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(name, told)
    except NotImplementedError:  # Windows; Ctrl-C ends the loop there
        pass
    return stop
