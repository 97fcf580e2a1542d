"""The shortest way from the tables of a query to another one, along the foreign keys."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from router.catalog.schema import ForeignKey, Schema, Table


@dataclass(frozen=True, slots=True)
class Hop:
    """One join: `near` is joined to `far` where the pairs of columns are equal; `fans` where one row may meet many."""

    near: str
    far: str
    pairs: tuple[tuple[str, str], ...]
    fans: bool

    @property
    def back(self) -> "Hop":
        """The same join seen from its other side."""
        return Hop(self.far, self.near, tuple((b, a) for a, b in self.pairs), not self.fans)


def hops(schema: Schema) -> tuple[Hop, ...]:
    """Return every declared link of the schema, and those that names tell, seen from both sides."""
    found = [hop for table in schema.tables for key in table.foreign_keys if (hop := _declared(schema, table, key))]
    linked = {(hop.near, hop.pairs[0][0]) for hop in found}
    told = [hop for table in schema.tables for hop in _inferred(schema, table)]
    found += [hop for hop in told if (hop.near, hop.pairs[0][0]) not in linked]
    unique = dict.fromkeys(found)
    return tuple(way for hop in unique for way in (hop, hop.back))


def direct(ways: Iterable[Hop], near: str, far: str) -> Hop | None:
    """Return the only link between two tables, or None where there is none or several."""
    found = [hop for hop in ways if hop.near == near and hop.far == far]
    return found[0] if len(found) == 1 else None


def route(ways: Sequence[Hop], starts: Iterable[str], goal: str) -> tuple[Hop, ...] | None:
    """Return the only shortest chain of joins from one of `starts` to `goal`, or None where there is none or a tie.

    Of chains of one length, those that multiply no rows are preferred.
    """
    chains: list[tuple[Hop, ...]] = [(hop,) for start in dict.fromkeys(starts) for hop in ways if hop.near == start]
    seen = set(starts)
    while chains:
        arrived = [chain for chain in chains if chain[-1].far == goal]
        if arrived:
            fewest = min(sum(hop.fans for hop in chain) for chain in arrived)
            best = [chain for chain in arrived if sum(hop.fans for hop in chain) == fewest]
            return best[0] if len(best) == 1 else None
        seen |= {chain[-1].far for chain in chains}
        chains = [(*way, hop) for way in chains for hop in ways if hop.near == way[-1].far and hop.far not in seen]
    return None


def _declared(schema: Schema, table: Table, key: ForeignKey) -> Hop | None:
    target = schema.table(key.target)
    if target is None or len(key.columns) != len(key.target_columns):
        return None
    return Hop(table.name, target.name, tuple(zip(key.columns, key.target_columns, strict=True)), fans=False)


def _inferred(schema: Schema, table: Table) -> list[Hop]:
    """`x_id` points to the key of `x` or `xs`; so does a column named as another table's only key."""
    found = []
    for column in table.columns:
        for target in schema.tables:
            if target.name == table.name or len(target.primary_key) != 1 or table.primary_key == (column.name,):
                continue
            (key,) = target.primary_key
            stem = column.name.lower().removesuffix("id").rstrip("_")
            named = stem != column.name.lower() and stem in _names(target.name)
            same = column.name.lower() == key.lower() and key.lower() not in ("id", "name", "code")
            if named or same:
                found.append(Hop(table.name, target.name, ((column.name, key),), fans=False))
    return found


def _names(table: str) -> tuple[str, ...]:
    low = table.lower()
    return (low, low.removesuffix("s"), low.removesuffix("es"), low.removesuffix("ies") + "y")
