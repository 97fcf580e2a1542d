"""Foreign keys that nobody declared, found when a schema is read, and what a person says of them."""

import logging
from pathlib import Path

import pytest

from router.catalog.catalog import Catalog
from router.catalog.foreign_keys import links
from tests.router.catalog.conftest import Build, Connect, build_sqlite

SHIPS = """
CREATE TABLE ship_types (code INTEGER PRIMARY KEY, title VARCHAR(20));
INSERT INTO ship_types VALUES (1, 'ferry'), (2, 'tanker'), (3, 'tug'), (4, 'liner'), (5, 'barge');
CREATE TABLE harbours (harbour_no INTEGER PRIMARY KEY, title VARCHAR(20));
INSERT INTO harbours VALUES (11, 'Oslo'), (12, 'Kiel'), (13, 'Rotterdam'), (14, 'Porto'), (15, 'Bari');
"""


def keys(catalog: Catalog, table: str) -> dict[str, str]:
    """Return the keys of a table that hold: its columns, with the columns that they lead to."""
    found = links(catalog.schema("A"))
    return {key.columns[0]: f"{key.target}.{key.target_columns[0]}" for key in found if key.table == table}


def test_values_confirm_a_name(build: Build) -> None:
    """A column that is called as a table, in full, at its end, or shortened, leads there."""
    catalog = build(
        SHIPS + "CREATE TABLE ships (name VARCHAR(20), type INTEGER, home_harbour INTEGER, harb INTEGER);"
        "INSERT INTO ships VALUES ('a', 1, 11, 12), ('b', 2, 12, 13), ('c', 3, 13, 14), ('d', 4, 14, 15);"
    )

    assert keys(catalog, "ships") == {
        "type": "ship_types.code",
        "home_harbour": "harbours.harbour_no",
        "harb": "harbours.harbour_no",
    }
    sure = {key.columns[0]: key.sure for table in catalog.schema("A").tables for key in table.foreign_keys}
    assert sure["home_harbour"] > sure["harb"]


def test_values_refute_a_name(build: Build) -> None:
    """A column whose values are no keys of the table leads nowhere, whatever it is called."""
    catalog = build(
        SHIPS + "CREATE TABLE calls (harbour_no INTEGER, at_pier INTEGER); INSERT INTO calls VALUES (901, 1), (902, 2);"
    )

    assert keys(catalog, "calls") == {}


def test_holes(build: Build) -> None:
    """What no key protects has holes: one value in ten may lack its row, and 0 stands for none."""
    values = ", ".join(f"({n})" for n in [0, 11, 12, 13, 14, 15])
    catalog = build(SHIPS + f"CREATE TABLE calls (harbour INTEGER); INSERT INTO calls VALUES {values};")

    assert keys(catalog, "calls") == {"harbour": "harbours.harbour_no"}


def test_no_key_without_unique_values(build: Build) -> None:
    """A column in which a value stands twice is no key, even if all values are found in it."""
    catalog = build(
        "CREATE TABLE pilots (pilot_id INTEGER, day INTEGER); INSERT INTO pilots VALUES (1, 1), (1, 2), (2, 1), (3, 1);"
        "CREATE TABLE trips (pilot_id INTEGER); INSERT INTO trips VALUES (1), (2), (3);"
    )

    assert keys(catalog, "trips") == {}


def test_a_person_confirms_and_denies(build: Build, caplog: pytest.LogCaptureFixture) -> None:
    """A confirmed key counts as declared, a denied one is none; one that names no column is told in the log."""
    script = SHIPS + (
        "CREATE TABLE calls (harbour INTEGER, last INTEGER);"
        "INSERT INTO calls VALUES (11, 12), (12, 13), (13, 14), (14, 15);"
    )
    said = (
        "calls.harbour != harbours.harbour_no",
        "CALLS.last = harbours.HARBOUR_NO",
        "calls.next = harbours.harbour_no",
    )

    with caplog.at_level(logging.WARNING):
        catalog = build(script, keys=said)
        assert keys(catalog, "calls") == {"last": "harbours.harbour_no"}

    (declared,) = [key for table in catalog.schema("A").tables for key in table.foreign_keys]
    assert declared.sure == 1
    assert "calls.next" in caplog.text


def test_odd_values(tmp_path: Path, connect: Connect) -> None:
    """Infinity, and what only looks like a number, keep no other column and no other table from its keys."""
    script = SHIPS + (
        "CREATE TABLE calls (harbour_id REAL, ship_type TEXT); INSERT INTO calls VALUES (9e999, '²'), (11, '--7');"
        "CREATE TABLE ships (type INTEGER); INSERT INTO ships VALUES (1), (2), (3), (4);"
    )
    catalog = connect("sqlite", build_sqlite(tmp_path, script))

    assert keys(catalog, "ships") == {"type": "ship_types.code"}


@pytest.mark.parametrize("column", ["harbour_count", "n_harbour", "external_harbour_id"])
def test_measures_and_foreign_numbers_are_no_keys(build: Build, column: str) -> None:
    """A number of harbours lies among their ids by chance, and another system's id means other harbours."""
    counts = "CREATE TABLE harbour_counts (harbour_count_id INTEGER PRIMARY KEY);"
    catalog = build(
        SHIPS + counts + f"CREATE TABLE calls ({column} INTEGER, x INTEGER);"
        "INSERT INTO calls VALUES (11, 1), (12, 1), (13, 1), (14, 1);"
    )

    assert keys(catalog, "calls") == {}


def test_hidden_values_are_not_read(build: Build) -> None:
    """Neither those of the column nor those of the key."""
    script = SHIPS + "CREATE TABLE calls (home_harbour INTEGER, x INTEGER); INSERT INTO calls VALUES (11, 1), (12, 1);"

    assert keys(build(script, values_hidden=("harbour_no",)), "calls") == {}
