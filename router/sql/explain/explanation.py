"""Explains a query to a business reader: a title, and the steps behind it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.language.wording import and_list
from router.sql import parsing
from router.sql.databases.session import Described
from router.sql.dialect import Name
from router.sql.explain.describe import describe
from router.sql.explain.description import Result, is_short, sentences
from router.sql.explain.names import WORDS, harmless, words

UNSPOKEN = "This query is too unusual to be put into words; please read the SQL itself."
MORE = "It does more than these words tell; please read the SQL."
_NO_TITLE = "A query that takes reading"
_NO_HEADING = "calculated value"

_JOIN_KINDS = {"", "INNER", "OUTER", "CROSS"}


@dataclass(frozen=True, slots=True)
class Explanation:
    """A query in words: text for cards, without markup of its own but `code`."""

    title: str
    """A line of at most 80 characters, without a full stop: "Name and city of stores". It may leave things out."""
    steps: tuple[str, ...]
    """What the query does, each a sentence; together they name every table that is read."""


def explanation_of(sql: str, dialect: Name) -> Explanation:
    """Return what the query does in plain words. Never raises."""
    try:
        tree = parse_one(sql, read=dialect)
        described, made = describe(tree, dialect)
        steps, tables = sentences(described, made), list(dict.fromkeys(harmless(each.name) for each in _tables(tree)))
        is_whole = all(_is_covered(node, tree) for node in tree.walk())
        title = (described.title() if is_whole else "") or _modest_title([*map(words, tables)])
    except (SqlglotError, RecursionError, KeyError, AttributeError):
        return Explanation(_NO_TITLE, (UNSPOKEN,))
    title, text = title[:1].upper() + title[1:], " ".join(steps).lower()
    missing = [name for name in tables if name.lower() not in text]
    also = (f"It also reads {and_list(missing)}.",) if missing else ()
    return Explanation(title, (*steps, *(() if is_whole else (MORE,)), *also))


def _modest_title(tables: Sequence[str]) -> str:
    """Return a title that only says what is read."""
    names = and_list(tables)
    said = names if len(names) < 50 else f"{len(tables)} tables" if len(tables) > 1 else "one table"
    return f"A result worked out from {said}" if tables else "A calculated value"


def explain(sql: str, dialect: Name) -> str:
    """Return the steps as one text; every table that the query reads is named. Never raises."""
    return " ".join(explanation_of(sql, dialect).steps)


def headed(columns: Sequence[Described], sql: str, dialect: Name) -> tuple[Described, ...]:
    """Return the columns of a query with its own names, and with words for those that it gives none. Never raises.

    A name that several columns have is said with what it belongs to.
    """
    try:
        tree = parse_one(sql, read=dialect)
        described = describe(tree, dialect)[0]
        while described.sides:
            described = described.sides[0]
        items = tree.selects if isinstance(tree, exp.Query) else []
        told = list(zip(columns, items, described.results, strict=True))  # a star stands for several
    except (SqlglotError, RecursionError, KeyError, AttributeError, ValueError):
        return tuple(columns)
    known = [column.name.casefold() for column in columns]
    return tuple(
        replace(column, name=_heading(item, result, column.name, known.count(column.name.casefold()) > 1))
        for column, item, result in told
    )


def _heading(item: exp.Expr, result: Result, name: str, is_shared: bool) -> str:
    if isinstance(item, exp.Alias) or item.is_star:
        return name
    if isinstance(item, exp.Column):
        return result.text if is_shared else name
    return result.text if is_short(result.text) else _NO_HEADING


def _is_covered(node: exp.Expr, tree: exp.Expr) -> bool:
    """Return whether the words for a query leave nothing of this node out that changes its rows."""
    known = WORDS["covered"].get(type(node).__name__)
    if known is None or (isinstance(node, exp.Join) and node.kind.upper() not in _JOIN_KINDS):
        return known is None and not isinstance(node, exp.Query)
    known = known if node is tree else [each for each in known if each != "with_"]
    return not any(found and key not in known for key, found in node.args.items())


# The tables that a query reads.


def _tables(tree: exp.Expr) -> list[exp.Table]:
    made = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    tables = [each for each in tree.find_all(exp.Table) if isinstance(each.this, exp.Identifier)]
    return [each for each in tables if each.name and (each.db or each.name.lower() not in made)]


def _tables_of(sql: str, dialect: Name) -> list[exp.Table]:
    try:
        tree = parsing.statement(sql, dialect)
    except (SqlglotError, RecursionError):
        return []
    return _tables(tree) if isinstance(tree, exp.Expr) else []


@lru_cache(maxsize=64)  # a comparison names its queries by them several times a card
def tables_of(sql: str, dialect: Name) -> frozenset[str]:
    """Return the names of the tables that a query reads; none if it cannot be read."""
    return frozenset(each.name for each in _tables_of(sql, dialect))


def only_table(sql: str, dialect: Name) -> str:
    """Return the name of the only table that a query reads, "" if there are several, or none."""
    names = tables_of(sql, dialect)
    return next(iter(names)) if len(names) == 1 else ""


def bare_tables(sql: str, dialect: Name) -> tuple[str, ...]:
    """Return the tables that a query reads without a schema before their names, in lower case; none of what is none."""
    return tuple(dict.fromkeys(each.name.lower() for each in _tables_of(sql, dialect) if not each.db))
