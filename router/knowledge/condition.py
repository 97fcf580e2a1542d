"""Whether a text is a condition in SQL, as it stands behind WHERE."""

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

from router.sql import reading
from router.sql.dialect import DIALECTS, Name


def condition_problem(text: str, dialect: Name) -> str:
    """Return why a filter is no condition of this dialect, or nothing; an empty one is none, and no problem."""
    if not text:
        return ""
    example = "it must be one condition, such as status = 'paid'"
    try:
        if any(token.comments for token in Dialect.get_or_raise(dialect).tokenize(text)):
            return f"filter holds a comment; {example}."
        # In brackets of its own and alone: a text that closes them, or begins another statement, is none.
        tree = reading.statement(f"SELECT 1 FROM t WHERE ({text})", dialect)
        alone = reading.statement(f"SELECT 1 FROM t WHERE {text}", dialect)
    except (SqlglotError, RecursionError):
        return f"filter is not SQL of {DIALECTS[dialect].label}; {example}."
    if not isinstance(tree, exp.Select) or not isinstance(alone, exp.Select) or _plain(tree) != _plain(alone):
        return f"filter is more than a condition; {example}."
    return ""


def _plain(tree: exp.Select) -> set[str] | str:
    """Return the parts that a query has, or one word for a query with more of them than its condition."""
    parts = {name for name, value in tree.args.items() if value}
    where = tree.args.get("where")
    condition = where.this.unnest() if where else None
    if parts - {"expressions", "from_", "from", "where", "kind"} or isinstance(condition, exp.Query):
        return "more"
    return {condition.sql() if condition else ""}
