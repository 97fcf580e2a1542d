"""Rows that come in another order than they are needed in, sorted by a temporary SQLite file in bounded memory."""

import sqlite3
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from router.errors import JobFailed
from router.sql.comparing.difference import Row
from router.sql.comparing.keys import Keys
from router.sql.comparing.packing import packed_key, packed_row, unpacked_row

# Nobody else reads the file, and it is gone with this comparison: a journal would only cost time.
_SETTINGS = ("journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE", "cache_size=-8000", "temp_store=FILE")


def sorted_rows(
    batches: Iterable[list[Row]], keys: Keys, batch: int, folder: Path | None = None
) -> Generator[list[Row]]:
    """Give all rows in the order of their keys; raises JobFailed where the disk is full.

    The file is in `folder`, or where the system has temporary files, until the last row was given.
    """
    with (
        TemporaryDirectory(prefix="icc-bot-", dir=folder, ignore_cleanup_errors=True) as name,
        _disk(),
        closing(sqlite3.connect(Path(name, "rows"), isolation_level=None, check_same_thread=False)) as file,
    ):
        for setting in _SETTINGS:
            file.execute(f"PRAGMA {setting}")
        file.execute("CREATE TABLE rows (key BLOB, row TEXT)")
        file.execute("BEGIN")
        for rows in batches:
            keyed = zip(map(packed_key, keys.of(rows)), map(packed_row, rows), strict=True)
            file.executemany("INSERT INTO rows VALUES (?, ?)", keyed)
        found = file.execute("SELECT row FROM rows ORDER BY key, rowid")
        while texts := found.fetchmany(batch):
            yield [unpacked_row(text) for (text,) in texts]


@contextmanager
def _disk() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise JobFailed(
            f"The rows cannot be sorted on the disk ({error}), so nothing was compared. "
            "Tell whoever runs the bot, then compare again."
        ) from error
