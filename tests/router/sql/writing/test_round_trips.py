"""What is read back after writing is what was written, for every kind of value in every kind of database."""

import json
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from itertools import count
from math import isfinite
from pathlib import Path
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from router.jobs.results.store import Results
from router.sql.databases.session import Described
from router.sql.writing.order import Kind, ResultField
from tests.router.sql.writing.places import Place, Row
from tests.support.hypothesis_examples import examples

HOUR_ZONES = st.integers(-14, 14).map(lambda hours: timezone(timedelta(hours=hours)))
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
LEAVES = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS
VALUES: dict[Kind, st.SearchStrategy[Any]] = {
    "integer": st.integers(-(2**63), 2**63 - 1),
    "decimal": st.decimals(-(10**12), 10**12, places=2) | st.decimals(-(10**9), 10**9, places=4),
    "float": st.floats(),
    "text": TEXTS,
    "bool": st.booleans(),
    "date": st.dates(),
    "time": st.times(),
    "timestamp": st.datetimes(),
    "timestamptz": st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=HOUR_ZONES),  # noqa: DTZ001
    "blob": st.binary(max_size=30),
    "json": st.lists(LEAVES, max_size=3) | st.dictionaries(TEXTS, LEAVES, max_size=3),
    "uuid": st.uuids(),
}
READ_FROM_SQLITE: dict[Kind, Callable[[Any], Any]] = {
    "decimal": lambda kept: Decimal(str(kept)),
    "float": lambda kept: float(kept),
    "bool": bool,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "timestamp": datetime.fromisoformat,
    "timestamptz": datetime.fromisoformat,
    "json": json.loads,
    "uuid": UUID,
}

READ_FROM_MYSQL: dict[Kind, Callable[[Any], Any]] = {
    "bool": bool,
    "time": lambda kept: (datetime(1, 1, 1, tzinfo=UTC) + kept).time(),
    "timestamptz": lambda kept: kept.replace(tzinfo=UTC),
    "json": json.loads,
    "uuid": UUID,
}

NUMBERS = count()


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Kind], list[Row]]:
    """Give the kinds of some columns, and rows of them; NULL may be anywhere."""
    kinds = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=5))
    rows = draw(st.lists(st.tuples(*(st.none() | VALUES[kind] for kind in kinds)), min_size=1, max_size=5))
    return kinds, rows


def alike(value: Any) -> Any:
    """Return a value that is equal to another one's where both mean the same: NaN is not equal to itself."""
    return "NaN" if value != value else value


def kept(place: Place, kind: Kind, value: Any) -> Any:
    """Return the value as the place gives it back, turned into Python's own."""
    if value is None:
        return None
    if place.name == "mysql":
        value = READ_FROM_MYSQL.get(kind, lambda same: same)(value)
    if place.name == "sqlite":
        value = READ_FROM_SQLITE.get(kind, lambda same: same)(value)
    if place.name == "duckdb" and kind == "json":
        value = json.loads(value)
    return alike(value)


def expected(place: Place, kind: Kind, value: Any) -> Any:
    """Return what has to come back."""
    return alike(value)


def stored(folder: Path, rows: Iterable[Row], width: int) -> tuple[Results, str]:
    """Keep the rows as a result."""
    results = Results(folder / "results", timedelta(days=1), lambda: datetime.now(UTC))
    columns = [Described(f"c{place}", "text") for place in range(width)]
    return results, results.store(columns, [list(rows)], 10**6, lambda rows: None, lambda: 0.0).id


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables())
def test_every_value_comes_back(place: Place, tmp_path: Path, drawn: tuple[list[Kind], list[Row]]) -> None:
    """Stored, written into a new table and read there, every value is what it was; so it is when written once more."""
    kinds, rows = drawn
    if place.name == "mysql" and any(isinstance(value, float) and not isfinite(value) for row in rows for value in row):
        reject()
    results, ref = stored(tmp_path, rows, len(kinds))
    name = f"t{next(NUMBERS)}"
    fields = results.fields(ref)
    numbered = [(number, *row) for number, row in enumerate(rows)]
    everything = (ResultField("n", "integer"), *fields)
    place.write(numbered, *everything, table=name, job=f"{name}-1")
    place.write(numbered, *everything, table=name, job=f"{name}-2", mode="truncate")
    place.write(
        [(number + 100, *row[1:]) for number, row in enumerate(numbered)],
        *everything,
        table=name,
        job=f"{name}-3",
        mode="append",
    )
    read = place.rows(f"SELECT * FROM {name} ORDER BY n")
    back = [tuple(kept(place, kind, value) for kind, value in zip(kinds, row[1:], strict=True)) for row in read]
    wanted = [tuple(expected(place, kind, value) for kind, value in zip(kinds, row, strict=True)) for row in rows]
    assert back == wanted * 2


def test_decimals_of_any_size(place: Place, tmp_path: Path) -> None:
    """Digits that a column of numbers would lose are kept as a text where the database has no such numbers."""
    values = [Decimal("12345678901234567890123456789012345678.0123456789"), Decimal("-0.0000000001"), Decimal("1E+40")]
    results, ref = stored(tmp_path, [(value,) for value in values], 1)
    place.write([(value,) for value in values], *results.fields(ref))
    assert [Decimal(str(row[0])) for row in place.rows("SELECT * FROM t")] == values


def test_integers_of_any_size(place: Place, tmp_path: Path) -> None:
    """An integer over 64 bits keeps all its digits."""
    values = [2**64 + 1, -(2**100), 5, None]
    results, ref = stored(tmp_path, [(value,) for value in values], 1)
    place.write([(value,) for value in values], *results.fields(ref))
    read = [None if row[0] is None else int(row[0]) for row in place.rows("SELECT * FROM t")]
    assert read == values


def test_a_column_of_everything(place: Place, tmp_path: Path) -> None:
    """Values of several kinds in one column become texts, none of them cut."""
    values = [1, "one", Decimal("1.50"), date(2026, 1, 31), True, None, "x" * 100_000, {"a": [1]}]
    results, ref = stored(tmp_path, [(value,) for value in values], 1)
    place.write([(value,) for value in values], *results.fields(ref))
    read = [row[0] for row in place.rows("SELECT * FROM t")]
    assert read == ["1", "one", "1.50", "2026-01-31", "true", None, "x" * 100_000, '{"a": [1]}']


def test_a_column_without_a_type(sqlite: Place) -> None:
    """Such a column of SQLite takes numbers, texts and blobs as they are."""
    sqlite.run("CREATE TABLE t (a)")
    values = [1, 1.5, "1", b"\x00", None]
    sqlite.write([(value,) for value in values], ResultField("a", "text"), mode="append")
    assert [row[0] for row in sqlite.rows("SELECT a FROM t ORDER BY rowid")] == values
