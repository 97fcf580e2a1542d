"""A child process that reads a file for the bot: asked one thing at a time, and killed where it does not answer."""

import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import router
from router.sql.databases.pipes import Gone, Overdue, Pipes
from router.sql.readers.child import BUG, INTERRUPT, MEMORY

Kind = Literal["sqlite", "duckdb"]

MEMORY_MAX_BYTES = 2**30
"""Of one child."""

ROWS = "rows"
"""The request whose answers follow one another."""

GRACE = 0.3
"""Seconds that an engine has to end a statement by itself; then its process is killed."""

LONG = 1.0
"""Seconds of work after which a child gives way to those that have just begun."""

BURIAL = 0.1
"""Seconds to wait for a process that was killed: one that holds much memory, and gives way to others, takes longer."""

START_SECONDS = 20.0
"""For a child to be ready, on a machine that is busy."""

PROGRAM = """import sys
sys.path[:] = {path!r}
from router.sql.readers.child import main
main({kind!r}, {memory}, {folder!r})
"""

SEEN = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", "TZDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Of the bot's environment, which holds passwords."""


FOLDERS = "icc-bot-reading-"
"""How the names of the children's folders begin; the machine and the bot's process follow."""


def clear_folders() -> None:
    """Delete what bots of this machine left behind that were killed together with their children."""
    if os.name != "posix":
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDERS}*"):
        start, _, rest = folder.name.removeprefix(FOLDERS).partition(f"{platform.node()}-")
        owner = rest.partition("-")[0]
        if start or not owner.isdecimal():
            continue
        try:
            os.kill(int(owner), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (OSError, OverflowError):
            continue


class Died(Exception):
    """The child is gone: killed, crashed, or it wrote what cannot be read."""


class Child:
    """One process with one engine. One thread asks; `interrupt` and `kill` may be called by any."""

    def __init__(self, kind: Kind) -> None:
        """Start the process; raises Died where it does not come up."""
        self.kind = kind
        self.worn = False
        """Whether it worked long, was interrupted or lacked memory: then it is not used again."""
        self._worked, self._call, self._ended = 0.0, 0, False
        self._asking: int | None = None
        self._killed = False
        self._lock = threading.Lock()
        self._ahead = False
        """Whether the child was asked for the next rows before anybody wants them."""
        try:
            self._folder = tempfile.mkdtemp(prefix=f"{FOLDERS}{platform.node()}-{os.getpid()}-")
        except OSError as error:
            raise Died(f"the process cannot be started: {error.strerror}") from error
        try:
            self._process = self._started()
        except OSError as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise Died(f"the process cannot be started: {error.strerror}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._pipes = Pipes(self._process.stdin, self._process.stdout)
        except OSError as error:  # too many open files
            self._process.kill()
            self._process.stdin.close()
            self._process.stdout.close()
            self._bury()
            raise Died(f"the process cannot be started: {error.strerror}") from error
        try:
            self._receive(time.monotonic() + START_SECONDS)
        except (Died, Overdue) as error:
            self.end()
            raise Died("the process did not start") from error

    def ask(self, seconds: float, name: str, *given: Any) -> Any:
        """Return the answer to a request, within so many seconds; raises Died or Overdue."""
        began = time.monotonic()
        with self._lock:
            self._call += 1
            self._asking = self._call
        try:
            request = (seconds, name, *given)
            if self._ahead and name != ROWS:
                self._forgo(began)
            if not self._ahead:
                self._told(request, began + seconds)
            self._ahead = False
            answer = self._answer(began, began + seconds)
            if name == ROWS and answer[1] is True:  # the next ones are made while these are looked at
                self._told(request, began + seconds + GRACE)
                self._ahead = True
            self.worn = self.worn or answer[0] in (MEMORY, BUG)
            return answer
        except Overdue:
            self.interrupt()
            with suppress(Overdue, Died):
                self._receive(time.monotonic() + 2 * GRACE)
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
            self.worn = True
        with suppress(Died, Overdue):
            self._told(INTERRUPT, time.monotonic() + GRACE)
        killer = threading.Timer(GRACE, self._kill_at, (call,))
        killer.daemon = True
        killer.start()

    def kill(self) -> None:
        """End the process at once, whatever it does; nobody waits until the system has cleared up its memory."""
        self.worn = self._killed = True
        with suppress(OSError):
            self._process.kill()
        self._pipes.break_off()

    def end(self) -> None:
        """End the process and clear up after it."""
        with self._lock:
            if self._ended:
                return
            self._ended = True
        self.kill()
        self._pipes.close()
        try:
            self._process.wait(BURIAL)
        except subprocess.TimeoutExpired:
            threading.Thread(target=self._bury, name="bury", daemon=True).start()
        else:
            self._bury()

    def forget(self) -> None:
        """Let go of a process that belongs to the process this one was forked from."""
        self._ended = True
        self._process.returncode = 0  # nobody here may wait for it
        self._pipes.close()

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return not self._ended and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Return the number of the process."""
        return self._process.pid

    def _started(self) -> "subprocess.Popen[bytes]":
        path = [str(Path(router.__file__).parent.parent), *(place for place in sys.path if place)]
        program = PROGRAM.format(path=path, kind=self.kind, memory=MEMORY_MAX_BYTES, folder=self._folder)
        kept = {name: os.environ[name] for name in SEEN if name in os.environ}
        return subprocess.Popen(  # noqa: S603 — our own program, and no word of anybody else's
            [sys.executable, "-I", "-S", "-c", program],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
            env={**kept, "SQLITE_TMPDIR": self._folder, "MALLOC_ARENA_MAX": "2"},
            start_new_session=True,  # Ctrl-C in a terminal is for the bot
        )

    def _answer(self, began: float, until: float) -> Any:
        """Wait for the answer, from the second of `LONG` on as one that gives way to others."""
        try:
            return self._receive(min(until, began + max(0.0, LONG - self._worked)))
        except Overdue:
            if not self.worn:
                self.worn = True
                self._give_way()
            return self._receive(until)

    def _give_way(self) -> None:
        """Give every thread of the process the lowest priority."""
        try:
            threads = [int(name) for name in os.listdir(f"/proc/{self.pid}/task")]
        except OSError:  # not Linux, or gone
            threads = [self.pid]
        for thread in threads:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, thread, 19)

    def _bury(self) -> None:
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _kill_at(self, call: int) -> None:
        with self._lock:
            if self._asking == call:
                self.kill()

    def _forgo(self, now: float) -> None:
        """Have the engine give up the rows that nobody asked for; raises Overdue where it does not."""
        self._told(INTERRUPT, now + GRACE)
        self._receive(now + GRACE)
        self._ahead = False

    def _told(self, message: Any, until: float) -> None:
        try:
            self._pipes.send(message, until)
        except Gone as error:
            raise Died(self._reason()) from error

    def _receive(self, until: float) -> Any:
        try:
            return self._pipes.receive(until)
        except Gone as error:
            raise Died(self._reason()) from error

    def _reason(self) -> str:
        """Return how the process ended; it is dead after this, or will be in a moment."""
        if self._killed:
            return signal.SIGKILL.name
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.kill()
            code = self._process.wait()
        return signal.Signals(-code).name if code < 0 else f"exit {code}"
