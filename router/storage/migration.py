"""Brings a database to the tables of this version: made anew where it is empty, migrated by Alembic where it is older.

Alembic takes long to import, so that it is asked only where a migration has to run.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Column, MetaData, String, Table, insert, inspect, select
from sqlalchemy.engine import Connection

from router.errors import JobFailed
from router.storage.tables import METADATA

if TYPE_CHECKING:
    from router.storage.database import Database

REVISION = "0001"
"""The newest migration: what a database has whose tables are as they are declared."""

# Alembic's own table, which it reads and writes itself where it runs.
_version = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))


def bring_up(database: "Database") -> None:
    """Make or migrate the tables; of several processes that start at once, one does it. Raises JobFailed."""
    with database.reading() as connection:
        if _revision(connection) == REVISION:
            return
    with database.transaction() as connection:
        found = _revision(connection)
        if found is None:
            METADATA.create_all(connection, checkfirst=False)
            _version.create(connection)
            connection.execute(insert(_version).values(version_num=REVISION))
        elif found != REVISION:
            migrate(connection)


def migrate(connection: Connection) -> None:
    """Run the migrations that a database lacks; raises JobFailed where a later version of the bot made it."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise JobFailed(
            "A later version of the bot has used this home, and this version cannot read its database. Nothing was "
            "changed. Start the later version."
        ) from error


def _revision(connection: Connection) -> str | None:
    """Return the newest migration that a database has; None where it has no tables yet."""
    if not inspect(connection).has_table(_version.name):
        return None
    return connection.execute(select(_version.c.version_num)).scalar()
