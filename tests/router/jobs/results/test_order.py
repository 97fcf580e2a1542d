"""The order of values."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.jobs.results.codec import encode
from router.jobs.results.reader import folded, sort_key
from router.sql.value_kinds import Interval, nanoseconds_of
from tests.router.jobs.values import intervals, zones

numbers = st.integers() | st.floats(allow_nan=False) | st.decimals(allow_nan=False) | st.booleans()
moments = st.datetimes(timezones=zones)


def exact(number: Any) -> Decimal:
    """Floats compare with Decimals by their exact value."""
    return Decimal(number)


@given(numbers, numbers)
def test_numbers(left: Any, right: Any) -> None:
    """Keys of numbers of all types compare as the numbers do, to the last digit."""
    keys = sort_key(encode(left)), sort_key(encode(right))
    assert (keys[0] < keys[1], keys[0] == keys[1]) == (exact(left) < exact(right), exact(left) == exact(right))


@given(moments, moments)
def test_moments(left: datetime, right: datetime) -> None:
    """Keys of times with a zone compare as the moments do, whatever their zones."""
    keys = sort_key(encode(left)), sort_key(encode(right))
    assert (keys[0] < keys[1], keys[0] == keys[1]) == (left < right, left == right)


@given(intervals, intervals)
def test_lengths(left: Interval, right: Interval) -> None:
    """Keys of lengths of time compare as their lengths do, a month being 30 days, also below nought."""
    keys = sort_key(encode(left)), sort_key(encode(right))
    lengths = nanoseconds_of(left), nanoseconds_of(right)
    assert (keys[0] < keys[1], keys[0] == keys[1]) == (lengths[0] < lengths[1], lengths[0] == lengths[1])


def test_kinds_in_one_column() -> None:
    """In a column of many kinds numbers come first, then times, texts, blobs; a date is its midnight."""
    ordered = [
        -1.5,
        0,
        True,
        Decimal("2.5"),
        float("nan"),
        date(2026, 1, 1),
        datetime.fromisoformat("2026-01-01T01:00"),
        "a",
        "B",
        b"\0",
    ]
    turned = [ordered[place] for place in (5, 9, 0, 7, 2, 8, 4, 6, 1, 3)]
    assert sorted(turned, key=lambda value: sort_key(encode(value))) == ordered


@pytest.mark.parametrize(("text", "expected"), [("Éva", "éva"), ("STRASSE", "straße"), ("ǅ", "ǆ")])
def test_case(text: str, expected: str) -> None:
    """Case makes no difference, in any alphabet, to texts alone and to texts among other kinds."""
    assert (folded(text), sort_key(text)) == (folded(expected), sort_key(expected))


def test_null() -> None:
    """NULL has no key."""
    assert (folded(None), sort_key(None)) == (None, None)
