"""What a bot keeps: the bytes of each file of a home and of each table of a database, and all the words."""

import sqlite3
import zlib
from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from pathlib import Path

from tests.support.postgres import PostgresDatabase

RESULTS, LOG = "results", "log"
"""Folders of a home that grow by what was read, and by what the log is told."""

Sizes = dict[str, int]


def home_sizes(home: Path) -> Sizes:
    """Return the bytes of each table and index of a home's databases, and of everything else by its first folder.

    Pages of a database's log count as they will once they are in the database; free pages count as such.
    """
    sizes: Sizes = {}
    for path in sorted(each for each in home.rglob("*") if each.is_file()):
        top = path.relative_to(home).parts[0]
        if top.endswith((".sqlite-wal", ".sqlite-shm")):
            continue
        found = _table_sizes(path) if top.endswith(".sqlite") else {top: path.stat().st_size}
        for name, size in found.items():
            sizes[name] = sizes.get(name, 0) + size
    return sizes


def server_sizes(database: PostgresDatabase) -> Sizes:
    """Return the bytes of each table and index of a server's database, once the room of dead rows is free again."""
    with database.connect() as connection:
        connection.execute("VACUUM")
        rows = connection.execute(
            """SELECT relname, pg_table_size(oid) FROM pg_class
                WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')"""
        ).fetchall()
    return {f"server {name}": size for name, size in rows}


def beside_results(sizes: Sizes) -> Sizes:
    """Return the sizes without rows that were read, which expire, and without the log, which begins anew."""
    return {name: size for name, size in sizes.items() if not name.startswith((RESULTS, LOG, "server result"))}


def words_kept(home: Path, but: Collection[str] = ()) -> bytes:
    """Return what the files of a home hold, `but` those of these names; what is compressed in databases, as it was."""
    files = [path for path in sorted(home.rglob("*")) if path.is_file() and path.name not in but]
    texts = [text for path in files if path.suffix == ".sqlite" for text in unpacked(path)]
    return b"\n".join([*(path.read_bytes() for path in files), *texts])


def unpacked(path: Path) -> Iterator[bytes]:
    """Give what is compressed in a database, as it was."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file:
        for (table,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in file.execute(f'SELECT * FROM "{table}"'):
                for value in row:
                    if isinstance(value, bytes):
                        with suppress(zlib.error):
                            yield zlib.decompress(value)


def _table_sizes(path: Path) -> Sizes:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file:
        rows = file.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").fetchall()
        (free,) = file.execute("PRAGMA freelist_count").fetchone()
        (page,) = file.execute("PRAGMA page_size").fetchone()
    return {f"{path.name} {name}": size for name, size in [*rows, ("(free pages)", free * page)]}
