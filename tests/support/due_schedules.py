"""What is repeated becomes due at once, without waiting for a clock."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import update

from router.storage.database import Database, home_database
from router.storage.tables import schedules


def make_due(home: Path) -> None:
    """Have everything that is repeated be due since a moment."""
    with closing(home_database(home)) as database:
        make_due_in(database)


def make_due_in(database: Database) -> None:
    """Do the same in a database that may be on a server."""
    past = datetime.now(UTC) - timedelta(seconds=1)
    with database.transaction() as connection:
        connection.execute(update(schedules).where(schedules.c.standing == "RUNS").values(due=past))
