"""How many rows stand on a page where a platform takes so many characters and no more."""

import pytest

from router.cards import Head
from router.jobs.results.pages import fitting

COLUMNS = (Head("id"), Head("words"))


@pytest.mark.parametrize(
    ("room", "fits"),
    [(10_000, 100), (10 + 100 * 65, 100), (10 + 100 * 65 - 1, 99), (10 + 3 * 65, 3), (0, 1)],
)
def test_long_cells_leave_room_for_fewer_rows(room: int, fits: int) -> None:
    """A cell counts for the sixty characters at most that it is cut at; one row is shown whatever it takes."""
    rows = [(str(n), "x" * 500) for n in range(100)]
    assert fits == fitting(rows, COLUMNS, room)
