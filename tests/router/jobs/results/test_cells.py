"""Values as the text of a cell."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given

from router.jobs.results.cells import CELL_MAX_CHARS, cell, line
from tests.router.jobs.values import values


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, "yes"),
        (False, "no"),
        (12345678, "12345678"),
        (0.1 + 0.2, "0.3"),
        (3.0, "3"),
        (-2.5, "-2.5"),
        (1e20, "100000000000000000000"),
        (1.5e300, "1.5e+300"),
        (0.00001, "0.00001"),
        (1e-12, "1e-12"),
        (float("nan"), "NaN"),
        (float("-inf"), "-inf"),
        (Decimal("1E+5"), "100000"),
        (Decimal("1.50"), "1.50"),
        (b"", "⟨blob, 0 B⟩"),
        (b"x" * 999, "⟨blob, 999 B⟩"),
        (b"x" * 1234, "⟨blob, 1.2 kB⟩"),
        (b"x" * 999_990, "⟨blob, 1.0 MB⟩"),
        (date(2026, 3, 1), "2026-03-01"),
        (datetime.fromisoformat("2026-03-01 09:05"), "2026-03-01 09:05:00"),
        (datetime(2026, 3, 1, 9, 5, tzinfo=timezone(timedelta(hours=2))), "2026-03-01 09:05:00+02:00"),
        (datetime(2026, 3, 1, tzinfo=UTC), "2026-03-01 00:00:00+00:00"),
        (time(9, 5), "09:05:00"),
        (timedelta(hours=2, seconds=3), "02:00:03"),
        (timedelta(days=1, microseconds=5), "1 day 00:00:00.000005"),
        (-timedelta(days=2, minutes=1), "-2 days 00:01:00"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        ({"ä": [1, Decimal("1.5"), None]}, '{"ä": [1, "1.5", null]}'),
        ({(1, 2): 3}, "{(1, 2): 3}"),
        ("", ""),
        ("  two  blanks ", "  two  blanks "),
        ("two\r\nlines\tand more", "two lines and more"),
        ("bell\x07 nul\x00", "bell\N{REPLACEMENT CHARACTER} nul\N{REPLACEMENT CHARACTER}"),
        ("half \ud800", "half \N{REPLACEMENT CHARACTER}"),
        ("abc\u202edcba\u202c", "abcdcba"),
        ("שלום", "\u2068שלום\u2069"),
        ("שלום\u2069\u202e", "\u2068שלום\u2069"),
        ("Zürich 東京", "Zürich 東京"),
    ],
)
def test_cell(value: Any, expected: str | None) -> None:
    """Each kind of value has one text; what is unseen is shown or folded, what turns the direction is taken out."""
    assert cell(value) == expected


def test_long_texts_are_cut() -> None:
    """A text of 200 characters is shown whole, a longer one ends in an ellipsis at 200."""
    assert [cell("x" * 200), cell("x" * 201)] == ["x" * 200, "x" * 199 + "…"]


@given(values)
def test_a_cell_is_one_short_line_that_can_be_sent(value: Any) -> None:
    """Whatever the value, its cell is a line of limited length in valid UTF-8."""
    text = cell(value) or ""
    assert (len(text.splitlines()) <= 1, len(text) <= CELL_MAX_CHARS + 2, text.encode().decode()) == (True, True, text)


def test_line_can_be_shorter() -> None:
    """Where less room is, the text is cut earlier."""
    assert line("a longer text", 8) == "a longe…"
