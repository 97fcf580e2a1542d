"""What is repeated becomes due at once, without waiting for a clock."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import update

from router.storage.database import home_database
from router.storage.tables import schedules


def make_due(home: Path) -> None:
    """Have everything that is repeated be due since a moment."""
    past = datetime.now(UTC) - timedelta(seconds=1)
    with closing(home_database(home)) as database, database.transaction() as connection:
        connection.execute(update(schedules).where(schedules.c.standing == "RUNS").values(due=past))
