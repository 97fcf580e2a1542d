"""A result as a chart."""

from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

import pytest

from router.cards import Series
from router.errors import JobFailed
from router.jobs.results.chart import CHART_MAX_ROWS, can_draw, chart_of
from router.jobs.results.store import Results
from tests.router.jobs.conftest import Keep

DAYS = (date(2026, 1, 1), date(2026, 2, 1), date(2026, 3, 1))


@pytest.mark.parametrize(
    "labels",
    [
        DAYS,
        tuple(datetime(2026, 1, day, 12, 30) for day in (1, 2, 3)),  # noqa: DTZ001 - as databases give them
        tuple(datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2, 3)),
        (time(9, 0), time(10, 30), time(23, 59)),
        ("2026-01-01", "2026-01-02", "2026-02-01"),
        ("2026-01-01 09:00:00", "2026-01-01T10:00", "2026-01-01"),
        ("2026-01", "2026-02", "2026-12"),
        ("2026-Q1", "2026-Q2", "2026-Q3"),
        ("2024", "2025", "2026"),
        ("09:00", "10:00", "11:00"),
    ],
)
def test_times_become_a_line(keep: Keep, results: Results, labels: tuple[Any, ...]) -> None:
    """Whatever way a database has of saying a time, a line goes through its values."""
    assert chart_of(results, keep([(label, n) for n, label in enumerate(labels)], "at", "total")).kind == "line"


def test_a_line_follows_the_time(keep: Keep, results: Results) -> None:
    """Rows that came latest first, or by their revenue, are drawn in the order of time; NULL comes last."""
    rows = [(None, 4.0), (DAYS[2], 3.0), (DAYS[0], 1.0), (DAYS[1], 2.0)]
    chart = chart_of(results, keep(rows, "day", "total"))

    assert ("2026-01-01", "2026-02-01", "2026-03-01", "NULL") == chart.labels
    assert (Series("total", (1.0, 2.0, 3.0, 4.0)),) == chart.series


@pytest.mark.parametrize(
    ("names", "row", "label", "series"),
    [
        (("total", "day"), (1, DAYS[0]), "2026-01-01", ["total"]),
        (("name", "month", "total"), ("a", "2026-01", 1), "2026-01", ["total"]),
        (("id", "name", "total"), (7, "a", 1), "a", ["total"]),
        (("id", "name"), (7, "a"), "a", ["id"]),
        (("open", "total"), (True, 1), "yes", ["total"]),
        (("year", "total"), (2026, 1), "2026", ["total"]),
        (("total", "order_year"), (1, Decimal(2026)), "2026", ["total"]),
        (("year", "region", "total"), (2026, "North", 1), "North", ["total"]),
        (("total", "customer_id"), (1, 7), "7", ["total"]),
        (("total", "OrderID"), (1, 7), "7", ["total"]),
        (("name", "orderid", "zip", "paid"), ("a", 1, 2, 3), "a", ["paid"]),
        (("a", "b", "c"), (1, 2, 3), "1", ["b", "c"]),
        (("n",), (5,), "1", ["n"]),
        (("year", "month"), (2026, 1), "2026", ["month"]),
        (("name", "visits_a_day"), ("a", 1), "a", ["visits_a_day"]),
        (("file", "size"), (b"\0", 1), "1", ["size"]),
    ],
)
def test_columns_play_their_parts(
    keep: Keep, results: Results, names: tuple[str, ...], row: tuple[Any, ...], label: str, series: list[str]
) -> None:
    """Times, texts, yes and no, periods and ids are labels, in this order; ids and periods are drawn only if alone."""
    chart = chart_of(results, keep([row], *names))
    assert ((label,), series) == (chart.labels, [each.name for each in chart.series])


def test_what_has_no_place_on_an_axis_is_a_gap(keep: Keep, results: Results) -> None:
    """NaN, infinity and numbers beyond a float are left out; a column of nothing else is not drawn."""
    rows = [("a", float("nan"), None), ("b", 10**400, None), ("c", Decimal("Infinity"), 2.0), ("d", 5, float("inf"))]
    first, second = chart_of(results, keep(rows, "name", "n", "m")).series
    assert (first.values, second.values) == ((None, None, None, 5.0), (None, None, 2.0, None))

    with pytest.raises(JobFailed, match=r"^There's nothing to draw: the columns of numbers are empty"):
        chart_of(results, keep([("a", float("nan"))], "name", "n"))


@pytest.mark.parametrize(
    ("rows", "names", "sentence"),
    [
        (0, ("name", "n"), "There's nothing to draw: the query found no rows."),
        (2, ("name", "city"), "no column holds numbers. The rows are still here; ask for numbers, such as a count by"),
        (401, ("name", "n"), "A chart of 401 rows would be unreadable; ask for sums, such as a total by month."),
    ],
)
def test_where_there_is_nothing_to_draw_a_sentence_says_so(
    keep: Keep, results: Results, rows: int, names: tuple[str, ...], sentence: str
) -> None:
    """It says why, and what to ask for instead; and there is no button."""
    values = {"name": "a", "city": "b", "n": 1, "id": 2}
    ref = keep([tuple(values[name] for name in names)] * rows, *names)
    with pytest.raises(JobFailed) as raised:
        chart_of(results, ref)
    assert sentence in str(raised.value)
    assert not can_draw(ref)


@pytest.mark.parametrize(
    ("rows", "names", "expected"),
    [
        (1, ("name", "n"), False),
        (2, ("name", "n"), True),
        (CHART_MAX_ROWS, ("name", "n"), True),
        (2, ("n",), True),
        (2, ("id", "name"), False),
    ],
)
def test_the_button_is_there_where_a_chart_says_something(
    keep: Keep, rows: int, names: tuple[str, ...], expected: bool
) -> None:
    """One number is no chart, and neither are ids."""
    values = {"name": "a", "n": 1, "id": 2}
    assert can_draw(keep([tuple(values[name] for name in names)] * rows, *names)) is expected
