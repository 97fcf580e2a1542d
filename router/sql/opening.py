"""Opens a database for reading or writing by the class that its dialect names; loads the driver that it needs."""

from importlib import import_module

from router.errors import SettingsError
from router.sql.databases.session import PooledDatabase
from router.sql.dialect import Dialect
from router.sql.writing.target import Target


def open_database(url: str, dialect: Dialect, timeout: float = 60.0) -> PooledDatabase:
    """Return the pooled way to the database at `url`; it connects when it is first used.

    A statement may work `timeout` seconds. Raises SettingsError if the driver is missing or the URL is unusable.
    """
    need_driver(dialect)
    opened: PooledDatabase = dialect.reader()(url, timeout)
    return opened


def open_target(url: str, dialect: Dialect, timeout: float) -> Target:
    """Return the database at `url`, connected as the user who may write; close it when the job is done.

    A statement may work `timeout` seconds, except the one that takes the rows. Raises SettingsError if the driver
    is missing, JobFailed if the database cannot be reached.
    """
    need_driver(dialect)
    return Target(url, timeout)


def need_driver(dialect: Dialect) -> None:
    """Raise SettingsError with what to install if the driver is missing."""
    try:
        import_module(dialect.driver)
    except ImportError as error:
        remedy = f"install it with: pip install '{dialect.install}'"
        raise SettingsError([f"{dialect.label} needs the Python package {dialect.driver}; {remedy}"]) from error
