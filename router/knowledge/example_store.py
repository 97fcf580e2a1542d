"""The file that holds examples, shared by all processes of a bot."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from router.knowledge.kept import Kept
from router.knowledge.sqlite_file import VectorFile

_COLUMNS = "connection, schema, question, sql, who, at, checked, problem"
_TABLES = """
CREATE TABLE IF NOT EXISTS examples (
    id TEXT PRIMARY KEY, connection TEXT NOT NULL, schema TEXT NOT NULL, question TEXT NOT NULL, sql TEXT NOT NULL,
    who TEXT NOT NULL, at TEXT NOT NULL, checked TEXT NOT NULL, problem TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS drafts (
    id TEXT PRIMARY KEY, connection TEXT NOT NULL, schema TEXT NOT NULL, question TEXT NOT NULL, sql TEXT NOT NULL,
    at TEXT NOT NULL, replaces TEXT NOT NULL
);
"""

MOST_DRAFTS = 200
"""Previews that can be saved at a time; older ones have to be shown anew."""


class ExampleStore(VectorFile):
    """Examples in one SQLite file; safe to use from several threads, and by several processes."""

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        super().__init__(path, _TABLES)
        self._file.execute("PRAGMA synchronous=NORMAL")
        self._clock = clock

    def now(self) -> str:
        """Return the present time as it is kept."""
        return self._clock().astimezone(UTC).isoformat(timespec="seconds")

    def version(self) -> int:
        """Return what is another one once anybody kept or removed an example, in whatever process."""
        return int(self._do("PRAGMA user_version")[0][0])

    def every(self, connection: str = "", schema: str | None = None) -> list[Kept]:
        """Return all examples, or those of a connection, or of one schema of it, in their order."""
        rows = [Kept(*row) for row in self._do(f"SELECT {_COLUMNS} FROM examples")]
        wanted = connection.casefold()
        of_it = (each for each in rows if not wanted or each.connection.casefold() == wanted)
        return sorted((each for each in of_it if schema in (None, each.schema)), key=lambda each: each.order)

    def get(self, id: str) -> Kept | None:
        """Return an example by its id."""
        rows = self._do(f"SELECT {_COLUMNS} FROM examples WHERE id = ?", id)
        return Kept(*rows[0]) if rows else None

    def keep(self, kept: Iterable[Kept]) -> None:
        """Keep examples, all of them or none, each in place of an earlier one with the same question."""
        with self._changing():
            self._outdate()
            for each in kept:
                values = (each.connection, each.schema, each.question, each.sql)
                state = (each.by, each.at or self.now(), each.checked, each.problem)
                self._file.execute(
                    "INSERT OR REPLACE INTO examples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (each.id, *values, *state)
                )
            self._drop_vectors()

    def remove(self, id: str) -> Kept | None:
        """Remove an example and return it; None where there is none of this id (any more)."""
        found = self.get(id)
        with self._changing():
            self._outdate()
            gone = self._file.execute("DELETE FROM examples WHERE id = ?", (id,)).rowcount
            self._drop_vectors()
        return found if gone else None

    def mark(self, kept: Kept, problem: str) -> Kept:
        """Note that the database looked at an example now, and what was wrong; nothing where it changed meanwhile."""
        looked = replace(kept, checked=self.now(), problem=problem)
        with self._changing():
            self._file.execute(
                "UPDATE examples SET checked = ?, problem = ? WHERE id = ? AND sql = ?",
                (looked.checked, problem, kept.id, kept.sql),
            )
        return looked

    def draft(self, kept: Kept, replaces: str) -> str:
        """Keep what is shown to somebody until they press Save, and return the preview's id."""
        said = "\0".join((kept.id, kept.question, kept.sql, replaces))
        id = sha256(said.encode()).hexdigest()[:16]
        with self._changing():
            values = (id, kept.connection, kept.schema, kept.question, kept.sql, self.now(), replaces)
            self._file.execute("INSERT OR REPLACE INTO drafts VALUES (?, ?, ?, ?, ?, ?, ?)", values)
            self._file.execute(
                "DELETE FROM drafts WHERE rowid NOT IN (SELECT rowid FROM drafts ORDER BY at DESC, rowid DESC LIMIT ?)",
                (MOST_DRAFTS,),
            )
        return id

    def drafted(self, id: str) -> tuple[Kept, str] | None:
        """Return what was shown under this id, and the SQL that it was said to replace."""
        rows = self._do("SELECT connection, schema, question, sql, replaces FROM drafts WHERE id = ?", id)
        return (Kept(*rows[0][:4]), str(rows[0][4])) if rows else None

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Change examples in one transaction, which a kill leaves done or not done."""
        with self._lock:
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._file.execute("ROLLBACK")
                raise
            self._file.execute("COMMIT")

    def _outdate(self) -> None:
        """Have the examples be of another version; a part of the change, for all processes."""
        [(version,)] = self._file.execute("PRAGMA user_version").fetchall()
        self._file.execute(f"PRAGMA user_version = {int(version) + 1}")

    def _drop_vectors(self) -> None:
        """Delete the vectors of questions that are no example's any more."""
        self._file.execute("DELETE FROM vectors WHERE question NOT IN (SELECT question FROM examples)")

    def _do(self, statement: str, *values: str) -> list[tuple[str, ...]]:
        with self._lock, closing(self._file.execute(statement, values)) as cursor:
            return cursor.fetchall()
