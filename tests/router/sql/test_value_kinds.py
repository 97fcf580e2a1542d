"""Every type of the engines with its edge values: shown, in files, written to each other engine, and compared."""

import csv
import re
from datetime import date, datetime, time, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from router.jobs.results.cells import cell
from router.sql.dialect import Name
from router.sql.writing.order import Refusal, ResultField
from tests.router.sql.value_places import differences, place_of, stored
from tests.router.sql.writing.places import Place, sqlite_place

Example = tuple[str, str, str]
"""A type, a value of it in SQL, and the text that people see of it everywhere."""

LONG = "12345678901234567890.12345678901234567890"

POSTGRES: list[Example] = [
    ("interval", "'1 year 2 months 3 days 04:05:06'", "1 year 2 months 3 days 04:05:06"),
    ("interval", "age(timestamp '2026-03-01', timestamp '2025-01-31')", "1 year 1 month 1 day"),
    ("interval", "'-1 year -2 months +3 days -04:05:06.5'", "-1 year -2 months 3 days -04:05:06.500000"),
    ("interval", "'30 days'", "30 days"),
    ("interval", "'1 month'", "1 month"),
    ("interval", "'24:00:00'", "24:00:00"),
    ("interval", "'-838:59:59'", "-838:59:59"),
    ("interval", "'0'", "00:00:00"),
    ("interval", "'infinity'", "infinity"),
    ("interval", "'-infinity'", "-infinity"),
    ("date", "'2026-01-31'", "2026-01-31"),
    ("date", "'infinity'", "infinity"),
    ("date", "'0044-03-15 BC'", "0044-03-15 BC"),
    ("date", "'10000-01-01'", "10000-01-01"),
    ("time", "'24:00'", "24:00:00"),
    ("time", "'23:59:59.999999'", "23:59:59.999999"),
    ("timetz", "'12:00:00+05:30'", "12:00:00+05:30"),
    ("timetz", "'24:00:00+00'", "24:00:00+00"),
    ("timestamp", "'infinity'", "infinity"),
    ("timestamp", "'-infinity'", "-infinity"),
    ("timestamp", "'0001-12-31 23:59:59 BC'", "0001-12-31 23:59:59 BC"),
    ("timestamp", "'290000-12-31 23:59:59.999999'", "290000-12-31 23:59:59.999999"),
    ("timestamptz", "'2026-01-31 12:00:00+00'", "2026-01-31 12:00:00+00:00"),
    ("timestamptz", "'infinity'", "infinity"),
    ("timestamptz", "'0044-03-15 00:00:00+00 BC'", "0044-03-15 00:00:00+00 BC"),
    ("real", "1.1", "1.1"),
    ("real", "16777216", "16777216"),
    ("real", "'NaN'", "NaN"),
    ("double precision", "0.1", "0.1"),
    ("double precision", "'-Infinity'", "-inf"),
    ("numeric", LONG, LONG),
    ("numeric", "'NaN'", "NaN"),
    ("numeric", "'Infinity'", "Infinity"),
    ("bigint", "9223372036854775807", "9223372036854775807"),
    ("json", f"'{{\"a\": {LONG}}}'", f'{{"a": {LONG}}}'),
    ("jsonb", f"'[{LONG}, 1.10, null]'", f"[{LONG}, 1.10, null]"),
    ("jsonb", "'null'", "null"),
    ("jsonb", "'\"a\"'", '"a"'),
    ("json", "'\"007\"'", '"007"'),
    ("text", "'null'", "null"),
    ("bit(1)", "B'1'", "1"),
    ("bit(8)", "B'00000101'", "00000101"),
    ("bit varying", "B'0101'", "0101"),
    ("bytea", "'\\x00ff'", "00ff"),
    ("integer[]", "ARRAY[1, NULL, 3]", "[1, null, 3]"),
    ("integer[]", "ARRAY[[1, 2], [NULL, 4]]", "[[1, 2], [null, 4]]"),
    ("numeric[]", f"ARRAY[{LONG}, NULL]", f"[{LONG}, null]"),
    ("interval[]", "ARRAY['1 month'::interval]", '["1 month"]'),
    ("jsonb[]", "ARRAY['null'::jsonb, NULL]", "[null, null]"),
    ("int4range", "'[1,5)'", "[1,5)"),
    ("tsrange", "'(,infinity)'", "(,infinity)"),
    ("nummultirange", "'{[1,2],(3,4)}'", "{[1,2],(3,4)}"),
    ("inet", "'10.0.0.1/8'", "10.0.0.1/8"),
    ("macaddr", "'08:00:2b:01:02:03'", "08:00:2b:01:02:03"),
    ("uuid", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    ("mood", "'sad'", "sad"),
    ("pair", "ROW(1, 'a b')", '(1,"a b")'),
    ("money", "5", "$5.00"),
    ("boolean", "true", "true"),
    ("point", "'(1,2)'", "(1,2)"),
]
DUCKDB: list[Example] = [
    ("INTERVAL", "'1 year 2 months 3 days 04:05:06'", "1 year 2 months 3 days 04:05:06"),
    ("INTERVAL", "'-1 month'", "-1 month"),
    ("INTERVAL", "'26:00:00'", "26:00:00"),
    ("DATE", "'infinity'", "infinity"),
    ("DATE", "'0044-03-15 (BC)'", "0044-03-15 BC"),
    ("DATE", "'9999-12-31'", "9999-12-31"),
    ("DATE", "'10000-01-01'", "10000-01-01"),
    ("TIMESTAMP", "'-infinity'", "-infinity"),
    ("TIMESTAMP", "'290000-01-01 01:02:03'", "290000-01-01 01:02:03"),
    ("TIMESTAMP", "'0044-03-15 (BC) 01:02:03'", "0044-03-15 01:02:03 BC"),
    ("TIMESTAMP_NS", "'2026-01-31 00:00:00.123456789'", "2026-01-31 00:00:00.123456789"),
    ("TIMESTAMP_NS", "'2026-01-31 00:00:00.123456'", "2026-01-31 00:00:00.123456"),
    ("TIMESTAMP_S", "'2026-01-31 00:00:00'", "2026-01-31 00:00:00"),
    ("TIMESTAMPTZ", "'infinity'", "infinity"),
    ("TIME", "'24:00:00'", "24:00:00"),
    ("TIME_NS", "'01:02:03.123456789'", "01:02:03.123456789"),
    ("TIMETZ", "'01:02:03+05:30'", "01:02:03+05:30"),
    ("FLOAT", "1.1", "1.1"),
    ("FLOAT", "'inf'", "inf"),
    ("DOUBLE", "'nan'", "NaN"),
    ("HUGEINT", "170141183460469231731687303715884105727", "170141183460469231731687303715884105727"),
    ("UHUGEINT", "340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
    ("BIGNUM", "'123456789012345678901234567890123456789012'", "123456789012345678901234567890123456789012"),
    ("DECIMAL(38, 12)", "'12345678901234567890123456.789012345678'", "12345678901234567890123456.789012345678"),
    ("BIT", "'101'", "101"),
    ("BLOB", "'\\xAA\\x00'::BLOB", "aa00"),
    ("UNION(number INTEGER, text VARCHAR)", "union_value(number := 7)", "7"),
    ("UNION(wait INTERVAL)", "union_value(wait := INTERVAL 1 month)", "1 month"),
    ("MAP(VARCHAR, INTEGER)", "MAP {'a': 1, 'b': NULL}", '{"a": 1, "b": null}'),
    ("MAP(INTEGER[], VARCHAR)", "MAP {[1, 2]: 'a'}", '{"[1, 2]": "a"}'),
    ("STRUCT(a FLOAT, b INTERVAL, c DATE)", "{'a': 1.1, 'b': INTERVAL 1 month, 'c': DATE 'infinity'}",
     '{"a": 1.1, "b": "1 month", "c": "infinity"}'),
    ("FLOAT[]", "[1.1, NULL]", "[1.1, null]"),
    ("INTEGER[][]", "[[1, NULL], NULL]", "[[1, null], null]"),
    ("FLOAT[1]", "[1.1]", "[1.1]"),
    ("ENUM('x', 'y')", "'y'", "y"),
    ("JSON", f"'{{\"a\": {LONG}}}'", f'{{"a": {LONG}}}'),
    ("JSON", "'null'", "null"),
    ("JSON", "'\"a\"'", '"a"'),
    ("UUID", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    ("GEOMETRY", "'POINT(1 2)'", "POINT (1 2)"),
    ("VARIANT", "1.5::VARIANT", "1.5"),
    ("BOOLEAN", "true", "true"),
]  # fmt: skip
MYSQL: list[Example] = [
    ("TIME", "'25:00:00'", "25:00:00"),
    ("TIME(6)", "'-838:59:59.5'", "-838:59:59.500000"),
    ("TIME", "'10:00:00'", "10:00:00"),
    ("TIME", "'00:00:00'", "00:00:00"),
    ("DATE", "'0000-00-00'", "0000-00-00"),
    ("DATE", "'2026-00-15'", "2026-00-15"),
    ("DATETIME", "'0000-00-00 00:00:00'", "0000-00-00 00:00:00"),
    ("DATETIME(6)", "'2026-01-31 23:59:59.999999'", "2026-01-31 23:59:59.999999"),
    ("TIMESTAMP NULL", "'2026-01-31 12:00:00'", "2026-01-31 17:45:00"),  # typed in UTC, shown in the server's zone
    ("YEAR", "2026", "2026"),
    ("FLOAT", "1.1", "1.1"),
    ("DOUBLE", "0.1", "0.1"),
    ("DECIMAL(65, 30)", LONG, f"{LONG}0000000000"),
    ("BIGINT UNSIGNED", "18446744073709551615", "18446744073709551615"),
    ("BIT(1)", "b'1'", "true"),
    ("BIT(1)", "b'0'", "false"),
    ("BIT(8)", "b'101'", "00000101"),
    ("BIT(64)", f"b'{'1' * 64}'", "1" * 64),
    ("JSON", f"'{{\"a\": {LONG}}}'", f'{{"a": {LONG}}}'),
    ("JSON", "'null'", "null"),
    ("BLOB", "x'00ff'", "00ff"),
    ("ENUM('x', 'y')", "'y'", "y"),
    ("SET('x', 'y')", "'x,y'", "x,y"),
    ("VARCHAR(20)", "'Straße 😀'", "Straße 😀"),
    ("INET6", "'2001:db8::1'", "2001:db8::1"),
    ("UUID", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
]
SQLITE: list[Example] = [
    ("", "7", "7"),
    ("", "'7'", "7"),
    ("", "1.5", "1.5"),
    ("", "x'00ff'", "00ff"),
    ("", "9223372036854775807", "9223372036854775807"),
    ("", "9e999", "inf"),
    ("DATE", "'2026-01-31'", "2026-01-31"),
    ("INTEGER", "'seven'", "seven"),
    ("BOOLEAN", "1", "1"),
    ("TEXT", "'null'", "null"),
    ("TEXT", "CAST(x'4d' || x'fc' || x'6c6c6572' AS TEXT)", "M\\xfcller"),
]
EXAMPLES: dict[Name, list[Example]] = {
    "postgres": POSTGRES,
    "duckdb": DUCKDB,
    "mysql": MYSQL,
    "sqlite": SQLITE,
}
TYPES = {"postgres": "CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE TYPE pair AS (number integer, word text);"}

UNFIT = frozenset({"M\\xfcller"})
"""Texts that are not written anywhere, which is said."""

READ_ONLY = ("MAP", "STRUCT", "UNION", "VARIANT")
"""Types of columns that take no rows."""


def fill(place: Place) -> None:
    """Make a table with a column for each example, and a row of NULLs in it."""
    examples = EXAMPLES[place.name]
    columns = ", ".join(f"c{at} {kind}" for at, (kind, _, _) in enumerate(examples))
    values = ", ".join(value for _, value, _ in examples)
    mode = "SET sql_mode = 'ANSI_QUOTES';" if place.name == "mysql" else ""
    place.run(
        f"{TYPES.get(place.name, '')}{mode}CREATE TABLE every_type (n INTEGER, {columns});"
        f"INSERT INTO every_type VALUES (1, {values});INSERT INTO every_type (n) VALUES (2);"
    )


ENGINES: tuple[Name, ...] = ("postgres", "duckdb", "mysql", "sqlite")


@pytest.mark.parametrize("name", ENGINES)
def test_shown_and_in_files(name: Name, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """What the database holds is what people see, what CSV has, and what XLSX has, as a text or as Excel's own type."""
    with place_of(name, request, tmp_path / name) as place:
        fill(place)
        results, ref = stored(place, tmp_path, "SELECT * FROM every_type ORDER BY n")
        wanted = ["1", *(text for _, _, text in EXAMPLES[name])]
        (row, nulls) = next(results.rows(ref, 10))
        assert set(nulls[1:]) == {None}
        seen = [cell(value) for value in row]
        as_seen = [_as_seen(value, text) for value, text in zip(row, wanted, strict=True)]
        assert seen == as_seen
        _, written, empty = csv.reader(StringIO(results.file(ref, "csv").read_text("utf-8-sig")))
        bare = [text[1:] if re.match(r"'[-+=@]", text) else text for text in written]
        assert bare == [_as_written(value, text) for value, text in zip(row, wanted, strict=True)]
        assert set(empty[1:]) == {""}
        sheet = load_workbook(results.file(ref, "xlsx")).active
        assert sheet is not None
        cells = [each.value for each in sheet[2]]
        wrong = [pair for pair in zip(cells, wanted, row, strict=True) if not _excel_has(*pair)]
        assert wrong == []


def _as_seen(value: Any, text: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"⟨blob, {len(value)} B⟩" if isinstance(value, bytes) else text


def _as_written(value: Any, text: str) -> str:
    if isinstance(value, bytes):
        return text.upper()
    return f"{text}.0" if isinstance(value, float) and text.isdigit() else text


def _excel_has(found: Any, text: str, value: Any) -> bool:
    """Return whether a cell holds the text, or the value in a type of Excel's."""
    if isinstance(found, bool | str):
        return str(found).lower() == text.lower()
    if isinstance(found, int | float):
        return float(found) == float(value)
    if isinstance(found, datetime) and isinstance(value, date):
        moment = datetime.combine(value, time()) if type(value) is date else value.replace(tzinfo=None)
        return abs(found - moment) < timedelta(milliseconds=1)
    return isinstance(found, datetime | time | timedelta)


PAIRS = [(here, there) for here in ENGINES for there in ENGINES]


@pytest.mark.parametrize(
    ("here", "there"),
    [
        pytest.param(here, there, marks=() if there == ENGINES[ENGINES.index(here) - 1] else pytest.mark.thorough)
        for here, there in PAIRS
    ],
    ids=lambda name: name,
)
def test_written_and_compared(here: Name, there: Name, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """A table that is written to another engine is the same there, and its copy reads as it did."""
    with place_of(here, request, tmp_path / "one") as one, place_of(there, request, tmp_path / "other") as other:
        fill(one)
        fit = [at for at, (_, _, text) in enumerate(EXAMPLES[here]) if text not in UNFIT]
        names = ", ".join(["n", *(f"c{at}" for at in fit)])
        sql = f"SELECT {names} FROM every_type"
        results, ref = stored(one, tmp_path, sql)
        rows = [row for batch in results.rows(ref, 10) for row in batch]
        other.write(rows, *results.fields(ref), table="copied")
        assert differences(one, one, sql, sql) == []
        assert differences(one, other, sql, f"SELECT {names} FROM copied") == []


@pytest.mark.parametrize("name", ENGINES)
def test_written_into_columns_of_the_same_types(name: Name, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """A column of any type takes what was read of such a column, and has it then."""
    examples = EXAMPLES[name]
    fit = [
        at
        for at, (kind, _, text) in enumerate(examples)
        if text not in UNFIT and not kind.startswith(READ_ONLY) and (kind, text) != ("INTEGER", "seven")
    ]
    with place_of(name, request, tmp_path / "one") as place:
        fill(place)
        mode = "SET sql_mode = 'ANSI_QUOTES';" if name == "mysql" else ""
        columns = ", ".join(f"c{at} {examples[at][0]}" for at in fit)
        place.run(f"{mode}CREATE TABLE same (n INTEGER, {columns})")
        sql = f"SELECT n, {', '.join(f'c{at}' for at in fit)} FROM every_type"
        results, ref = stored(place, tmp_path, sql)
        rows = [row for batch in results.rows(ref, 10) for row in batch]
        place.write(rows, *results.fields(ref), table="same", mode="append")
        assert differences(place, place, sql, "SELECT * FROM same") == []


def test_texts_that_are_no_unicode_stay_apart(sqlite_names: Place, tmp_path: Path) -> None:
    """Two names in Latin-1 are two in a comparison and to people, and are written nowhere."""
    first, second = ("SELECT id, name FROM names WHERE id = 1", "SELECT 1 AS id, name FROM names WHERE id = 2")
    assert differences(sqlite_names, sqlite_names, first, second, rows=1) == [("M\udcfcller", "M\udcf6ller")]
    results, ref = stored(sqlite_names, tmp_path, first)
    assert [list(row) for row in results.page(ref).rows] == [["1", "M\\xfcller"]]
    rows = [row for batch in results.rows(ref, 10) for row in batch]
    with pytest.raises(Refusal, match="bytes that are no text"):
        sqlite_names.write(rows, *results.fields(ref), table="copied")
    sqlite_names.run("CREATE TABLE kept (id INTEGER, name TEXT, code VARCHAR(20), odd STRING)")
    for column in ("name", "code", "odd"):
        with pytest.raises(Refusal, match="bytes that are no text"):
            sqlite_names.write(
                [row[1:] for row in rows], ResultField(column, "text"), table="kept", mode="append", job=f"job-{column}"
            )
    assert sqlite_names.rows("SELECT * FROM kept") == []


@pytest.fixture
def sqlite_names(tmp_path: Path) -> Place:
    """An SQLite file with two names that are no UTF-8."""
    place = sqlite_place(tmp_path)
    place.run(
        "CREATE TABLE names (id INTEGER, name TEXT); INSERT INTO names VALUES "
        "(1, CAST(x'4dfc6c6c6572' AS TEXT)), (2, CAST(x'4df66c6c6572' AS TEXT))"
    )
    return place


def test_json_and_texts_are_not_mixed_up(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """A JSON null is no NULL, a JSON text is not the text within it, and no digit of a number is lost."""
    with place_of("postgres", request, tmp_path / "pg") as place:
        pairs = [
            ("'null'::jsonb", "NULL::jsonb"),
            ("'\"a\"'::jsonb", "'a'::text"),
            ("'12345678901234567890.1'::jsonb", "'12345678901234567890.2'::jsonb"),
            ("'[1.00000000000000000001]'::jsonb", "'[1]'::jsonb"),
            ("interval '1 month'", "interval '30 days'"),
            ("interval '1 day'", "interval '24 hours'"),
            ("timestamp 'infinity'", "timestamp '9999-12-31 23:59:59.999999'"),
        ]
        for left, right in pairs:
            queries = [f"SELECT 1 AS n, {each} AS c" for each in (left, right)]
            assert len(differences(place, place, *queries, rows=1)) == 1, (left, right)
        same = ('\'{"a": 1.0, "b": null}\'::json', '\'{"b": null, "a": 1}\'::jsonb')
        assert differences(place, place, *(f"SELECT 1 AS n, {each} AS c" for each in same), rows=1) == []
