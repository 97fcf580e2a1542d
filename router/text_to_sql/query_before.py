"""Questions about the query before: the count of its rows, made without a model, and its conditions."""

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.language.folding import fold
from router.language.phrases import listed
from router.sql.dialect import Name
from router.text_to_sql.question import Question

COUNTED_NOTE = "Counts the rows of the query before."


def count_rows(question: Question, dialect: Name) -> str:
    """Return the SQL that counts the rows of the query before; "" for a message that asks for anything else.

    A query that gives one number is not counted: what is asked then is up to the model.
    """
    if question.follows is None or fold(question.text) not in map(fold, listed("text_to_sql.count_rows")):
        return ""
    try:
        tree = parse_one(question.follows.sql, read=dialect)
    except (SqlglotError, RecursionError):
        return ""
    if not isinstance(tree, exp.Query) or _gives_one_row(tree):
        return ""
    if not tree.args.get("limit") and not tree.args.get("fetch"):
        tree.set("order", None)  # SQL Server takes none in a subquery
    rows = exp.Subquery(this=tree, alias=exp.TableAlias(this=exp.to_identifier("query_before")))
    return exp.Select(expressions=[exp.Count(this=exp.Star())]).from_(rows).sql(dialect)


def inherits_conditions(question: Question, sql: str, dialect: Name) -> bool:
    """Return whether a query has a condition or a limit of the query before."""
    if question.follows is None:
        return False
    return not _conditions(sql, dialect).isdisjoint(_conditions(question.follows.sql, dialect))


def _conditions(sql: str, dialect: Name) -> frozenset[str]:
    """Return the conditions and limits of a query, without the tables of their columns."""
    try:
        tree = parse_one(sql, read=dialect)
    except (SqlglotError, RecursionError):
        return frozenset()
    found = []
    for select in tree.find_all(exp.Select):
        for part in (select.args.get("where"), select.args.get("having")):
            found += (
                list(part.this.flatten()) if part and isinstance(part.this, exp.And) else [part.this] if part else []
            )
        found += [select.args[name] for name in ("limit", "fetch") if select.args.get(name)]
    return frozenset(_unqualified(each).sql(dialect).lower() for each in found)


def _unqualified(node: exp.Expr) -> exp.Expr:
    node = node.copy()
    for column in node.find_all(exp.Column):
        column.set("table", None)
    return node


def _gives_one_row(tree: exp.Query) -> bool:
    """Return whether a query has aggregates alone, so that it gives one row."""
    if not isinstance(tree, exp.Select) or tree.args.get("group"):
        return False
    return all(item.find(exp.AggFunc) and not item.find(exp.Window) for item in tree.expressions)
