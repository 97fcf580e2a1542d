"""The columns of a stored result as columns of a table."""

from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from router.jobs.results.store import Results
from router.sql.value_kinds import Interval, JsonText
from router.sql.writing.order import ResultField
from tests.router.jobs.conftest import Keep

NAIVE, AWARE = datetime(2026, 1, 31), datetime(2026, 1, 31, tzinfo=UTC)  # noqa: DTZ001

COLUMNS: list[tuple[list[Any], ResultField]] = [
    ([1, None, 2], ResultField("c", "integer")),
    ([1, 2**64], ResultField("c", "decimal", 20, 0)),
    ([-(10**30), 0], ResultField("c", "decimal", 31, 0)),
    ([1, 1.5], ResultField("c", "float")),
    ([True, None], ResultField("c", "bool")),
    ([True, 2], ResultField("c", "integer")),
    ([Decimal("12.50"), Decimal("1000.125")], ResultField("c", "decimal", 7, 3)),
    ([Decimal("0.001"), None], ResultField("c", "decimal", 4, 3)),
    ([Decimal("NaN"), Decimal(1)], ResultField("c", "decimal")),
    ([Decimal("1.5"), 7], ResultField("c", "decimal", 20, 1)),
    (["abc", "ä" * 40, None], ResultField("c", "text", length=40)),
    (["abc", 1], ResultField("c", "text", beyond=("mixed",))),
    ([date(2026, 1, 31)], ResultField("c", "date")),
    ([date(2026, 1, 31), NAIVE], ResultField("c", "timestamp")),
    ([NAIVE], ResultField("c", "timestamp")),
    ([AWARE], ResultField("c", "timestamptz")),
    ([AWARE, NAIVE], ResultField("c", "timestamptz")),
    ([False, 2**63], ResultField("c", "decimal", 19, 0)),
    ([time(12)], ResultField("c", "time")),
    ([time(12, tzinfo=UTC)], ResultField("c", "text", beyond=("mixed",))),
    ([JsonText("[1.5, 18446744073709551615]"), JsonText('"1234567890.1234567890"')], ResultField("c", "json")),
    ([JsonText("1"), JsonText("18446744073709551617")], ResultField("c", "json", beyond=("digits",))),
    ([JsonText("[0.12345678901234567890]")], ResultField("c", "json", beyond=("digits",))),
    ([[Decimal("0.12345678901234567890")]], ResultField("c", "json", beyond=("digits",))),
    ([Interval(1)], ResultField("c", "interval", beyond=("months",))),
    ([b"x"], ResultField("c", "blob")),
    ([[1], {"a": 1}], ResultField("c", "json")),
    ([UUID(int=1)], ResultField("c", "uuid")),
    ([None], ResultField("c", "text")),
]


@pytest.mark.parametrize(("values", "field"), COLUMNS)
def test_kinds(results: Results, keep: Keep, values: list[Any], field: ResultField) -> None:
    """A column is what all its values are."""
    ref = keep([(value,) for value in values], "c")
    assert results.fields(ref) == (field,)
