"""Values that do not fit, and rows that break a rule: a sentence about the column, and nothing written."""

from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from router.sql.value_kinds import ExactTime, Interval
from router.sql.writing.conversions import CONVERSIONS
from router.sql.writing.order import Kind, Refusal, ResultField, UnfitValue
from tests.router.sql.writing.places import Place
from tests.support.rows import every_row

GIVEN = ResultField("given", "text")
ID = UUID("12345678-1234-5678-1234-567812345678")
NAIVE = datetime(2026, 1, 31, 12)  # noqa: DTZ001 — a time without a zone is what is tested

FITS: list[tuple[ResultField, Any, Any]] = [
    (ResultField("c", "integer"), "  42 ", 42),
    (ResultField("c", "integer"), Decimal("7.00"), 7),
    (ResultField("c", "integer"), 3.0, 3),
    (ResultField("c", "integer"), True, 1),
    (ResultField("c", "decimal"), "12.50", Decimal("12.50")),
    (ResultField("c", "decimal", 5, 2), 0.1, Decimal("0.1")),
    (ResultField("c", "decimal", 5, 2), 999, Decimal(999)),
    (ResultField("c", "decimal", 5, 2), Decimal("1.500"), Decimal("1.5")),
    (ResultField("c", "float"), "1e3", 1000.0),
    (ResultField("c", "float"), Decimal("0.1"), 0.1),
    (ResultField("c", "text"), Decimal("1E+3"), "1000"),
    (ResultField("c", "text", length=3), "abc", "abc"),
    (ResultField("c", "bool"), "Yes", True),
    (ResultField("c", "bool"), 0, False),
    (ResultField("c", "date"), "2026-01-31", date(2026, 1, 31)),
    (ResultField("c", "date"), datetime(2026, 1, 31), date(2026, 1, 31)),  # noqa: DTZ001
    (ResultField("c", "time"), "12:30", time(12, 30)),
    (ResultField("c", "time"), Interval(micros=3600 * 10**6), Interval(micros=3600 * 10**6)),
    (ResultField("c", "timestamp"), date(2026, 1, 31), datetime(2026, 1, 31)),  # noqa: DTZ001
    (ResultField("c", "timestamp"), datetime(2026, 1, 31, 12, tzinfo=UTC), NAIVE),
    (ResultField("c", "timestamptz"), NAIVE, datetime(2026, 1, 31, 12, tzinfo=UTC)),
    (ResultField("c", "timestamptz"), "2026-01-31T12:00+01:00", datetime(2026, 1, 31, 11, tzinfo=UTC)),
    (ResultField("c", "json"), {1: Decimal("1.5")}, '{"1": 1.5}'),
    (ResultField("c", "json"), "[1]", "[1]"),
    (ResultField("c", "uuid"), str(ID), ID),
]
CLASHES: list[tuple[ResultField, Any, str]] = [
    (ResultField("c", "integer"), "abc", "is no whole number"),
    (ResultField("c", "integer"), "007", "begins with a zero, which a number would lose"),
    (ResultField("c", "float"), " -01.5", "begins with a zero, which a number would lose"),
    (ResultField("c", "integer"), Decimal("NaN"), "is no whole number"),
    (ResultField("c", "integer"), 1.5, "is no whole number"),
    (ResultField("c", "integer"), float("nan"), "is no whole number"),
    (ResultField("c", "integer"), Decimal("Infinity"), "is no whole number"),
    (ResultField("c", "integer"), "٣", "is no whole number"),
    (ResultField("c", "integer", length=2), 40_000, "is too large a number for it"),
    (ResultField("c", "decimal"), "1,5", "is no number"),
    (
        ResultField("c", "decimal", 5, 2),
        Decimal("1.234"),
        "has more than 2 digits behind the point; round it in the query",
    ),
    (ResultField("c", "decimal", 5, 2), 1000, "has more than 3 digits before the point"),
    (ResultField("c", "decimal", 5, 2), float("inf"), "is no number that it can hold"),
    (ResultField("c", "float"), "one", "is no number"),
    (ResultField("c", "float"), 10**400, "is too large a number for it"),
    (ResultField("c", "float"), "1e999", "is too large a number for it"),
    (ResultField("c", "text"), b"x", "is a blob, not a text"),
    (ResultField("c", "text", length=3), "abcd", "has 4 characters, it takes 3"),
    (ResultField("c", "bool"), "maybe", "is neither true nor false"),
    (ResultField("c", "bool"), 2, "is neither true nor false"),
    (ResultField("c", "date"), "31.01.2026", "is no date of the form 2026-12-31"),
    (ResultField("c", "date"), NAIVE, "has a time of day, it takes dates only"),
    (ResultField("c", "time"), time(12, tzinfo=UTC), "has a time zone, it takes none"),
    (ResultField("c", "timestamp"), "soon", "is no time of the form 2026-12-31 23:59:59"),
    (ResultField("c", "timestamp"), 5, "is no time of the form 2026-12-31 23:59:59"),
    (ResultField("c", "blob"), "x", "is no blob"),
    (ResultField("c", "json"), "{", "is no JSON"),
    (ResultField("c", "json"), float("nan"), "is no JSON"),
    (ResultField("c", "uuid"), "x", "is no UUID"),
    (ResultField("c", "interval"), 5, "is no length of time"),
]


@every_row(("field", "value", "made"), FITS)
def test_what_can_be_converted(field: ResultField, value: Any, made: Any) -> None:
    """A value of another kind is taken where it means the same."""
    found = CONVERSIONS[field.kind](value, field)
    assert found == made
    assert type(found) is type(made)


@every_row(("field", "value", "words"), CLASHES)
def test_what_cannot_be_converted(field: ResultField, value: Any, words: str) -> None:
    """A value that would have to be changed is refused, with the reason."""
    with pytest.raises(UnfitValue) as clash:
        CONVERSIONS[field.kind](value, field)
    assert str(clash.value) == words


def refused(place: Place, values: list[Any], field: ResultField = GIVEN) -> str:
    """Append values to the column `given` of the table t, and return the sentence; nothing may have been written."""
    before = place.content()
    with pytest.raises(Refusal) as refusal:
        place.write([(value,) for value in values], field, mode="append")
    assert place.content() == before
    return str(refusal.value)


@pytest.mark.parametrize(
    ("native", "value", "words"),
    [
        ("integer", "abc", 'Row 3 does not fit the column "given" ({native}): "abc" is no whole number'),
        ("smallint", "40000", 'Row 3 does not fit the column "given" ({native}): "40000" is too large a number for it'),
        ("date", "31.1.26", 'Row 3 does not fit the column "given" ({native}): "31.1.26" is no date'),
    ],
)
def test_the_sentence(place: Place, native: str, value: str, words: str) -> None:
    """The sentence names the row, the column with its type, and the value."""
    if (place.name, native) == ("sqlite", "smallint"):
        value, words = "9" * 20, words.replace("40000", "9" * 20)  # all its integers have 64 bits
    place.run(f"CREATE TABLE t (given {native})")
    with place.open() as target:
        there = target.table(place.schema, "t")
    assert there is not None
    good = "2026-01-31" if native == "date" else "1"
    sentence = refused(place, [good, good, value, good])
    assert sentence.startswith(words.format(native=there.columns[0].field.native))
    assert sentence.endswith(" Nothing was written. Change the query, or choose another column for it.")


def test_a_text_too_long(place: Place) -> None:
    """A text is never cut; SQLite alone knows no limit."""
    place.run("CREATE TABLE t (given varchar(5))")
    if place.name in ("postgres", "mysql"):
        assert "has 6 characters, it takes 5" in refused(place, ["abc", "abcdef"])
    else:
        assert place.write([("abcdef",)], GIVEN, mode="append") == 1


def test_no_value_where_one_must_be(place: Place) -> None:
    """NULL in a NOT NULL column is told with the column's name."""
    place.run("CREATE TABLE t (given varchar(5) NOT NULL)")
    sentence = refused(place, ["a", None])
    assert sentence.startswith(
        'The column "given" must have a value, and one of the rows has none. Nothing was written'
    )


def test_a_column_nobody_fills(place: Place) -> None:
    """A NOT NULL column that gets nothing is told before a row is sent."""
    place.run("CREATE TABLE t (given varchar(5), other integer NOT NULL)")
    assert refused(place, ["a"]).startswith('The column "other" must have a value, and none of the columns is written')


def test_a_column_that_is_gone(place: Place) -> None:
    """A column that the table does not have any more is told."""
    place.run("CREATE TABLE t (n integer)")
    assert refused(place, ["a"]) == (
        '"t" takes no column "given" (any more). Nothing was written. Choose the columns again.'
    )


def test_a_computed_column(place: Place) -> None:
    """A column that the database computes cannot be written."""
    stored = "STORED" if place.name != "duckdb" else ""
    place.run(f"CREATE TABLE t (n integer, given integer GENERATED ALWAYS AS (n + 1) {stored})")
    assert refused(place, ["a"]).startswith('The column "given" is computed by the database. Nothing was written.')


@pytest.mark.parametrize("values", [[5, 7], [5, 6, 6], [1]])
def test_a_key_twice(place: Place, values: list[int]) -> None:
    """A key that is there already, or twice in the rows, is told; rows before it are not kept."""
    place.run("CREATE TABLE t (given integer PRIMARY KEY); INSERT INTO t VALUES (1), (7)")
    sentence = refused(place, values)
    assert sentence.startswith("A row with this key exists already, or two of the rows have the same")
    assert "Nothing was written." in sentence


def test_rows_that_the_table_leaves_out(sqlite: Place) -> None:
    """A row that a table of SQLite would leave out without a word is told, and nothing is written."""
    sqlite.run("CREATE TABLE t (given integer UNIQUE ON CONFLICT IGNORE); INSERT INTO t VALUES (1)")
    sentence = refused(sqlite, [2, 1, 3])
    assert sentence == "3 rows were sent, and 2 arrived. Nothing was written."


def test_a_rule_broken(place: Place) -> None:
    """A CHECK of the table is told."""
    place.run("CREATE TABLE t (given integer CHECK (given > 0))")
    sentence = refused(place, [1, -1])
    assert sentence.startswith("A row breaks")
    assert "Nothing was written." in sentence


def test_a_reference_to_nothing(place: Place) -> None:
    """A row that refers to what is not there is told, also if other programs of SQLite do not ask for it."""
    place.run("CREATE TABLE u (n integer PRIMARY KEY); CREATE TABLE t (given integer REFERENCES u (n))")
    sentence = refused(place, [5])
    assert sentence.startswith("A row refers to")
    assert "Nothing was written." in sentence


@pytest.mark.parametrize("text", ["half \ud800", "null \0"])
def test_texts_that_cannot_be_written(place: Place, text: str) -> None:
    """Half a character fits nowhere, a null character not into PostgreSQL; the sentence names column and row."""
    place.run("CREATE TABLE t (given varchar(20))")
    if text == "null \0" and place.name != "postgres":
        place.write([("a",), (text,)], GIVEN, mode="append")
        assert place.content() == [("a",), (text,)]
        return
    sentence = refused(place, ["a", "b", text])
    assert 'column "given"' in sentence
    assert sentence.startswith("Row 3 does not fit")
    assert "character" in sentence
    assert "\0" not in sentence
    sentence.encode()


@pytest.mark.parametrize("text", ["half \ud800", "null \0"])
def test_json_that_cannot_be_written(pg: Place, text: str) -> None:
    """The same holds inside of JSON."""
    pg.run("CREATE TABLE t (given jsonb)")
    assert refused(pg, [[1], {"a": [text]}]).startswith('Row 2 does not fit the column "given"')


def test_a_type_that_only_the_database_knows(pg: Place) -> None:
    """A text goes into such a column as it is; where the database cannot read it, it says so with row and column."""
    pg.run("CREATE TYPE mood AS ENUM ('well', 'ill'); CREATE TABLE t (given mood, at inet)")
    assert pg.write([("well", "10.0.0.1")], GIVEN, ResultField("at", "text"), mode="append") == 1
    with pytest.raises(Refusal) as refusal:
        pg.write([("ill", None), ("fine", None)], GIVEN, ResultField("at", "text"), mode="append", job="job-2")
    assert str(refusal.value).startswith('Row 2 does not fit the column "given". Nothing')
    assert pg.rows("SELECT given::text, host(at) FROM t") == [("well", "10.0.0.1")]


def test_no_value_of_a_row_in_the_bare_words(place: Place) -> None:
    """What a trail keeps of a refusal names no value."""
    place.run("CREATE TABLE t (given integer)")
    with pytest.raises(Refusal) as refusal:
        place.write([("secret",)], GIVEN, mode="append")
    assert "secret" in str(refusal.value)
    assert "secret" not in refusal.value.bare
    assert 'column "given"' in refusal.value.bare


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_mariadb_does_not_have(maria: Place, number: float) -> None:
    """What is no finite number is told, with its place."""
    with pytest.raises(Refusal, match=r'^Row 2 does not fit the column "given".* is no number that this database has'):
        maria.write([(1.5,), (number,)], ResultField("given", "float"))
    assert maria.write([(1.5,)], ResultField("given", "float"), job="job-2") == 1


FAR = "10000-01-01 00:00:00"
EXACT: list[tuple[Kind, Any, str]] = [
    ("date", "infinity", "infinity"),
    ("date", ExactTime("date", "0044-03-15 BC"), "0044-03-15 BC"),
    ("time", "24:00:00", "24:00:00"),
    ("timestamp", "0044-03-15 BC", "0044-03-15 BC"),
    ("timestamp", ExactTime("timestamp", FAR), FAR),
    ("timestamptz", ExactTime("timestamp", f"{FAR} BC"), f"{FAR}+00 BC"),
    ("timestamptz", ExactTime("date", "10000-01-01"), f"{FAR}+00"),
    ("timestamptz", "-infinity", "-infinity"),
]


@pytest.mark.parametrize(("kind", "value", "text"), EXACT)
def test_times_that_python_has_no_type_for(kind: Kind, value: Any, text: str) -> None:
    """They keep their text, from a text too; where there was no zone, they are in UTC."""
    assert str(CONVERSIONS[kind](value, ResultField("c", kind))) == text


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("date", "2026-02-30"),
        ("date", ExactTime("timestamp", FAR)),
        ("time", ExactTime("date", "infinity")),
        ("timestamp", "25:00"),
        ("timestamp", f"{FAR}+00"),
        ("timestamp", "soon"),
    ],
)
def test_times_that_would_be_changed(kind: Kind, value: Any) -> None:
    """What is no such time, or has a part that would be lost, is refused."""
    with pytest.raises(UnfitValue):
        CONVERSIONS[kind](value, ResultField("c", kind))


def test_parts_of_a_second_are_not_rounded(maria: Place) -> None:
    """MariaDB would round a half of a second away."""
    maria.run("CREATE TABLE t (n INTEGER, c DATETIME)")
    half = NAIVE.replace(microsecond=500_000)
    with pytest.raises(Refusal, match="smaller parts of a second than it keeps"):
        maria.write([(1, half)], ResultField("n", "integer"), ResultField("c", "text"), mode="append")
    assert maria.rows("SELECT * FROM t") == []
