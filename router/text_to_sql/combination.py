"""One statement from those of the parts of a question: each becomes a WITH query, and their rows are put together."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.catalog.schema import Schema
from router.text_to_sql.repair.query import column_of, identifier, source_of

CTE_NAME_MAX_CHARS = 28
"""Characters of a name that is made of a part's; older Oracle takes 30."""

_PART, _FIGURE = "part", "figure"
"""Columns of the rows of all parts: the number of the part that a row is of, and what that counts or sums."""


@dataclass(frozen=True, slots=True)
class PartOutput:
    """A statement with one number, at the place `number` of its results; no two rows have the same `keys`.

    `meanings` tell for each key which column it is, or how it is computed.
    """

    select: exp.Select
    keys: tuple[int, ...]
    number: int
    meanings: tuple[str, ...]


def combine(parts: Sequence[tuple[str, str]], schema: Schema) -> str | None:
    """Return the statement that puts parts (name, SQL) together, None if that cannot be done without doubt.

    There is a row for each key that any part has a row for, NULL too; without keys, one row in all.
    """
    outputs = [output_of(sql, schema) for _, sql in parts]
    given = [output for output in outputs if output]
    if len(given) < len(parts) or len({each.meanings for each in given}) > 1:
        return None
    first = given[0]
    keys = _named([_title(first.select, place) for place in first.keys], {_PART, _FIGURE})
    names = _named([name for name, _ in parts], {*keys, *(table.name.lower() for table in schema.tables)})

    def name_of(name: str) -> exp.Identifier:
        return identifier(name, schema.dialect)

    def column(name: str) -> exp.Column:
        return exp.Column(this=name_of(name))

    ctes, rows = [], []
    for number, (name, output) in enumerate(zip(names, given, strict=True), 1):
        called = dict(zip((*output.keys, output.number), (*keys, _FIGURE), strict=True))
        columns = [name_of(called[place]) for place in sorted(called)]
        alias = exp.TableAlias(this=name_of(name), columns=columns)
        ctes.append(exp.CTE(this=output.select, alias=alias))
        of_part = exp.alias_(exp.Literal.number(number), name_of(_PART))
        shown = [*map(column, keys), of_part, column(_FIGURE)]
        rows.append(exp.select(*shown).from_(exp.Table(this=name_of(name))))
    figures = (
        exp.alias_(exp.Max(this=exp.case().when(column(_PART).eq(number), column(_FIGURE))), name_of(name))
        for number, name in enumerate(names, 1)
    )
    every = exp.union(*rows, distinct=False).subquery("parts")
    select = exp.select(*map(column, keys), *figures).from_(every)
    if keys:
        select = select.group_by(*map(column, keys)).order_by(*map(column, keys))
    select.set("with_", exp.With(expressions=ctes))
    return select.sql(dialect=schema.dialect)


def output_of(sql: str, schema: Schema) -> PartOutput | None:
    """Return what a statement gives, None if that is not one number for each of its keys, or one number in all."""
    try:
        tree = parse_one(sql, read=schema.dialect)
    except SqlglotError:
        return None
    if not isinstance(tree, exp.Select) or tree.args.get("with_") or any(item.is_star for item in tree.expressions):
        return None
    if not tree.args.get("limit"):
        tree.set("order", None)  # a WITH query has no order, and some databases refuse one
    numbers = [place for place, item in enumerate(tree.expressions) if _is_number(item, tree)]
    keys = tuple(place for place in range(len(tree.expressions)) if place not in numbers)
    if len(numbers) != 1 or not _has_one_row_each(tree, keys):
        return None
    meanings = tuple(_meaning(tree.expressions[place].unalias(), schema) for place in keys)
    return PartOutput(tree, keys, numbers[0], meanings) if all(meanings) else None


def _is_number(item: exp.Expr, select: exp.Select) -> bool:
    """Return whether an item counts or sums the rows of this SELECT; one in brackets of its own has others."""
    own = any(each.find_ancestor(exp.Select) is select for each in item.find_all(exp.AggFunc))
    return own and item.find(exp.Window) is None


def _has_one_row_each(select: exp.Select, keys: tuple[int, ...]) -> bool:
    """Return whether the keys are all that the rows are grouped by; without keys, whether there is one row."""
    group = select.args.get("group")
    if group is None:
        return not keys
    if any(value for name, value in group.args.items() if name != "expressions"):
        return False  # ROLLUP and the like give rows of several kinds
    places = [{at for at in keys if _is_same(by, select.expressions[at], at)} for by in group.expressions]
    return all(places) and set[int]().union(*places) == set(keys)


def _is_same(by: exp.Expr, item: exp.Expr, place: int) -> bool:
    if isinstance(by, exp.Literal):
        return not by.is_string and by.this == str(place + 1)
    plain = item.unalias()
    if isinstance(by, exp.Column) and not by.table and by.name.lower() in (item.alias.lower(), plain.name.lower()):
        return True
    return by == plain


def _meaning(item: exp.Expr, schema: Schema) -> str:
    """Return the same text for keys that mean the same: one column of one table, under whatever alias; "" in doubt."""
    bare = item.copy()
    for column, written in zip(bare.find_all(exp.Column), item.find_all(exp.Column), strict=True):
        home = _home(written, schema)
        if not home:
            return ""
        column.set("this", exp.to_identifier(home, quoted=True))
        column.set("table", None)
    return bare.sql().lower()


def _home(column: exp.Column, schema: Schema) -> str:
    """Return the table and the column that a name means, or that a declared key of it points to; "" if unknown."""
    source, known = source_of(column, schema), column_of(column, schema)
    if known is None or source is None or source.table is None:
        return ""
    table = source.table
    for key in table.foreign_keys:
        if key.sure == 1 and key.columns == (known.name,):
            return f"{key.target_schema or table.schema}.{key.target}.{key.target_columns[0]}"
    return f"{table.schema}.{table.name}.{known.name}"


def _title(select: exp.Select, place: int) -> str:
    item = select.expressions[place]
    return item.alias or item.name or "value"


def _named(wishes: Sequence[str], taken: set[str]) -> list[str]:
    """Return names like the wishes in plain letters, each once and none of `taken`."""
    names: list[str] = []
    for wish in wishes:
        plain = re.sub(r"[^a-z0-9]+", "_", wish.lower()).strip("_") or "part"
        base = (plain if plain[0].isalpha() else f"n_{plain}")[: CTE_NAME_MAX_CHARS - 3]
        tries = (base, *(f"{base}_{number}" for number in range(2, 99)))
        names.append(next(name for name in tries if name not in taken and name not in names))
    return names
