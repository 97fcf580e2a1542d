"""The deadline of a statement: the time it may still run, and Stop if somebody pressed it."""

import math
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from router.errors import Failed, JobFailed, Stopped
from router.language.wording import truncate

HANG_UP_SECONDS = 0.5
"""Seconds after the deadline in which the database may end a statement by itself; then nobody waits for it."""

STOPPED = "Stopped. Nothing was changed."


class Deadline:
    """The clock and the Stop button of one session.

    The clock runs only while the database works, not while the reader looks at the rows. Stop is final: a session that
    was stopped runs nothing more, so a Stop that arrives between two statements is not lost.
    """

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self._left = timeout
        self._until = math.inf
        self._stopped = threading.Event()
        self._ended = threading.Event()
        self.statement = 0

    def start(self, sql: str) -> None:
        """Give the statement the whole time, and end the one before."""
        if "\x00" in sql:  # where drivers end the text: less would run than was read
            raise JobFailed("The SQL contains a null character, which no database takes.")
        self._left = self.timeout
        self.statement += 1

    def stop(self) -> None:
        """Let every call from now on fail with Stopped."""
        self._stopped.set()

    def end(self) -> None:
        """Let every call from now on fail, as the connection is given up."""
        self._ended.set()

    @property
    def ended(self) -> bool:
        """True once the session is over."""
        return self._ended.is_set()

    @property
    def left(self) -> float:
        """The seconds that the statement may still work."""
        return self._left

    @property
    def over(self) -> bool:
        """True once the database ought to abandon what it does; any thread may ask."""
        return self._stopped.is_set() or time.monotonic() > self._until

    def failure(self) -> Failed | None:
        """Return why the database was interrupted, or None if it was not."""
        if self._stopped.is_set():
            return Stopped(STOPPED)
        if self._left <= 0:
            return JobFailed(
                f"The query ran longer than {self.timeout:g} s and was stopped in the database. Nothing was changed. "
                "Ask for less: a shorter period, fewer tables, or totals in place of single rows."
            )
        return None

    @contextmanager
    def alarmed(self, act: Callable[[], None], grace: float = 0.0) -> Iterator[None]:
        """Have another thread act if the block goes on for so many seconds after the deadline.

        The block ends after it acted, so that it ends this call and none after it; an act that lasts is not waited for.
        """
        over, acting = False, threading.Lock()

        def late() -> None:
            with acting:
                if not over:
                    act()

        clock = threading.Timer(max(0.0, self._left) + grace, late)
        clock.daemon = True
        clock.start()
        try:
            yield
        finally:
            clock.cancel()
            waited = acting.acquire(timeout=HANG_UP_SECONDS / 2)
            over = True
            if waited:
                acting.release()

    def later(self, lending: threading.Lock, act: Callable[[], None]) -> None:
        """Have another thread act a moment later, if the session is not over then."""

        def late() -> None:
            with lending:
                if not self.ended:
                    act()

        clock = threading.Timer(HANG_UP_SECONDS, late)
        clock.daemon = True
        clock.start()

    @contextmanager
    def working(self, statement: int | None = None) -> Iterator[None]:
        """Count the time of the block; raises Stopped or JobFailed if there is none left, before it or after it.

        With `statement`, its number, it fails if that is no longer the session's latest.
        """
        if self.ended or statement not in (None, self.statement):
            raise JobFailed("This query is over, so there are no more rows. Please run it again.")
        if failure := self.failure():
            raise failure
        self._until = time.monotonic() + self._left
        try:
            yield
        finally:
            self._left, self._until = self._until - time.monotonic(), math.inf
        if failure := self.failure():
            raise failure


def driver_message(words: object) -> str:
    """Return a driver's message as one line of at most 300 characters, without full stop or what may be a password."""
    line = " ".join(str(words).split()).rstrip(".")
    line = re.sub(r"://[^/\s@]*@", "://", line)
    line = re.sub(r"(?i)\b(password|passwd|pwd)\s*=\s*\S+", r"\1=…", line)
    return truncate(line, 300)
