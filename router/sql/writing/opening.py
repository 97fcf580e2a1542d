"""Which file writes into which kind of database."""

from router.sql.databases.opening import need_driver
from router.sql.dialect import Dialect
from router.sql.writing.sqlite import SqliteTarget
from router.sql.writing.target import Target


def open_target(url: str, dialect: Dialect, timeout: float = 60.0) -> Target:
    """Return the database at `url`, connected as the user who may write; close it when the job is done.

    A statement may work `timeout` seconds, except the one that takes the rows. Raises SettingsError where the driver
    is missing, JobFailed where the database cannot be reached.
    """
    need_driver(dialect)
    match dialect.name:
        case "sqlite":
            return SqliteTarget(url, timeout)
        case "duckdb":
            from router.sql.writing.duckdb import DuckTarget

            return DuckTarget(url, timeout)
        case "postgres":
            from router.sql.writing.postgres import PostgresTarget

            return PostgresTarget(url, timeout)
        case "oracle" | "mysql" | "tsql":
            from router.sql.writing.server import ServerTarget

            return ServerTarget(url, timeout)
