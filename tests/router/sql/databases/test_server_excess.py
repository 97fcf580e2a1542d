"""The looks at Oracle and SQL Server: each query can be read by a parser of its dialect, and its rows are said."""

import pytest
import sqlglot

from router.sql.databases.excess import Excess, ExcessQuery, excess_queries
from router.sql.databases.server import ServerDatabase
from tests.router.sql.databases.driver import Driver

URLS = {
    "oracle": "oracle+oracledb://reader:s3cret@db.example:1521/?service_name=SALES",
    "mssql": "mssql+pymssql://reader:s3cret@db.example/sales",
}
CASES = [(backend, look) for backend in URLS for look in excess_queries(backend)]
NAMES = [f"{backend}-{look.about}" for backend, look in CASES]


def excess(backend: str, driver: Driver) -> tuple[Excess, ...]:
    return ServerDatabase(URLS[backend], 60, driver).excess(lambda schema, table: (schema, table) == ("S", "T"))


@pytest.mark.parametrize(("backend", "look"), CASES, ids=NAMES)
def test_each_query_can_be_parsed(backend: str, look: ExcessQuery) -> None:
    """One SELECT, with a schema and a table before the statement where tables outside are looked for."""
    (tree,) = sqlglot.parse(look.query, dialect="tsql" if backend == "mssql" else backend)
    assert isinstance(tree, sqlglot.exp.Select)
    assert len(tree.expressions) == (3 if "outside" in look.flags else 2)
    assert "{names}" in look.says


@pytest.mark.parametrize(("backend", "look"), CASES, ids=NAMES)
def test_what_a_query_finds_is_said(backend: str, look: ExcessQuery) -> None:
    """Its rows are named, with the statements; nothing is said where it has none; a refusal is said as such."""
    rows = [("S", "T", "no;"), ("S", "U", "one;")] if "outside" in look.flags else [("S.U", "one;"), ("S.U", "two;")]
    (found,) = excess(backend, Driver({look.query: rows}))
    assert "S.U" in found.sentence
    assert found.remedies == (("one;",) if "outside" in look.flags else ("one;", "two;"))
    assert excess(backend, Driver({look.query: []})) == ()
    (refused,) = excess(backend, Driver({look.query: Driver.Error("no access")}))
    assert refused.sentence.startswith(f"could not look at {look.about}: ")
    assert (refused.remedies, refused.grave) == ((), False)
