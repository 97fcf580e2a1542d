"""Results that were kept, here or by another process, as far as a talk uses them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from router.cards import Table
from router.jobs.sheet import Row, Sort
from router.memory import ResultRef, User
from router.sql.writing import Field

Progress = Callable[[int], None]
"""Is told the number of rows so far, now and then."""


def silent(rows: int) -> None:
    """Tell nobody."""


class Shelf(Protocol):
    """Results as one person may see them; every method raises JobFailed once the rows expired."""

    def ref(self, result: ResultRef | str) -> ResultRef:
        """Return the reference that was stored with the rows."""

    def page(self, result: ResultRef | str, offset: int = 0, limit: int = 20, sort: Sort | None = None) -> Table:
        """Return `limit` rows after the first `offset` as a table of text."""

    def rows(self, result: ResultRef | str, batch: int = 1000) -> Iterator[list[Row]]:
        """Give all rows in lists of at most `batch`, as values equal to those that were stored."""

    def fields(self, result: ResultRef | str) -> tuple[Field, ...]:
        """Return a field a column of the result, as a table can keep it."""

    def file(self, result: ResultRef | str, form: str, progress: Progress = silent) -> Path:
        """Return the result as a file of this form, which is deleted when its rows are."""


class Shelves(Protocol):
    """All results."""

    def seen_by(self, user: User) -> Shelf:
        """Return the results as this person may see them."""

    def delete(self, result: str) -> None:
        """Delete a result and its files."""
