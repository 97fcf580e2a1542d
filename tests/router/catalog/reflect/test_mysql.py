"""What only MySQL and MariaDB have: rights on tables, views that others made, types and comments of their own."""

from router.catalog.schema import ForeignKey
from tests.router.catalog.conftest import Connect
from tests.support.mysql import MysqlDatabase, run


def test_only_what_the_user_may_select(mysql: MysqlDatabase, connect: Connect) -> None:
    """A table without a SELECT right is not there; one with a right on a column has that column alone."""
    mysql.run("CREATE TABLE shown (a int); CREATE TABLE hidden (a int); CREATE TABLE part (a int, b int)")
    connection = mysql.server.connect(mysql.name)
    run(
        connection,
        f"CREATE USER {mysql.name}_p@'%' IDENTIFIED BY '{mysql.password}'; "
        f"GRANT SELECT ON {mysql.name}.shown TO {mysql.name}_p@'%'; "
        f"GRANT SELECT (a) ON {mysql.name}.part TO {mysql.name}_p@'%'",
    )
    tables = connect("mysql", mysql.url(f"{mysql.name}_p")).schema("A").tables
    run(connection, f"DROP USER {mysql.name}_p@'%'")
    connection.close()

    assert [(t.name, [c.name for c in t.columns]) for t in tables] == [("part", ["a"]), ("shown", ["a"])]


def test_views_and_what_is_no_table(mysql: MysqlDatabase, connect: Connect) -> None:
    """A view is read without a right on how it was made; a broken one and a sequence are left out."""
    mysql.run(
        "CREATE TABLE t (a int); CREATE TABLE gone (a int); CREATE VIEW v AS SELECT a FROM t; "
        "CREATE VIEW broken AS SELECT a FROM gone; DROP TABLE gone"
    )
    if "MariaDB" in str(mysql.rows("SELECT VERSION()")):
        mysql.run("CREATE SEQUENCE numbers; CREATE TABLE kept (a int) WITH SYSTEM VERSIONING")
    schema = connect("mysql", mysql.reader_url).schema("A")

    assert [table.name for table in schema.left_out] == ["broken"]
    assert [(table.name, table.view) for table in schema.tables if table.name != "kept"] == [("t", False), ("v", True)]


def test_types_comments_and_counts(mysql: MysqlDatabase, connect: Connect) -> None:
    """Types are the server's own without the width of a number; rows are as they were counted last."""
    mysql.run(
        "CREATE TABLE t (a int(7) unsigned COMMENT ' in metres ', b bigint, c boolean, d enum('x', 'y'), "
        "e datetime(3), f decimal(10, 2), g text, h tinyint(4)) COMMENT 'things'; "
        "INSERT INTO t (a) VALUES (1), (2), (3)"
    )
    mysql.rows("ANALYZE TABLE t")
    (table,) = connect("mysql", mysql.reader_url).schema("A").tables

    types = [column.type for column in table.columns]
    expected = ["int unsigned", "bigint", "tinyint(1)", "enum('x','y')", "datetime(3)", "decimal(10,2)", "text"]
    assert [*expected, "tinyint"] == types
    assert (table.comment, table.rows, table.columns[0].comment) == ("things", 3, "in metres")


def test_schemas_by_pattern_and_keys_between_them(mysql: MysqlDatabase, connect: Connect) -> None:
    """Each schema holds its own tables, and keys to another one where that may be read."""
    other = f"{mysql.name}_mart"
    mysql.run(
        f"CREATE TABLE customers (id int PRIMARY KEY); CREATE SCHEMA {other}; CREATE TABLE {other}.sales "
        f"(id int, customer_id int, FOREIGN KEY (customer_id) REFERENCES {mysql.name}.customers (id))"
    )
    both = connect("mysql", mysql.reader_url, schemas=("test_*",))
    alone = connect("mysql", mysql.reader_url, schemas=(other,)).schema("A")

    assert both.schemas("A") == (mysql.name, other)
    assert (ForeignKey(("customer_id",), "customers", ("id",), mysql.name),) == both.schema("A", other).tables[
        0
    ].foreign_keys
    assert (alone.name, alone.tables[0].foreign_keys) == (other, ())
