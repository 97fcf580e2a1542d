"""Rows that are sorted on the disk: what is in the folder meanwhile, how much of it, and how it ends."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from router.errors import JobFailed, Stopped
from router.jobs.results.store import Results
from router.memory.comparing import Tolerances
from router.sql.comparing.normal_form import RowKeys
from router.sql.comparing.spill import sorted_rows

KEYS = RowKeys((0,), ("number",), Tolerances())
ROWS = [(number, "x" * 50) for number in range(20_000, 0, -1)]


def stop() -> None:
    """Be the Stop that somebody pressed."""
    raise Stopped("Stopped.")


def test_what_a_killed_comparison_leaves_is_deleted(tmp_path: Path) -> None:
    """The file of a living comparison stays, that of a dead one goes with the halves of results, at the next start."""
    found = sorted_rows([ROWS[:10]], KEYS, 5, tmp_path)
    next(found)
    (living,) = tmp_path.iterdir()
    shutil.copy(living, tmp_path / "icc-bot-dead.part")  # as a lock is not copied, nobody works with this one

    Results(tmp_path, timedelta(days=7), lambda: datetime.now(UTC)).expire()

    assert [living] == list(tmp_path.iterdir())
    assert 0o600 == living.stat().st_mode & 0o777
    found.close()
    assert [] == list(tmp_path.iterdir())


def test_stop_while_rows_are_sorted(tmp_path: Path) -> None:
    """Stop is heard while SQLite sorts, before any row is given, and between two batches; no file is left."""
    given: list[object] = []

    with pytest.raises(Stopped):
        given += sorted_rows([ROWS], KEYS, 100, tmp_path, stop)
    found = sorted_rows([ROWS[:10]], KEYS, 5, tmp_path, stop)
    next(found)
    with pytest.raises(Stopped):
        next(found)

    assert ([], []) == (given, list(tmp_path.iterdir()))


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """Where the rows do not fit, this is said, nothing is given, and their room is free again."""

    def batches() -> Iterator[list[tuple[int, str]]]:
        for start in range(0, len(ROWS), 1000):
            yield ROWS[start : start + 1000]

    with pytest.raises(JobFailed, match=r"cannot be sorted on the disk.*is full.*nothing was compared"):
        next(sorted_rows(batches(), KEYS, 100, tmp_path, largest=200_000))
    assert [] == list(tmp_path.iterdir())
