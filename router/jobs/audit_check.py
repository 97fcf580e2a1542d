"""Verifies that the audit trail is whole: its end at each line that is added, all of it when the doctor asks."""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from io import FileIO
from pathlib import Path
from typing import Any

from router.jobs.audit_seal import TrailHead, genuine, head_path, key_path, read_head, read_key, seal_of
from router.language.outside_json import parse_json

_BEGINNING = b'{"time": "'
_BLOCK_BYTES = 8_192
_ANEW = "or move the trail and its head away, and a new trail begins"


@dataclass(frozen=True, slots=True)
class TrailEnd:
    """The end of the trail: the `last` line as it lies there, which a crash may have torn, and the last `whole` one.

    `head` is the line after which it goes on, None where nothing was sealed so far; `alarm` says what is wrong, or "".
    """

    last: bytes | None
    whole: bytes | None
    head: TrailHead | None = None
    alarm: str = ""


@dataclass(frozen=True, slots=True)
class Verified:
    """The findings of `verify`: whole `lines`, the numbers of `torn` ones (a crash does that) and of `broken` ones.

    `last` is the hash of the last line, and `head` its number and MAC: kept elsewhere, either shows lines that were cut
    off together with the head. `alarms` are sentences on what is missing, now or when a line was added after it.
    """

    lines: int
    torn: tuple[int, ...]
    broken: tuple[int, ...]
    last: str
    head: TrailHead = field(default_factory=TrailHead)
    alarms: tuple[str, ...] = ()


def verify(trail: Path, given_key: str = "") -> Verified:
    """Read the whole trail and return which of its lines (counted from 1) do not fit, and whether its end is there."""
    alarms: list[str] = []
    try:
        key = read_key(trail, given_key)
    except OSError as error:
        key, alarms = None, [f"{error}."]
    if not trail.exists():
        gone = head_path(trail).exists() or key_path(trail).exists()
        return Verified(0, (), (), hash_of(None), alarms=("the trail was removed.",) if gone else ())
    with trail.open("rb", buffering=0) as raw:
        try:
            end = end_of(trail, raw, key)
        except OSError as error:
            alarms += [f"{error}."] * (not alarms)
        else:
            alarms += [f"{end.alarm}."] if end.alarm else []
    with trail.open("rb") as file:
        return _read(file, key, alarms)


def _read(file: Iterable[bytes], key: bytes | None, alarms: list[str]) -> Verified:
    count, whole, head = 0, 0, TrailHead()
    torn: list[int] = []
    broken: list[int] = []
    last: bytes | None = None
    for count, line in enumerate(file, 1):
        fields = _fields_of(line)
        if fields is None:
            (torn if _may_be_torn(line) else broken).append(count)
        else:
            whole += 1
            seal = seal_of(line)
            follows = seal is not None and ("alarm" in fields or seal.number == head.number + 1)
            if not (follows and fields["before"] == hash_of(last) and (key is None or genuine(key, line))):
                broken.append(count)
            if seal and "alarm" in fields:
                alarms.append(f"when line {count} was added, {fields['alarm']}.")
            head = seal or head
        last = line
    if torn and torn[-1] == count and last and last.endswith(b"\n"):
        broken.append(torn.pop())  # a crash leaves no end of a line behind a piece
    return Verified(whole, tuple(torn), tuple(broken), hash_of(last), head, tuple(alarms))


def end_of(trail: Path, file: FileIO, key: bytes | None) -> TrailEnd:
    """Return the end of the trail, judged by its head; raises OSError where no line may be added.

    The head is read first: what others add meanwhile is behind it. A trail one line longer than its head says is sound,
    since a kill may come between the two.
    """
    try:
        head, damaged = (read_head(trail, key) if key else None), False
    except ValueError:
        head, damaged = None, True
    end = _last_lines(file)
    seal = seal_of(end.whole) if end.whole else None
    if key is None:
        if end.last is not None or head_path(trail).exists():
            raise OSError(f"its key {key_path(trail)} is missing; put it back from your backup, {_ANEW}")
        return end
    true = end.whole is not None and genuine(key, end.whole)
    if head is None and (seal or damaged) and not true:
        raise OSError(f"it was sealed with another key; give it the one that it had, {_ANEW}")
    if damaged:
        alarm = f"the head in {head_path(trail).name} was changed"
    elif head is None:
        # A key that was made here comes with a head, and a new trail has no line before it has one.
        missing = end.last is not None or key_path(trail).exists()
        alarm = f"the head in {head_path(trail).name} was missing" if missing else ""
    else:
        alarm = _alarm_of(head, end.whole, seal, true)
    alarm = alarm or end.alarm
    ahead = seal and true and (head is None or head.number < seal.number)
    return replace(end, head=seal if ahead else head, alarm=alarm)


def _alarm_of(head: TrailHead, whole: bytes | None, seal: TrailHead | None, true: bool) -> str:
    """Return why the trail does not end as its head says, or ""."""
    if whole is None:
        return _cut(0, head) if head.number else ""
    if seal is None or not true:
        return "the last line was changed"
    if seal.number < head.number:
        return _cut(seal.number, head)
    return f"line {seal.number} was another one" if seal.number == head.number and seal.mac != head.mac else ""


def hash_of(line: bytes | None) -> str:
    """Return the hash by which the next line vouches for this one; None is the place before the first line."""
    return "0" * 64 if line is None else hashlib.sha256(line.rstrip(b"\n")).hexdigest()


def _cut(left: int, head: TrailHead) -> str:
    if left + 1 == head.number:
        return f"line {head.number} was missing at the end"
    return f"lines {left + 1} to {head.number} were missing at the end"


def _last_lines(file: FileIO) -> TrailEnd:
    """Return the last line, and the last one that is no torn piece; read backwards, in blocks."""
    start = size = file.seek(0, os.SEEK_END)
    lines: list[bytes] = []
    while start > 0:
        start = max(0, start - max(_BLOCK_BYTES, size - start))
        file.seek(start)
        *ended, rest = file.read(size - start).split(b"\n")
        lines = [line + b"\n" for line in ended] + [rest] * bool(rest)
        if start > 0:
            del lines[0]  # its beginning was not read
        for place in reversed(range(len(lines))):
            if is_whole(lines[place]):
                return TrailEnd(lines[-1], lines[place], alarm=_put_in(lines[place + 1 :]))
    return TrailEnd(lines[-1] if size else None, None, alarm=_put_in(lines))


def _put_in(lines: list[bytes]) -> str:
    """Return what is wrong with the lines behind the last whole one, or "": they should be pieces left by a crash."""
    torn = all(map(_may_be_torn, lines)) and not (lines and lines[-1].endswith(b"\n"))
    return "" if torn else "something was put in at the end"


def is_whole(line: bytes) -> bool:
    """Tell whether it is a line of the trail, and no piece of one that a crash tore."""
    return _fields_of(line) is not None


def _may_be_torn(line: bytes) -> bool:
    """Tell whether a crash could leave such a line: how one of ours begins, and no JSON, as its end is not there.

    What a power cut kept from the disk is zeros.
    """
    begun = line.rstrip(b"\n").rstrip(b"\0")
    if not begun:
        return b"\0" in line
    if not (begun.startswith(_BEGINNING) or _BEGINNING.startswith(begun)):
        return False
    try:
        parse_json(begun)
    except ValueError:
        return True
    return False


def _fields_of(line: bytes) -> dict[str, Any] | None:
    """Return what a line of the trail says; None for anything else."""
    try:
        fields = parse_json(line)
    except ValueError:
        return None
    return fields if isinstance(fields, dict) and "before" in fields else None
