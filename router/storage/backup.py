"""A copy of a SQLite file that is in use, as it was at one moment, while whoever uses it goes on."""

import sqlite3
from contextlib import closing
from pathlib import Path

from router.errors import JobFailed


def copy_database(path: Path, folder: Path) -> None:
    """Copy a file into a folder under its name; raises JobFailed where it cannot be read or written."""
    copy = folder / path.name
    copy.touch(mode=0o600)
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)) as source:
            source.execute("VACUUM INTO ?", (str(copy),))  # out of one snapshot, for which nobody waits
    except sqlite3.Error as error:
        raise JobFailed(f"{path} could not be copied ({error}). Delete {folder}, and try again.") from error
