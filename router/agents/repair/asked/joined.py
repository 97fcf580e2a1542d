"""Tables that are joined though the question does not speak of them."""

import re

from sqlglot import exp

from router.agents.repair.asked.told import untold
from router.agents.repair.asked.wording import is_said, words
from router.agents.repair.needless import drop
from router.agents.repair.paths import Hop
from router.agents.repair.query import Query
from router.agents.repair.sources import Source


def drop_unasked(query: Query, asked: str) -> None:
    """Drop tables that are joined though nothing of them is used, and of which the question does not speak.

    Such a table could only leave rows out, or give some several times. One that is all that a list is told by stays.
    """
    said = f"{asked} {query.hints}"
    for select in query.selects():
        changed = True
        while changed:
            sources = query.sources(select)
            unasked = [source for source in sources if source.table and not spoken_of(source, sources, said)]
            if untold(query, select, said):  # "advertised" may be what a join is for
                # A row may meet none of many, or its foreign key may be empty: the join leaves rows out.
                unasked = [
                    source
                    for source in unasked
                    if not any(hop.fans or hop.optional for hop in _hops_to(query, source, sources))
                ]
            if not select.find(exp.AggFunc, exp.Where, exp.Limit):  # "which makers build something": the join is all
                unasked = [
                    source for source in unasked if not any(hop.fans for hop in _hops_to(query, source, sources))
                ]
            if any(isinstance(node.this, exp.Star) for node in select.find_all(exp.Count)):
                unasked = [source for source in unasked if _others_are_counted(source, sources, asked)]
            changed = any(drop(query, select, source.alias) for source in unasked)


def _hops_to(query: Query, source: Source, sources: tuple[Source, ...]) -> list[Hop]:
    """Return the links that lead from the other tables of the query to this one."""
    others = {each.table.name for each in sources if each != source and each.table}
    own = source.table.name if source.table else ""
    return [hop for hop in query.hops if hop.far == own and hop.near in others]


_NUMBER = re.compile(
    r"\b(?:how many|(?:number|count) of)\s+(?:the |different |distinct |all )?([a-z_]+)", re.IGNORECASE
)


def _others_are_counted(source: Source, sources: tuple[Source, ...], asked: str) -> bool:
    """Tell whether the question wants to know how many rows another table of the query has."""
    wanted = {word for match in _NUMBER.finditer(asked) for word in words(match[1])}
    own = words(source.table.name if source.table else "")
    others = [words(each.table.name) - _GENERAL for each in sources if each != source and each.table]
    return any(words and words <= wanted and not words >= own for words in others)


def spoken_of(source: Source, sources: tuple[Source, ...], asked: str) -> bool:
    """Tell whether the question has a word of the table's name that no other table of the query has."""
    others = {word for each in sources if each != source and each.table for word in words(each.table.name)}
    own = words(source.table.name if source.table else "") - others - _LINKING
    said = words(asked)
    telling = own - _GENERAL
    return not own or any(is_said(word, said) for word in telling)


_LINKING = frozenset(("has", "have", "in", "of", "to", "link", "map", "rel", "tbl", "table"))

_GENERAL = frozenset(("name", "list", "data", "info", "detail", "record"))
"""What a table's name says of any table: a question has these words without meaning it."""
