"""What a query takes from the one before it: its conditions."""

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.sql.dialect import Name
from router.text_to_sql.question import Question


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
