"""The present time: everything that needs it takes a clock, so that a test can set it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the present time with a zone."""


def now() -> datetime:
    """Return the present time with this machine's zone."""
    return datetime.now(UTC).astimezone()
