"""The audit trail: one line of JSON for each thing that was asked, approved or run; only ever added to.

Each line holds the hash of the line before, so that a line that was changed, taken out or put in shows (`verify`). The
trail keeps SQL texts and numbers of rows, never the rows.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from threading import Lock
from typing import Literal

from router.errors import JobFailed

try:
    import fcntl
except ImportError:  # Windows, where one process alone writes the trail
    fcntl = None  # type: ignore[assignment]

Event = Literal[
    "asked",
    "asked_back",
    "generated",
    "approved",
    "rejected",
    "refused",
    "started",
    "finished",
    "interrupted",
    "exported",
    "charted",
    "shared",
    "stopped",
    "resumed",
    "kept",
    "removed",
    "taught",
    "handed",
]
Outcome = Literal["", "done", "failed", "stopped", "unsure"]

_NOTHING = "0" * 64  # what the first line holds as the hash of the line before
_BLOCK = 65_536


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened; what is empty or None is left out of the line."""

    event: Event
    thread: str = ""
    who: str = ""
    approver: str = ""
    connection: str = ""
    question: str = ""
    sql: str = ""
    digest: str = ""
    rows: int | None = None
    seconds: float | None = None
    outcome: Outcome = ""
    error: str = ""
    job: str = ""
    target: str = ""
    """Where rows were written or sent to, and how; what of the glossary was changed."""
    likely: str = ""
    """What a sentence seemed to ask for, with shares of 1, where that was asked back."""
    via: str = ""
    """The token of the program that asked in somebody's name."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What `verify` found: whole `lines`, the numbers of `torn` ones (a kill does that) and of `broken` ones.

    `last` is the hash of the last line: kept elsewhere, it also shows lines that were cut off from the end.
    """

    lines: int
    torn: tuple[int, ...]
    broken: tuple[int, ...]
    last: str


class Audit:
    """The trail in one file; thread-safe, and other processes may write to the same file."""

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        self._path, self._clock, self._lock = path, clock, Lock()
        with _sentence(path):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = open(path, "ab+", buffering=0, opener=_private)  # noqa: SIM115 - closed by close

    def add(self, entry: Entry) -> None:
        """Write the entry to the disk, safe against a crash; raises JobFailed where the disk does not take it."""
        fields = {name: value for name, value in asdict(entry).items() if value not in ("", None)}
        with self._lock, _sentence(self._path), _alone(self._file):
            last = _last_line(self._file)
            torn = last is not None and not last.endswith(b"\n")
            line = json.dumps(
                {
                    "time": self._clock().astimezone(UTC).isoformat(timespec="milliseconds"),
                    **fields,
                    "before": _hash(last),
                }
            )
            text = b"\n" * torn + line.encode() + b"\n"
            if self._file.write(text) < len(text):
                raise OSError("the disk took half a line only")
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def verify(path: Path) -> Verified:
    """Read the whole trail and return which of its lines (counted from 1) do not fit the line before."""
    count, torn, broken = 0, [], []
    last: bytes | None = None
    with path.open("rb") as file:
        for count, line in enumerate(file, 1):
            try:
                before = json.loads(line)["before"]
            except (ValueError, KeyError, TypeError):
                torn.append(count)
            else:
                if before != _hash(last):
                    broken.append(count)
            last = line
    return Verified(count - len(torn), tuple(torn), tuple(broken), _hash(last))


def _hash(line: bytes | None) -> str:
    return _NOTHING if line is None else hashlib.sha256(line.rstrip(b"\n")).hexdigest()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _last_line(file: FileIO) -> bytes | None:
    """Return the last line with its end, or without one where a kill tore it; None for an empty file."""
    start = size = file.seek(0, os.SEEK_END)
    tail = b""
    while start > 0 and b"\n" not in tail[:-1]:
        start = max(0, start - _BLOCK)
        file.seek(start)
        tail = file.read(size - start)
    return tail[tail.rfind(b"\n", 0, -1) + 1 :] if tail else None


@contextmanager
def _alone(file: FileIO) -> Iterator[None]:
    """Keep other processes from writing between our look at the last line and our own."""
    if fcntl is None:
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


@contextmanager
def _sentence(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise JobFailed(
            f"The audit trail {path} cannot be written ({error}); nothing runs without it. Tell whoever runs the bot."
        ) from error
