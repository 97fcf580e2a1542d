"""Verifies that the audit trail is whole: its end at each line that is added, all of it when the doctor asks."""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from io import BytesIO, FileIO
from pathlib import Path

from router.jobs.audit_seal import TrailHead, TrailLine, head_path, key_path, read_head, read_key

_BLOCK_BYTES = 8_192
_ANEW = "or move the trail and its head away, and a new trail begins"


@dataclass(frozen=True, slots=True)
class TrailEnd:
    """The end of the trail: the `last` line as it lies there, which a crash may have torn.

    `head` is the line after which it goes on, None where nothing was sealed so far; `alarm` says what is wrong, or "".
    """

    last: bytes | None
    head: TrailHead | None = None
    alarm: str = ""


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
    key, alarms = None, []
    try:
        key = read_key(trail, given_key)
        with trail.open("rb", buffering=0) as raw:
            if alarm := end_of(trail, raw, key).alarm:
                alarms.append(f"{alarm}.")
    except OSError as error:
        alarms.append(f"{error}.")
    with trail.open("rb") as file:
        return _read(file, key, alarms)


def _read(file: Iterable[bytes], key: bytes | None, alarms: list[str]) -> Verified:
    count, whole, head, last = 0, 0, TrailHead(), None
    torn: list[int] = []
    broken: list[int] = []
    for count, text in enumerate(file, 1):
        line = TrailLine(text)
        if line.fields is None:
            (torn if line.may_be_torn else broken).append(count)
        else:
            whole += 1
            alarm = line.fields.get("alarm")
            follows = line.seal is not None and (alarm is not None or line.seal.number == head.number + 1)
            if not (follows and line.fields["before"] == hash_of(last) and (key is None or line.is_genuine(key))):
                broken.append(count)
            if line.seal and alarm is not None:
                alarms.append(f"when line {count} was added, {alarm}.")
            head = line.seal or head
        last = text
    if torn and torn[-1] == count and last and last.endswith(b"\n"):
        broken.append(torn.pop())  # a crash leaves no end of a line behind a piece
    return Verified(whole, tuple(torn), tuple(broken), head, tuple(alarms))


def end_of(trail: Path, file: FileIO, key: bytes | None) -> TrailEnd:
    """Return the end of the trail, judged by its head; raises OSError where no line may be added.

    The head is read first: what others add meanwhile is behind it. A trail one line longer than its head says is sound,
    since a kill may come between the two.
    """
    try:
        head, damaged = (read_head(trail, key) if key else None), False
    except ValueError:
        head, damaged = None, True
    lines = _last_lines(file)
    last = lines[-1].text if lines else None
    if key is None:
        if lines or head_path(trail).exists():
            raise OSError(f"its key {key_path(trail)} is missing; put it back from your backup, {_ANEW}")
        return TrailEnd(None)
    whole = lines.pop(0) if lines and lines[0].fields else None
    true = whole is not None and whole.is_genuine(key)
    seal = whole.seal if whole else None
    if head is None and (seal or damaged) and not true:
        raise OSError(f"it was sealed with another key; give it the one that it had, {_ANEW}")
    if head:
        alarm = _alarm_of(head, seal, true, empty=whole is None)
    elif damaged:
        alarm = f"the head in {head_path(trail).name} was changed"
    else:
        # A key that was made here comes with a head, and a new trail has no line before it has one.
        missing = last is not None or key_path(trail).exists()
        alarm = f"the head in {head_path(trail).name} was missing" if missing else ""
    if not alarm and not _are_pieces(lines):
        alarm = "something was put in at the end"
    ahead = seal and true and (head is None or head.number < seal.number)
    return TrailEnd(last, seal if ahead else head, alarm)


def _alarm_of(head: TrailHead, seal: TrailHead | None, true: bool, *, empty: bool) -> str:
    """Return why the trail does not end as its head says, or "": by the seal of its last line, if that is true."""
    if not empty and not (seal and true):
        return "the last line was changed"
    left = seal.number if seal else 0
    if left + 1 == head.number:
        return f"line {head.number} was missing at the end"
    if left < head.number:
        return f"lines {left + 1} to {head.number} were missing at the end"
    return f"line {left} was another one" if seal and left == head.number and seal.mac != head.mac else ""


def hash_of(line: bytes | None) -> str:
    """Return the hash by which the next line vouches for this one; None is the place before the first line."""
    return "0" * 64 if line is None else hashlib.sha256(line.rstrip(b"\n")).hexdigest()


def _last_lines(file: FileIO) -> list[TrailLine]:
    """Return the lines from the last whole one on, all of them where none is whole; read backwards, in blocks."""
    size, length = file.seek(0, os.SEEK_END), _BLOCK_BYTES
    while True:
        start = max(0, size - length)
        file.seek(start)
        lines = [TrailLine(text) for text in BytesIO(file.read(size - start)).readlines()]
        if start > 0:
            del lines[0]  # its beginning was not read
        for place in reversed(range(len(lines))):
            if lines[place].fields:
                return lines[place:]
        if start == 0:
            return lines
        length *= 2


def _are_pieces(lines: list[TrailLine]) -> bool:
    """Return whether lines behind the last whole one are what a crash leaves."""
    return all(line.may_be_torn for line in lines) and not (lines and lines[-1].text.endswith(b"\n"))
