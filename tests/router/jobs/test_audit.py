"""The audit trail."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from router.errors import JobFailed
from router.jobs.audit import Audit, Entry, Verified, verify


def now() -> datetime:
    return datetime(2026, 3, 1, 12, tzinfo=UTC)


def trail(path: Path, *events: Any) -> None:
    audit = Audit(path, now)
    for event in events:
        audit.add(Entry(event))
    audit.close()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_line(tmp_path: Path) -> None:
    """A line holds what is known, the time in UTC, and the hash of the line before; only the bot's user reads it."""
    path = tmp_path / "new" / "audit.jsonl"
    audit = Audit(path, now)
    audit.add(Entry("finished", who="test:ana", sql="SELECT 'ä'", rows=0, seconds=1.5, outcome="done"))
    audit.close()
    expected = {
        "time": "2026-03-01T12:00:00.000+00:00",
        "event": "finished",
        "who": "test:ana",
        "sql": "SELECT 'ä'",
        "rows": 0,
        "seconds": 1.5,
        "outcome": "done",
        "before": "0" * 64,
    }
    assert (lines(path), stat.S_IMODE(path.stat().st_mode)) == ([expected], 0o600)


def test_whole(tmp_path: Path) -> None:
    """A trail that nobody touched verifies, across restarts."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked", "generated")
    trail(path, "approved")
    found = verify(path)
    assert (found, found.lines) == (Verified(3, (), (), found.last), 3)


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        (lambda lines: [lines[0], lines[1].replace("generated", "rejected"), *lines[2:]], (3,)),
        (lambda lines: [lines[0], *lines[2:]], (2,)),
        (lambda lines: lines[1:], (1,)),
        (lambda lines: [lines[0], lines[2], lines[1], lines[3]], (2, 3, 4)),
        (lambda lines: [lines[0], lines[0], *lines[1:]], (2,)),
        (lambda lines: [lines[0], "\n", *lines[1:]], (3,)),
    ],
)
def test_tampering(tmp_path: Path, change: Any, broken: tuple[int, ...]) -> None:
    """A line that was changed, taken out, moved or put in shows at the line after."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked", "generated", "approved", "started")
    path.write_text("".join(change(path.read_text().splitlines(keepends=True))))
    assert verify(path).broken == broken


def test_cut_off(tmp_path: Path) -> None:
    """Lines cut off from the end show in the hash of the last line, where that was kept elsewhere."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked", "generated")
    kept = verify(path).last
    path.write_text(path.read_text().splitlines(keepends=True)[0])
    assert (verify(path).broken, verify(path).last == kept) == ((), False)


def test_torn_line(tmp_path: Path) -> None:
    """A line torn by a kill stays as it is; the next one begins on its own and vouches for it."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked", "generated")
    path.write_bytes(path.read_bytes()[:-30])
    trail(path, "approved")
    found = verify(path)
    tampered = path.read_text().replace("generated", "exported!")
    path.write_text(tampered)
    assert (found, verify(path).broken) == (Verified(2, (2,), (), found.last), (3,))


def test_long_lines(tmp_path: Path) -> None:
    """A line longer than the block that is read at once is hashed whole."""
    path = tmp_path / "audit.jsonl"
    audit = Audit(path, now)
    for length in (10, 65_000, 200_000, 10):
        audit.add(Entry("generated", sql="x" * length))
    audit.close()
    assert verify(path).broken == ()


def test_many_writers(tmp_path: Path) -> None:
    """Threads, and two openings of one file as two processes would have, write one unbroken chain."""
    path = tmp_path / "audit.jsonl"
    audits = [Audit(path, now), Audit(path, now)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda turn: audits[turn % 2].add(Entry("asked", thread=str(turn))), range(40)))
    for audit in audits:
        audit.close()
    threads = sorted(int(line["thread"]) for line in lines(path))
    assert (threads, verify(path).broken) == (list(range(40)), ())


def test_cannot_be_written(tmp_path: Path) -> None:
    """A trail that cannot be written is a sentence that says nothing runs without it."""
    with pytest.raises(JobFailed, match=r"^The audit trail .* cannot be written \(.*\); nothing runs without it[.]"):
        Audit(tmp_path, now)
