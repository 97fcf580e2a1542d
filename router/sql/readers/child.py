"""The program of a child that reads files: `main(kind, memory)`, with requests on its input and answers on its output.

One thread works; the other one listens, and ends the process at once when the bot is gone, however that happened.
"""

import os
import resource
import shutil
import signal
import threading
import time
import traceback
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, BinaryIO, Protocol

from router.sql.readers import wire
from router.sql.readers.wire import ReaderRefusal
from router.sql.scope import Scope

# Limits of a child, held by the operating system, whatever the engine does.

FILE_MAX_BYTES = 2 * 2**30
"""Of one temporary file: nothing else is written."""

CPU_SPARE_SECONDS = 5
"""Seconds of processor time beyond a statement's time-out; the bot ends the statement long before."""


def limit(memory: int) -> None:
    """Bind this process to so many bytes of memory, and make it the first to go if the machine has none left."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, which ends its children
    for what, most in (
        (resource.RLIMIT_DATA, memory),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, FILE_MAX_BYTES),
    ):
        with suppress(ValueError, OSError):  # a stricter limit holds already, or the system has none
            resource.setrlimit(what, (most, most))
    with suppress(OSError):  # Linux alone has it
        place = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        try:
            os.write(place, b"1000")
        finally:
            os.close(place)


def allow(seconds: float, threads: int) -> None:
    """Let this process compute that long on so many threads from now on; then the system ends it."""
    used = time.process_time()
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds * threads) + CPU_SPARE_SECONDS, most))


DONE, REFUSED, SAID, MEMORY, BUG = "done", "refused", "said", "memory", "bug"
"""The answers: a value; a sentence for the person; the engine's words; out of memory; a trace, which is our bug."""

WORDS_MAX_CHARS = 4000
"""Of what an engine says: it may cite half the data."""

Answer = tuple[str, Any]


class FileReader(Protocol):
    """One engine with at most one open file."""

    threads: int

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """The exceptions that the engine raises with words of its own."""

    @property
    def memory_errors(self) -> tuple[type[Exception], ...]:
        """The exceptions that it raises if the memory does not suffice."""

    def open(self, path: str, scope: Scope | None) -> None: ...
    def check(self, sql: str) -> tuple[int | None, str]: ...
    def stream(self, sql: str, cuts: bool = False) -> list[tuple[str, str]]: ...
    def rows(self, most: int) -> tuple[list[bytes], bool]: ...
    def close(self) -> None: ...


ROWS_REQUEST = "rows"

REQUESTS = frozenset({"open", "check", "stream", ROWS_REQUEST, "close", "tables", "describe", "views"})


def main(kind: str, memory: int, folder: str) -> None:
    """Answer requests until the bot closes the input; temporary files go into `folder`, which goes with the process."""
    limit(memory)
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for place in (0, 1, 2):  # nothing that an engine prints is taken for an answer
        os.dup2(nowhere, place)
    reader = _reader(kind, folder)
    waiting: SimpleQueue[tuple[Any, ...]] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests, waiting, folder), daemon=True).start()
    _send(answers, wire.packed((DONE, None)))
    ahead = b""
    while True:
        request = waiting.get()
        is_rows = request[1] == ROWS_REQUEST
        _send(answers, (is_rows and ahead) or _answer(reader, *request))
        ahead = _answer(reader, *request) if is_rows else b""  # the next rows are made while these are looked at


def _send(answers: BinaryIO, message: bytes) -> None:
    answers.write(message)
    answers.flush()


def _reader(kind: str, folder: str) -> FileReader:
    if kind == "sqlite":
        from router.sql.readers.sqlite import SqliteReader

        return SqliteReader()
    from router.sql.readers.duckdb import DuckReader

    return DuckReader(folder)


def _listen(requests: BinaryIO, waiting: "SimpleQueue[tuple[Any, ...]]", folder: str) -> None:
    try:
        while True:
            waiting.put(wire.read(requests))
    finally:  # the bot is gone, or gave this process up
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)


def _answer(reader: FileReader, seconds: float, name: str, *given: Any) -> bytes:
    """Do what is asked, and return the answer as it goes over the wire."""
    allow(seconds, reader.threads)
    try:
        if name not in REQUESTS:
            raise ValueError(name)
        found = getattr(reader, name)(*given)
        return wire.packed_rows(*found) if name == ROWS_REQUEST else wire.packed((DONE, found))
    except ReaderRefusal as error:
        return wire.packed((REFUSED, str(error)))
    except reader.memory_errors:
        return wire.packed((MEMORY, None))
    except reader.errors as error:
        if "std::bad_alloc" in str(error):
            return wire.packed((MEMORY, None))
        return wire.packed((SAID, str(error)[:WORDS_MAX_CHARS]))
    except Exception:
        return wire.packed((BUG, traceback.format_exc()[-WORDS_MAX_CHARS:]))
