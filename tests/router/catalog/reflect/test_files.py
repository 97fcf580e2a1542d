"""Features that only SQLite and DuckDB have."""

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
    """Virtual tables, their shadows and views on tables that are gone are left out, and named."""
    schema = connect("sqlite", build_sqlite(tmp_path, FULL_TEXT)).schema("A")

    assert [table.name for table in schema.tables] == ["plain", "whole"]
    assert schema.left_out_sentence == (
        "Left out: broken (a view that cannot be read, as a table or column that it needs is gone); letters, "
        "letters_config, letters_content, letters_data, letters_docsize and letters_idx (a virtual table, as of a "
        "full-text search, or a part of one)."
    )
    url = f"sqlite:///{tmp_path / 'a b.db'}"
    limited = connect("sqlite", url, tables=("plain", "letters"), columns_hidden=("plain.any",)).schema("A")
    assert [table.name for table in limited.left_out] == ["letters"]


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
    """Few rows are counted, many are as ANALYZE or dense row numbers tell; None if these tell nothing."""
    series = "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 3000) SELECT"
    script = (
        "CREATE TABLE few (id INTEGER PRIMARY KEY); INSERT INTO few VALUES (1), (7), (1118748237849833474);"
        "CREATE TABLE blank (x); CREATE VIEW seen AS SELECT 1;"
        "CREATE TABLE unnumbered (x INTEGER PRIMARY KEY) WITHOUT ROWID; INSERT INTO unnumbered VALUES (-5), (9);"
        f"CREATE TABLE dense (id INTEGER PRIMARY KEY); INSERT INTO dense {series} n + 500000 FROM s;"
        f"CREATE TABLE machine (id INTEGER PRIMARY KEY); INSERT INTO machine {series} n * 1118748237849 FROM s;"
        f"CREATE TABLE emptied (id INTEGER PRIMARY KEY); INSERT INTO emptied {series} n FROM s;"
        "INSERT INTO emptied VALUES (9000000000000000000);"
        f"CREATE TABLE analysed (x); CREATE INDEX i ON analysed (x); INSERT INTO analysed {series} n FROM s;"
        f"CREATE TABLE odd (id INTEGER PRIMARY KEY); INSERT INTO odd {series} n FROM s; ANALYZE analysed;"
        f"INSERT INTO analysed {series} n FROM s; INSERT INTO sqlite_stat1 VALUES ('odd', NULL, '99999999999999'),"
        " ('few', NULL, '5000')"
    )
    schema = connect("sqlite", build_sqlite(tmp_path, script)).schema("A")

    expected = {"analysed": 3000, "blank": 0, "dense": 3000, "emptied": None, "few": 3, "machine": None, "odd": 3000}
    expected |= {"seen": None, "unnumbered": 2}
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
