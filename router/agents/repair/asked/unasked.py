"""Conditions of which the question says nothing: a small model adds what it often saw."""

from sqlglot import exp

from router.agents.repair.asked.wording import is_said, words
from router.agents.repair.query import Query, conditions
from router.agents.repair.sources import column_of
from router.catalog.spelling import folds, within_one
from router.catalog.values import WORD


def drop_conditions(query: Query, asked: str) -> None:
    """Drop conditions on texts that no row has, where the question names neither the value nor the column.

    Of two conditions with one value that the question names once, the one whose column it does not name is dropped.
    """
    said = words(f"{asked} {query.hints}")
    for select in query.selects():
        if select is query.tree or not _is_negated(select):
            while part := next((each for each in conditions(select) if _is_strange(query, each, asked, said)), None):
                _leave_out(query, select, part)


def _is_negated(select: exp.Select) -> bool:
    """Tell whether what a query finds is left out elsewhere: without a condition, everything would be."""
    return select.find_ancestor(exp.Not, exp.Except) is not None


def _leave_out(query: Query, select: exp.Select, part: exp.Expr) -> None:
    written = part.sql(dialect=query.dialect)
    query.note(written, f"`{written}` was left out, as the question does not ask for it.")
    kept = [each.copy() for each in conditions(select) if each is not part]
    select.set("where", exp.Where(this=exp.and_(*kept, copy=False)) if kept else None)


def _is_strange(query: Query, part: exp.Expr, asked: str, said: frozenset[str]) -> bool:
    return _is_unasked(query, part, asked, said) or _is_twin(query, part, asked, said)


def _is_unasked(query: Query, part: exp.Expr, asked: str, said: frozenset[str]) -> bool:
    if not isinstance(part, exp.EQ) or not isinstance(part.this, exp.Column):
        return False
    if any(is_said(word, said) for word in _telling(query, part.this)):
        return False
    value = part.expression
    if not isinstance(value, exp.Literal) or not value.is_string or not _is_unknown(query, part.this, value.name):
        return False  # "women" means 'F', and "unpaid" means 'open': what the column has may be asked for
    return not any(is_said(word, said) for word in words(value.name)) and not _is_spelt(value.name, asked)


def _is_unknown(query: Query, column: exp.Column, value: str) -> bool:
    """Tell whether all values of a column are known, and this is none of them."""
    known = column_of(column, query.schema)
    return known is not None and known.whole and value.casefold() not in {each.casefold() for each in known.values}


def _is_spelt(value: str, asked: str) -> bool:
    """Tell whether the question has a word of the value in another spelling, such as Koeln for Köln."""
    said = {key for word in WORD.findall(asked) for key in folds(word) if len(key) > 2}
    keys = [key for word in WORD.findall(value) for key in folds(word) if len(key) > 2]
    return any(key in said or (len(key) > 3 and any(within_one(key, each) for each in said)) for key in keys)


def _is_twin(query: Query, part: exp.Expr, asked: str, said: frozenset[str]) -> bool:
    """Tell whether another condition of the query has this value too, and a column that is closer to the question."""
    if (
        not isinstance(part, exp.EQ)
        or not isinstance(part.this, exp.Column)
        or not isinstance(part.expression, exp.Literal)
    ):
        return False
    value = part.expression.name
    if len(value) < 2 or asked.lower().count(value.lower()) != 1:
        return False
    equal = [each for each in query.tree.find_all(exp.EQ) if each is not part and isinstance(each.this, exp.Column)]
    twins = [each.this for each in equal if each.expression == part.expression and each.find_ancestor(exp.Or) is None]
    strange = _strange(query, part.this, said)
    return any(_strange(query, twin, said) < strange for twin in twins)


def _strange(query: Query, column: exp.Column, said: frozenset[str]) -> int:
    return sum(not is_said(word, said) for word in _telling(query, column))


def _telling(query: Query, column: exp.Column) -> frozenset[str]:
    """Return the words of a column's name that its table's name does not have."""
    select = column.find_ancestor(exp.Select)
    sources = query.sources(select) if select else ()
    tables = [source.table.name for source in sources if source.table and source.has(column.name)]
    named = words(tables[0]) if len(tables) == 1 else frozenset()
    return frozenset(word for word in words(column.name) if not is_said(word, named))
