"""The sample company compared with its warehouse copy, of which every fault is known."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from router.sql.comparing.compare import compare
from router.sql.comparing.plan import ComparePlan, Side
from router.sql.comparing.proposals import match_columns, propose_key
from router.sql.comparing.queries import sample
from router.sql.comparing.query_keys import NO_KEY, KeyProposal
from router.sql.dialect import DIALECTS
from router.sql.opening import open_database
from tests.support.sample_differences import Differences, TableDifferences, built_with_differences


@pytest.fixture(scope="module")
def known(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Differences]:
    """The folder of both files, and what is wrong with the copy."""
    folder = tmp_path_factory.mktemp("samples")
    shutil.copyfile(samples / "company.db", folder / "company.db")
    return folder, built_with_differences(folder / "warehouse.db", folder / "company.db")


@contextmanager
def sides(folder: Path, table: TableDifferences) -> Iterator[tuple[Side, Side]]:
    """Lend the table in both files."""
    with ExitStack() as stack:
        found = []
        for name, file, label in ((table.table, "company", "the company"), (table.copy, "warehouse", "the copy")):
            base = open_database(f"sqlite:///{folder / file}.db", DIALECTS["sqlite"])
            stack.callback(base.close)
            found.append(Side(label, "sqlite", f'SELECT * FROM "{name}"', stack.enter_context(base.session())))
        yield found[0], found[1]


@pytest.mark.thorough
def test_every_known_fault_is_reported_and_no_other(known: tuple[Path, Differences]) -> None:
    """Columns renamed, left out and written in other forms (Y for 1, 20261015 for 2026-10-15) hide and make nothing."""
    folder, told = known
    for table in told.tables:
        with sides(folder, table) as (left, right):
            mine, others = sample(left), sample(right)
            pairs = match_columns(mine, others)
            found = tuple((mine.names[pair.left], others.names[pair.right]) for pair in pairs)
            first = KeyProposal((0,), "primary key")
            key = propose_key(mine, others, pairs, (first, NO_KEY if table.repeated else first))
            report = compare(left, right, ComparePlan(mine.names, others.names, pairs, key.places or (0,)))
        assert set(table.renamed) <= set(found), table.table
        assert set(table.dropped) == set(mine.names) - {mine.names[pair.left] for pair in pairs}, table.table
        changed = {row for change in table.changed for row in change.ids}
        expected = (len(table.missing), len(table.extra), len(table.repeated), len(changed - set(table.repeated)))
        assert expected == (report.only_left, report.only_right, report.duplicate_keys, report.changed), table.table
        renamed = {f"{ours} / {theirs}": ours for ours, theirs in table.renamed}
        differing = {renamed.get(each.name, each.name): each.differing for each in report.columns if each.differing}
        ids = {change.column: len(set(change.ids) - set(table.repeated)) for change in table.changed}
        assert {column: count for column, count in ids.items() if count} == differing, table.table
