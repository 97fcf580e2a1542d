"""The warehouse differs from the company exactly where it says so."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support.sample_differences import Differences, TableDifferences, built_with_differences


@dataclass(frozen=True, slots=True)
class Pair:
    """Both databases, open, and what was told of their differences."""

    company_file: Path
    company: sqlite3.Connection
    warehouse: sqlite3.Connection
    told: Differences


@pytest.fixture(scope="module")
def pair(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    company_file, copy = samples / "company.db", tmp_path_factory.mktemp("copy") / "warehouse.db"
    told = built_with_differences(copy, company_file)
    with closing(sqlite3.connect(company_file)) as company, closing(sqlite3.connect(copy)) as warehouse:
        yield Pair(company_file, company, warehouse, told)


def read(db: sqlite3.Connection, table: str, renamed: dict[str, str]) -> list[dict[str, Any]]:
    """Return all rows by column name, with the copy's names turned back."""
    back = {theirs: ours for ours, theirs in renamed.items()}
    cursor = db.execute(f'SELECT * FROM "{table}"')
    names = [back.get(column[0], column[0]) for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def decoded(column: str, value: Any) -> Any:
    """Return a value that the warehouse writes in its own form as the company writes it."""
    match column, value:
        case (("active" | "newsletter"), ("Y" | "N")):
            return int(value == "Y")
        case (("shipped_date" | "delivered_date"), str()):
            return date.fromisoformat(value).isoformat()
        case "amount", str():
            assert value[-3] == "."
            return float(value)
        case _:
            return value


def compared(pair: Pair, told: TableDifferences) -> dict[str, Any]:
    """Return what a comparison row by row finds, in the shape of what was told."""
    ours = {row["id"]: row for row in read(pair.company, told.table, {})}
    rows = read(pair.warehouse, told.copy, dict(told.renamed))
    theirs = {row["id"]: row for row in rows}
    both = sorted(ours.keys() & theirs.keys())
    changed: dict[str, list[int]] = {}
    for row in both:
        for column, value in theirs[row].items():
            if decoded(column, value) != ours[row][column]:
                changed.setdefault(column, []).append(row)
    types = {column: [type(theirs[row][column]) for row in both] for column in told.retyped}
    return {
        "missing": sorted(ours.keys() - theirs.keys()),
        "extra": sorted(theirs.keys() - ours.keys()),
        "repeated": sorted(row for row, times in Counter(r["id"] for r in rows).items() if times == 2),
        "changed": changed,
        "retyped": sorted(c for c, kinds in types.items() if set(kinds) <= {str, type(None)}),
        "dropped": sorted(ours[both[0]].keys() - theirs[both[0]].keys()),
    }


def test_known_differences_are_the_differences(pair: Pair) -> None:
    """The table of copies names exactly what a comparison of all rows finds, and every kind of fault occurs."""
    kinds: Counter[str] = Counter()
    for table in pair.told.tables:
        expected = {
            "missing": list(table.missing),
            "extra": list(table.extra),
            "repeated": list(table.repeated),
            "changed": {change.column: list(change.ids) for change in table.changed if change.ids},
            "retyped": sorted(table.retyped),
            "dropped": sorted(table.dropped),
        }
        assert expected == compared(pair, table), table.table
        kinds.update(kind for kind, found in expected.items() if found)
    assert kinds.keys() == {"missing", "extra", "repeated", "changed", "retyped", "dropped"}


def test_same_company_same_differences(pair: Pair, tmp_path: Path) -> None:
    """A second copy of the same company has the same faults."""
    assert pair.told == built_with_differences(tmp_path / "warehouse.db", pair.company_file)
