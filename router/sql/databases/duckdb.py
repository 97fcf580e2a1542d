"""DuckDB files, which are held open only while somebody reads: nobody can write one as long as it is."""

from router.sql.databases.file_database import FileDatabase
from router.sql.databases.running import one_line
from router.sql.dialect import DIALECTS


class DuckDatabase(FileDatabase):
    """One DuckDB file: see `router.sql.readers.duckdb` for how it is read."""

    dialect = DIALECTS["duckdb"]

    def unopened(self, words: str) -> str:
        """Return why the file cannot be opened."""
        name = self._path.name
        if "lock on file" in words or "different configuration" in words:
            return (
                f"The DuckDB file {name} is open for writing elsewhere, and DuckDB lets nobody else in meanwhile. "
                "Please try again when that has finished."
            )
        if "not a valid DuckDB database" in words:
            return f"The file {name} is not a DuckDB database."
        return f"The DuckDB file {name} cannot be opened: {one_line(words.replace(str(self._path), name))}."

    def refused(self, words: str) -> str:
        """Return DuckDB's message without its class and without the drawing of the place in the SQL."""
        message = words.split("\n\nLINE ")[0]
        return f"DuckDB refused the statement: {one_line(message.split('Error: ', 1)[-1])}."
