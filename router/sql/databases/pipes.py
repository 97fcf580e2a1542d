"""Messages to and from a child, over pipes, each with a time by which it must be over."""

import os
import select
import threading
import time
from contextlib import suppress
from typing import IO, Any

from router.sql.readers import wire

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None  # type: ignore[assignment]

PIPE_BYTES = 2**20


class Overdue(Exception):
    """It was not over in time."""


class Gone(Exception):
    """The other end is closed, or wrote what is no message."""


class Pipes:
    """The two ends here. Any thread may send, one receives and closes; who waits lets all others run."""

    def __init__(self, to: IO[bytes], back: IO[bytes]) -> None:
        self._files, self._closed = (to, back), False
        self._to, self._back = to.fileno(), back.fileno()
        self._broken_off, self._break_off = os.pipe()
        self._sending = threading.Lock()
        self._form, self._body, self._got = b"", bytearray(wire.HEAD.size), 0
        for place in (self._to, self._back):
            os.set_blocking(place, False)
        if fcntl and hasattr(fcntl, "F_SETPIPE_SZ"):
            with suppress(OSError):  # a user may have so many bytes in pipes, and not more
                fcntl.fcntl(self._back, fcntl.F_SETPIPE_SZ, PIPE_BYTES)

    def send(self, message: Any, until: float) -> None:
        """Send a message; raises Overdue or Gone."""
        if not self._sending.acquire(timeout=max(0.0, until - time.monotonic())):
            raise Overdue
        try:
            if self._closed:
                raise Gone
            view = memoryview(wire.packed(message))
            while view:
                self._wait(self._to, select.POLLOUT, until)
                with suppress(BlockingIOError):
                    view = view[os.write(self._to, view) :]
        except ConnectionError as error:
            raise Gone from error
        finally:
            self._sending.release()

    def receive(self, until: float) -> Any:
        """Return the next message; raises Gone, or Overdue, after which the rest of it can be asked for."""
        try:
            while True:
                self._read_on(until)
                if self._form:
                    message = wire.unpacked(self._form, memoryview(self._body))
                    self._form, self._body, self._got = b"", bytearray(wire.HEAD.size), 0
                    return message
                self._form, length = wire.head_of(bytes(self._body))
                self._body, self._got = bytearray(length), 0
        except wire.Unreadable as error:
            raise Gone from error

    def break_off(self) -> None:
        """Have whoever waits for a message be told that none will come."""
        with self._sending:
            if not self._closed:
                os.write(self._break_off, b".")

    def close(self) -> None:
        """Close all ends; nobody writes into what has the same number afterwards."""
        with self._sending:
            if self._closed:
                return
            self._closed = True
            for file in self._files:
                file.close()
            for place in (self._broken_off, self._break_off):
                os.close(place)

    def _read_on(self, until: float) -> None:
        view = memoryview(self._body)
        while self._got < len(view):
            try:
                count = os.readv(self._back, [view[self._got :]])
            except BlockingIOError:
                self._wait(self._back, select.POLLIN, until)
                continue
            if not count:
                raise Gone
            self._got += count

    def _wait(self, place: int, event: int, until: float) -> None:
        poll = select.poll()
        poll.register(place, event)
        poll.register(self._broken_off, select.POLLIN)
        ready = [place for place, _ in poll.poll(max(0.0, until - time.monotonic()) * 1000)]
        if self._broken_off in ready:
            raise Gone
        if not ready:
            raise Overdue
