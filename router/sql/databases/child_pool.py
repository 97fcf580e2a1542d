"""The children that are ready to read: a few of each kind are kept, so that a query need not wait for one to start."""

import atexit
import os
import threading
from collections import Counter
from contextlib import suppress

from router.sql.databases.child import Child, ChildDied, Kind, clear_folders

IDLE_CHILDREN_MAX = 3
"""Of each kind, whatever the number of files: an idle one has no file open, and takes 10 to 40 MB."""


CHILDREN_MAX = 32
"""Children at work, for all files together: each may take `MEMORY_MAX_BYTES`."""

CHILD_WAIT_SECONDS = 10.0
"""Seconds to wait for one where so many work."""


class ChildPool:
    """Lends children to the open databases of this process, and ends the idle ones with the last of these."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        self._databases = 0
        self._cleared = False
        self._busy = Counter[Kind]()
        self._warming: dict[Kind, threading.Thread] = {}
        self._free = threading.BoundedSemaphore(CHILDREN_MAX)

    def opened(self) -> None:
        """Count one more open database."""
        with self._lock:
            self._databases += 1
            first, self._cleared = not self._cleared, True
        if first:
            clear_folders()

    def closed(self) -> None:
        """Count one less."""
        with self._lock:
            self._databases -= 1
            last = self._databases == 0
        if last:
            self.end()

    def take(self, kind: Kind) -> Child:
        """Return an idle child, or a new one, to be given back by `put`; raises ChildDied where none can be started."""
        if not self._free.acquire(timeout=CHILD_WAIT_SECONDS):
            raise ChildDied(f"{CHILDREN_MAX} queries on files are at work already")
        try:
            child = self._taken(kind)
        except BaseException:
            self._free.release()
            raise
        with self._lock:
            self._busy[kind] += 1
            spare = any(each.kind == kind for each in self._idle)
            if self._busy[kind] > 1 and not spare and kind not in self._warming:
                thread = threading.Thread(target=self._warm, args=(kind,), name=f"warm-{kind}")
                with suppress(RuntimeError):  # no thread can be started now
                    thread.start()
                    self._warming[kind] = thread
        return child

    def _warm(self, kind: Kind) -> None:
        """Have one more ready where several read at once, so that nobody waits for it to start."""
        child = None
        with suppress(ChildDied):
            child = Child(kind)
        with self._lock:
            kept = child is not None and self._databases > 0
            if child and kept:
                self._idle.append(child)
            del self._warming[kind]
        if child and not kept:
            child.end()

    def _taken(self, kind: Kind) -> Child:
        while True:
            with self._lock:
                child = next((each for each in reversed(self._idle) if each.kind == kind), None)
                if child:
                    self._idle.remove(child)
            if child is None:
                return Child(kind)
            if child.alive:
                return child
            child.end()

    def put(self, child: Child) -> None:
        """Keep a child for the next reader, or end it."""
        with self._lock:
            self._busy[child.kind] -= 1
            alike = sum(each.kind == child.kind for each in self._idle)
            kept = self._databases > 0 and alike < IDLE_CHILDREN_MAX and not child.worn and child.alive
            if kept:
                self._idle.append(child)
        if not kept:
            child.end()
        self._free.release()

    def end(self) -> None:
        """End all idle children."""
        with self._lock:
            warming = list(self._warming.values())
        for thread in warming:
            thread.join()
        with self._lock:
            left, self._idle = self._idle, []
        for child in left:
            child.end()

    def forget(self) -> None:
        """Let go of the children of the process that this one was forked from."""
        left, self._idle = self._idle, []
        self._busy.clear()
        self._warming.clear()
        self._lock, self._free = threading.Lock(), threading.BoundedSemaphore(CHILDREN_MAX)
        for child in left:
            child.forget()


CHILDREN = ChildPool()

atexit.register(CHILDREN.end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=CHILDREN.forget)
