"""Which file opens which kind of database."""

from importlib import import_module

from router.errors import SettingsError
from router.sql.databases import Database
from router.sql.databases.sqlite import SqliteDatabase
from router.sql.dialect import Dialect


def open_database(url: str, dialect: Dialect, timeout: float = 60.0) -> Database:
    """Return the pooled way to the database at `url`; it connects when it is first used.

    A statement may work `timeout` seconds. Raises SettingsError where the driver is missing or the URL is unusable.
    """
    need_driver(dialect)
    match dialect.name:
        case "sqlite":
            return SqliteDatabase(url, timeout)
        case "duckdb":
            from router.sql.databases.duckdb import DuckDatabase

            return DuckDatabase(url, timeout)
        case "postgres":
            from router.sql.databases.postgres import PostgresDatabase

            return PostgresDatabase(url, timeout)
        case "oracle" | "mysql" | "tsql":
            from router.sql.databases.generic import ServerDatabase

            return ServerDatabase(url, timeout)


def need_driver(dialect: Dialect) -> None:
    """Raise SettingsError with what to install where the driver is missing."""
    try:
        import_module(dialect.driver)
    except ImportError as error:
        remedy = f"install it with: pip install '{dialect.install}'"
        raise SettingsError([f"{dialect.label} needs the Python package {dialect.driver}; {remedy}"]) from error
