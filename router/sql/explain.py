"""Explains a query to a business reader: a headline, and the steps behind it; from its syntax tree, not by a model."""

from dataclasses import dataclass

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.language.wording import and_list
from router.sql import parsing
from router.sql.details import details
from router.sql.dialect import Name
from router.sql.headline import headline
from router.sql.query_names import harmless


def only_table(sql: str, dialect: Name) -> str:
    """Return the name of the only table that a query reads, "" where there are several, or none."""
    names = tables_of(sql, dialect)
    return next(iter(names)) if len(names) == 1 else ""


def tables_of(sql: str, dialect: Name) -> frozenset[str]:
    """Return the names of the tables that a query reads; none where it cannot be read."""
    try:
        tree = parsing.statement(sql, dialect)
    except (SqlglotError, RecursionError):
        return frozenset()
    if isinstance(tree, str):
        return frozenset()
    made = {each.alias for each in tree.find_all(exp.CTE)}
    return frozenset({each.name for each in tree.find_all(exp.Table)} - made - {""})


# The parts of a query that the words cover; a query with anything beyond is said to hold more.

_SELECT = {"expressions", "from_", "joins", "where", "group", "having", "order", "limit", "offset", "distinct", "with_"}
_SET = {"this", "expression", "distinct", "order", "limit", "offset", "with_"}
_COVERED: dict[type[exp.Expr], set[str]] = {
    exp.Select: _SELECT,
    exp.Union: _SET,
    exp.Intersect: _SET,
    exp.Except: _SET,
    exp.Subquery: {"this", "alias"},
    exp.Table: {"this", "db", "catalog", "alias"},
    exp.Join: {"this", "on", "using", "side", "kind"},
    exp.With: {"expressions", "recursive"},
    exp.CTE: {"this", "alias"},
    exp.Group: {"expressions"},
    exp.Distinct: {"expressions"},
    exp.Limit: {"expression", "limit_options"},
    exp.Fetch: {"direction", "count", "limit_options"},
    exp.LimitOptions: {"rows"},
    exp.Offset: {"expression"},
    exp.Star: set(),
}
_KINDS = {"", "INNER", "OUTER", "CROSS"}


def _covered(node: exp.Expr, tree: exp.Expr) -> bool:
    """Tell whether the words for a query leave nothing of this node out that changes its rows."""
    known = _COVERED.get(type(node))
    if known is None:
        return not isinstance(node, exp.Query | exp.Rollup | exp.Cube | exp.GroupingSets)
    if isinstance(node, exp.Join) and node.kind.upper() not in _KINDS:
        return False
    inner_with = node is not tree and "with_" in known and bool(node.args.get("with_"))
    return not inner_with and not any(value and key not in known for key, value in node.args.items())


UNSPOKEN = "This query is too unusual to be put into words; please read the SQL itself."
MORE = "It does more than these words tell; please read the SQL."
_NO_HEADLINE = "A query that takes reading"


@dataclass(frozen=True, slots=True)
class Explanation:
    """A query in words: text for cards, without markup of its own but `code`.

    `headline` is one line of at most 90 characters, without a full stop: "Lists name and city of stores". It may leave
    things out, and claims nothing that the SQL does not do.
    `title` is the same without a verb, as the head of a result: "Name and city of stores".
    `details` are the steps, each a sentence; together they name every table that is read.
    """

    headline: str
    title: str
    details: tuple[str, ...]


def explanation_of(sql: str, dialect: Name) -> Explanation:
    """Return what the query does in plain words. Never raises."""
    try:
        tree = parse_one(sql, read=dialect)
        steps = details(tree, dialect)
        more = () if all(_covered(node, tree) for node in tree.walk()) else (MORE,)
        line, title = headline(tree, known=not more)
    except (SqlglotError, RecursionError, KeyError, AttributeError):
        return Explanation(_NO_HEADLINE, "", (UNSPOKEN,))
    text = " ".join(steps).lower()
    missing = [name for name in _tables(tree) if name.lower() not in text]
    also = (f"It also reads {and_list(missing)}.",) if missing else ()
    return Explanation(line, title, (*steps, *more, *also))


def explain(sql: str, dialect: Name) -> str:
    """Return the details as one text; every table that the query reads is named. Never raises."""
    return " ".join(explanation_of(sql, dialect).details)


def is_limited(sql: str, dialect: Name) -> bool:
    """Tell whether a query, or one inside it, keeps only so many of the rows that match."""
    try:
        return parse_one(sql, read=dialect).find(exp.Limit, exp.Fetch, exp.Offset) is not None
    except (SqlglotError, RecursionError):
        return True


def bare_tables(sql: str, dialect: Name) -> tuple[str, ...]:
    """Return the tables that a query reads without a schema before their names, in lower case; none of what is none."""
    try:
        tree = parse_one(sql, read=dialect)
    except (SqlglotError, RecursionError):
        return ()
    made = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    tables = (node for node in tree.find_all(exp.Table) if isinstance(node.this, exp.Identifier) and not node.db)
    return tuple(dict.fromkeys(node.name.lower() for node in tables if node.name.lower() not in made))


def _tables(tree: exp.Expr) -> list[str]:
    """Return the names of the tables that are read, each once."""
    named = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    names = [harmless(t.name) for t in tree.find_all(exp.Table) if isinstance(t.this, exp.Identifier)]
    return list(dict.fromkeys(name for name in names if name.lower() not in named))
