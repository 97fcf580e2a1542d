"""Tables of tallies: where a row says how many there were, rows are not counted but added up."""

import re

from sqlglot import exp

from router.agents.repair.query import Query
from router.catalog.personal import split_words
from router.catalog.schema import Column, Table

_HOW_MANY = re.compile(r"\b(?:how many|(?:total )?(?:number|count) of)\b", re.IGNORECASE)
_TALLIES = frozenset(("count", "cnt", "tally"))


def add_tallies(query: Query, asked: str) -> None:
    """Add up the column of a table that says how many, where its rows were counted."""
    for select in query.selects() if _HOW_MANY.search(asked) else ():
        told = [(source, tally) for source in query.sources(select) if source.table and (tally := _tally(source.table))]
        if len(told) != 1:
            continue
        source, tally = told[0]
        keys = {"*", *(column.lower() for column in (source.table.primary_key if source.table else ()))}
        for count in list(select.find_all(exp.Count)):
            of = count.this
            own = isinstance(of, exp.Star) or (
                isinstance(of, exp.Column) and of.table.lower() in ("", source.alias.lower())
            )
            name = "*" if isinstance(of, exp.Star) else of.name.lower() if isinstance(of, exp.Column) else ""
            linked = name in keys or split_words(name)[-1:] == ["id"] or re.fullmatch("[a-z]id", name)
            if own and linked and count.find_ancestor(exp.Select) is select:
                label = source.label.copy() if len(query.sources(select)) > 1 else None
                count.replace(exp.Sum(this=exp.Column(this=query.identifier(tally.name), table=label)))
                query.note("tally", f"`{source.alias}.{tally.name}` was added up, as it says how many there were.")


def _tally(table: Table) -> Column | None:
    found = [column for column in table.columns if column.name.lower() in _TALLIES and "INT" in column.type.upper()]
    return found[0] if len(found) == 1 else None
