"""Reading the beginning of a prompt before the question is known, so that the first answer comes sooner."""

import logging
import threading
from collections.abc import Callable

from router.agents.call import ending
from router.errors import BotError, Stopped

log = logging.getLogger(__name__)

WarmUp = Callable[[str, str, Callable[[], bool]], None]
"""Reads a system text and the beginning of a user's; raises Stopped once the third argument says so."""


class Warming:
    """At most one thread that warms what was wanted last; displaced by a question, it begins again afterwards."""

    def __init__(self, warm_up: WarmUp) -> None:
        self._warm_up = warm_up
        self._wanted: tuple[str, str] | None = None
        self._running = False
        self._lock = threading.Lock()

    def want(self, system: str, user_prefix: str) -> None:
        """Have this warmed instead of what was wanted before; returns at once."""
        with self._lock:
            self._wanted = (system, user_prefix)
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, name="warming the model", daemon=True).start()

    def _run(self) -> None:
        while wanted := self._next():
            try:
                self._warm_up(*wanted, self._outdated(wanted))
            except Stopped:
                continue
            except BotError as error:
                log.info("The model was not warmed: %s", error)
            except Exception:
                log.exception("The model was not warmed")
            with self._lock:
                if self._wanted == wanted:
                    self._wanted = None

    def _next(self) -> tuple[str, str] | None:
        with self._lock:
            if ending():
                self._wanted = None
            self._running = self._wanted is not None
            return self._wanted

    def _outdated(self, wanted: tuple[str, str]) -> Callable[[], bool]:
        return lambda: self._wanted != wanted
