"""The process that runs the embedded model, seen from the bot."""

import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from queue import Empty, Queue
from threading import Lock, Thread
from typing import IO, Any

from bot.demo import engine_process
from bot.demo.machine import cores
from router.errors import AgentFailed

log = logging.getLogger(__name__)

CONTEXT_TOKENS = 8192
"""Tokens of prompt and answer together."""

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
            self._send({"model": str(model.absolute()), "threads": threads or cores(), "context": CONTEXT_TOKENS})
            first = self._line()
            if not first.get("ready"):
                self._died(f"did not start ({first.get('failed', 'no reason given')})")
        Thread(target=self._deliver, name="embedded model", daemon=True).start()

    @property
    def alive(self) -> bool:
        """Tells whether it can be asked."""
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
        with self._lock, suppress(OSError, ValueError):  # a dead process is noticed where its answer is missing
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
            f"The embedded model {how}; memory may be short. Your question is kept: ask again, and it is loaded anew."
        )


def _next(pieces: "Queue[Message | None]") -> Message | None:
    with suppress(Empty):
        return pieces.get(timeout=0.5)
    return None
