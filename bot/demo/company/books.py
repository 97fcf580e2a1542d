"""The books of the sample company: what became of its orders, as `books.sql` decides it."""

import sqlite3
from datetime import date, datetime, timedelta
from functools import partial
from hashlib import blake2b
from pathlib import Path

BOOKS_FILE = Path(__file__).with_suffix(".sql")

OPENING_TIME, OPEN_HOURS = timedelta(hours=8), timedelta(hours=12)
"""The hours in which people pay and ask."""


def keep_books(db: sqlite3.Connection, today: date) -> None:
    """Write what happened to the orders by the evening of `today`; what happens later is not in the books."""
    db.create_function("dice", 2, throw_dice, deterministic=True)
    db.create_function("today", 0, today.isoformat, deterministic=True)
    db.create_function("moment", 2, partial(moment, today.isoformat()), deterministic=True)
    db.executescript(f"BEGIN; {BOOKS_FILE.read_text(encoding='utf-8')}; COMMIT")


def throw_dice(topic: str, id: int) -> float:
    """Return a number from 0 up to 1, by chance, but always the same for a topic and an id."""
    return int.from_bytes(blake2b(f"{topic} {id}".encode(), digest_size=6).digest(), "big") / 2**48


def moment(today: str, day: str | None, part: float | None) -> str | None:
    """Return the time when a `part` of the open hours is over, None for no day.

    Today's times are moved to the small hours, so that none lies in the future.
    """
    if day is None or part is None:
        return None
    passed = OPENING_TIME + OPEN_HOURS * part
    at = datetime.fromisoformat(day) + (passed if day < today else passed / 3)
    return at.isoformat(" ", timespec="seconds")
