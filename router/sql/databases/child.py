"""A child process that reads a file for the bot: asked one thing at a time, and killed if it does not answer."""

import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

import router
from router.errors import JobFailed
from router.sql.databases.connection_pool import ConnectionPool
from router.sql.readers import wire
from router.sql.readers.child import BUG, MEMORY

Kind = Literal["sqlite", "duckdb"]

MEMORY_MAX_BYTES = 400 * 2**20
"""Of what one child allocates, stacks of threads included: an engine's own limit leaves out some aggregates."""

WAIT_MIN_SECONDS = 0.001
"""The shortest wait of a socket: with 0 seconds it would not say that data is there already."""

GIVE_WAY_SECONDS = 1.0
"""Seconds of work after which a child gives way to those that have just begun."""

REAP_SECONDS = 0.1
"""Seconds to wait for a process that was killed: one that holds much memory, and gives way to others, takes longer."""

START_SECONDS = 20.0
"""For a child to be ready, on a machine that is busy."""

PROGRAM = """import sys
sys.path[:] = {path!r}
from router.sql.readers.child import main
main({kind!r}, {memory}, {folder!r})
"""

PASSED_VARIABLES = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", "TZDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Of the bot's environment, which holds passwords."""

ALLOCATORS = {"MALLOC_ARENA_MAX": "2", "DUCKDB_JE_MALLOC_CONF": "narenas:1"}
"""Few stocks of free memory: each thread of DuckDB would keep what it used once, and all of it counts as used."""


class ChildDied(Exception):
    """The child is gone: killed, crashed, or it wrote what cannot be read."""


class Child:
    """One process with one engine. One thread asks; `kill` may be called by any."""

    def __init__(self, kind: Kind) -> None:
        """Start the process; raises JobFailed if it does not come up."""
        self._kind = kind
        self.start()

    def start(self) -> None:
        """Start a process, in the place of one that has ended."""
        self.worn = False
        """True once it worked long, was killed or lacked memory: then it is not used again."""
        self._worked, self.killed = 0.0, False
        with ExitStack() as undo:
            try:
                self._folder = tempfile.mkdtemp(prefix="icc-bot-reading-")
                undo.callback(shutil.rmtree, self._folder, ignore_errors=True)
                self._line, theirs = socket.socketpair()
                undo.callback(self._line.close)
                with theirs:
                    self._process = self._started(theirs)
            except OSError as error:  # too many open files, among others
                raise _not_started(error.strerror) from error
            undo.pop_all()
        try:
            self._receive(time.monotonic() + START_SECONDS)
        except (ChildDied, TimeoutError) as error:
            self.end()
            raise _not_started("it does not answer") from error

    def _started(self, line: socket.socket) -> "subprocess.Popen[bytes]":
        path = [str(Path(router.__file__).parent.parent), *(place for place in sys.path if place)]
        program = PROGRAM.format(path=path, kind=self._kind, memory=MEMORY_MAX_BYTES, folder=self._folder)
        kept = {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ}
        return subprocess.Popen(  # noqa: S603 — our own program, and no word of anybody else's
            [sys.executable, "-I", "-S", "-c", program],
            stdin=line.fileno(),
            stdout=line.fileno(),
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
            env={**kept, **ALLOCATORS, "SQLITE_TMPDIR": self._folder},
            start_new_session=True,  # Ctrl-C in a terminal is for the bot
        )

    def ask(self, seconds: float, name: str, *given: Any) -> Any:
        """Return the answer to a request; raises ChildDied, or TimeoutError after so many seconds, and ends it then."""
        began = time.monotonic()
        until = began + seconds
        try:
            with self._reading():
                self._line.settimeout(_left(until))
                self._line.sendall(wire.packed((seconds, name, *given)))
            answer = self._answer(began + max(0.0, GIVE_WAY_SECONDS - self._worked), until)
        except TimeoutError:
            self.kill()
            raise
        finally:
            self._worked += time.monotonic() - began
        self.worn = self.worn or answer[0] in (MEMORY, BUG)
        return answer

    def kill(self) -> None:
        """End the process at once, whatever it does; nobody waits until the system has cleared up its memory."""
        self.worn = self.killed = True
        with suppress(OSError):
            self._process.kill()
        with suppress(OSError):  # closed already
            self._line.shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        """End the process and clear up after it."""
        self.kill()
        self._line.close()
        try:
            self._process.wait(REAP_SECONDS)
        except subprocess.TimeoutExpired:
            threading.Thread(target=self._reap, name="bury", daemon=True).start()
        else:
            self._reap()

    def _reap(self) -> None:
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def sound(self) -> bool:
        """True while the process runs and may be used again."""
        return not self.worn and self._process.poll() is None

    def _answer(self, soon: float, until: float) -> Any:
        """Wait for the answer; as one that gives way to others if it has not begun to come soon."""
        if soon < until and not self.worn:
            self._line.settimeout(_left(soon))
            try:
                with self._reading():
                    self._line.recv(1, socket.MSG_PEEK)
            except TimeoutError:
                self.worn = True
                self._give_way()
        return self._receive(until)

    def _give_way(self) -> None:
        """Give every thread of the process the lowest priority."""
        try:
            threads = [int(name) for name in os.listdir(f"/proc/{self._process.pid}/task")]
        except OSError:  # not Linux, or gone
            threads = [self._process.pid]
        for thread in threads:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, thread, 19)

    def _receive(self, until: float) -> Any:
        """Return the next message; raises TimeoutError, or ChildDied."""
        with self._reading():
            form, length = wire.head_of(bytes(self._bytes(wire.HEAD.size, until)))
            return wire.unpacked(form, self._bytes(length, until))

    def _bytes(self, count: int, until: float) -> memoryview:
        view, got = memoryview(bytearray(count)), 0
        while got < count:
            self._line.settimeout(_left(until))
            some = self._line.recv_into(view[got:])
            if not some:
                raise ConnectionResetError
            got += some
        return view

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Make ChildDied of what the socket says when the child is gone, or wrote what is no message."""
        try:
            yield
        except TimeoutError:
            raise
        except (OSError, wire.UnreadableMessage) as error:
            raise ChildDied(self._reason()) from error

    def _reason(self) -> str:
        """Return how the process ended; it is dead after this, or will be in a moment."""
        if self.killed:
            return signal.SIGKILL.name
        try:
            code = self._process.wait(REAP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            code = self._process.wait()
        return signal.Signals(-code).name if code < 0 else f"exit {code}"


def _not_started(why: str | None) -> JobFailed:
    return JobFailed(
        f"The process that reads the file could not be started: {why}. Nothing was run. Try again in a moment."
    )


def _left(until: float) -> float:
    return max(WAIT_MIN_SECONDS, until - time.monotonic())


# A few children of each kind that are ready to read are kept, so that a query need not wait for one to start.

CHILDREN_MAX = 16
"""Children of a kind at work, for all files together: each may take `MEMORY_MAX_BYTES`."""

IDLE_CHILDREN_MAX = 3
"""Of each kind, whatever the number of files: an idle one has no file open, and takes 10 to 40 MB."""

CHILDREN: dict[Kind, ConnectionPool[Child]] = {
    kind: ConnectionPool(
        partial(Child, kind),
        sound=lambda child: child.sound,
        reset=lambda child: child.sound,
        end=Child.end,
        size=CHILDREN_MAX,
        idle_max=IDLE_CHILDREN_MAX,
    )
    for kind in get_args(Kind)
}


def end_children() -> None:
    """End all idle children."""
    for children in CHILDREN.values():
        children.clear()


atexit.register(end_children)
