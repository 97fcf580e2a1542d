"""A child process that reads a file for the bot: asked one thing at a time, and killed where it does not answer."""

import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Literal

import router
from router.sql.readers import wire
from router.sql.readers.child import BUG, INTERRUPT, MEMORY

# Messages to and from a child, over a socket, each with a time by which it must be over.

WAIT_MIN_SECONDS = 0.001
"""What is there already is still taken after the time is over; a socket that waits 0 seconds would not say so."""


class Channel:
    """The bot's end of a socket. Any thread may send, one receives and closes; who waits lets all others run."""

    def __init__(self, line: socket.socket) -> None:
        self._receiver, self._sender = line, line.dup()  # each waits for a time of its own
        self._sending = threading.Lock()
        self._form, self._body, self._got = b"", bytearray(wire.HEAD.size), 0

    def send(self, message: Any, until: float) -> None:
        """Send a message; raises TimeoutError, or OSError where the other end is closed."""
        if not self._sending.acquire(timeout=_left(until)):
            raise TimeoutError
        try:
            self._sender.settimeout(_left(until))
            self._sender.sendall(wire.packed(message))
        finally:
            self._sending.release()

    def receive(self, until: float) -> Any:
        """Return the next message; raises TimeoutError, after which the rest of it can be asked for.

        Raises OSError where the other end is closed, UnreadableMessage where it wrote what is no message.
        """
        while True:
            self._read_on(until)
            form, body = self._form, self._body
            self._form, length = (b"", wire.HEAD.size) if form else wire.head_of(bytes(body))
            self._body, self._got = bytearray(length), 0
            if form:
                return wire.unpacked(form, memoryview(body))

    def break_off(self) -> None:
        """Have whoever sends a message, or waits for one, be told that the other end is gone."""
        with self._sending, suppress(OSError):  # it is closed already
            self._receiver.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close this end; nobody writes into what has the same number afterwards."""
        with self._sending:
            self._receiver.close()
            self._sender.close()

    def _read_on(self, until: float) -> None:
        view = memoryview(self._body)
        while self._got < len(view):
            self._receiver.settimeout(_left(until))
            count = self._receiver.recv_into(view[self._got :])
            if not count:
                raise ConnectionResetError
            self._got += count


def _left(until: float) -> float:
    return max(WAIT_MIN_SECONDS, until - time.monotonic())


Kind = Literal["sqlite", "duckdb"]

MEMORY_MAX_BYTES = 400 * 2**20
"""Of what one child allocates, stacks of threads included: an engine's own limit leaves out some aggregates."""

ROWS_REQUEST = "rows"
"""The request whose answers follow one another."""

INTERRUPT_GRACE_SECONDS = 0.3
"""Seconds that an engine has to end a statement by itself; then its process is killed."""

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

FOLDER_PREFIX = "icc-bot-reading-"
"""The prefix of the names of the children's folders; the machine and the bot's process follow."""


def clear_folders() -> None:
    """Delete what bots of this machine left behind that were killed together with their children."""
    if os.name != "posix":
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*"):
        start, _, rest = folder.name.removeprefix(FOLDER_PREFIX).partition(f"{platform.node()}-")
        owner = rest.partition("-")[0]
        if start or not owner.isdecimal():
            continue
        try:
            os.kill(int(owner), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (OSError, OverflowError):
            continue


class ChildDied(Exception):
    """The child is gone: killed, crashed, or it wrote what cannot be read."""


class Child:
    """One process with one engine. One thread asks; `interrupt` and `kill` may be called by any."""

    def __init__(self, kind: Kind, replace: Callable[[Kind], None] = lambda kind: None) -> None:
        """Start the process; raises ChildDied where it does not come up.

        `replace` is called once it is clear that it is not used again: the next reader needs another one.
        """
        self.kind, self._replace = kind, replace
        self.worn = False
        """True once it worked long, was interrupted or lacked memory: then it is not used again."""
        self._worked, self._calls, self._ended = 0.0, 0, False
        self._asking: int | None = None
        self._killed = False
        self._lock = threading.Lock()
        self._ahead = False
        """True where the child was asked for the next rows before anybody wants them."""
        with ExitStack() as undo:
            try:
                self._folder = tempfile.mkdtemp(prefix=f"{FOLDER_PREFIX}{platform.node()}-{os.getpid()}-")
                undo.callback(shutil.rmtree, self._folder, ignore_errors=True)
                ours, theirs = socket.socketpair()
                undo.callback(ours.close)
                with theirs:
                    self._channel = Channel(ours)
                    undo.callback(self._channel.close)
                    self._process = self._started(theirs)
            except OSError as error:  # too many open files, among others
                raise ChildDied(f"the process cannot be started: {error.strerror}") from error
            undo.pop_all()
        try:
            self._receive(time.monotonic() + START_SECONDS)
        except (ChildDied, TimeoutError) as error:
            self.end()
            raise ChildDied("the process did not start") from error

    def ask(self, seconds: float, name: str, *given: Any) -> Any:
        """Return the answer to a request, within so many seconds; raises ChildDied or TimeoutError."""
        began = time.monotonic()
        with self._lock:
            self._calls += 1
            self._asking = self._calls
        try:
            request = (seconds, name, *given)
            if self._ahead and name != ROWS_REQUEST:
                self._forgo(began)
            if not self._ahead:
                self._told(request, began + seconds)
            self._ahead = False
            answer = self._answer(began, began + seconds)
            if name == ROWS_REQUEST and answer[1] is True:  # the next ones are made while these are looked at
                self._told(request, began + seconds + INTERRUPT_GRACE_SECONDS)
                self._ahead = True
            if answer[0] in (MEMORY, BUG):
                self._wear_out()
            return answer
        except TimeoutError:
            self.interrupt()
            with suppress(TimeoutError, ChildDied):
                self._receive(time.monotonic() + 2 * INTERRUPT_GRACE_SECONDS)
            raise
        finally:
            with self._lock:
                self._asking = None
            self._worked += time.monotonic() - began

    def interrupt(self) -> None:
        """Have the engine end what it does, and the process killed where it does not within the grace."""
        with self._lock:
            call = self._asking
            if call is None or self._ended:
                return
        self._wear_out()
        with suppress(ChildDied, TimeoutError):
            self._told(INTERRUPT, time.monotonic() + INTERRUPT_GRACE_SECONDS)
        killer = threading.Timer(INTERRUPT_GRACE_SECONDS, self._kill_at, (call,))
        killer.daemon = True
        killer.start()

    def kill(self) -> None:
        """End the process at once, whatever it does; nobody waits until the system has cleared up its memory."""
        self.worn = self._killed = True
        with suppress(OSError):
            self._process.kill()
        self._channel.break_off()

    def end(self) -> None:
        """End the process and clear up after it."""
        with self._lock:
            if self._ended:
                return
            self._ended = True
        self.kill()
        self._channel.close()
        try:
            self._process.wait(REAP_SECONDS)
        except subprocess.TimeoutExpired:
            threading.Thread(target=self._reap, name="bury", daemon=True).start()
        else:
            self._reap()

    def forget(self) -> None:
        """Let go of a process that belongs to the process this one was forked from."""
        self._ended = True
        self._process.returncode = 0  # nobody here may wait for it
        self._channel.close()

    @property
    def alive(self) -> bool:
        """True while the process runs."""
        return not self._ended and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Return the number of the process."""
        return self._process.pid

    def _started(self, line: socket.socket) -> "subprocess.Popen[bytes]":
        path = [str(Path(router.__file__).parent.parent), *(place for place in sys.path if place)]
        program = PROGRAM.format(path=path, kind=self.kind, memory=MEMORY_MAX_BYTES, folder=self._folder)
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

    def _answer(self, began: float, until: float) -> Any:
        """Wait for the answer, from the second of `GIVE_WAY_SECONDS` on as one that gives way to others."""
        try:
            return self._receive(min(until, began + max(0.0, GIVE_WAY_SECONDS - self._worked)))
        except TimeoutError:
            if not self.worn:
                self._wear_out()
                self._give_way()
            return self._receive(until)

    def _wear_out(self) -> None:
        """Note that it is not used again, and have another one be ready by then."""
        if not self.worn:
            self.worn = True
            self._replace(self.kind)

    def _give_way(self) -> None:
        """Give every thread of the process the lowest priority."""
        try:
            threads = [int(name) for name in os.listdir(f"/proc/{self.pid}/task")]
        except OSError:  # not Linux, or gone
            threads = [self.pid]
        for thread in threads:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, thread, 19)

    def _reap(self) -> None:
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _kill_at(self, call: int) -> None:
        with self._lock:
            if self._asking == call:
                self.kill()

    def _forgo(self, now: float) -> None:
        """Have the engine give up the rows that nobody asked for; raises TimeoutError where it does not."""
        self._told(INTERRUPT, now + INTERRUPT_GRACE_SECONDS)
        self._receive(now + INTERRUPT_GRACE_SECONDS)
        self._ahead = False

    def _told(self, message: Any, until: float) -> None:
        self._call(self._channel.send, message, until)

    def _receive(self, until: float) -> Any:
        return self._call(self._channel.receive, until)

    def _call(self, act: Callable[..., Any], *given: Any) -> Any:
        """Send or receive; raises TimeoutError, or ChildDied where the child is gone or wrote what is no message."""
        try:
            return act(*given)
        except TimeoutError:
            raise
        except (OSError, wire.UnreadableMessage) as error:
            raise ChildDied(self._reason()) from error

    def _reason(self) -> str:
        """Return how the process ended; it is dead after this, or will be in a moment."""
        if self._killed:
            return signal.SIGKILL.name
        try:
            code = self._process.wait(INTERRUPT_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            code = self._process.wait()
        return signal.Signals(-code).name if code < 0 else f"exit {code}"
