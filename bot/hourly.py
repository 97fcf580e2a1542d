"""What is done every hour as long as the bot lives."""

import logging
import sqlite3
from collections.abc import Callable
from threading import Event, Thread

from router.errors import BotError


def hourly(act: Callable[[], None], seconds: float = 3600) -> Event:
    """Do something every hour, or so many seconds, until the event is set."""
    ended = Event()

    def run() -> None:
        while not ended.wait(seconds):
            try:
                act()
            except (BotError, sqlite3.Error) as error:
                logging.getLogger("icc_bot").warning("%s", error)

    Thread(target=run, name="hourly", daemon=True).start()
    return ended
