"""Features that only SQLite and DuckDB have."""

import sqlite3
from pathlib import Path

from tests.router.catalog.conftest import Connect, build_duckdb, build_sqlite

FULL_TEXT = """
CREATE VIRTUAL TABLE letters USING fts5 (body);
CREATE TABLE plain (id INTEGER PRIMARY KEY AUTOINCREMENT, any, text VARCHAR ( 20 ), price DECIMAL (10, 2) NOT NULL,
    twice INTEGER GENERATED ALWAYS AS (id * 2));
CREATE TABLE gone (x);
CREATE VIEW broken AS SELECT x FROM gone;
CREATE VIEW whole AS SELECT id FROM plain;
DROP TABLE gone;
"""


def test_sqlite_leaves_out_what_nobody_asks(tmp_path: Path, connect: Connect) -> None:
    """Virtual tables, their shadows, SQLite's own tables and views on tables that are gone are left out."""
    schema = connect("sqlite", build_sqlite(tmp_path, FULL_TEXT)).schema("A")

    assert [table.name for table in schema.tables] == ["plain", "whole"]


def test_sqlite_types(tmp_path: Path, connect: Connect) -> None:
    """Types are as they were declared, which may be not at all; generated columns are columns."""
    table = connect("sqlite", build_sqlite(tmp_path, FULL_TEXT)).schema("A").table("plain")

    assert table is not None
    expected = [
        ("id", "INTEGER"),
        ("any", ""),
        ("text", "VARCHAR(20)"),
        ("price", "DECIMAL(10,2)"),
        ("twice", "INTEGER"),
    ]
    assert expected == [(column.name, column.type) for column in table.columns]


def test_sqlite_rows(tmp_path: Path, connect: Connect) -> None:
    """Rows are as ANALYZE counted them, else the highest row number; a view has none."""
    script = (
        "CREATE TABLE analysed (x); CREATE INDEX i ON analysed (x); INSERT INTO analysed VALUES (1), (2); ANALYZE;"
        "INSERT INTO analysed VALUES (3); CREATE TABLE numbered (x); INSERT INTO numbered (rowid, x) VALUES (500, 1);"
        "CREATE TABLE blank (x); CREATE TABLE unnumbered (x TEXT PRIMARY KEY) WITHOUT ROWID;"
        "CREATE VIEW seen AS SELECT 1"
    )
    schema = connect("sqlite", build_sqlite(tmp_path, script)).schema("A")

    expected = {"analysed": 2, "blank": 0, "numbered": 500, "seen": None, "unnumbered": None}
    assert expected == {table.name: table.rows for table in schema.tables}


def test_sqlite_keys_that_say_little(tmp_path: Path, connect: Connect) -> None:
    """A key that names no column means the target's primary key, in the target's spelling; a broken one is left out."""
    script = (
        "CREATE TABLE Customers (id INTEGER PRIMARY KEY);"
        "CREATE TABLE orders (a INTEGER REFERENCES CUSTOMERS, b INTEGER REFERENCES gone, c INTEGER, d INTEGER,"
        "FOREIGN KEY (c, d) REFERENCES customers)"
    )
    table = connect("sqlite", build_sqlite(tmp_path, script)).schema("A").table("orders")

    assert table is not None
    assert [(k.columns, k.target, k.target_columns) for k in table.foreign_keys] == [(("a",), "Customers", ("id",))]


def test_sqlite_reads_while_another_writes(tmp_path: Path, connect: Connect) -> None:
    """A file in WAL mode is read as it was committed last, whoever is writing."""
    url = build_sqlite(tmp_path, "CREATE TABLE one (x)")
    writer = sqlite3.connect(tmp_path / "a b.db", isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("CREATE TABLE two (x)")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("CREATE TABLE three (x)")

    tables = connect("sqlite", url).schema("A").tables
    writer.close()

    assert [table.name for table in tables] == ["one", "two"]


def test_duckdb_types_comments_and_rows(tmp_path: Path, connect: Connect) -> None:
    """DuckDB's nested types, comments and counts are read; a very long type is cut."""
    values = ", ".join(f"'value {n}'" for n in range(50))
    script = (
        f"CREATE TYPE many AS ENUM ({values}); CREATE TABLE t (s STRUCT(a INTEGER, b VARCHAR), l INTEGER[], e many);"
        "COMMENT ON TABLE t IS 'things'; COMMENT ON COLUMN t.l IS 'list'; INSERT INTO t (l) VALUES ([1]), ([2])"
    )
    (table,) = connect("duckdb", build_duckdb(tmp_path, script)).schema("A").tables

    assert (table.comment, table.rows, table.columns[1].comment) == ("things", 2, "list")
    assert [column.type for column in table.columns[:2]] == ["STRUCT(a INTEGER,b VARCHAR)", "INTEGER[]"]
    assert (len(table.columns[2].type), table.columns[2].type[-1]) == (80, "…")


def test_duckdb_schemas(tmp_path: Path, connect: Connect) -> None:
    """Schemas are found by pattern, and each holds its own tables; a quote in a name does no harm."""
    script = 'CREATE SCHEMA "it\'s"; CREATE TABLE "it\'s".t (a INTEGER); CREATE TABLE u (a INTEGER)'
    catalog = connect("duckdb", build_duckdb(tmp_path, script), schemas=("*",))

    assert catalog.schemas("A") == ("main", "it's")
    assert [[t.name for t in catalog.schema("A", s).tables] for s in catalog.schemas("A")] == [["u"], ["t"]]
