"""What time it is, where a bot or a command runs."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the present time with this machine's zone."""
    return datetime.now(UTC).astimezone()
