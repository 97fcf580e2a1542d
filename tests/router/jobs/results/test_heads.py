"""Names and kinds of columns."""

from datetime import date, datetime, time
from decimal import Decimal

import pytest

from router.jobs.results.writer import display_names, kind_of
from router.sql.databases.session import Kind


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a", "b"], ["a", "b"]),
        (["name", "name", "name"], ["name", "name (2)", "name (3)"]),
        (["name", "name", "name (2)"], ["name", "name (3)", "name (2)"]),
        (["", "a", " "], ["column 1", "a", "column 3"]),
        (["column 2", ""], ["column 2", "column 2 (2)"]),
        (["Name", "name"], ["Name", "name"]),
    ],
)
def test_display_names(names: list[str], expected: list[str]) -> None:
    """Every column has a name of its own; names that are one of a kind stay."""
    assert list(display_names(names)) == expected


@pytest.mark.parametrize(
    ("types", "driver", "expected"),
    [
        ({int, float, Decimal}, "text", "number"),
        ({bool}, "number", "bool"),
        ({bool, int}, "text", "number"),
        ({date, datetime, time}, "text", "date"),
        ({bytes}, "text", "blob"),
        ({str}, "number", "text"),
        ({str}, "date", "date"),
        ({str, int}, "number", "text"),
        (set(), "date", "date"),
    ],
)
def test_kind(types: set[type], driver: Kind, expected: Kind) -> None:
    """The values decide a column's kind; the driver where there are none, or where dates are texts."""
    assert kind_of({each.__name__ for each in types}, driver) == expected
