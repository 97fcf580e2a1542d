"""What a part's statement gives: the columns that its rows are for, and the numbers beside them."""

import re
from dataclasses import dataclass

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.agents.repair.sources import column_of, sources
from router.catalog.links import links
from router.catalog.schema import Schema

_NUMBER = re.compile(r"INT|NUM|DEC|REAL|DOUB|FLOA|MONEY", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Output:
    """`select` without its WITH; `keys` and `numbers` are places in its results, no two rows have the same keys.

    `meanings` tell for each key which column of the database it is, or how it is computed; `sure`: none can be NULL.
    """

    select: exp.Select
    ctes: tuple[exp.CTE, ...]
    keys: tuple[int, ...]
    numbers: tuple[int, ...]
    meanings: tuple[str, ...]
    sure: bool


def output_of(sql: str, schema: Schema) -> Output | None:
    """Return what a statement gives, None where that is not one row for each of its keys, or one row in all.

    A number of something that is named ("the length of the Rhine") is one, however often it stands there; where there
    are several, each of them is a row to be seen.
    """
    try:
        tree = parse_one(sql, read=schema.dialect)
    except SqlglotError:
        return None
    if not isinstance(tree, exp.Select) or any(item.is_star for item in tree.expressions):
        return None
    with_, group = tree.args.get("with_"), tree.args.get("group")
    if with_ and with_.args.get("recursive"):
        return None
    ctes = tuple(with_.expressions) if with_ else ()
    tree.set("with_", None)
    if not tree.args.get("limit"):
        tree.set("order", None)  # a WITH query has no order, and some databases refuse one
    if _is_one_value(tree, schema):
        tree.set("distinct", exp.Distinct())
        return Output(tree, ctes, (), (0,), (), sure=False)
    numbers = tuple(place for place, item in enumerate(tree.expressions) if _is_number(item, tree))
    keys = tuple(place for place in range(len(tree.expressions)) if place not in numbers)
    if not numbers or not _one_row_each(tree, keys, group):
        return None
    items = [tree.expressions[place].unalias() for place in keys]
    meanings = tuple(_meaning(item, tree, schema) for item in items)
    return Output(tree, ctes, keys, numbers, meanings, all(_is_sure(item, tree, schema) for item in items))


def _is_one_value(select: exp.Select, schema: Schema) -> bool:
    """Tell whether one number is looked up, by the name or number of something."""
    where, items = select.args.get("where"), select.expressions
    if where is None or select.args.get("group") or select.args.get("limit") or len(items) != 1:
        return False
    item = items[0].unalias()
    column = column_of(item, schema) if isinstance(item, exp.Column) else None
    named = any(isinstance(equal.expression, exp.Literal) for equal in where.find_all(exp.EQ))
    return column is not None and named and not where.find(exp.Or) and _NUMBER.search(column.type) is not None


def _is_number(item: exp.Expr, select: exp.Select) -> bool:
    """Tell whether an item counts or sums the rows of this SELECT; one in brackets of its own has others."""
    own = any(each.find_ancestor(exp.Select) is select for each in item.find_all(exp.AggFunc))
    return own and item.find(exp.Window) is None


def _one_row_each(select: exp.Select, keys: tuple[int, ...], group: exp.Group | None) -> bool:
    """Tell whether the keys are all that the rows are grouped by; without keys, whether there is one row."""
    if group is None:
        return not keys
    if any(value for name, value in group.args.items() if name != "expressions"):
        return False  # ROLLUP and the like give rows of several kinds
    items = {place: select.expressions[place] for place in keys}
    left = set(keys)
    for by in group.expressions:
        same = [place for place, item in items.items() if _is_same(by, item, place)]
        if not same:
            return False
        left -= set(same)
    return not left


def _is_same(by: exp.Expr, item: exp.Expr, place: int) -> bool:
    if isinstance(by, exp.Literal):
        return not by.is_string and by.this == str(place + 1)
    plain = item.unalias()
    if isinstance(by, exp.Column) and not by.table and by.name.lower() in (item.alias.lower(), plain.name.lower()):
        return True
    return by == plain


def _meaning(item: exp.Expr, select: exp.Select, schema: Schema) -> str:
    """Return the same text for keys that mean the same: a column and one that points to it, one month and another."""
    if isinstance(item, exp.Column):
        table, column = _origin(item, select, schema)
        target = next(
            (
                (link.target, link.target_columns[0])
                for link in links(schema)
                if (link.table.lower(), tuple(map(str.lower, link.columns))) == (table.lower(), (column.lower(),))
            ),
            (table, column),
        )
        return ".".join(target).lower()
    blank = item.copy()
    for column_ in list(blank.find_all(exp.Column)):
        column_.replace(exp.column("_"))
    return blank.sql(dialect=schema.dialect).lower()


def _origin(item: exp.Column, select: exp.Select, schema: Schema) -> tuple[str, str]:
    """Return the table ("" where it is none of the schema's) and the name of a column."""
    found = [s for s in sources(select, schema) if (not item.table or s.alias.lower() == item.table.lower())]
    owners = [s for s in found if s.has(item.name)]
    table = owners[0].table if len(owners) == 1 else None
    return (table.name if table else "", item.name)


def _is_sure(item: exp.Expr, select: exp.Select, schema: Schema) -> bool:
    """Tell whether a key is a column that is never NULL."""
    if not isinstance(item, exp.Column) or any(join.side for join in select.args.get("joins") or ()):
        return False
    name, column = _origin(item, select, schema)
    table = schema.table(name) if name else None
    return table is not None and any(c.name.lower() == column.lower() and not c.nullable for c in table.columns)
