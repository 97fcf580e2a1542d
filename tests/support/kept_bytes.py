"""All the words that a bot keeps in the files of a home."""

import sqlite3
import zlib
from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from pathlib import Path


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
