"""The shortest way from the tables of a query to another one, along the foreign keys."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from router.catalog.links import Link, links
from router.catalog.schema import Schema


@dataclass(frozen=True, slots=True)
class Hop:
    """One join: `near` is joined to `far` where the pairs of columns are equal.

    `fans`: one row may meet many. `optional`: a row may meet none, as the foreign key may be empty.
    """

    near: str
    far: str
    pairs: tuple[tuple[str, str], ...]
    fans: bool
    optional: bool = False

    @property
    def back(self) -> "Hop":
        """The same join seen from its other side."""
        return Hop(self.far, self.near, tuple((b, a) for a, b in self.pairs), not self.fans, self.optional)


def hops(schema: Schema) -> tuple[Hop, ...]:
    """Return every link between the tables, declared or told by names, seen from both sides."""
    found = [
        Hop(
            link.table,
            link.target,
            tuple(zip(link.columns, link.target_columns, strict=True)),
            fans=False,
            optional=_may_be_empty(schema, link),
        )
        for link in links(schema)
        if len(link.columns) == len(link.target_columns)
    ]
    return tuple(way for hop in dict.fromkeys(found) for way in (hop, hop.back))


def direct(ways: Iterable[Hop], near: str, far: str) -> Hop | None:
    """Return the only link between two tables, or None where there is none or several."""
    found = [hop for hop in ways if hop.near == near and hop.far == far]
    return found[0] if len(found) == 1 else None


def route(ways: Sequence[Hop], starts: Iterable[str], goal: str) -> tuple[Hop, ...] | None:
    """Return the only shortest chain of joins from one of `starts` to `goal`, or None where there is none or a tie.

    Of chains of one length, those that multiply no rows are preferred, then those that lose none.
    """
    chains: list[tuple[Hop, ...]] = [(hop,) for start in dict.fromkeys(starts) for hop in ways if hop.near == start]
    seen = set(starts)
    while chains:
        arrived = [chain for chain in chains if chain[-1].far == goal]
        if arrived:
            least = min(map(cost, arrived))
            best = [chain for chain in arrived if cost(chain) == least]
            return best[0] if len(best) == 1 else None
        seen |= {chain[-1].far for chain in chains}
        chains = [(*way, hop) for way in chains for hop in ways if hop.near == way[-1].far and hop.far not in seen]
    return None


def cost(chain: Sequence[Hop]) -> tuple[int, int, int]:
    """Return what makes one chain of joins worse than another: its length, rows multiplied, rows lost."""
    return len(chain), sum(hop.fans for hop in chain), sum(hop.optional for hop in chain)


def _may_be_empty(schema: Schema, link: Link) -> bool:
    table = schema.table(link.table)
    return table is not None and any(column.nullable for column in table.columns if column.name in link.columns)
