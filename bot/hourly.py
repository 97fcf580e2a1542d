"""What is done every hour as long as the bot lives."""

import logging
from collections.abc import Callable
from threading import Event, Thread

from router.errors import BotError

log = logging.getLogger("icc_bot")


def hourly(act: Callable[[], None], seconds: float = 3600) -> Event:
    """Do something every hour, or so many seconds, until the event is set."""
    ended = Event()

    def run() -> None:
        while not ended.wait(seconds):
            try:
                act()
            except BotError as error:
                log.warning("%s", error)
            except Exception:  # the next hour may be better
                log.exception("what is done now and then failed")

    Thread(target=run, name="hourly", daemon=True).start()
    return ended
