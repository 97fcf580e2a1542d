"""Values as the text of a cell."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from math import isclose
from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis.strategies import floats, integers

from router.jobs.results.cells import CELL_MAX_CHARS, cell
from router.sql.value_kinds import Interval
from tests.router.jobs.values import values
from tests.support.rows import every_row


@every_row(
    ("value", "expected"),
    [
        (None, None),
        (True, "yes"),
        (False, "no"),
        (12345678, "12345678"),
        (0.1 + 0.2, "0.3"),
        (0.1 + 0.7, "0.8"),
        (99.99999999999999, "100"),
        (593282.2000000033, "593282.2"),
        (3.0000000000000004e-8, "3e-08"),
        (9007199254740863.0, "9007199254740863"),
        (9000000000000001.0, "9000000000000001"),
        (12345678901234.56, "12345678901234.56"),
        (12300000000000.04, "12300000000000.04"),
        (1000000.0000001, "1000000.0000001"),
        (1 / 3, "0.3333333333333333"),
        (12345678901234567890, "12345678901234567890"),
        (Decimal("12345678901234567890.0987654321"), "12345678901234567890.0987654321"),
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
        (Interval(micros=7203 * 10**6), "02:00:03"),
        (Interval(13, 1, 5), "1 year 1 month 1 day 00:00:00.000005"),
        (Interval(0, -2, -60 * 10**6), "-2 days -00:01:00"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        ({"ä": [1, Decimal("1.5"), None]}, '{"ä": [1, 1.5, null]}'),
        ({(1, 2): 3}, '{"[1, 2]": 3}'),
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


@given(integers(-(10**15) + 1, 10**15 - 1), integers(-6, 15))
def test_a_typed_float_keeps_all_its_digits(digits: int, places: int) -> None:
    """A number of up to 15 digits, which a float keeps, is shown as it was typed in."""
    typed = Decimal(digits).scaleb(-places)
    assert Decimal(cell(float(typed)) or "") == typed


@given(floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_shown_as_what_it_is(value: float) -> None:
    """What is shown reads back as the same float, or as one that differs by noise alone."""
    assert isclose(float(cell(value) or ""), value, rel_tol=1e-11, abs_tol=0)


@given(values)
def test_a_cell_is_one_short_line_that_can_be_sent(value: Any) -> None:
    """Whatever the value, its cell is a line of limited length in valid UTF-8."""
    text = cell(value) or ""
    assert (len(text.splitlines()) <= 1, len(text) <= CELL_MAX_CHARS + 2, text.encode().decode()) == (True, True, text)
