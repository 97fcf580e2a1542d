"""One process at a time: a lock on a file, which the system takes back when its holder dies."""

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LOCKED_ERRORS = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}
"""The errors that say that another process holds a lock."""


@contextmanager
def hold_lock(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock file `path` for the block; `waiting`, which may raise, is called once if another holds it first."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _try(handle):
            waiting()
            while not _try(handle):
                time.sleep(0.2)
        yield
    finally:
        os.close(handle)  # which gives the lock back


def _try(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in LOCKED_ERRORS  # a disk that knows no locks keeps nobody out
    return True
