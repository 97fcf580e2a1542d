"""Values as SQLite keeps them."""

from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from hypothesis import given

from router.jobs.results.codec import MARK, decode, encode
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
