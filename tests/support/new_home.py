"""The database of a new home, whose tables are made once in a process: thousands of tests want one."""

from pathlib import Path

from router.storage.database import DATABASE_FILE, Database, home_database
from tests.support.shop import built_once


@built_once
def _write(path: Path) -> Path:
    """Write the file of a new home's database."""
    home_database(path.parent).close()
    return path.with_name(DATABASE_FILE)


def new_database(home: Path) -> Database:
    """Open the database of a home, after its file was written where there is none."""
    file = home / DATABASE_FILE
    if not file.exists():
        home.mkdir(parents=True, exist_ok=True)
        _write(file)
    return home_database(home)
