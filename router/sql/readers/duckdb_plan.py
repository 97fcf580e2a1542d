"""What DuckDB's planner says, in words."""

import json
from collections.abc import Iterator
from typing import Any

BIG = 10_000_000
"""Rows from which reading a whole table is worth a word."""


def estimate_of(explained: str) -> tuple[int | None, str]:
    """Read the JSON of EXPLAIN: the rows of the whole, and a note on big tables that are read in full, or ""."""
    nodes = list(nodes_of(json.loads(explained)))
    rows = next((count for node in nodes if (count := rows_of(node)) is not None), None)
    scanned = {
        str(node["extra_info"]["Table"]).rsplit(".", 1)[-1].strip('"')
        for node in nodes
        if node.get("name", "").strip() == "SEQ_SCAN" and "Table" in node["extra_info"] and (rows_of(node) or 0) >= BIG
    }
    note = f"It reads all of {' and '.join(sorted(scanned))}, which is big: this may take a while." if scanned else ""
    return rows, note


def rows_of(node: dict[str, Any]) -> int | None:
    """Return the rows the planner expects from this node, None where it says nothing."""
    count = str(node.get("extra_info", {}).get("Estimated Cardinality", ""))
    return int(count) if count.isdigit() else None


def nodes_of(plan: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the nodes and all below them."""
    for node in plan:
        yield node
        yield from nodes_of(node.get("children", []))
