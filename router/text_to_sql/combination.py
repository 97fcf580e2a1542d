"""One statement from those of the parts of a question: each becomes a WITH query, and their rows are put together."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.catalog.foreign_keys import links
from router.catalog.schema import Schema
from router.sql.dialect import Name
from router.text_to_sql.question import Operation
from router.text_to_sql.repair.query import column_of, identifier, source_of

# The output of a part's statement: the columns that its rows are for, and its numbers.


@dataclass(frozen=True, slots=True)
class PartOutput:
    """`select` without its WITH; `keys` and `numbers` are places in its results, no two rows have the same keys.

    `meanings` tell for each key which column of the database it is, or how it is computed; `sure`: none can be NULL.
    """

    select: exp.Select
    ctes: tuple[exp.CTE, ...]
    keys: tuple[int, ...]
    numbers: tuple[int, ...]
    meanings: tuple[str, ...]
    sure: bool


def output_of(sql: str, schema: Schema) -> PartOutput | None:
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
        return PartOutput(tree, ctes, (), (0,), (), sure=False)
    numbers = tuple(place for place, item in enumerate(tree.expressions) if _is_number(item, tree))
    keys = tuple(place for place in range(len(tree.expressions)) if place not in numbers)
    if not numbers or not _one_row_each(tree, keys, group):
        return None
    items = [tree.expressions[place].unalias() for place in keys]
    meanings = tuple(_meaning(item, schema) for item in items)
    return PartOutput(tree, ctes, keys, numbers, meanings, all(_is_sure(item, tree, schema) for item in items))


def _is_one_value(select: exp.Select, schema: Schema) -> bool:
    """Tell whether one number is looked up, by the name or number of something."""
    where, items = select.args.get("where"), select.expressions
    if where is None or select.args.get("group") or select.args.get("limit") or len(items) != 1:
        return False
    item = items[0].unalias()
    column = column_of(item, schema) if isinstance(item, exp.Column) else None
    named = any(isinstance(equal.expression, exp.Literal) for equal in where.find_all(exp.EQ))
    return column is not None and named and not where.find(exp.Or) and column.is_number


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


def _meaning(item: exp.Expr, schema: Schema) -> str:
    """Return the same text for keys that mean the same: a column and one that points to it, one month and another."""
    if isinstance(item, exp.Column):
        source = source_of(item, schema)
        table, column = source.table.name if source and source.table else "", item.name
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


def _is_sure(item: exp.Expr, select: exp.Select, schema: Schema) -> bool:
    """Tell whether a key is a column that is never NULL."""
    if not isinstance(item, exp.Column) or any(join.side for join in select.args.get("joins") or ()):
        return False
    column = column_of(item, schema)
    return column is not None and not column.nullable


CTE_NAME_MAX_CHARS = 28
"""Characters of a name that is made of a part's; older Oracle takes 30."""

_COMPUTED = {"count": "number", "sum": "total", "avg": "average", "min": "least", "max": "most"}
_PLAIN_EQUALITY = ("oracle", "tsql")
"""Older versions of these know no equality that holds for NULL."""


def combine(parts: Sequence[tuple[str, str]], operation: Operation, schema: Schema) -> str | None:
    """Return the statement that puts parts (name, SQL) together, None where that cannot be done without doubt.

    Rows for the same keys are joined, also where only one part has rows for them; parts of one row each are put beside
    one another, or beside the rows of a single part that has keys.
    """
    outputs = [output_of(sql, schema) for _, sql in parts]
    given = [output for output in outputs if output]
    if len(given) < len(parts) or (operation != "beside" and any(len(each.numbers) != 1 for each in given)):
        return None
    hoisted = [cte for each in given for cte in each.ctes]
    tables, queries = {table.name.lower() for table in schema.tables}, {cte.alias.lower() for cte in hoisted}
    if len(queries) < len(hoisted) or queries & tables:
        return None  # what one part calls by this name would mean something else in another
    taken = tables | queries
    names = _named([name for name, _ in parts], taken)
    keyed = [place for place, each in enumerate(given) if each.keys]
    return _Combination(names, given, keyed, schema).written(operation, hoisted, taken)


class _Combination:
    """The parts with the names that they have in the statement."""

    def __init__(self, names: list[str], outputs: list[PartOutput], keyed: list[int], schema: Schema) -> None:
        self._names, self._outputs, self._keyed, self._schema = names, outputs, keyed, schema
        first = outputs[keyed[0]] if keyed else None
        self._keys = _named([_title(first.select, place) for place in first.keys], set()) if first else []
        self._numbers = [
            _named([_title(each.select, place) for place in each.numbers], set(self._keys)) for each in outputs
        ]

    def written(self, operation: Operation, hoisted: list[exp.CTE], taken: set[str]) -> str | None:
        """Return the statement."""
        orders = [self._order(self._outputs[place]) for place in self._keyed]
        if any(order is None for order in orders):
            return None
        placed = dict(zip(self._keyed, (order or () for order in orders), strict=True))
        ctes = [*hoisted, *(self._cte(place, placed.get(place, ())) for place in range(len(self._names)))]
        if len(self._keyed) > 1:
            return self._joined(operation, ctes, taken)
        return self._beside(operation, ctes)

    def _order(self, output: PartOutput) -> tuple[int, ...] | None:
        """Return the places of the first part's keys in this one."""
        wanted = self._outputs[self._keyed[0]].meanings
        if sorted(wanted) != sorted(output.meanings) or len(set(wanted)) < len(wanted):
            return None
        return tuple(output.keys[output.meanings.index(meaning)] for meaning in wanted)

    def _cte(self, place: int, keys: tuple[int, ...]) -> exp.CTE:
        output = self._outputs[place]
        titles = (*(self._keys if keys else ()), *self._numbers[place])
        called = dict(zip((*keys, *output.numbers), titles, strict=True))
        columns = [self._id(called[number]) for number in range(len(output.select.expressions))]
        return exp.CTE(this=output.select, alias=exp.TableAlias(this=self._id(self._names[place]), columns=columns))

    def _beside(self, operation: Operation, ctes: list[exp.CTE]) -> str:
        """Put rows of one part, if any has keys, beside the single rows of the others."""
        start = self._keyed[0] if self._keyed else 0
        keys = [self._column(start, key) for key in self._keys]
        select = exp.select(*keys, *self._results(operation)).from_(self._table(start))
        for place in range(len(self._names)):
            if place != start:
                select = select.join(self._table(place), join_type="CROSS")
        return self._text(select.order_by(*(key.copy() for key in keys)) if keys else select, ctes)

    def _joined(self, operation: Operation, ctes: list[exp.CTE], taken: set[str]) -> str | None:
        """Join the parts to all keys that any of them has: not every database knows FULL JOIN."""
        if len(self._keyed) < len(self._names):
            return None
        (every,) = _named([f"each_{self._keys[0]}"], taken | set(self._names))
        lists = [
            exp.select(*(exp.Column(this=self._id(key)) for key in self._keys)).from_(self._table(place))
            for place in self._keyed
        ]
        union = exp.union(*lists, distinct=True)
        ctes = [*ctes, exp.CTE(this=union, alias=exp.TableAlias(this=self._id(every)))]
        keys = [exp.Column(this=self._id(key), table=self._id(every)) for key in self._keys]
        select = exp.select(*keys, *self._results(operation)).from_(exp.Table(this=self._id(every)))
        sure = all(output.sure for output in self._outputs)
        for place in self._keyed:
            pairs = [(key.copy(), self._column(place, name)) for key, name in zip(keys, self._keys, strict=True)]
            equal = [_equal(*pair, self._schema.dialect, sure) for pair in pairs]
            select = select.join(self._table(place), on=exp.and_(*equal), join_type="LEFT")
        return self._text(select.order_by(*(key.copy() for key in keys)), ctes)

    def _results(self, operation: Operation) -> list[exp.Expr]:
        """Return the columns that are shown beside the keys."""
        if operation == "beside":
            single = all(len(numbers) == 1 for numbers in self._numbers)
            titles = [
                name if single else f"{name}_{number}"[:CTE_NAME_MAX_CHARS]
                for name, numbers in zip(self._names, self._numbers, strict=True)
                for number in numbers
            ]
            every = [self._column(place, n) for place, numbers in enumerate(self._numbers) for n in numbers]
            named = zip(every, _named(titles, set(self._keys)), strict=True)
            return [exp.alias_(column, self._id(title)) for column, title in named]
        first, second = (self._column(place, self._numbers[place][0]) for place in (0, 1))
        if operation == "difference":
            return [exp.alias_(exp.Sub(this=first, expression=second), self._id("difference"))]
        whole = exp.Mul(this=exp.Literal.number("1.0"), expression=first)
        part = exp.Nullif(this=second, expression=exp.Literal.number("0"))
        # "typed": the first factor is no integer, so that no database cuts the quotient off.
        return [exp.alias_(exp.Div(this=whole, expression=part, typed=True), self._id("ratio"))]

    def _table(self, place: int) -> exp.Table:
        return exp.Table(this=self._id(self._names[place]))

    def _column(self, place: int, name: str) -> exp.Column:
        return exp.Column(this=self._id(name), table=self._id(self._names[place]))

    def _id(self, name: str) -> exp.Identifier:
        return identifier(name, self._schema.dialect)

    def _text(self, select: exp.Select, ctes: list[exp.CTE]) -> str:
        select.set("with_", exp.With(expressions=ctes))
        return select.sql(dialect=self._schema.dialect)


def _equal(key: exp.Column, column: exp.Column, dialect: Name, sure: bool) -> exp.Expr:
    """Return the condition that two keys are the same, also where both are NULL, which "=" does not say."""
    if sure:
        return exp.EQ(this=key, expression=column)
    if dialect not in _PLAIN_EQUALITY:
        return exp.NullSafeEQ(this=key, expression=column)
    empty = [exp.Is(this=each.copy(), expression=exp.Null()) for each in (key, column)]
    return exp.paren(exp.or_(exp.EQ(this=key, expression=column), exp.and_(*empty)))


def _title(select: exp.Select, place: int) -> str:
    """Return what a result of a part is called: as it is there, or as what it computes."""
    item = select.expressions[place]
    inner = item.unalias()
    return item.alias or (inner.name if isinstance(inner, exp.Column) else _COMPUTED.get(inner.key, "value"))


def _named(wishes: Sequence[str], taken: set[str]) -> list[str]:
    """Return names like the wishes in plain letters, each once and none of `taken`."""
    names: list[str] = []
    for wish in wishes:
        plain = re.sub(r"[^a-z0-9]+", "_", wish.lower()).strip("_")[:CTE_NAME_MAX_CHARS].strip("_") or "part"
        name = plain if plain[0].isalpha() else f"n_{plain}"[:CTE_NAME_MAX_CHARS]
        count = 1
        while name in taken or name in names:
            name = f"{plain[: CTE_NAME_MAX_CHARS - 7]}_part{count if count > 1 else ''}"
            count += 1
        names.append(name)
    return names
