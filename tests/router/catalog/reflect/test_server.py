"""Servers that cannot be had for tests: what is certain without one, and what `pytest --oracle URL` checks."""

import pytest
from sqlalchemy import create_engine, inspect
from sqlalchemy.dialects.mssql.pymssql import MSDialect_pymssql
from sqlalchemy.dialects.mysql.pymysql import MySQLDialect_pymysql
from sqlalchemy.dialects.oracle.oracledb import OracleDialect_oracledb

from router.catalog.reflect.server import materialized_views, speller
from router.sql.dialect import by_backend
from tests.router.catalog.conftest import Connect


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("ORDERS", "orders"),
        ("ORDER_LINES$", "order_lines$"),
        ("orders", "orders"),
        ("Orders", "Orders"),
        ("Order Lines", "Order Lines"),
        ("GROUP", "GROUP"),
        ("2026", "2026"),
    ],
)
def test_oracle_spelling(stored: str, shown: str) -> None:
    """SQLAlchemy shows Oracle's names folded; the catalog has them as Oracle stores them, two "orders" kept apart."""
    dialect = OracleDialect_oracledb()
    name = dialect.normalize_name(stored)

    assert shown == name
    assert stored == speller(dialect)(name)


@pytest.mark.parametrize("dialect", [MySQLDialect_pymysql(), MSDialect_pymssql()])
def test_spelling_elsewhere(dialect) -> None:
    """MySQL and SQL Server keep names as they are written."""
    assert [speller(dialect)(name) for name in ("Orders", "ORDERS", "orders")] == ["Orders", "ORDERS", "orders"]


@pytest.mark.parametrize(
    ("backend", "name", "label"),
    [
        ("sqlite", "sqlite", "SQLite"),
        ("duckdb", "duckdb", "DuckDB"),
        ("postgresql", "postgres", "PostgreSQL"),
        ("postgres", "postgres", "PostgreSQL"),
        ("oracle", "oracle", "Oracle"),
        ("mysql", "mysql", "MySQL"),
        ("mariadb", "mysql", "MySQL"),
        ("mssql", "tsql", "SQL Server"),
    ],
)
def test_backends(backend: str, name: str, label: str) -> None:
    """The first word of a URL decides the dialect and what people call it."""
    dialect = by_backend(backend)

    assert dialect is not None
    assert (name, label) == (dialect.name, dialect.label)


def test_a_dialect_without_materialised_views() -> None:
    """SQLAlchemy cannot tell them of SQL Server, MySQL and SQLite: there are none then, and the rest is read."""
    engine = create_engine("sqlite://")
    with engine.connect() as link:
        inspector = inspect(link)
        with pytest.raises(NotImplementedError):
            inspector.get_materialized_view_names("main")
        assert materialized_views(inspector, "main") == []
    engine.dispose()


def test_oracle(request: pytest.FixtureRequest, connect: Connect) -> None:
    """At a site with an Oracle server, its tables are read, spelled as Oracle stores them."""
    url = request.config.getoption("--oracle")
    if not url:
        pytest.skip("needs --oracle URL")
    schema = connect("oracle", url).schema("A")

    assert schema.name == schema.name.upper()
    assert all(table.columns for table in schema.tables)
