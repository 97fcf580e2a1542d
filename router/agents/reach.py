"""The tables that have one row for each row of others, and how far they are."""

from collections.abc import Collection
from dataclasses import dataclass

from router.agents.repair.paths import Hop, hops
from router.catalog.schema import Schema

NOWHERE = 99
"""Joins to a table that no way leads to."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a table is; `ways` are the last joins of the shortest ways there, none where one begins there.

    With each goes the number of joins on its way that may find no row.
    """

    far: int
    ways: tuple[tuple[Hop | None, int], ...]


def reached(starts: Collection[str], schema: Schema) -> dict[str, Reach]:
    """Return the tables that joins which multiply no rows lead to, the starts among them."""
    leaving = hops(schema).leaving
    found = dict.fromkeys(starts, Reach(0, ((None, 0),)))
    edge, far = dict.fromkeys(starts, 0), 0
    while edge:
        far += 1
        further: dict[str, dict[Hop, int]] = {}
        for name, optional in edge.items():
            for hop in leaving.get(name, ()):
                if not hop.fans and hop.far not in found:
                    ways = further.setdefault(hop.far, {})
                    ways[hop] = min(optional + hop.optional, ways.get(hop, NOWHERE))
        found |= {name: Reach(far, tuple(ways.items())) for name, ways in further.items()}
        edge = {name: min(ways.values()) for name, ways in further.items()}
    return found


def apart(table: str, others: Collection[str], schema: Schema) -> int:
    """Return how far a table is from the nearest of the others, by joins that multiply no rows one way or the other."""
    up, down = reached({table}, schema), reached(others, schema)
    found = [up[other].far for other in others if other in up]
    return min((*found, down[table].far)) if table in down else min(found, default=NOWHERE)
