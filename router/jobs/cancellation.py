"""Ending a turn from outside it, and why."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from threading import Event, Lock, Thread
from typing import TypeVar

from router.errors import Stopped

T = TypeVar("T")

log = logging.getLogger(__name__)

SHUT_DOWN = "I was stopped before this was done. Everything before it is kept; please go on in a moment."
"""The sentence for a person whose turn was ended with the process."""

STOPPED_AS_ASKED = "Stopped, as you asked."
"""The sentence if a person asked for the end."""

WITHDRAWN = "Stopped: the question was changed."
"""The sentence of a turn whose question was changed or deleted; what comes of that says it to the person."""


class Stopping:
    """The end of one turn, asked for from any thread; also before the turn has begun."""

    def __init__(self) -> None:
        self.asked = Event()
        self.why = ""
        """The sentence in place of the usual words, if no person asked for the end."""
        self._cancel: Callable[[], None] | None = None
        self._lock = Lock()

    def stop(self, why: str = "") -> None:
        """Have the turn end, and cancel what it runs in a thread of its own, since a database may take seconds."""
        with self._lock:
            if not self.asked.is_set():
                self.why = why
                self.asked.set()
            cancel, self._cancel = self._cancel, None
        if cancel is not None:
            Thread(target=_end, args=(cancel,), name="stop").start()

    def require_going_on(self) -> None:
        """Raise Stopped if the end was asked for."""
        if self.asked.is_set():
            raise Stopped(self.why or STOPPED_AS_ASKED)

    def runs(self, cancel: Callable[[], None]) -> None:
        """Name what cancels what runs from now on, in any thread; it is called at once if the end was asked for."""
        with self._lock:
            asked = self.asked.is_set()
            self._cancel = None if asked else cancel
        if asked:
            cancel()


def _end(cancel: Callable[[], None]) -> None:
    """Cancel what runs; if it is over already, and what it used is closed, nothing is left to do."""
    try:
        cancel()
    except Exception:
        log.info("what ran could not be cancelled", exc_info=True)


def run_detached(act: Callable[[], T], woken: Event, name: str) -> Future[T]:
    """Do something in a thread of its own, and return once it is done or `woken` is set, whatever comes first.

    What is left behind goes on and is not heard of any more; it does not keep the process from ending.
    """
    found: Future[T] = Future()

    def run() -> None:
        try:
            found.set_result(act())
        except BaseException as error:
            found.set_exception(error)
        finally:
            woken.set()

    Thread(target=run, name=name, daemon=True).start()
    woken.wait()
    return found
