"""The audit trail: one line of JSON for each thing that was asked, approved or run; only ever added to.

Each line holds its number and a MAC by a key outside the file, and a head beside the file names the last line: so a
line that was changed, taken out or put in shows, and so does an end that was cut off (`audit_check.verify`). The trail
keeps SQL texts and numbers of rows, never the rows.
"""

import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Literal

from router.errors import BotError, JobFailed, NotAllowed, Stopped, Unsure
from router.jobs.audit_check import end_of
from router.jobs.audit_seal import TrailHead, head_path, key_path, make_key, read_head, read_key, sealed, write_head
from router.observing.metrics import DECISIONS
from router.sql.writing.order import Refusal

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
EventOutcome = Literal["", "done", "failed", "stopped", "unsure"]

COPIED_BYTES = 1 << 20
"""Bytes of a trail that are copied at once."""

log = logging.getLogger("icc_bot")


@dataclass(frozen=True, slots=True)
class AuditEntry:
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
    outcome: EventOutcome = ""
    error: str = ""
    job: str = ""
    target: str = ""
    """The place that rows were written or sent to, and the way; or what of the glossary was changed."""
    likely: str = ""
    """The intents that a sentence seemed to have, with shares of 1, if the bot asked back."""
    via: str = ""
    """The token of the program that asked in somebody's name."""


class Audit:
    """The trail in one file; thread-safe, and other processes may write to the same file."""

    def __init__(self, path: Path, clock: Callable[[], datetime], key: str = "") -> None:
        self._path, self._clock, self._key, self._lock = path, clock, key, Lock()
        with _sentence(path):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _held(path) as file:
                alarm = end_of(path, file, read_key(path, key)).alarm
            if alarm:
                log.error("The audit trail %s was changed: %s. Compare it with your copy.", path, alarm)

    def add(self, entry: AuditEntry) -> None:
        """Write the entry to the disk, safe against a crash; raises JobFailed if the disk does not take it.

        If the trail does not end as its head says, the line says so for ever: as `alarm`.
        """
        fields = {name: value for name, value in asdict(entry).items() if value not in ("", None)}
        with self._lock, _sentence(self._path), _held(self._path) as file:
            key = read_key(self._path, self._key)
            end = end_of(self._path, file, key)
            if key is None:
                key = make_key(self._path)
            if (head := end.head) is None:
                head = TrailHead()
                write_head(self._path, key, head)  # before its first line, so that a kill leaves no line without a head
            if end.alarm:
                log.error("The audit trail %s was changed: %s. Compare it with your copy.", self._path, end.alarm)
                fields["alarm"] = end.alarm
            time = self._clock().astimezone(UTC).isoformat(timespec="milliseconds")
            line, mac = sealed(
                key,
                json.dumps({"time": time, **fields, "number": head.number + 1}),
            )
            text = b"\n" * end.torn + line.encode() + b"\n"
            if file.write(text) < len(text):
                raise OSError("the disk took half a line only")
            os.fsync(file.fileno())
            write_head(self._path, key, TrailHead(head.number + 1, mac))
        DECISIONS.add(entry.event, entry.outcome)


def copy_trail(path: Path, folder: Path, given: str = "") -> TrailHead | None:
    """Copy a trail with its head and its key into a folder, while others write it, and return the head of the copy.

    `given` is the key if it is not beside the trail. If there is no trail, nothing is copied.
    """
    if not path.exists():
        return None
    with path.open("rb") as trail:
        with _held(path):  # head and length of the trail are those of one moment
            left = os.fstat(trail.fileno()).st_size
            beside = {each.name: each.read_bytes() for each in (head_path(path), key_path(path)) if each.exists()}
        with open(folder / path.name, "xb", opener=_private) as copy:
            while left > 0 and (some := trail.read(min(left, COPIED_BYTES))):
                left -= copy.write(some)
    for name, content in beside.items():
        with open(folder / name, "xb", opener=_private) as copy:
            copy.write(content)
    key = read_key(folder / path.name, given)
    return read_head(folder / path.name, key) if key else None


@contextmanager
def _held(path: Path) -> Iterator[FileIO]:
    """Lend the file of the trail while no other process writes to it.

    It is opened again if another one lies in its place, or none, since it was opened.
    """
    while True:
        with open(path, "ab+", buffering=0, opener=_private) as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
            if _is_same_file(path, file):
                yield file
                return


def _is_same_file(path: Path, file: FileIO) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


# Work between its two lines of the trail.


class AuditedWork:
    """Work that the trail tells of; `rows` are those that it moved so far, a number for each of its lines."""

    def __init__(self, rows: tuple[int, ...], clock: Callable[[], float]) -> None:
        self.rows, self._clock, self._began = rows, clock, clock()

    def seconds(self) -> float:
        """Return how long it has taken so far."""
        return self._clock() - self._began


@contextmanager
def audited(
    audit: Audit, *entries: AuditEntry, refusal: str = "", final: bool = False, clock: Callable[[], float] = monotonic
) -> Iterator[AuditedWork]:
    """Note in the trail what the block does, before it and after it, however it ends.

    Raises NotAllowed with a `refusal`, which is noted instead. What is `final` counts as done, even if the trail does
    not take its last line: to call it failed would have it done twice.
    """
    if refusal:
        note_refused(audit, refusal, *entries)
        raise NotAllowed(refusal)
    for entry in entries:
        audit.add(entry)
    work = AuditedWork((0,) * len(entries), clock)

    def end(outcome: EventOutcome, words: str = "") -> None:
        seconds = round(work.seconds(), 3)
        for entry, rows in zip(entries, work.rows, strict=True):
            audit.add(replace(entry, event="finished", rows=rows, seconds=seconds, outcome=outcome, error=words))

    try:
        yield work
    except BaseException as error:
        outcome: EventOutcome = "unsure" if isinstance(error, Unsure) else "failed"
        end("stopped" if isinstance(error, Stopped) else outcome, _words_of(error))
        raise
    try:
        end("done")
    except JobFailed as error:
        if not final:
            raise
        log.error("job %s was done, and %s", entries[0].job, error)


def note_refused(audit: Audit, refusal: str, *entries: AuditEntry) -> None:
    """Note in the trail that nothing of this was begun, and why."""
    for entry in entries:
        audit.add(replace(entry, event="refused", error=refusal))


def _words_of(error: BaseException) -> str:
    """Return the words of an error without values of rows; those of our own bugs may hold some, so only the name."""
    if isinstance(error, Refusal):
        return error.bare
    return str(error) if isinstance(error, BotError) else type(error).__name__


@contextmanager
def _sentence(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise JobFailed(
            f"The audit trail {path} cannot be written ({error}); nothing runs without it. Tell your administrator."
        ) from error
