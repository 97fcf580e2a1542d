"""The columns of a stored result as columns of a table."""

import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings

from router.jobs.results import Results
from router.sql.databases import Described
from router.sql.writing import Field
from tests.examples import examples
from tests.router.jobs.conftest import Keep
from tests.router.jobs.values import rows

NAIVE, AWARE = datetime(2026, 1, 31), datetime(2026, 1, 31, tzinfo=UTC)  # noqa: DTZ001

COLUMNS: list[tuple[list[Any], Field]] = [
    ([1, None, 2], Field("c", "integer")),
    ([1, 2**64], Field("c", "decimal", 20, 0)),
    ([-(10**30), 0], Field("c", "decimal", 31, 0)),
    ([1, 1.5], Field("c", "float")),
    ([True, None], Field("c", "bool")),
    ([True, 2], Field("c", "integer")),
    ([Decimal("12.50"), Decimal("1000.125")], Field("c", "decimal", 7, 3)),
    ([Decimal("0.001"), None], Field("c", "decimal", 4, 3)),
    ([Decimal("NaN"), Decimal(1)], Field("c", "decimal")),
    ([Decimal("1.5"), 7], Field("c", "decimal", 20, 1)),
    (["abc", "ä" * 40, None], Field("c", "text", length=40)),
    (["abc", 1], Field("c", "text")),
    ([date(2026, 1, 31)], Field("c", "date")),
    ([date(2026, 1, 31), NAIVE], Field("c", "timestamp")),
    ([NAIVE], Field("c", "timestamp")),
    ([AWARE], Field("c", "timestamptz")),
    ([AWARE, NAIVE], Field("c", "timestamptz")),
    ([False, 2**63], Field("c", "decimal", 19, 0)),
    ([time(12)], Field("c", "time")),
    ([time(12, tzinfo=UTC)], Field("c", "text")),
    ([timedelta(1)], Field("c", "interval")),
    ([b"x"], Field("c", "blob")),
    ([[1], {"a": 1}], Field("c", "json")),
    ([UUID(int=1)], Field("c", "uuid")),
    ([None], Field("c", "text")),
]


@pytest.mark.parametrize(("values", "field"), COLUMNS)
def test_kinds(results: Results, keep: Keep, values: list[Any], field: Field) -> None:
    """A column is what all its values are."""
    ref = keep([(value,) for value in values], "c")
    assert results.fields(ref) == (field,)


def test_a_column_of_nothing(results: Results) -> None:
    """Where there are no values, the driver is believed."""
    columns = [Described("n", "number"), Described("d", "date"), Described("t", "text")]
    ref = results.store(columns, [], 10, lambda rows: None, lambda: 0.0)
    assert [field.kind for field in results.fields(ref)] == ["float", "timestamp", "text"]


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows())
def test_results_of_earlier_versions(results: Results, tmp_path: Path, table: list[tuple[Any, ...]]) -> None:
    """A result that was stored without a word about its values is read once more, and gives the same."""
    columns = [Described(f"c{place}", "text") for place in range(len(table[0]))]
    ref = results.store(columns, [table], 100, lambda rows: None, lambda: 0.0)
    fields = results.fields(ref)
    with closing(sqlite3.connect(tmp_path / "results" / f"{ref.id}.sqlite")) as file:
        file.execute("UPDATE about SET json = json_remove(json, '$.seen')")
        file.commit()
    assert results.fields(ref) == fields
