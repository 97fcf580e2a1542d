"""The present time: everything that needs it takes a clock, so that a test can set it."""

from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import DateTime
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

Clock = Callable[[], datetime]
"""Returns the present time with a zone."""


def now() -> datetime:
    """Return the present time with this machine's zone."""
    return datetime.now(UTC).astimezone()


# Times in a database: UTC to the microsecond, the same on every kind of server.


NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""In the place of a time that has not come yet, if a column must have one."""


class UtcDateTime(TypeDecorator[datetime]):
    """A time with a zone, kept in UTC without one: not every database keeps zones."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time as it is stored; a time without a zone is an error of ours."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time with its zone."""
        return None if value is None else value.replace(tzinfo=UTC)
