"""Times that are told relative to today become dates."""

from datetime import date

import pytest

from router.text_to_sql.named_values import Period, periods


@pytest.mark.parametrize(
    ("words", "start", "end"),
    [
        ("today", "2026-11-21", "2026-11-22"),
        ("yesterday", "2026-11-20", "2026-11-21"),
        ("this week", "2026-11-16", "2026-11-23"),
        ("last week", "2026-11-09", "2026-11-16"),
        ("this month", "2026-11-01", "2026-12-01"),
        ("previous month", "2026-10-01", "2026-11-01"),
        ("next month", "2026-12-01", "2027-01-01"),
        ("this quarter", "2026-10-01", "2027-01-01"),
        ("last quarter", "2026-07-01", "2026-10-01"),
        ("this year", "2026-01-01", "2027-01-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("last 3 months", "2026-08-21", "2026-11-22"),
        ("past 7 days", "2026-11-14", "2026-11-22"),
    ],
)
def test_a_time_becomes_its_first_day_and_the_first_day_after_it(words: str, start: str, end: str) -> None:
    """The end is not part of the period, so that times of day within its last day are."""
    found = periods(f"Revenue by region {words}?", date(2026, 11, 21))
    assert found == (Period(words, date.fromisoformat(start), date.fromisoformat(end)),)


def test_the_last_day_of_a_long_month_becomes_that_of_a_shorter_one() -> None:
    """Three months before 31 May is the end of February."""
    assert periods("the last 3 months", date(2026, 5, 31))[0].start == date(2026, 2, 28)


def test_several_times_are_told_in_their_order_and_each_once() -> None:
    """A comparison of two years needs both."""
    found = periods("this year, last year and This Year", date(2026, 11, 21))
    assert [period.words for period in found] == ["this year", "last year"]


def test_a_text_without_such_words_or_beyond_the_calendar_has_no_times() -> None:
    """Plain dates are the model's to read."""
    assert periods("orders in 2024 lasting a year; the last 999 years before", date(500, 1, 1)) == ()
