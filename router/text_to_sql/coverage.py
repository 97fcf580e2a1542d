"""How many rows each reading of a word covers: those of what is measured that lead to a value of the column."""

from dataclasses import dataclass

from sqlglot import exp

from router.catalog.schema import Schema
from router.text_to_sql.ambiguous_columns import Home, UnsureColumn
from router.text_to_sql.repair.join_paths import Hop, Ways, hops, route
from router.text_to_sql.repair.query import identifier


@dataclass(frozen=True, slots=True)
class Coverage:
    """A query over the rows of `table`: it counts all of them, then those that each reading covers, in their order."""

    table: str
    sql: str


def coverage_of(unsure: UnsureColumn, schema: Schema) -> Coverage | None:
    """Return the query that counts; None if the readings are not all reached from one table without multiplying it."""
    ways = hops(schema)
    for start in sorted(unsure.about):
        chains = [_chain(start, home, ways) for home in unsure.homes]
        found = [chain for chain in chains if chain is not None and not any(hop.fans for hop in chain)]
        if len(found) == len(chains):
            return Coverage(start, _counting(start, unsure.homes, found, schema))
    return None


def _chain(start: str, home: Home, ways: Ways) -> tuple[Hop, ...] | None:
    """Return the joins from a table to the column."""
    if start == home.owner:
        chain: tuple[Hop, ...] | None = ()
    else:
        chain = route(ways, (start,), home.owner)
    if chain is None or not home.through:
        return chain
    own = (hop for hop in ways.leaving.get(home.owner, ()) if hop.far == home.table)
    last = next((hop for hop in own if hop.pairs[0][0] == home.through), None)
    return None if last is None else (*chain, last)


def _counting(start: str, homes: tuple[Home, ...], chains: list[tuple[Hop, ...]], schema: Schema) -> str:
    query, counts = exp.select().from_(_table(start, "t", schema)), [exp.Count(this=exp.Star())]
    for at, (home, chain) in enumerate(zip(homes, chains, strict=True)):
        here = "t"
        for step, hop in enumerate(chain):
            there = f"t{at}_{step}"
            on = [exp.EQ(this=_column(a, here, schema), expression=_column(b, there, schema)) for a, b in hop.pairs]
            query = query.join(_table(hop.far, there, schema), on=exp.and_(*on), join_type="LEFT")
            here = there
        counts.append(exp.Count(this=_column(home.column, here, schema)))
    return query.select(*counts).sql(schema.dialect)


def _table(name: str, alias: str, schema: Schema) -> exp.Expr:
    table = exp.Table(this=identifier(name, schema.dialect))
    return table.as_(alias)


def _column(name: str, alias: str, schema: Schema) -> exp.Column:
    return exp.Column(this=identifier(name, schema.dialect), table=exp.to_identifier(alias))
