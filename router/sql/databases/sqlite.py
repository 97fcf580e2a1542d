"""SQLite files."""

from typing import Any

from router.sql.databases.file_database import FileDatabase
from router.sql.databases.running import one_line
from router.sql.dialect import DIALECTS


class SqliteDatabase(FileDatabase):
    """One SQLite file: see `router.sql.readers.sqlite` for how it is read."""

    dialect = DIALECTS["sqlite"]

    def tables(self) -> list[tuple[str, int, int]]:
        """Return the tables and views: name, whether it is a view, whether it has no row numbers."""
        with self.session() as session:
            return list(session.ask("tables"))

    def described(self, tables: list[tuple[str, int, int]]) -> list[tuple[Any, Any, int | None]]:
        """Return columns, keys and rows of each of these tables, as `router.sql.readers.sqlite_tables` tells them."""
        with self.session() as session:
            return list(session.ask("describe", tables))

    def views(self) -> list[tuple[str, str]]:
        """Return each view with the text that made it."""
        with self.session() as session:
            return list(session.ask("views"))

    def unopened(self, words: str) -> str:
        """Return why the file cannot be read."""
        return f"The database file {self._path.name} cannot be read: {one_line(words)}."

    def refused(self, words: str) -> str:
        """Return SQLite's reason."""
        return f"SQLite refused the statement: {one_line(words)}."
