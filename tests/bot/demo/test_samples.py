"""The samples on disk are whole, young and read-only, after any order of starts."""

import shutil
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.demo.company import KEPT_DAYS, are_fresh, count_days, ensure_samples
from tests.support.samples import SAMPLE_DAY


def one(db: sqlite3.Connection, sql: str) -> Any:
    """Return the first value of the first row."""
    return db.execute(sql).fetchone()[0]


def copied(samples: Path, folder: Path) -> tuple[Path, Path]:
    """Return files like the samples, whose first may be written to."""
    shutil.copytree(samples, folder, dirs_exist_ok=True)
    company, warehouse = folder / "company.db", folder / "warehouse.db"
    company.chmod(0o644)
    return company, warehouse


def cut(company: Path) -> None:
    """Damage a file."""
    company.write_bytes(b"not a database, but long enough to be looked at" * 100)


@pytest.mark.parametrize("damage", ["older", "cut", "gone"])
def test_unusable_samples_are_not_fresh(samples: Path, tmp_path: Path, damage: str) -> None:
    """Files of an older generator, damaged files and half a pair are no samples."""
    company, warehouse = copied(samples, tmp_path)
    assert are_fresh(tmp_path, SAMPLE_DAY)
    if damage == "older":
        with closing(sqlite3.connect(company)) as db:
            db.execute(f"PRAGMA user_version = {count_days(SAMPLE_DAY) - 1_000_000}")
    elif damage == "cut":
        cut(company)
    else:
        warehouse.unlink()

    assert not are_fresh(tmp_path, SAMPLE_DAY)


@pytest.mark.thorough
def test_unusable_samples_are_replaced(samples: Path, tmp_path: Path) -> None:
    """A sample that is not fresh is built again, for the present day, and is read-only again."""
    company, warehouse = copied(samples, tmp_path)
    cut(company)
    later, said = SAMPLE_DAY + timedelta(days=KEPT_DAYS + 1), list[str]()

    assert (company, warehouse) == ensure_samples(tmp_path, later, said.append)
    assert said[-1] == "Building the sample warehouse"
    assert [stat.S_IMODE(path.stat().st_mode) for path in (company, warehouse)] == [0o444, 0o444]
    with closing(sqlite3.connect(company)) as db, closing(sqlite3.connect(warehouse)) as copy:
        assert [count_days(later)] * 2 == [one(file, "PRAGMA user_version") for file in (db, copy)]
        assert str(later) == one(db, "SELECT max(order_date) FROM orders")


@pytest.mark.thorough
def test_two_starts_at_once(tmp_path: Path) -> None:
    """Two that start at once both get whole files and leave nothing else behind."""
    folder = tmp_path / "new" / "folder"
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: ensure_samples(folder, SAMPLE_DAY), range(2))
    assert first == second
    for path in first:
        with closing(sqlite3.connect(path)) as db:
            assert one(db, "PRAGMA integrity_check") == "ok"
    assert sorted(file.name for file in folder.iterdir()) == ["company.db", "warehouse.db"]
