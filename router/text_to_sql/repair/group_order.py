"""The order of groups that nobody sorted: as people read them."""

from sqlglot import exp

from router.catalog.sensitive_columns import split_words
from router.text_to_sql.repair.query import Query, column_of

LARGEST_FIRST_NOTE = "The largest come first, as no order was asked for."
TIME_ORDER_NOTE = "They are shown in the order of time, as no other was asked for."
"""Sentences for the person, about an order that nobody asked for."""

_TIMES = frozenset(("year", "month", "quarter", "week", "day", "date", "hour"))


def order_groups(query: Query) -> None:
    """Sort groups that nobody sorted: those of a time by it, others by their number, the largest first."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or any(tree.args.get(part) for part in ("order", "limit", "distinct")):
        return
    if not tree.args.get("group"):
        return
    numbers = [item.unalias() for item in tree.expressions if item.find(exp.AggFunc)]
    keys = [item.unalias() for item in tree.expressions if not item.find(exp.AggFunc)]
    times = [key for key in keys if _is_time(query, key)]
    if times and len(times) == len(keys):
        tree.set("order", exp.Order(expressions=[exp.Ordered(this=key.copy(), nulls_first=True) for key in times]))
        query.note("order", TIME_ORDER_NOTE)
    elif len(numbers) == 1 and keys and not times:
        down = exp.Ordered(this=numbers[0].copy(), desc=True, nulls_first=False)
        query.note("order", LARGEST_FIRST_NOTE)
        tree.set("order", exp.Order(expressions=[down]))


def _is_time(query: Query, key: exp.Expr) -> bool:
    """Return whether a column is a date, or a year, a month and the like of one."""
    if isinstance(key, exp.Column):
        column = column_of(key, query.schema)
        words = {word.lower() for word in split_words(key.name)}
        samples = column.samples if column else ()
        named = bool(words & _TIMES) and all(sample[:1].isdigit() for sample in samples)  # not Friday before Monday
        return named or (column is not None and "DATE" in column.type.upper())
    return isinstance(key, exp.Func) and any(_is_time(query, column) for column in key.find_all(exp.Column))
