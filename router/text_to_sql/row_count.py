"""The count of the rows above, for "how many are there?" below them: made from their SQL, without a model."""

from functools import cache
from importlib.resources import files

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.language.folding import fold
from router.sql.dialect import Name
from router.sql.parsing import statement
from router.text_to_sql.question import Question

COUNTED_NOTE = "Counts the rows of the query before."


def count_rows(question: Question, dialect: Name) -> str:
    """Return the SQL that counts the rows of the query before; "" for a message that asks for anything else.

    A query that gives one number is not counted: what is asked then is up to the model.
    """
    if question.follows is None or fold(question.text) not in _phrases():
        return ""
    try:
        tree = statement(question.follows.sql, dialect)
    except (SqlglotError, RecursionError):
        return ""
    if not isinstance(tree, exp.Query) or _gives_one_row(tree):
        return ""
    if not tree.args.get("limit") and not tree.args.get("fetch"):
        tree.set("order", None)  # SQL Server takes none in a subquery
    rows = exp.Subquery(this=tree, alias=exp.TableAlias(this=exp.to_identifier("query_before")))
    return exp.Select(expressions=[exp.Count(this=exp.Star())]).from_(rows).sql(dialect)


def _gives_one_row(tree: exp.Query) -> bool:
    """Return whether a query has aggregates alone, so that it gives one row."""
    if not isinstance(tree, exp.Select) or tree.args.get("group"):
        return False
    return all(item.find(exp.AggFunc) and not item.find(exp.Window) for item in tree.expressions)


@cache
def _phrases() -> frozenset[str]:
    lines = (files("router.text_to_sql") / "count_phrases.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(map(fold, lines))
