"""The database kinds the bot knows: one row each."""

from dataclasses import dataclass
from typing import Literal

Name = Literal["sqlite", "duckdb", "postgres", "oracle", "mysql", "tsql"]
"""sqlglot's names, which are the project's too."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """One kind of database: its name in sqlglot, for people, in SQLAlchemy URLs, and what to install for it."""

    name: Name
    label: str
    backends: tuple[str, ...]
    driver: str
    install: str
    folds: Literal["lower", "upper", "none"]
    """The case that a name without quotes is folded to; "none": names compare without case, but keep theirs."""


DIALECTS: dict[Name, Dialect] = {
    row.name: row
    for row in (
        Dialect("sqlite", "SQLite", ("sqlite",), "sqlite3", "", "none"),
        Dialect("duckdb", "DuckDB", ("duckdb",), "duckdb", "icc-bot[duckdb]", "none"),
        Dialect("postgres", "PostgreSQL", ("postgresql", "postgres"), "psycopg", "icc-bot[postgres]", "lower"),
        Dialect("oracle", "Oracle", ("oracle",), "oracledb", "icc-bot[oracle]", "upper"),
        Dialect("mysql", "MySQL", ("mysql", "mariadb"), "pymysql", "icc-bot[mysql]", "none"),
        Dialect("tsql", "SQL Server", ("mssql",), "pymssql", "icc-bot[mssql]", "none"),
    )
}

UNKNOWN_DIALECT = Dialect("sqlite", "a database that is away", (), "", "", "none")
"""Stands for the dialect of a connection whose URL cannot be read; nothing is ever asked of it."""


def known_backends() -> str:
    """Return the backends that the bot knows, as a list in a sentence has them."""
    return ", ".join(row.backends[0] for row in DIALECTS.values())


def by_backend(backend: str) -> Dialect | None:
    """Return the dialect of an SQLAlchemy URL's backend ("postgresql"), or None where the bot does not know it."""
    return next((d for d in DIALECTS.values() if backend in d.backends), None)
