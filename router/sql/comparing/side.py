"""One of the two queries of a comparison."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from router.errors import JobFailed
from router.sql.databases import Session
from router.sql.dialect import Name
from router.sql.scope import Scope


@dataclass(frozen=True, slots=True)
class Side:
    """An approved query and the session it is run in; `label` is what people call it, such as "orders in Production".

    Each side needs a session of its own, also where both are on one database.
    """

    label: str
    dialect: Name
    sql: str
    session: Session
    scope: Scope | None = None


@contextmanager
def blamed(side: Side, rows: Callable[[], int] = lambda: 0) -> Iterator[None]:
    """Have a failure say whose it is, and that there is no report."""
    try:
        yield
    except JobFailed as error:
        after = f" after {rows():,} rows" if rows() else ""
        raise JobFailed(f"Reading {side.label} failed{after}, so there is no report. The reason: {error}") from error


class Both:
    """The two sessions of a comparison as one thing that can be stopped, from any thread."""

    def __init__(self, left: Session, right: Session) -> None:
        self._sessions = (left, right)

    def cancel(self) -> None:
        """Have both databases abandon their query, now."""
        for session in self._sessions:
            session.cancel()
