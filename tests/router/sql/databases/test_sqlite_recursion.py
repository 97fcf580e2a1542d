"""A recursive WITH query reads itself, and nothing else."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from router.errors import JobFailed
from router.sql.databases.file_database import SqliteDatabase
from router.sql.scope import Scope


def test_recursion_counts(tmp_path: Path) -> None:
    """Counting the rows of a recursive query is allowed; a hidden table of another name stays hidden."""
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as file:
        file.executescript("CREATE TABLE shown (id); CREATE TABLE hidden (id); INSERT INTO hidden VALUES (1);")
    database = SqliteDatabase(f"sqlite:///{path}", 60)
    counting = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5) SELECT COUNT(*) FROM c"
    with database.session(Scope.of("main", [("main", "shown")])) as session:
        _, batches = session.stream(counting)
        rows = [row for batch in batches for row in batch]
        with pytest.raises(JobFailed):
            session.check("SELECT COUNT(*) FROM hidden")
        with pytest.raises(JobFailed):
            session.check("SELECT COUNT(*) FROM pragma_table_list")
    database.close()

    assert rows == [(5,)]
