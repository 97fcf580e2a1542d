"""Words of a question that are values of the database, and the tables that a question is likely about."""

from collections.abc import Iterable

from router.agents.ranking import ranked
from router.agents.repair.paths import hops, route
from router.agents.schema_text import table_text
from router.agents.values_named import values_in
from router.catalog.kept import kept
from router.catalog.schema import Schema

__all__ = ["cut_to_fit", "fits", "suggest_tables", "values_in"]

BUDGET = 16_000
"""Characters of schema that a small model reads in a bearable time: about 5,000 tokens, a minute on two cores."""

MOST = 12
"""Tables that are picked from a schema that does not fit, besides those that link them."""


def fits(schema: Schema, budget: int = BUDGET) -> bool:
    """Tell whether the whole schema can be shown to a model."""
    return _size(schema, _sizes(schema)) - 2 <= budget


def suggest_tables(question: str, schema: Schema, most: int) -> tuple[str, ...]:
    """Return the names of at most `most` tables, those first whose words, columns and values the question shares."""
    return tuple(name for name, _ in ranked(question, schema)[:most])


def cut_to_fit(question: str, schema: Schema, budget: int = BUDGET) -> Schema:
    """Return the schema if it fits, else the tables that the question is likely about and those that link them."""
    if fits(schema, budget):
        return schema
    ways = hops(schema)
    chosen: list[str] = []
    scored = ranked(question, schema)[:MOST]
    for name in [name for name, score in scored if score] or [name for name, _ in scored]:
        chain = route(ways, chosen, name) if chosen else ()
        more = [each for each in (*(hop.far for hop in chain or ()), name) if each not in chosen]
        if _size(schema, [*chosen, *more]) > budget:
            more = [name]
        if _size(schema, [*chosen, *more]) <= budget or not chosen:
            chosen += [each for each in dict.fromkeys(more) if each not in chosen]
    return schema.only(tuple(chosen))


def _size(schema: Schema, names: Iterable[str]) -> int:
    """Return the length of the text of these tables."""
    sizes = _sizes(schema)
    return sum(sizes[name] + 2 for name in dict.fromkeys(names))


@kept
def _sizes(schema: Schema) -> dict[str, int]:
    """Return the length of each table's text, with all its links, and so rather too much."""
    return {table.name: len(table_text(schema, table)) for table in schema.tables}
