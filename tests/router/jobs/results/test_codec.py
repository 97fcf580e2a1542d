"""Values as SQLite keeps them."""

from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given

from router.jobs.results.codec import MARK, decode, encode, needs_care
from router.sql.cell_text import decimal_text
from router.sql.value_kinds import ExactTime, Interval
from tests.router.jobs.values import values
from tests.support.rows import every_row


@given(values)
def test_round_trip(value: Any) -> None:
    """Whatever value is encoded comes back equal and of its own type."""
    back = decode(encode(value))
    assert (back, type(back)) == (value, type(value))


@every_row(
    "value",
    [
        True,
        False,
        2**63 - 1,
        -(2**63),
        2**63,
        -(10**40),
        Decimal("1.50"),
        Decimal("1E+3"),
        Decimal("1E+5000"),
        Decimal("-Infinity"),
        date(1, 1, 1),
        datetime.fromisoformat("9999-12-31T23:59:59.999999"),
        datetime(2026, 3, 1, 12, tzinfo=UTC),
        time(23, 59, 59, 1),
        Interval(-1, 10**9, -(10**18)),
        ExactTime("date", "infinity"),
        UUID(int=5),
        {"a": [1, None, {"b": 2.5}]},
        {"a": Decimal("1.5"), 3: (1, b"x", date(2026, 1, 1))},
        MARK + b"D1",
        MARK,
        "\ud800",
        "",
        b"",
    ],
)
def test_each_kind(value: Any) -> None:
    """The edges of each kind come back equal and of their own type."""
    back = decode(encode(value))
    assert (back, type(back)) == (value, type(value))


def test_nan_comes_back() -> None:
    """NaN, which SQLite would turn into NULL, comes back as NaN, from float and Decimal alike."""
    assert [repr(decode(encode(value))) for value in (float("nan"), Decimal("NaN"))] == ["nan", "Decimal('NaN')"]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ((1, None, -5), False),
        ((1.5, None, 2), False),
        (("a", None), False),
        ((b"a", None), False),
        ((None, None), False),
        ((1.5, float("nan")), True),
        ((1.5, "a", float("nan")), True),
        ((float("inf"), float("-inf")), False),
        ((True, 1), True),
        ((Decimal(1),), True),
        ((MARK, b"a"), True),
    ],
)
def test_plain_columns_need_no_care(column: tuple[Any, ...], expected: bool) -> None:
    """Only columns that may hold something SQLite has no type for are looked at value by value."""
    assert needs_care(set(map(type, column)), column) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [("1E+5", "100000"), ("1.50", "1.50"), ("-0.000001", "-0.000001"), ("1E+999", "1E+999"), ("1E-999", "1E-999")],
)
def test_decimal_text(value: str, expected: str) -> None:
    """A Decimal is written without an exponent, unless that would take hundreds of zeros."""
    assert decimal_text(Decimal(value)) == expected
