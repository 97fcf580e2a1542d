"""The sample databases, built once in a run of the tests, whatever its processes: each build takes seconds."""

import fcntl
import os
import shutil
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bot.demo.company import ensure_samples

SAMPLE_DAY = date(2026, 10, 15)
"""The day on which the books of the shared samples end."""


def shared_samples(factory: pytest.TempPathFactory, today: date) -> Path:
    """Return the folder of the samples of a day, which the first test of this run builds."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"samples-{today}"
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ensure_samples(folder, today)
    return folder


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of company.db and warehouse.db, which are read-only."""
    return shared_samples(tmp_path_factory, SAMPLE_DAY)


def put_at_home(home: Path, factory: pytest.TempPathFactory) -> None:
    """Have a bot find the samples of today in its home, as on its second start."""
    shutil.copytree(shared_samples(factory, datetime.now(UTC).date()), home / "samples")


@pytest.fixture
def samples_at_home(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The test's bot finds the samples of today in its home."""
    put_at_home(tmp_path / "home", tmp_path_factory)
