"""What PostgreSQL's planner says, in words."""

from collections.abc import Iterator
from typing import Any

from router.sql.databases import Estimate

BIG = 10_000.0
"""The planner's cost from which reading a whole table is worth a word: about a million short rows."""


def estimate_of(explained: list[dict[str, Any]]) -> Estimate:
    """Read the JSON of EXPLAIN: rows and cost of the whole, and a note on big tables that are read from end to end."""
    plan = explained[0]["Plan"]
    return Estimate(rows=int(plan["Plan Rows"]), cost=float(plan["Total Cost"]), note=note_on(plan))


EMPTY = """SELECT 1 FROM pg_catalog.pg_class
    WHERE relname = ANY(%s) AND relkind = 'r' AND reltuples < 0 AND pg_catalog.pg_relation_size(oid) = 0 LIMIT 1"""
"""Finds empty tables that were never counted: the planner takes them for ones of ten pages."""


def note_on(plan: dict[str, Any]) -> str:
    """Name the big tables that are read in full; told by cost, since the planner counts what passes the filter."""
    scanned = {
        str(node["Relation Name"])
        for node in nodes_of(plan)
        if node["Node Type"] == "Seq Scan" and node["Total Cost"] >= BIG
    }
    if not scanned:
        return ""
    return f"It reads all of {' and '.join(sorted(scanned))}, which is big: this may take a while."


def scanned_by(explained: list[dict[str, Any]]) -> list[str]:
    """Return the names of the tables that a plan reads."""
    return sorted({str(node["Relation Name"]) for node in nodes_of(explained[0]["Plan"]) if "Relation Name" in node})


def nodes_of(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the node and all below it."""
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes_of(below)
