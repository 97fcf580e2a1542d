"""The sample databases on disk: built at the first start, and again when they have grown old."""

import os
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

from bot.demo.company import build_company, stamp
from bot.demo.warehouse import build_warehouse
from router.errors import SettingsError

KEPT_DAYS = 7
"""A company that ends at most so many days ago still answers questions about this week."""


def ensure_samples(folder: Path, today: date, progress: Callable[[str], None] | None = None) -> tuple[Path, Path]:
    """Return the company's and the warehouse's files in `folder`, built anew unless they are whole and young enough.

    Both end read-only. Processes that start at once build the same rows under names of their own, and each puts its
    files in place in one step; whoever reads the old ones meanwhile keeps them. Raises SettingsError where the folder
    cannot be written.
    """
    company, warehouse = folder / "company.db", folder / "warehouse.db"
    if are_fresh(folder, today):
        return company, warehouse
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".building-") as room:
            new_company, new_warehouse = Path(room, company.name), Path(room, warehouse.name)
            build_company(new_company, today, progress)
            if progress:
                progress("Building the sample warehouse")
            build_warehouse(new_warehouse, new_company)
            _put(new_company, company)
            _put(new_warehouse, warehouse)
    except (OSError, sqlite3.Error) as error:
        raise SettingsError(
            [
                f"The sample databases could not be built in {folder} ({error}). Nothing else was touched. "
                "Make room there, or choose another folder, and start again."
            ]
        ) from error
    return company, warehouse


def are_fresh(folder: Path, today: date) -> bool:
    """Tells whether both were built together, by this generator, within the last days (and not in the future)."""
    mark = _read_stamp(folder / "company.db")
    return mark is not None and mark == _read_stamp(folder / "warehouse.db") and 0 <= stamp(today) - mark <= KEPT_DAYS


def _read_stamp(path: Path) -> int | None:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            return int(db.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return None


def _put(new: Path, place: Path) -> None:
    new.chmod(0o444)
    if os.name == "nt" and place.exists():
        place.chmod(0o644)  # Windows replaces no read-only file
    new.replace(place)
