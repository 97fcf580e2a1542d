"""Loading the embedded model once, in the background, for whoever waits for it."""

import atexit
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Lock, Thread

from bot.demo.engine import Engine
from bot.demo.machine import free_memory
from bot.demo.weights import assemble
from router.errors import AgentAway, AgentFailed

log = logging.getLogger(__name__)

NEEDED_MEMORY_BYTES = 1_800_000_000
"""Bytes that the model takes with its context."""


class Loader:
    """Gives out the running engine; if it has died, or could not be loaded, the next question loads it anew."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._attempt: Attempt | None = None
        atexit.register(self.close)

    def start(self) -> "Attempt":
        """Begin loading, unless the engine is being loaded or runs already."""
        with self._lock:
            if self._attempt is not None and self._attempt.useless:
                self._attempt.close()
                self._attempt = None
            if self._attempt is None:
                self._attempt = Attempt(self._folder)
            return self._attempt

    def engine(self) -> Iterator[str | Engine]:
        """Yield what is being done while it is loaded, several times a second, then the engine; raises AgentFailed."""
        attempt = self.start()
        while not attempt.over.wait(0.3):
            yield attempt.notice
        yield attempt.result()

    def close(self) -> None:
        """End the engine, also one that is still being loaded."""
        with self._lock:
            attempt, self._attempt = self._attempt, None
        if attempt is not None and attempt.over.wait(60):
            attempt.close()


class Attempt:
    """One time of loading; `over` is set at its end, `notice` says how far it is."""

    def __init__(self, folder: Path) -> None:
        self.over = Event()
        self.notice = "Loading the model…"
        self.engine: Engine | None = None
        self._failure: AgentFailed | None = None
        Thread(target=self._run, args=(folder,), name="loading the model", daemon=True).start()

    @property
    def useless(self) -> bool:
        """Tells whether it has failed, or its engine has died."""
        return self.over.is_set() and (self.engine is None or not self.engine.alive)

    def result(self) -> Engine:
        """Return the engine of an attempt that is over; raises AgentFailed."""
        if self.engine is None:
            raise self._failure or AgentFailed("The embedded model was not loaded. Ask again.")
        return self.engine

    def close(self) -> None:
        """End the engine of an attempt that is over."""
        if self.engine is not None:
            self.engine.close()

    def _run(self, folder: Path) -> None:
        began = time.monotonic()
        try:
            model = assemble(folder, self._say)
            self._say("Loading the model…")
            _need_memory()
            self.engine = Engine(model)
            log.info("The embedded model was loaded in %.1f s", time.monotonic() - began)
        except AgentFailed as error:
            self._failure = error
        except Exception:
            log.exception("The embedded model was not loaded")
        finally:
            self.over.set()

    def _say(self, notice: str) -> None:
        self.notice = notice


def _need_memory() -> None:
    free = free_memory()
    if free is not None and free < NEEDED_MEMORY_BYTES:
        raise AgentAway(
            f"The embedded model needs {NEEDED_MEMORY_BYTES / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free. "
            "Close other programs and ask again, or set SQL_MODEL_NAME to a model on another machine."
        )
