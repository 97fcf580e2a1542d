"""The process that runs the embedded model, seen from the bot: loaded once, in the background, for all callers."""

import atexit
import json
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future, wait
from contextlib import suppress
from itertools import count
from pathlib import Path
from queue import Empty, Queue
from threading import Lock, Thread
from typing import IO, Any

from bot.demo import engine_process
from bot.demo.weights import assemble
from router.errors import AgentAway, AgentFailed

log = logging.getLogger(__name__)

CONTEXT_TOKENS = 8192
"""Tokens of prompt and answer together."""

NEEDED_MEMORY_BYTES = 1_800_000_000
"""Bytes that the model takes with its context."""

Message = dict[str, Any]


class Engine:
    """A loaded model, ready when constructed, which takes seconds; any thread may ask, answers come in that order."""

    def __init__(self, model: Path, threads: int | None = None) -> None:
        self._numbers = count(1)
        self._open: dict[int, Queue[Message | None]] = {}
        self._lock = Lock()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        with tempfile.TemporaryDirectory(prefix="icc-bot-", ignore_cleanup_errors=True) as folder:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-P", engine_process.__file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                cwd=folder,
                # Threads that wait busily for one another nearly stand still as soon as another program wants a core.
                env={**os.environ, "GOMP_SPINCOUNT": "0"},
                text=True,
                encoding="utf-8",
                start_new_session=True,  # Ctrl-C is the bot's
            )
            self._send({"model": str(model.absolute()), "threads": threads or _cores(), "context": CONTEXT_TOKENS})
            first = self._line()
            if not first.get("ready"):
                self._died(f"did not start ({first.get('failed', 'no reason given')})")
        Thread(target=self._deliver, name="embedded model", daemon=True).start()

    @property
    def alive(self) -> bool:
        """Return whether the process lives and can be asked."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def ask(self, request: Message) -> Iterator[Message | None]:
        """Yield the answer's pieces, and None now and then; closing the iterator ends the work and waits for that."""
        number = next(self._numbers)
        pieces: Queue[Message | None] = Queue()
        with self._lock:
            self._open[number] = pieces
        over = False
        try:
            self._send({"id": number, "ask": request})
            while True:
                piece = _next(pieces)
                if piece is None and not self.alive:
                    over = True
                    self._died("broke off")
                if piece is not None and "end" in piece:
                    over = True
                    return
                yield piece and piece["piece"]
        finally:
            if not over:
                self._send({"cancel": number})
                while self.alive and not (_next(pieces) or {}).get("end"):
                    pass
            with self._lock:
                del self._open[number]

    def close(self) -> None:
        """End the process; harmless when repeated."""
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()

    def _send(self, message: Message) -> None:
        assert self._process.stdin is not None
        with self._lock, suppress(OSError, ValueError):  # a dead process is noticed when its answer is missing
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()

    def _line(self) -> Message:
        """Return the next message, an empty one if there will be none."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return json.loads(line) if line.endswith("\n") else {}

    def _deliver(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout:
            while message := self._line():
                with self._lock:
                    pieces = self._open.get(message["id"])
                if pieces is not None:
                    pieces.put(message)

    def _died(self, how: str) -> None:
        self._process.kill()
        code = self._process.wait()
        self._errors.seek(0)
        log.warning(
            "The embedded model %s: exit code %s\n%s", how, code, self._errors.read()[-2000:].decode(errors="replace")
        )
        raise AgentFailed(
            f"The embedded model {how}; memory may be short. Your question is kept: ask again, and it is loaded again."
        )


def _next(pieces: "Queue[Message | None]") -> Message | None:
    with suppress(Empty):
        return pieces.get(timeout=0.5)
    return None


# Loading.


class Loader:
    """Gives out the running engine; if it has died, or could not be loaded, the next question loads it again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._loading: Future[Engine] | None = None
        self._notice = ""
        atexit.register(self.close)

    def start(self) -> "Future[Engine]":
        """Begin loading, unless the engine is being loaded or runs already."""
        with self._lock:
            if self._loading is None or _is_useless(self._loading):
                _close(self._loading)
                self._loading, self._notice = Future(), "Loading the model…"
                Thread(target=self._load, args=(self._loading,), name="loading the model", daemon=True).start()
            return self._loading

    def engine(self) -> Iterator[str | Engine]:
        """Yield what is being done while it is loaded, several times a second, then the engine; raises AgentFailed."""
        loading = self.start()
        while not wait([loading], 0.3).done:
            yield self._notice
        yield loading.result()

    def close(self) -> None:
        """End the engine, also one that is still being loaded."""
        with self._lock:
            loading, self._loading = self._loading, None
        if loading is not None and wait([loading], 60).done:
            _close(loading)

    def _load(self, loading: "Future[Engine]") -> None:
        began = time.monotonic()
        try:
            model = assemble(self._folder, self._say)
            self._say("Loading the model…")
            _need_memory()
            loading.set_result(Engine(model))
            log.info("The embedded model was loaded in %.1f s", time.monotonic() - began)
        except AgentFailed as error:
            loading.set_exception(error)
        except Exception:
            log.exception("The embedded model was not loaded")
            loading.set_exception(AgentFailed("The embedded model was not loaded. Ask again."))

    def _say(self, notice: str) -> None:
        self._notice = notice


def _is_useless(loading: "Future[Engine]") -> bool:
    """Return whether loading has failed, or the engine has died."""
    return loading.done() and (loading.exception() is not None or not loading.result().alive)


def _close(loading: "Future[Engine] | None") -> None:
    if loading is not None and loading.exception() is None:
        loading.result().close()


def _need_memory() -> None:
    free = _free_memory()
    if free is not None and free < NEEDED_MEMORY_BYTES:
        raise AgentAway(
            f"The embedded model needs {NEEDED_MEMORY_BYTES / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free. "
            "Close other programs and ask again, or set SQL_MODEL_NAME to a model on another machine."
        )


# The machine's room for a model; containers' limits count.


_CGROUP = Path("/sys/fs/cgroup")


def _free_memory() -> int | None:
    """Return the bytes of memory that a new program may use, or None if the system does not say."""
    found = [size for size in (_linux_memory(), _container_memory()) if size is not None]
    return min(found, default=None)


def _cores() -> int:
    """Return the number of cores that this process may keep busy, at least one."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota, _, period = _read(_CGROUP / "cpu.max").partition(" ")
    if quota.isdigit() and period.isdigit():
        count = min(count, int(quota) // int(period))
    return max(1, count)


def _linux_memory() -> int | None:
    for line in _read(Path("/proc/meminfo")).splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _container_memory() -> int | None:
    limit, used = _read(_CGROUP / "memory.max"), _read(_CGROUP / "memory.current")
    return int(limit) - int(used) if limit.isdigit() and used.isdigit() else None


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
