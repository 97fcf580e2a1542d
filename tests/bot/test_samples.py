"""The samples on disk are whole, young and read-only, whoever starts when."""

import shutil
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.demo.company import stamp
from bot.demo.samples import KEPT_DAYS, ensure_samples
from router.errors import SettingsError

TODAY = date(2026, 10, 15)


def one(db: sqlite3.Connection, sql: str) -> Any:
    """Return the first value of the first row."""
    return db.execute(sql).fetchone()[0]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    ensure_samples(folder, TODAY)
    return folder


def test_samples_are_kept_for_a_week(built: Path, tmp_path: Path) -> None:
    """The samples are read-only, kept for a week, and built again after it or for an earlier day."""
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)

    def end(day: date) -> str:
        company, warehouse = ensure_samples(tmp_path, day)
        assert [stat.S_IMODE(path.stat().st_mode) for path in (company, warehouse)] == [0o444, 0o444]
        with closing(sqlite3.connect(company)) as db:
            return str(one(db, "SELECT max(order_date) FROM orders"))

    assert end(TODAY + timedelta(days=KEPT_DAYS)) == "2026-10-15"
    assert end(TODAY + timedelta(days=KEPT_DAYS + 1)) == "2026-10-23"
    assert end(TODAY) == "2026-10-15"


@pytest.mark.parametrize("damage", ["older", "cut", "gone"])
def test_unusable_samples_are_replaced(built: Path, tmp_path: Path, damage: str) -> None:
    """Files of an older generator, damaged files and half a pair are built anew."""
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    company, warehouse = tmp_path / "company.db", tmp_path / "warehouse.db"
    company.chmod(0o644)
    if damage == "older":
        with closing(sqlite3.connect(company)) as db:
            db.execute(f"PRAGMA user_version = {stamp(TODAY) - 1_000_000}")
    elif damage == "cut":
        company.write_bytes(b"not a database, but long enough to be looked at" * 100)
    else:
        warehouse.unlink()
    said: list[str] = []
    ensure_samples(tmp_path, TODAY, said.append)
    assert said[-1] == "Building the sample warehouse"
    with closing(sqlite3.connect(company)) as db, closing(sqlite3.connect(warehouse)) as copy:
        assert [stamp(TODAY)] * 2 == [one(file, "PRAGMA user_version") for file in (db, copy)]


def test_two_starts_at_once(tmp_path: Path) -> None:
    """Two that start at once both get whole files and leave nothing else behind."""
    folder = tmp_path / "new" / "folder"
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: ensure_samples(folder, TODAY), range(2))
    assert first == second
    for path in first:
        with closing(sqlite3.connect(path)) as db:
            assert one(db, "PRAGMA integrity_check") == "ok"
    assert sorted(file.name for file in folder.iterdir()) == ["company.db", "warehouse.db"]


def test_a_folder_that_cannot_be_is_a_sentence(tmp_path: Path) -> None:
    """Where the folder cannot be made, the person reads which, why, and what to do."""
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SettingsError, match=r"could not be built in .*file.*choose another folder"):
        ensure_samples(tmp_path / "file", TODAY)
