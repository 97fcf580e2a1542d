"""Rows that come in another order than they are needed in, sorted by a temporary SQLite file in bounded memory."""

import os
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from shutil import disk_usage
from tempfile import mkstemp

from router.errors import JobFailed
from router.sql.comparing.difference import Row
from router.sql.comparing.keys import Keys
from router.sql.comparing.packing import packed_key, packed_row, unpacked_row
from router.sql.databases.weight import Scale, gathered, rows_weight

# Nobody else reads the file, and it is gone with this comparison: a journal would only cost time. Its lock tells that
# somebody works with it.
_SETTINGS = ("journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE", "cache_size=-8000", "temp_store=FILE")

_PAGE = 4096
"""Bytes of a page of the file."""

WIDE = 10_000
"""Bytes of a row on the average from which the rows are not sorted, but put in order one by one."""

_STEPS = 100_000
"""Steps of SQLite, of which a row takes some ten, between two looks."""


def sorted_rows(
    batches: Iterable[list[Row]],
    keys: Keys,
    batch: int,
    folder: Path | None = None,
    look: Callable[[], None] = lambda: None,
    largest: int | None = None,
) -> Generator[list[Row]]:
    """Give all rows in the order of their keys; raises JobFailed where the disk is full.

    The file is in `folder`, or where the system has temporary files, until the last row was given; it has at most
    `largest` bytes, or takes half of what is free on the disk. `look` is called now and then, and after each batch;
    what it raises is raised.
    """
    with _disk(), _file(folder, largest) as file, _watched(file, look):
        file.execute("CREATE TABLE rows (key BLOB, row TEXT)")
        file.execute("BEGIN")
        count = weighed = 0
        for rows in batches:
            keyed = zip(map(packed_key, keys.of(rows)), map(packed_row, rows), strict=True)
            file.executemany("INSERT INTO rows VALUES (?, ?)", keyed)
            count += len(rows)
            weighed += rows_weight(rows)
        wide = weighed > WIDE * count
        found = _by_tree(file, count, look) if wide else file.execute("SELECT row FROM rows ORDER BY key, rowid")
        texts = Scale(1, flat=[0])
        while some := gathered(lambda most: list(islice(found, most)), texts, batch):
            yield [unpacked_row(text) for (text,) in some]
            look()


def _by_tree(file: sqlite3.Connection, count: int, look: Callable[[], None]) -> Iterator[tuple[str]]:
    """Give the rows in the order of their keys, by a tree on the disk: SQLite holds one wide key at a time for it.

    Where it sorts, it holds some dozens, and the rows with them.
    """
    file.execute("CREATE TABLE tree (key BLOB, number INTEGER, PRIMARY KEY (key, number)) WITHOUT ROWID")
    for number in range(1, count + 1):
        file.execute("INSERT INTO tree SELECT key, rowid FROM rows WHERE rowid = ?", (number,))
        look()
    for (number,) in file.execute("SELECT number FROM tree ORDER BY key, number"):
        yield file.execute("SELECT row FROM rows WHERE rowid = ?", (number,)).fetchone()


@contextmanager
def _file(folder: Path | None, largest: int | None) -> Iterator[sqlite3.Connection]:
    """Lend a file of which the killed are found, and deleted, among other halves of results."""
    handle, name = mkstemp(".part", "icc-bot-", folder)
    os.close(handle)
    path = Path(name)
    try:
        with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as file:
            for setting in (f"page_size={_PAGE}", *_SETTINGS):
                file.execute(f"PRAGMA {setting}")
            room = disk_usage(path.parent).free // 2 if largest is None else largest
            file.execute(f"PRAGMA max_page_count={max(1, room // _PAGE)}")
            yield file
    finally:
        with suppress(OSError):
            path.unlink()


@contextmanager
def _watched(file: sqlite3.Connection, look: Callable[[], None]) -> Iterator[None]:
    """Have `look` called while SQLite works, which it does for long where many rows are sorted."""
    raised: list[BaseException] = []

    def looked() -> bool:
        try:
            look()
        except BaseException as error:  # which SQLite would not pass on
            raised.append(error)
        return bool(raised)

    file.set_progress_handler(looked, _STEPS)
    try:
        yield
    except sqlite3.OperationalError:
        if raised:
            raise raised[0] from None
        raise


@contextmanager
def _disk() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise JobFailed(
            f"The rows cannot be sorted on the disk ({error}), so nothing was compared. "
            "Tell whoever runs the bot, then compare again."
        ) from error
