"""Explains a query to a business reader: a title, the steps behind it, and headings for its columns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.language.wording import and_list, counted
from router.sql.databases.session import Described
from router.sql.dialect import Name
from router.sql.explain.describe import describe
from router.sql.explain.description import Result, is_short
from router.sql.explain.names import WORDS, called, harmless, words
from router.sql.explain.tables import tables_in
from router.sql.explain.title import title_of

TOO_UNUSUAL = "This query is too unusual to be put into words; please read the SQL itself."
MORE_THAN_TOLD = "It does more than these words tell; please read the SQL."
_NO_TITLE = "A query that takes reading"
_NO_HEADING = "calculated value"
_JOIN_KINDS = {"", "INNER", "OUTER", "CROSS"}
_ERRORS = (SqlglotError, RecursionError, KeyError, AttributeError)


@dataclass(frozen=True, slots=True)
class Explanation:
    """A query in words: text for cards, without markup of its own but `code`."""

    title: str
    """A line of at most 80 characters, without a full stop: "Name and city of stores". It may leave things out."""
    steps: tuple[str, ...]
    """Sentences on what the query does; together they name every table that is read."""


def explanation_of(sql: str, dialect: Name) -> Explanation:
    """Return what the query does in plain words. Never raises."""
    try:
        tree = parse_one(sql, read=dialect)
        query, made = describe(tree, dialect)
        tables = list(dict.fromkeys(harmless(each.name) for each in tables_in(tree)))
        is_whole = all(_is_covered(node, tree) for node in tree.walk())
        title = (is_whole and title_of(query)) or _modest_title(tables)
        steps = [f"First makes {called(name)}: {'; '.join(each.steps())}." for name, each in made]
        steps += [f"{step[:1].upper()}{step[1:]}." for step in query.steps()]
    except _ERRORS:
        return Explanation(_NO_TITLE, (TOO_UNUSUAL,))
    if not is_whole:
        steps.append(MORE_THAN_TOLD)
    missing = [name for name in tables if name.lower() not in " ".join(steps).lower()]
    if missing:
        steps.append(f"It also reads {and_list(missing)}.")
    return Explanation(title[:1].upper() + title[1:], tuple(steps))


def explain(sql: str, dialect: Name) -> str:
    """Return the steps as one text; every table that the query reads is named. Never raises."""
    return " ".join(explanation_of(sql, dialect).steps)


def headed(columns: Sequence[Described], sql: str, dialect: Name) -> tuple[Described, ...]:
    """Return the columns of a query with its own names, and with words for those that it gives none. Never raises.

    A name that several columns have is said with what it belongs to.
    """
    try:
        tree = parse_one(sql, read=dialect)
        query = describe(tree, dialect)[0]
        while query.sides:
            query = query.sides[0]
        items = tree.selects if isinstance(tree, exp.Query) else []
        told = list(zip(columns, items, query.results, strict=True))  # a star stands for several
    except (*_ERRORS, ValueError):
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


def _modest_title(tables: Sequence[str]) -> str:
    """Return a title that only says what is read."""
    names = and_list(map(words, tables))
    said = names if len(names) < 50 else counted(len(tables), "table")
    return f"A result worked out from {said}" if tables else "A calculated value"


def _is_covered(node: exp.Expr, tree: exp.Expr) -> bool:
    """Return whether the words for a query leave nothing of this node out that changes its rows."""
    known = WORDS["covered"].get(type(node).__name__)
    if known is None or (isinstance(node, exp.Join) and node.kind.upper() not in _JOIN_KINDS):
        return known is None and not isinstance(node, exp.Query)
    known = known if node is tree else [each for each in known if each != "with_"]
    return not any(found and key not in known for key, found in node.args.items())
