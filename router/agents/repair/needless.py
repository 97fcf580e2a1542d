"""What a repair leaves over: a table that was only joined for a column that it does not have."""

import re

from sqlglot import exp

from router.agents.repair import sources
from router.agents.repair.asked.told import untold
from router.agents.repair.query import Query
from router.agents.repair.sources import Source
from router.catalog.personal import split_words


def drop_needless(query: Query) -> None:
    """Drop tables whose every column was moved to another one from under sums: they would only multiply the rows."""
    for select in query.selects():
        sums = any(node.find_ancestor(exp.Select) is select for node in select.find_all(exp.Sum, exp.Avg))
        for source in query.sources(select) if sums else ():
            if (id(select), source.alias.lower()) in query.deserted:
                drop(query, select, source.alias)


def drop_unasked(query: Query, asked: str) -> None:
    """Drop tables that are joined though nothing of them is used, and of which the question does not speak.

    Such a table could only leave rows out, or give some several times. One that is all that a
    list is told by stays: for having a row there.
    """
    for select in query.selects():
        changed = bool(asked)
        while changed:
            sources = query.sources(select)
            unasked = [
                source
                for source in sources
                if source.table and not spoken_of(source, sources, f"{asked} {query.hints}")
            ]
            if untold(query, select, f"{asked} {query.hints}"):  # "advertised" may be what a join is for
                unasked = [source for source in unasked if not _leaves_out(query, source, sources)]
            if not select.find(exp.AggFunc, exp.Where, exp.Limit):  # "which makers build something": the join is all
                unasked = [source for source in unasked if not _fans(query, source, sources)]
            if any(isinstance(node.this, exp.Star) for node in select.find_all(exp.Count)):
                unasked = [source for source in unasked if _others_are_counted(source, sources, asked)]
            changed = any(drop(query, select, source.alias) for source in unasked)


def _leaves_out(query: Query, source: Source, sources: tuple[Source, ...]) -> bool:
    """Tell whether rows of the other tables may meet no row of this one."""
    others = {each.table.name for each in sources if each != source and each.table}
    own = source.table.name if source.table else ""
    return any((hop.fans or hop.optional) and hop.far == own and hop.near in others for hop in query.hops)


def _fans(query: Query, source: Source, sources: tuple[Source, ...]) -> bool:
    """Tell whether rows of the other tables may meet several rows of this one."""
    others = {each.table.name for each in sources if each != source and each.table}
    own = source.table.name if source.table else ""
    return any(hop.fans and hop.far == own and hop.near in others for hop in query.hops)


_NUMBER = re.compile(
    r"\b(?:how many|(?:number|count) of)\s+(?:the |different |distinct |all )?([a-z_]+)", re.IGNORECASE
)


def _others_are_counted(source: Source, sources: tuple[Source, ...], asked: str) -> bool:
    """Tell whether the question wants to know how many rows another table of the query has."""
    wanted = {word for match in _NUMBER.finditer(asked) for word in _words(match[1])}
    own = _words(source.table.name if source.table else "")
    others = [_words(each.table.name) - _GENERAL for each in sources if each != source and each.table]
    return any(words and words <= wanted and not words >= own for words in others)


def spoken_of(source: Source, sources: tuple[Source, ...], asked: str) -> bool:
    """Tell whether the question has a word of the table's name that no other table of the query has."""
    others = {word for each in sources if each != source and each.table for word in _words(each.table.name)}
    own = _words(source.table.name if source.table else "") - others - _LINKING
    said = _words(asked)
    telling = own - _GENERAL
    return not own or any(word in said or any(_akin(word, each) for each in said) for word in telling)


_LINKING = frozenset(("has", "have", "in", "of", "to", "link", "map", "rel", "tbl", "table"))

_GENERAL = frozenset(("name", "list", "data", "info", "detail", "record"))
"""What a table's name says of any table: a question has these words without meaning it."""


def _akin(word: str, said: str) -> bool:
    return len(word) > 3 and len(said) > 3 and said[:4] == word[:4]


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower().removesuffix("s") for word in split_words(text))


def drop(query: Query, select: exp.Select, alias: str) -> bool:
    """Drop a table of which nothing but its join is used; returns whether that was done."""
    joins = [join for join in select.args.get("joins") or () if isinstance(join, exp.Join)]
    if any(item.is_star for item in select.expressions) or any(join.side or join.args.get("using") for join in joins):
        return False
    used = [column for column in select.find_all(exp.Column) if column.table.lower() == alias.lower()]
    bare = any(not column.table for column in query.columns(select))
    linking = {id(join) for column in used if (join := column.find_ancestor(exp.Join, exp.Where)) in joins}
    inside = all(column.find_ancestor(exp.Join, exp.Where, exp.Select) in joins for column in used)
    if bare or not inside or len(linking) != 1:
        return False
    start = select.args["from_"]
    link = next(join for join in joins if id(join) in linking)
    on = link.args.get("on")
    if not isinstance(on, exp.EQ):
        return False
    if link.this.alias_or_name.lower() != alias.lower():
        if start.this.alias_or_name.lower() != alias.lower():
            return False
        start.set("this", link.this)
    select.set("joins", [join for join in joins if join is not link])
    query.note(f"drop {alias}", f"`{alias}` was left out, as nothing of it is used.")
    return True


def desert(query: Query, column: exp.Column) -> None:
    """Remember that a column was taken away from the table that it was asked of."""
    select = sources.owner(column)
    if column.table and select is not None:
        query.deserted.add((id(select), column.table.lower()))
