"""A column that is there takes a value as it is, or refuses it: no engine rounds, cuts or takes it for another one."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from router.sql.dialect import Name
from router.sql.value_kinds import Interval, JsonText
from router.sql.writing.column_types import field_of
from router.sql.writing.dialects import WRITE_DIALECTS
from router.sql.writing.fitting import RowFitter
from router.sql.writing.order import Refusal, ResultField
from tests.router.sql.writing.places import Place

LONG = "12345678901234567890.12345678901234567890"
MONEY = Decimal("1402.50")

Case = tuple[str, Any, str | None]
"""The type of a column, a value, and the text of what the column then has; None if it refuses the value."""

CASES: dict[Name, list[Case]] = {
    "duckdb": [
        ("VARIANT", 7, None),
        ("UNION(number INTEGER, word VARCHAR)", 7, None),
        ("STRUCT(a DECIMAL(5,2))", {"a": 1}, None),
        ("MAP(VARCHAR, INTEGER)", {"a": 1}, None),
        ("STRUCT(a INTEGER)[]", [{"a": 1}], None),
        ("INTEGER", "007", None),
        ("INTEGER", "70", "70"),
        ("DOUBLE", "007.5", None),
        ("VARCHAR", MONEY, "1402.50"),
        ("DECIMAL(10,2)", "1402.50", "1402.50"),
        ("INTEGER[]", [1, None], "[1, NULL]"),
        ("INTEGER[]", [1.5], None),
        ("INTEGER[]", "[1.5]", None),
        ("INTEGER[2][]", [[1, 2], None], "[[1, 2], NULL]"),
        ("DECIMAL(5,2)[]", [Decimal("1.23")], "[1.23]"),
        ("DECIMAL(5,2)[]", [Decimal("1.234")], None),
        ("INTERVAL[]", [Interval(1)], "[1 month]"),
        ("FLOAT", 1.1, "1.1"),
        ("FLOAT", 0.1234567890123, None),
        ("FLOAT", 16777217, None),
        ("ENUM('x', 'y')", 1, None),
        ("TINYINT", 128, None),
    ],
    "postgres": [
        ("numeric(5,2)[]", [Decimal("1.23"), None], "{1.23,NULL}"),
        ("numeric(5,2)[]", [Decimal("1.234")], None),
        ("integer[]", [[1, 2], [None, 4]], "{{1,2},{NULL,4}}"),
        ("integer[]", [1.5], None),
        ("text[]", ['a "b"', "NULL", "", "c,d"], '{"a \\"b\\"","NULL","","c,d"}'),
        ("real", 1.1, "1.1"),
        ("real", 0.1234567890123, None),
        ("real", float("inf"), "Infinity"),
        ("real[]", [0.1234567890123], None),
        ("mood[]", "{sad}", "{sad}"),
        ("mood[]", ["sad", None], "{sad,NULL}"),
        ("numeric(5,-2)", 12300, "12300"),
        ("numeric(5,-2)", 12345, None),
        ("jsonb", JsonText(f"[{LONG}]"), f"[{LONG}]"),
        ("timestamp(0)", "2026-01-31 00:00:00.5", None),
        ("varchar(3)", "abc ", None),
        ("character(3)", "abc", "abc"),
        ("character(3)", "ab", None),
        ("character(3)[]", ["abc", "ab"], None),
        ("name", "n", None),
        ("integer", "007", None),
        ("varchar(20)", MONEY, "1402.50"),
        ('"char"', "é", None),
        ("interval(0)", Interval(micros=1_500_000), None),
        ("timestamp(3)", "2026-01-31 00:00:00.123", "2026-01-31 00:00:00.123"),
    ],
    "mysql": [
        ("ENUM('x', '7')", "x", "x"),
        ("ENUM('x', '7')", 7, "7"),
        ("ENUM('x', '7')", 1, None),
        ("ENUM('x', '7')", "1", None),
        ("SET('x', 'y')", "x,y", "x,y"),
        ("SET('x', 'y')", 3, None),
        ("YEAR", 2026, "2026"),
        ("YEAR", 5, None),
        ("FLOAT", 1.1, "1.1"),
        ("FLOAT", 1.234567, None),
        ("JSON", JsonText(f"[{LONG}]"), f"[{LONG}]"),
        ("DECIMAL(5,2)", Decimal("1.23"), "1.23"),
        ("DECIMAL(5,2)", Decimal("1.234"), None),
        ("DECIMAL(5,2)", "1.234", None),
        ("DECIMAL(5,2)", "01.23", None),
        ("VARCHAR(20)", MONEY, "1402.50"),
        ("DOUBLE(10,2)", 1.23, "1.23"),
        ("DOUBLE(10,2)", 1.234, None),
        ("DATETIME(3)", "2026-01-31 00:00:00.123", "2026-01-31 00:00:00.123"),
        ("TIMESTAMP(3)", "2026-01-31 00:00:00.1234", None),
        ("DATETIME", "2026-01-31 00:00:00.5", None),
        ("TIME(1)", "00:00:00.25", None),
        ("CHAR(3)", "ab", "ab"),
        ("CHAR(3)", "ab ", None),
        ("VARCHAR(3)", "ab ", "ab "),
        ("BINARY(3)", b"abc", "abc"),
        ("BINARY(3)", b"ab", None),
        ("VARCHAR(3) CHARACTER SET latin1", "é", "é"),
        ("VARCHAR(3) CHARACTER SET latin1", "株", None),
    ],
    "sqlite": [
        ("INTEGER", "007", None),
        ("DECIMAL(10,2)", "007", None),
        ("VARCHAR(20)", MONEY, "text 1402.50"),
        ("STRING", "x", "text x"),
        ("STRING", "007", None),
        ("STRING", "7", "integer 7"),
        ("MONEY", "1.10", None),
        ("MONEY", Decimal("1.10"), "real 1.1"),
        ("MONEY", Decimal(LONG), None),
        ("JSON", JsonText(LONG), None),
        ("JSON", JsonText('{"a": 1.10}'), 'text {"a": 1.10}'),
        ("NVARCHAR(20)", "007", "text 007"),
        ("UUID", "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "text A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"),
        ("", "007", "text 007"),
        ("", 7, "integer 7"),
    ],
}  # fmt: skip
SHOWN: dict[Name, str] = {
    "duckdb": "CASE WHEN typeof(c) = 'VARIANT' THEN variant_typeof(c::VARIANT) || ' ' ELSE '' END || c::VARCHAR",
    "postgres": "c::text",
    "mysql": "CAST(c AS CHAR)",
    "sqlite": "typeof(c) || ' ' || c",
}


def test_values_are_kept_or_refused(place: Place) -> None:
    """Each value is in the column as it was, or nothing is written and the sentence names the row and the column."""
    if place.name == "postgres":
        place.run("CREATE TYPE mood AS ENUM ('sad', 'happy')")
    wrong = []
    for number, (native, value, wanted) in enumerate(CASES[place.name]):
        place.run(f"CREATE TABLE t{number} (c {native})")
        found: str | None
        try:
            place.write([(value,)], ResultField("c", "text"), table=f"t{number}", mode="append", job=f"job-{number}")
        except Refusal as refusal:
            found = None
            if "Nothing was written." not in str(refusal):
                wrong.append((native, value, str(refusal)))
        else:
            ((found,),) = place.rows(f"SELECT {SHOWN[place.name]} FROM t{number}")
        if found != wanted:
            wrong.append((native, value, found))
    assert wrong == []


@pytest.mark.parametrize(
    ("code_page", "value", "is_kept"),
    [(1252, "Müller €", True), (1252, "Łódź", False), (65001, "株", True), (932, "株", True), (1251, "é", False)],
)
def test_a_code_page(code_page: int, value: str, is_kept: bool) -> None:
    """A letter that a varchar of SQL Server does not have would be another one there, or "?"."""
    field = replace(field_of("c", "varchar(20) COLLATE Latin1_General_CI_AS", "tsql"), digits=code_page)
    fitter = RowFitter([field], WRITE_DIALECTS["tsql"])
    if is_kept:
        assert fitter.fit([(value,)]) == [(value,)]
    else:
        with pytest.raises(Refusal, match="has letters that the column's code page"):
            fitter.fit([(value,)])


@pytest.mark.parametrize(
    ("native", "dialect", "value", "is_kept"),
    [
        ("json", "mysql", JsonText(f"[{LONG}]"), False),
        ("json", "mysql", [Decimal(LONG)], False),
        ("json", "mysql", JsonText("[0.1, 18446744073709551615]"), True),
        ("sql_variant", "tsql", 7, False),
        ("real", "tsql", 0.1234567890123, False),
        ("datetime", "tsql", "2026-01-31 00:00:00.123", True),
        ("datetime", "tsql", "2026-01-31 00:00:00.124", False),
        ("datetime", "tsql", "2026-01-31 00:00:00.1234", False),
        ("smalldatetime", "tsql", "2026-01-31 00:59:00", True),
        ("smalldatetime", "tsql", "2026-01-31 00:59:30", False),
        ("datetime2(3)", "tsql", "2026-01-31 00:00:00.1234", False),
        ("datetimeoffset(0)", "tsql", "2026-01-31 00:00:00.5+00:00", False),
        ("time(7)", "tsql", "00:00:00.123456", True),
        ("char(3)", "tsql", "ab", False),
        ("nchar(3)", "tsql", "abc", True),
        ("binary(3)", "tsql", b"ab", False),
        ("CHAR(3)", "oracle", "ab", False),
        ("TIMESTAMP(3)", "oracle", "2026-01-31 00:00:00.1234", False),
    ],
)
def test_columns_of_servers_that_are_not_here(native: str, dialect: Name, value: Any, is_kept: bool) -> None:
    """MySQL makes floats of the numbers in its JSON; SQL Server rounds times, and fills texts up."""
    fitter = RowFitter([field_of("c", native, dialect)], WRITE_DIALECTS[dialect])
    if is_kept:
        assert len(fitter.fit([(value,)])) == 1
    else:
        with pytest.raises(Refusal, match="does not fit"):
            fitter.fit([(value,)])
