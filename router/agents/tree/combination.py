"""One statement from those of the parts of a question: each becomes a WITH query, and their rows are put together."""

import re
from collections.abc import Sequence

from sqlglot import exp

from router.agents.repair.names import identifier
from router.agents.tree.operation import Operation
from router.agents.tree.output import Output, output_of
from router.catalog.schema import Schema
from router.sql.dialect import Name

LONGEST = 28
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

    def __init__(self, names: list[str], outputs: list[Output], keyed: list[int], schema: Schema) -> None:
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

    def _order(self, output: Output) -> tuple[int, ...] | None:
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
        lists = [exp.select(*map(self._bare, self._keys)).from_(self._table(place)) for place in self._keyed]
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
                name if single else f"{name}_{number}"[:LONGEST]
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

    def _bare(self, name: str) -> exp.Column:
        return exp.Column(this=self._id(name))

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
        plain = re.sub(r"[^a-z0-9]+", "_", wish.lower()).strip("_")[:LONGEST].strip("_") or "part"
        name = plain if plain[0].isalpha() else f"n_{plain}"[:LONGEST]
        count = 1
        while name in taken or name in names:
            name = f"{plain[: LONGEST - 7]}_part{count if count > 1 else ''}"
            count += 1
        names.append(name)
    return names
