"""Values of a database that are kept as samples."""

from pathlib import Path
from typing import Any

import pytest

from router.catalog.samples import VALUE_ROWS, VALUES_PER_COLUMN
from router.catalog.sensitive_columns import looks_personal
from tests.router.catalog.conftest import Build, Connect, build_sqlite


def samples(build: Build, values: list[str | None]) -> tuple[str, ...]:
    literals = ", ".join("(NULL)" if value is None else "('" + value.replace("'", "''") + "')" for value in values)
    catalog = build(f"CREATE TABLE things (kind VARCHAR(99)); INSERT INTO things VALUES {literals};")
    (table,) = catalog.schema("A").tables
    return table.columns[0].samples


def test_values_unfit_for_a_prompt(build: Build) -> None:
    """Long values, blank ones and those with control characters are left out."""
    assert samples(build, ["good", "x" * 41, "  ", "two\nlines", "bell\a", "x" * 40]) == ("good", "x" * 40)


def test_personal_columns(build: Build) -> None:
    """Nothing personal or secret is ever a sample."""
    names = ["e_mail", "PhoneNumber", "password", "iban", "ssn", "home address", "last_name"]
    columns = ", ".join(f'"{name}" VARCHAR(9)' for name in names)
    values = ", ".join("'one'" for _ in names)
    (table,) = build(f"CREATE TABLE things ({columns}); INSERT INTO things VALUES ({values});").schema("A").tables

    assert dict.fromkeys(names, ()) == {column.name: column.samples for column in table.columns}


@pytest.mark.parametrize(
    ("table", "column", "personal"),
    [
        ("customers", "name", True),
        ("products", "name", False),
        ("orders", "customer_name", True),
        ("orders", "CustomerName", True),
        ("regions", "region_name", False),
        ("people", "full_name", True),
        ("classes", "class_name", False),
        ("shops", "city", False),
        ("users", "apiKey", True),
        ("users", "status", False),
        ("orders", "currency", False),
        ("orders", "shipping_method", False),
        ("employees", "dateOfBirth", True),
        ("tickets", "internal_notes", True),
    ],
)
def test_what_looks_personal(table: str, column: str, personal: bool) -> None:
    """Names are judged by their words, not by letters that happen to stand in them."""
    assert personal == looks_personal(table, column)


PEOPLE = (
    "CREATE TABLE sales (city VARCHAR(20), customer_name VARCHAR(20), remark VARCHAR(20));"
    "INSERT INTO sales VALUES ('Rome', 'Ada', 'late'), ('Oslo', 'Bob', 'early');"
)
CITY, BUYER = ("Oslo", "Rome"), ("Ada", "Bob")


@pytest.mark.parametrize(
    ("limits", "samples", "values", "found"),
    [
        ({}, (CITY, (), ()), (CITY, BUYER, ("early", "late")), ["Rome"]),
        ({"values": False}, (CITY, (), ()), ((), (), ()), []),
        ({"samples": False}, ((), (), ()), ((), (), ()), []),
        ({"samples": False, "values": True}, ((), (), ()), (CITY, BUYER, ("early", "late")), []),
        ({"values_hidden": ("*.city", "REMARK")}, ((), (), ()), ((), BUYER, ()), []),
        ({"values_hidden": ("orders.city", "sales.cust*")}, (CITY, (), ()), (CITY, (), ("early", "late")), ["Rome"]),
    ],
)
def test_switches(
    build: Build,
    limits: dict[str, Any],
    samples: tuple[tuple[str, ...], ...],
    values: tuple[tuple[str, ...], ...],
    found: list[str],
) -> None:
    """Each switch keeps what it names from being read, shown, or found."""
    catalog = build(PEOPLE, **limits)
    (table,) = catalog.schema("A").tables

    assert samples == tuple(column.samples for column in table.columns)
    assert values == tuple(tuple(sorted(column.values)) for column in table.columns)
    assert found == [value.text for value in catalog.values("A").same("rome")]


def test_every_value_of_a_larger_table(connect: Connect, tmp_path: Path) -> None:
    """What comes after the first rows is known too, in columns that do not differ in every row."""
    numbers = f"WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n <= {VALUE_ROWS})"
    script = (
        "CREATE TABLE sales (n INTEGER PRIMARY KEY, city TEXT, code TEXT);"
        f"INSERT INTO sales {numbers}"
        f" SELECT n, CASE WHEN n > {VALUE_ROWS} THEN 'Oslo' ELSE 'Rome' END, 'c' || n FROM up;"
    )
    catalog = connect("sqlite", build_sqlite(tmp_path, script))
    (table,) = catalog.schema("A").tables
    _, city, code = table.columns

    assert (city.values, city.whole, city.samples) == ({"Oslo", "Rome"}, True, ("Rome",))
    assert (len(code.values), code.whole) == (VALUES_PER_COLUMN, False)


def test_what_is_found_follows_the_tables(build: Build) -> None:
    """After `refresh`, values are read and indexed again."""
    catalog = build(PEOPLE)
    before = catalog.values("A")
    catalog.refresh("A")

    assert len(before) == len(catalog.values("A"))
    assert before is not catalog.values("A")
