"""A result store in a folder of its own, and a clock that goes when it is told to."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from router.jobs.results.store import Results
from router.memory.thread import ResultRef
from router.sql.databases.session import Described

Keep = Callable[..., ResultRef]


class Clock:
    """Now, until it is set forward."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def results(tmp_path: Path, clock: Clock) -> Results:
    return Results(tmp_path / "results", timedelta(days=7), clock)


@pytest.fixture
def keep(results: Results) -> Keep:
    """Store rows whose columns have these names, in two batches."""

    def keep(rows: Sequence[tuple[Any, ...]], *names: str, cap: int = 1_000_000) -> ResultRef:
        columns = [Described(name, "text") for name in names or [f"c{place}" for place in range(len(rows[0]))]]
        half = len(rows) // 2
        batches = [list(part) for part in (rows[:half], rows[half:]) if part]
        return results.store(columns, batches, cap, lambda rows: None, lambda: 1.5)

    return keep
