"""Verifies that the audit trail is whole: its end at each line that is added, all of it when the doctor asks."""

import os
from dataclasses import dataclass, field
from io import BytesIO, FileIO
from pathlib import Path

from router.jobs.audit_seal import (
    TrailHead,
    alarm_of,
    head_path,
    key_path,
    may_be_torn,
    read_head,
    read_key,
    seal_of,
)

_BLOCK_BYTES = 8_192
_RESTART_HINT = "or move the trail and its head away, and a new trail begins"


@dataclass(frozen=True, slots=True)
class TrailEnd:
    """The end of the trail: `head` is the line after which it goes on, None if nothing was sealed so far.

    `alarm` says what is wrong, or "". `torn`: a crash left a piece of a line there.
    """

    head: TrailHead | None = None
    alarm: str = ""
    torn: bool = False


@dataclass(frozen=True, slots=True)
class Verified:
    """The findings of `verify`: whole `lines`, the numbers of `torn` ones (a crash does that) and of `broken` ones.

    `head` is the number and the MAC of the last line: kept elsewhere, it shows lines that were cut off together with
    the head. `alarms` are sentences on what is missing, now or when a line was added after it.
    """

    lines: int
    torn: tuple[int, ...]
    broken: tuple[int, ...]
    head: TrailHead = field(default_factory=TrailHead)
    alarms: tuple[str, ...] = ()


def verify(trail: Path, given_key: str = "") -> Verified:
    """Read the whole trail and return which of its lines (counted from 1) do not fit, and whether its end is there."""
    if not trail.exists():
        gone = head_path(trail).exists() or key_path(trail).exists()
        return Verified(0, (), (), alarms=("the trail was removed.",) if gone else ())
    key, alarms = b"", list[str]()
    with trail.open("rb", buffering=0) as raw:
        try:
            found = read_key(trail, given_key)
            key = found or b""
            if alarm := end_of(trail, raw, found).alarm:
                alarms.append(f"{alarm}.")
        except OSError as error:
            alarms.append(f"{error}.")
    if not key:
        return Verified(0, (), (), alarms=tuple(alarms))
    count, whole, head, text = 0, 0, TrailHead(), b""
    torn, broken = list[int](), list[int]()
    with trail.open("rb") as file:
        for count, text in enumerate(file, 1):
            seal = seal_of(key, text)
            if seal is None:
                (torn if may_be_torn(text) else broken).append(count)
                continue
            whole += 1
            if alarm := alarm_of(text):
                alarms.append(f"when line {count} was added, {alarm}.")
            elif seal.number != head.number + 1:
                broken.append(count)
            head = seal
    if torn and torn[-1] == count and text.endswith(b"\n"):
        broken.append(torn.pop())  # a crash leaves no end of a line behind a piece
    return Verified(whole, tuple(torn), tuple(broken), head, tuple(alarms))


def end_of(trail: Path, file: FileIO, key: bytes | None) -> TrailEnd:
    """Return the end of the trail, judged by its head; raises OSError if no line may be added.

    The head is read first: what others add meanwhile is behind it. A trail one line longer than its head says is sound,
    since a kill may come between the two.
    """
    if key is None:
        if file.seek(0, os.SEEK_END) or head_path(trail).exists():
            raise OSError(f"its key {key_path(trail)} is missing; put it back from your backup, {_RESTART_HINT}")
        return TrailEnd()
    try:
        head, damaged = read_head(trail, key), False
    except ValueError:
        head, damaged = None, True
    last, behind = _last_sealed(file, key)
    if head is None and last is None and (behind or damaged):
        raise OSError(f"it was sealed with another key; give it the one that it had, {_RESTART_HINT}")
    if head:
        alarm = _alarm_of(head, last or TrailHead())
    else:
        # A key that was made here comes with a head, and a new trail has no line before it has one.
        wrong = "changed" if damaged else "missing"
        alarm = f"the head in {head_path(trail).name} was {wrong}" if last or key_path(trail).exists() else ""
    torn = bool(behind) and not behind[-1].endswith(b"\n")
    if not alarm and behind and not (torn and all(map(may_be_torn, behind))):
        alarm = "something was put in at the end"
    ahead = last and (head is None or head.number < last.number)
    return TrailEnd(last if ahead else head, alarm, torn)


def _alarm_of(head: TrailHead, last: TrailHead) -> str:
    """Return why the trail does not end as its head says, or ""."""
    if last.number + 1 == head.number:
        return f"line {head.number} was missing at the end"
    if last.number < head.number:
        return f"lines {last.number + 1} to {head.number} were missing at the end"
    return f"line {last.number} was another one" if last.number == head.number and last.mac != head.mac else ""


def _last_sealed(file: FileIO, key: bytes) -> tuple[TrailHead | None, list[bytes]]:
    """Return the last sealed line, None if there is none, and what lies behind; read backwards, in blocks."""
    size, length = file.seek(0, os.SEEK_END), _BLOCK_BYTES
    while True:
        start = max(0, size - length)
        file.seek(start)
        lines = BytesIO(file.read(size - start)).readlines()
        if start > 0:
            del lines[0]  # its beginning was not read
        for place in reversed(range(len(lines))):
            if seal := seal_of(key, lines[place]):
                return seal, lines[place + 1 :]
        if start == 0:
            return None, lines
        length *= 2
