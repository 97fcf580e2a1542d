"""The schema linker: which tables a statement is written from."""

import re

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.agents.matches import BUDGET, cut_to_fit
from router.agents.ranking import ranked
from router.agents.repair.names import exact, near
from router.agents.repair.paths import Ways, hops, route
from router.agents.schema_text import schema_text
from router.agents.tree.node import Try
from router.agents.tree.view import View
from router.catalog.schema import Schema

FEW = 2
"""Tables that the words of a question suggest after a failure, at most."""

SMALL = 4_000
"""Characters of schema that are shown once more; a model reads them before each further statement."""

_WORD = re.compile(r"\w+")


def link(question: str, schema: Schema, tries: tuple[Try, ...] = (), views: bool = True) -> View:
    """Return what the next statement is written from: after each failure other tables are put beside the question.

    The first time after a failure these are the tables of the failed statement, of what was wrong with it and of the
    question, with those that link them; then their neighbours, too.
    """
    shown = cut_to_fit(question, schema)
    if not tries or not views:
        return View(shown)
    ways = hops(schema)
    chosen = _linked(ways, _named(question, schema, tries[-1]))
    if len(tries) > 1:
        chosen = [*chosen, *dict.fromkeys(way.far for way in ways if way.near in chosen and way.far not in chosen)]
    kept = _kept(schema, chosen)
    beside = schema.only(tuple(kept))
    if not kept or set(beside.tables) >= set(shown.tables):
        return View(beside if kept else shown)
    if len(schema_text(shown)) + len(schema_text(beside)) > BUDGET:
        return View(beside)  # both would not fit
    return View(shown, beside)


def _named(question: str, schema: Schema, last: Try) -> list[str]:
    """Return the tables that a failed statement and its problem name, and the likeliest by the question."""
    names = [table.name for table in schema.tables]
    words = set(_WORD.findall(last.problem.lower()))
    told = [name for name in names if name.lower() in words]
    return list(
        dict.fromkeys(
            [*_used(last.sql, schema), *told, *(name for name, score in ranked(question, schema)[:FEW] if score)]
        )
    )


def _used(sql: str, schema: Schema) -> list[str]:
    try:
        tree = parse_one(sql, read=schema.dialect)
    except SqlglotError:
        return []
    names = [table.name for table in schema.tables]
    return [name for node in tree.find_all(exp.Table) if (name := exact(node.name, names) or near(node.name, names))]


def _linked(ways: Ways, names: list[str]) -> list[str]:
    """Return the tables with those that lie between them, in an order in which each can be joined."""
    chosen: list[str] = []
    for name in names:
        chain = route(ways, chosen, name) if chosen else None
        chosen += [each for each in (*(hop.far for hop in chain or ()), name) if each not in chosen]
    return list(dict.fromkeys(chosen))


def _kept(schema: Schema, chosen: list[str]) -> list[str]:
    """Return as many of the tables, from the first, as may be shown once more."""
    kept: list[str] = []
    for name in chosen:
        if len(schema_text(schema.only((*kept, name)))) > SMALL:
            break
        kept.append(name)
    return kept
