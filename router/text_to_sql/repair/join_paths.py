"""The shortest way from the tables of a query to another one, along the foreign keys."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from router.catalog.caches import weakly_cached
from router.catalog.foreign_keys import TableLink, links
from router.catalog.schema import Schema

Home = TypeVar("Home")


@dataclass(frozen=True, slots=True)
class Hop:
    """One join: `near` is joined to `far` if the pairs of columns are equal.

    `fans`: one row may meet many. `optional`: a row may meet none, as the foreign key may be empty.
    """

    near: str
    far: str
    pairs: tuple[tuple[str, str], ...]
    fans: bool
    optional: bool = False

    @property
    def named(self) -> bool:
        """Return whether the columns on both sides have the same names."""
        return all(a.lower() == b.lower() for a, b in self.pairs)

    @property
    def back(self) -> "Hop":
        """The same join seen from its other side."""
        return Hop(self.far, self.near, tuple((b, a) for a, b in self.pairs), not self.fans, self.optional)


HUB_MAX_TABLES = 50
"""Tables that lead to one, at most: more do not belong together by it, as all do that say who created a row."""


class Ways(tuple[Hop, ...]):
    """Every link between the tables of a schema, seen from both sides."""

    @cached_property
    def leaving(self) -> dict[str, tuple[Hop, ...]]:
        """The links by the table that they start from."""
        found: dict[str, list[Hop]] = {}
        for hop in self:
            found.setdefault(hop.near, []).append(hop)
        return {name: _likeliest(hops) for name, hops in found.items()}

    @cached_property
    def hubs(self) -> frozenset[str]:
        """The tables that so many others lead to that no way goes from one of these to another through them."""
        leading = Counter(near for near, far in {(hop.near, hop.far) for hop in self if hop.fans})
        return frozenset(name for name, count in leading.items() if count > HUB_MAX_TABLES)


@weakly_cached
def hops(schema: Schema) -> Ways:
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
    return Ways(way for hop in dict.fromkeys(found) for way in (hop, hop.back))


def _likeliest(leaving: Sequence[Hop]) -> tuple[Hop, ...]:
    """Return the links of a table without those beside which another leads to the same table by equal names."""
    named = {hop.far for hop in leaving if hop.named}
    return tuple(hop for hop in leaving if hop.named or hop.far not in named)


def direct(ways: Ways, near: str, far: str) -> Hop | None:
    """Return the only link between two tables, or None if there is none or several that are as likely."""
    found = [hop for hop in ways.leaving.get(near, ()) if hop.far == far]
    return found[0] if len(found) == 1 else None


def route(ways: Ways, starts: Iterable[str], goal: str) -> tuple[Hop, ...] | None:
    """Return the only shortest chain of joins from one of `starts` to `goal`, or None if there is none or a tie.

    Of chains of one length, those that multiply no rows are preferred, then those that lose none.
    """
    return routes(ways, starts, (goal,)).get(goal)


def routes(ways: Ways, starts: Iterable[str], goals: Iterable[str]) -> dict[str, tuple[Hop, ...]]:
    """Return the chain that `route` finds to each of the goals that it finds one to."""
    begun = tuple(dict.fromkeys(starts))
    missing, seen = set(goals), set(begun)
    found: dict[str, tuple[Hop, ...]] = {}
    reached = _step({start: ((0, 0, 0), [()]) for start in begun}, ways, frozenset())
    while reached and missing:
        found |= {goal: chains[0] for goal, (_, chains) in reached.items() if goal in missing and len(chains) == 1}
        missing -= reached.keys()
        seen |= reached.keys()
        reached = _step(reached, ways, seen)
    return found


def cost(chain: Sequence[Hop]) -> tuple[int, int, int]:
    """Return what makes one chain of joins worse than another: its length, rows multiplied, rows lost."""
    return len(chain), sum(hop.fans for hop in chain), sum(hop.optional for hop in chain)


def nearest_chain(
    ways: Ways, starts: Iterable[str], homes: Sequence[tuple[str, Home]], fans: bool = True
) -> tuple[tuple[Hop, ...], Home] | None:
    """Return the cheapest chain to one of the tables in `homes`, with what is wanted there; None for none or a tie.

    `fans`: chains that multiply rows count as well.
    """
    chains = routes(ways, starts, (table for table, _ in homes))
    found = [(chains[table], wanted) for table, wanted in homes if table in chains]
    found = [(chain, wanted) for chain, wanted in found if fans or not any(hop.fans for hop in chain)]
    least = min((cost(chain) for chain, _ in found), default=None)
    best = [(chain, wanted) for chain, wanted in found if cost(chain) == least]
    return best[0] if len(best) == 1 else None


def leading(ways: Ways, chosen: Collection[str], name: str) -> list[str]:
    """Return the tables that join a further one to those chosen, and it: those of them that are not chosen yet."""
    chain = route(ways, chosen, name) if chosen else None
    return [each for each in dict.fromkeys((*(hop.far for hop in chain or ()), name)) if each not in chosen]


Reached = dict[str, tuple[tuple[int, int, int], list[tuple[Hop, ...]]]]
"""The best chains to each table with their cost: one, or two that are as good, which stand for any number of them."""


def _step(reached: Reached, ways: Ways, seen: Collection[str]) -> Reached:
    """Return the best chains that are one hop longer, to tables that were not seen yet."""
    further: Reached = {}
    for name, ((length, fans, optional), chains) in reached.items():
        for hop in ways.leaving.get(name, ()):
            if hop.far in seen or (hop.fans and length and name in ways.hubs):
                continue
            worth = length + 1, fans + hop.fans, optional + hop.optional
            before = further.get(hop.far)
            if before is None or worth < before[0]:
                further[hop.far] = worth, [(*chain, hop) for chain in chains]
            elif worth == before[0] and len(before[1]) == 1:
                before[1].append((*chains[0], hop))
    return further


def _may_be_empty(schema: Schema, link: TableLink) -> bool:
    table = schema.table(link.table)
    return table is not None and any(column.nullable for column in table.columns if column.name in link.columns)
