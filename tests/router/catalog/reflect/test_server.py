"""Servers that cannot be had for tests: what is certain without one, and what `pytest --oracle URL` checks."""

import pytest
from sqlalchemy.dialects.oracle.oracledb import OracleDialect_oracledb

from router.catalog.reflect.server import speller
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


def test_oracle(request: pytest.FixtureRequest, connect: Connect) -> None:
    """At a site with an Oracle server, its tables are read, spelled as Oracle stores them."""
    url = request.config.getoption("--oracle")
    if not url:
        pytest.skip("needs --oracle URL")
    schema = connect("oracle", url).schema("A")

    assert schema.name == schema.name.upper()
    assert all(table.columns for table in schema.tables)
