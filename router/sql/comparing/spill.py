"""Rows that come in another order than they are needed in, sorted by a temporary SQLite file in bounded memory."""

import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from decimal import Decimal
from itertools import islice
from pathlib import Path
from shutil import disk_usage
from tempfile import NamedTemporaryFile
from typing import Any

from router.errors import JobFailed
from router.sql.cell_text import decimal_key
from router.sql.comparing.normal_form import NUMBER, TEXT, TIME, Key, RowKeys
from router.sql.comparing.plan import Row
from router.sql.databases.row_weight import gathered
from router.sql.row_codec import decode, encode

# Encoding for SQLite: keys as bytes in their order.

_TIME_BIAS = 1 << 110  # makes every count of nanoseconds positive


def packed_key(key: Key) -> bytes:
    """Return bytes that are in the order of keys."""
    return b"".join(bytes((rank,)) + _body(rank, value) for rank, value in zip(key[::2], key[1::2], strict=True))


def _body(rank: int, value: Any) -> bytes:
    if rank == NUMBER:
        return decimal_key(Decimal(value))
    if rank == TIME:
        return int(value + _TIME_BIAS).to_bytes(14, "big")
    if not value:
        return b"\x00\x00" if isinstance(value, str | bytes) else b""
    data = value.encode("utf-8", "surrogatepass") if rank == TEXT else value
    return bytes(data).replace(b"\x00", b"\x00\xff") + b"\x00\x00"  # so that a shorter one comes first


# Nobody else reads the file, and it is gone with this comparison: a journal would only cost time. Its lock tells that
# somebody works with it.
_SETTINGS = ("journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE", "cache_size=-8000", "temp_store=FILE")

_PAGE_BYTES = 4096
"""Bytes of a page of the file."""

_SQLITE_STEPS = 100_000
"""Steps of SQLite, of which a row takes some ten, between two looks."""


def sorted_rows(
    batches: Iterable[list[Row]],
    keys: RowKeys,
    batch: int,
    folder: Path | None = None,
    look: Callable[[], None] = lambda: None,
    largest: int | None = None,
) -> Generator[list[Row]]:
    """Give all rows in the order of their keys; raises JobFailed if the disk is full.

    The file is in `folder`, or where the system has temporary files, until the last row was given; it has at most
    `largest` bytes, or takes half of what is free on the disk. `look` is called now and then, and after each batch;
    what it raises is raised.
    """
    with _disk(), _file(folder, largest) as file, _watched(file, look):
        file.execute("CREATE TABLE rows (key BLOB, form BLOB, row BLOB)")
        file.execute("BEGIN")
        for rows in batches:
            keyed = ((packed_key(key), *encode(row)) for key, row in zip(keys.of(rows), rows, strict=True))
            file.executemany("INSERT INTO rows VALUES (?, ?, ?)", keyed)
        found = file.execute("SELECT form, row FROM rows ORDER BY key, rowid")
        while some := gathered(lambda most: list(islice(found, most)), batch):
            yield [decode(*encoded) for encoded in some]
            look()


@contextmanager
def _file(folder: Path | None, largest: int | None) -> Iterator[sqlite3.Connection]:
    """Lend a file of which the killed are found, and deleted, among other halves of results."""
    with (
        NamedTemporaryFile(prefix="icc-bot-", suffix=".part", dir=folder) as lent,
        closing(sqlite3.connect(lent.name, isolation_level=None, check_same_thread=False)) as file,
    ):
        for setting in (f"page_size={_PAGE_BYTES}", *_SETTINGS):
            file.execute(f"PRAGMA {setting}")
        room = disk_usage(Path(lent.name).parent).free // 2 if largest is None else largest
        file.execute(f"PRAGMA max_page_count={max(1, room // _PAGE_BYTES)}")
        yield file


@contextmanager
def _watched(file: sqlite3.Connection, look: Callable[[], None]) -> Iterator[None]:
    """Have `look` called while SQLite works, which it does for long if many rows are sorted."""
    raised: list[BaseException] = []

    def looked() -> bool:
        try:
            look()
        except BaseException as error:  # which SQLite would not pass on
            raised.append(error)
        return bool(raised)

    file.set_progress_handler(looked, _SQLITE_STEPS)
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
            "Tell your administrator, then compare again."
        ) from error
