"""The audit trail."""

import json
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from router.errors import JobFailed
from router.jobs.audit import Audit, AuditEntry
from router.jobs.audit_check import Verified, verify
from router.jobs.audit_seal import TrailHead, head_path, key_path

ROOT = Path(__file__).parents[3]


def now() -> datetime:
    return datetime(2026, 3, 1, 12, tzinfo=UTC)


def trail(path: Path, *events: Any) -> None:
    audit = Audit(path, now)
    for event in events:
        audit.add(AuditEntry(event))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_line(tmp_path: Path) -> None:
    """A line holds what is known, the time in UTC, its number and its seal; only the bot's user reads it."""
    path = tmp_path / "new" / "audit.jsonl"
    audit = Audit(path, now)
    audit.add(AuditEntry("finished", who="test:ana", sql="SELECT 'ä'", rows=0, seconds=1.5, outcome="done"))
    expected = {
        "time": "2026-03-01T12:00:00.000+00:00",
        "event": "finished",
        "who": "test:ana",
        "sql": "SELECT 'ä'",
        "rows": 0,
        "seconds": 1.5,
        "outcome": "done",
        "number": 1,
        "mac": verify(path).head.mac,
    }
    assert lines(path) == [expected]
    files = sorted(path.parent.iterdir())
    assert [file.name for file in files] == ["audit.head", "audit.jsonl", "audit.key"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_whole(tmp_path: Path) -> None:
    """A trail that nobody touched verifies, across restarts."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked", "generated")
    trail(path, "approved")
    found = verify(path)
    assert found == Verified(3, (), (), TrailHead(3, lines(path)[-1]["mac"]))


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        (lambda lines: [lines[0], lines[1].replace("generated", "rejected"), *lines[2:]], (2, 3)),
        (lambda lines: [*lines[:3], lines[3].replace("started", "stopped")], (4,)),
        (lambda lines: [lines[0], *lines[2:]], (2,)),
        (lambda lines: lines[1:], (1,)),
        (lambda lines: [lines[0], lines[2], lines[1], lines[3]], (2, 3, 4)),
        (lambda lines: [lines[0], lines[0], *lines[1:]], (2,)),
        (lambda lines: [lines[0], "\n", *lines[1:]], (2,)),
        (lambda lines: [*lines, '{"event": "approved", "who": "boss", "sql": "x"}\n'], (5,)),
        (lambda lines: [*lines, '{"time": "2026-03-01T12:00:00.000+00:00", "event": "approved"}'], (5,)),
        (lambda lines: [*lines, '{"time": "2026-03-01T12:00:00.000+00:00", "event": "approved"\n'], (5,)),
        (lambda lines: [*lines, "approved by the boss"], (5,)),
    ],
)
def test_tampering(tmp_path: Path, change: Any, broken: tuple[int, ...]) -> None:
    """A line that was changed, taken out, moved or put in shows, the last one too."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked", "generated", "approved", "started")
    path.write_text("".join(change(path.read_text().splitlines(keepends=True))))
    assert verify(path).broken == broken


def test_torn_line(tmp_path: Path) -> None:
    """A line torn by a kill stays as it is; the next one begins on its own."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked")
    head = head_path(path).read_bytes()
    trail(path, "generated")
    path.write_bytes(path.read_bytes()[:-30])
    head_path(path).write_bytes(head)  # a kill in the middle of a line comes before the head
    trail(path, "approved")
    found = verify(path)
    assert found == Verified(2, (2,), (), TrailHead(2, found.head.mac))


@pytest.mark.parametrize("piece", [b'{"ti', b'{"time": "2026-03-01T12:00:00.000+00:00", "event": "as', b"\0" * 90])
def test_what_a_crash_leaves(tmp_path: Path, piece: bytes) -> None:
    """The beginning of a line, or zeros where the disk took nothing, is torn and no alarm."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked")
    path.write_bytes(path.read_bytes() + piece)
    assert (verify(path).torn, verify(path).broken, verify(path).alarms) == ((2,), (), ())
    trail(path, "generated")
    assert (verify(path).torn, verify(path).broken, verify(path).alarms) == ((2,), (), ())


def test_a_line_that_was_put_in_as_torn(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is told at the start and, for ever, in the next line; its own line is broken."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked")
    path.write_text(path.read_text() + '{"event": "approved", "who": "boss", "sql": "x"}\n')
    assert verify(path).alarms == ("something was put in at the end.",)
    trail(path, "asked")
    assert "was changed: something was put in at the end. Compare" in caplog.records[0].message
    assert (verify(path).torn, verify(path).broken) == ((), (2,))
    assert verify(path).alarms == ("when line 3 was added, something was put in at the end.",)


def test_long_lines(tmp_path: Path) -> None:
    """A line longer than the block that is read at once is hashed whole."""
    path = tmp_path / "audit.jsonl"
    audit = Audit(path, now)
    for length in (10, 65_000, 200_000, 10):
        audit.add(AuditEntry("generated", sql="x" * length))
    assert verify(path).broken == ()


def test_many_writers(tmp_path: Path) -> None:
    """Threads, and two openings of one file as two processes would have, write one unbroken chain."""
    path = tmp_path / "audit.jsonl"
    audits = [Audit(path, now), Audit(path, now)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda turn: audits[turn % 2].add(AuditEntry("asked", thread=str(turn))), range(40)))
    threads = sorted(int(line["thread"]) for line in lines(path))
    assert (threads, verify(path).broken) == (list(range(40)), ())


def test_cannot_be_written(tmp_path: Path) -> None:
    """A trail that cannot be written is a sentence that says nothing runs without it."""
    with pytest.raises(JobFailed, match=r"^The audit trail .* cannot be written \(.*\); nothing runs without it[.]"):
        Audit(tmp_path, now)


CUTS = {
    "cut": (lambda text: text[: text.rindex(b"\n", 0, -1) + 1], "line 4 was missing at the end"),
    "cut more": (lambda text: text[: text.index(b"\n") + 1], "lines 2 to 4 were missing at the end"),
    "emptied": (lambda text: b"", "lines 1 to 4 were missing at the end"),
    "half a line cut": (lambda text: text[:-9], "line 4 was missing at the end"),
}


@pytest.mark.parametrize("name", CUTS)
def test_a_cut_end(name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What was cut off shows at once, at the next start, and in the line that is added after it, for ever."""
    change, said = CUTS[name]
    path = tmp_path / "audit.jsonl"
    trail(path, "asked", "generated", "approved", "started")
    path.write_bytes(change(path.read_bytes()))
    assert verify(path).alarms == (f"{said}.",)
    trail(path, "asked")
    assert caplog.records[0].message == f"The audit trail {path} was changed: {said}. Compare it with your copy."
    last = lines(path)[-1] if name != "half a line cut" else json.loads(path.read_text().splitlines()[-1])
    assert (last["number"], last["alarm"]) == (5, said)
    trail(path, "asked")
    (alarm,) = verify(path).alarms
    assert alarm.endswith(f"was added, {said}.")
    assert verify(path).broken == ()


@pytest.mark.parametrize("at_work", [False, True])
def test_a_removed_trail(at_work: bool, tmp_path: Path) -> None:
    """A trail that was removed shows, also if the bot was at work meanwhile; no line is lost in what is gone."""
    path = tmp_path / "audit.jsonl"
    audit = Audit(path, now)
    audit.add(AuditEntry("asked"))
    path.unlink()
    assert verify(path).alarms == ("the trail was removed.",)
    if not at_work:
        audit = Audit(path, now)
    audit.add(AuditEntry("asked"))
    assert verify(path).alarms == ("when line 1 was added, line 1 was missing at the end.",)


def test_an_older_copy(tmp_path: Path) -> None:
    """A copy of yesterday in the place of the trail shows."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked", "generated")
    older = path.read_bytes()
    trail(path, "approved", "started")
    (tmp_path / "copy").write_bytes(older)
    (tmp_path / "copy").replace(path)
    assert verify(path).alarms == ("lines 3 to 4 were missing at the end.",)


def test_a_trail_of_other_lines(tmp_path: Path) -> None:
    """Lines without a MAC, which anybody can write, do not pass for the trail, with its head, its key or without."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked", "generated")
    unsealed(path, "asked", "stopped")
    assert (verify(path).broken, verify(path).alarms) == ((1, 2), ("lines 1 to 2 were missing at the end.",))
    head_path(path).unlink()
    (alarm,) = verify(path).alarms
    assert alarm.startswith("it was sealed with another key")
    key_path(path).unlink()
    with pytest.raises(JobFailed, match=r"its key .* is missing"):
        trail(path, "asked")


@pytest.mark.parametrize("change", ["head changed", "head removed", "older head"])
def test_the_head(change: str, tmp_path: Path) -> None:
    """A head that was changed or removed shows, and is made again; one that a kill left behind is no trouble."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked")
    older = head_path(path).read_bytes()
    trail(path, "generated")
    if change == "head changed":
        head_path(path).write_bytes(head_path(path).read_bytes().replace(b"2 ", b"1 ", 1))
    elif change == "head removed":
        head_path(path).unlink()
    else:
        head_path(path).write_bytes(older)
    said = {"head changed": "the head in audit.head was changed", "head removed": "the head in audit.head was missing"}
    assert verify(path).alarms == tuple(f"{said[change]}." for _ in range(change in said))
    trail(path, "approved")
    assert lines(path)[-1].get("alarm") == said.get(change)
    assert (verify(path).broken, verify(path).head.number) == ((), 3)
    assert head_path(path).read_text().startswith(f"{3:020} {verify(path).head.mac}")


def test_a_missing_key(tmp_path: Path) -> None:
    """Without its key a trail goes on no more: the sentence says what to put back, and the check says so, too."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked")
    key = key_path(path).read_text()
    key_path(path).unlink()
    with pytest.raises(JobFailed, match=r"its key .*audit\.key is missing; put it back from your backup"):
        Audit(path, now)
    (alarm,) = verify(path).alarms
    assert alarm.startswith("its key ")
    audit = Audit(path, now, key)  # a key may be moved from the file to the settings
    audit.add(AuditEntry("generated"))
    assert (verify(path, key).alarms, verify(path, key).lines) == ((), 2)


def test_another_key(tmp_path: Path) -> None:
    """No line is added with another key; none shows in what is said."""
    path = tmp_path / "audit.jsonl"
    other = "another key of more than thirty-two characters"
    trail(path, "asked")
    with pytest.raises(JobFailed, match="was sealed with another key; give it the one that it had") as failed:
        Audit(path, now, other)
    assert other not in str(failed.value)
    assert verify(path, other).broken == (1,)


def test_a_given_key_is_not_written(tmp_path: Path) -> None:
    """The key of the settings stays there: the folder alone is not enough to make a line."""
    path = tmp_path / "audit.jsonl"
    key = "a key of more than thirty-two characters"
    audit = Audit(path, now, key)
    audit.add(AuditEntry("asked"))
    assert not key_path(path).exists()
    assert not [file for file in tmp_path.iterdir() if key.encode() in file.read_bytes()]
    assert (verify(path, key).broken, verify(path, key).alarms) == ((), ())


def test_a_line_without_a_seal_after_a_sealed_one(tmp_path: Path) -> None:
    """It does not pass."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked")
    unsealed(path, "stopped")
    found = verify(path)
    assert (found.broken, found.alarms) == ((2,), ("something was put in at the end.",))


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from router.jobs.audit import Audit, AuditEntry
audit = Audit(Path(sys.argv[1]), lambda: datetime.now(UTC))
for number in range(int(sys.argv[2])):
    audit.add(AuditEntry("asked", thread=f"{sys.argv[3]}-{number}"))
"""


def writer(path: Path, lines: int, name: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(lines), name], cwd=ROOT)


def test_two_processes(tmp_path: Path) -> None:
    """Two processes that begin one trail at the same time write one chain, with one key."""
    path = tmp_path / "audit.jsonl"
    processes = [writer(path, 200, name) for name in ("a", "b")]
    assert [process.wait(60) for process in processes] == [0, 0]
    found = verify(path)
    assert (found.lines, found.torn, found.broken, found.alarms, found.head.number) == (400, (), (), (), 400)


@pytest.mark.thorough
def test_kills(tmp_path: Path) -> None:
    """Whenever the writer is killed, between a line and its head too, the trail is whole and goes on."""
    path = tmp_path / "audit.jsonl"
    for turn in range(12):
        process, before = writer(path, 1_000_000, str(turn)), path.stat().st_size if path.exists() else 0
        while not path.exists() or path.stat().st_size < before + 2_000 + 137 * turn:
            assert process.poll() is None
        process.kill()
        process.wait(60)
        found = verify(path)
        assert (found.broken, found.alarms) == ((), ())


def test_killed_between_line_and_head(tmp_path: Path) -> None:
    """The head may lag behind by a line; the next one brings it up to date."""
    path = tmp_path / "audit.jsonl"
    trail(path, "asked")
    older = head_path(path).read_bytes()
    trail(path, "generated")
    head_path(path).write_bytes(older)
    trail(path, "approved")
    assert (verify(path).alarms, verify(path).head.number) == ((), 3)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    assert verify(path).alarms == ("line 3 was missing at the end.",)


def unsealed(path: Path, *events: str) -> None:
    """Add a line without a MAC to what is there, or put several in its place."""
    text = path.read_bytes() if path.exists() and len(events) == 1 else b""
    for event in events:
        text += json.dumps({"time": "2026-02-01T12:00:00.000+00:00", "event": event, "number": 1}).encode() + b"\n"
    path.write_bytes(text)
