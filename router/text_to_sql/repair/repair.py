"""Repair of SQL from the schema, without a model: most wrong queries ask a table for another table's column.

`repair` reads the tree, follows the foreign keys, and changes only what can mean one thing.
"""

from dataclasses import dataclass

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from router.catalog.samples import SAMPLES_PER_COLUMN
from router.catalog.schema import Schema
from router.language.folding import caseless, folds
from router.sql.dialect import DIALECTS
from router.text_to_sql.question import Question
from router.text_to_sql.repair.functions import (
    mend_dates,
    mend_functions,
    read_closed,
    read_foreign,
    written,
)
from router.text_to_sql.repair.group_order import order_groups
from router.text_to_sql.repair.join_order import link_tables, order_joins
from router.text_to_sql.repair.join_paths import hops
from router.text_to_sql.repair.joins import mend_joins
from router.text_to_sql.repair.query import Query, column_of, conjuncts, near, words
from router.text_to_sql.repair.subqueries import mend_outer_sums
from router.text_to_sql.repair.unknown_names import mend_columns, mend_tables, quote_reserved


@dataclass(frozen=True, slots=True)
class Repaired:
    """The query after repair, a sentence for each repair, and one for each fault that is left."""

    sql: str
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def repair(sql: str, schema: Schema, question: Question | None = None) -> Repaired:
    """Return the query with everything put right that can only mean one thing; unchanged if it cannot be read."""
    label = DIALECTS[schema.dialect].label
    notes = []
    try:
        trees = parse(sql, read=schema.dialect)
    except SqlglotError:
        if closed := read_closed(sql, schema.dialect):
            trees = [closed]
            notes.append("A bracket that was open at the end was closed.")
        else:
            trees = [read_foreign(sql, schema.dialect)]
            notes.append(f"The query was written the way {label} knows it.")
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        return Repaired(sql)
    query = Query(trees[0], schema, hops(schema), notes, said=words(question.said) if question else frozenset())
    for mend in (
        quote_reserved,
        mend_functions,
        mend_tables,
        mend_having,
        order_joins,
        mend_joins,
        mend_outer_sums,
        mend_columns,
        link_tables,
        mend_literals,
        mend_values,
        mend_groups,
        mend_division,
        mend_dates,
    ):
        mend(query)
    if question:
        order_groups(query)
    return Repaired(written(query.tree, schema.dialect), tuple(query.notes), tuple(query.problems))


# Values: spelt as the database spells them, of the type they are compared with, and not mistaken for names.


_WIDTHS = {"%Y": 4, "%m": 2, "%d": 2, "%H": 2, "%w": 1}


def mend_literals(query: Query) -> None:
    """Put values right where the samples, or what they are compared with, leave no doubt."""
    for node in list(query.tree.find_all(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between)):
        _match_type(query, node)


def mend_division(query: Query) -> None:
    """Divide counts as decimals if the database would cut the share to a whole number."""
    if query.dialect not in ("sqlite", "postgres", "tsql"):
        return
    for node in list(query.tree.find_all(exp.Div)):
        if _counts(node.this) and _counts(node.expression) and not isinstance(node.expression, exp.Literal):
            left = node.this
            node.set("this", exp.Mul(this=exp.Literal.number("1.0"), expression=left.copy()))
            query.note(
                "division", "The counts are divided as decimals, so that the share is not cut to a whole number."
            )


def _match_type(query: Query, node: exp.Expr) -> None:
    """Compare a part of a date, which SQLite gives as text, with text."""
    side = node.this
    if query.dialect != "sqlite" or not isinstance(side, exp.TimeToStr):
        return
    width = _WIDTHS.get(side.text("format"), 0)
    for key in ("expression", "low", "high", "expressions"):
        values = node.args.get(key)
        for value in values if isinstance(values, list) else [values]:
            if isinstance(value, exp.Literal) and not value.is_string and width:
                value.replace(exp.Literal.string(value.name.zfill(width)))
                query.note(value.name, f"{value.name} is compared as text, as SQLite gives parts of a date.")


def _counts(node: exp.Expr) -> bool:
    """Return whether a value is surely a whole number that counts something."""
    match node:
        case exp.Paren():
            return _counts(node.this)
        case exp.Count():
            return True
        case exp.Sum():
            case = node.this
            return isinstance(case, exp.Case | exp.If) and all(_is_whole(value) for value in _results(case))
        case exp.Mul():
            sides = (node.this, node.expression)
            return any(_counts(side) for side in sides) and all(_counts(side) or _is_whole(side) for side in sides)
    return False


def _results(case: exp.Expr) -> list[exp.Expr]:
    branches = case.args.get("ifs") or [case]
    default = case.args.get("default") or case.args.get("false")
    return [branch.args["true"] for branch in branches] + ([default] if default else [])


def _is_whole(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and bool(node.is_int)


def mend_values(query: Query) -> None:
    """Compare each column with a value that it has, if what is known of the values leaves no doubt."""
    for node in list(query.tree.find_all(exp.EQ, exp.NEQ, exp.In)):
        for literal in node.expressions if isinstance(node, exp.In) else [node.expression]:
            if isinstance(node.this, exp.Column) and isinstance(literal, exp.Literal) and literal.is_string:
                _mend(query, node.this, literal)


def _mend(query: Query, side: exp.Column, literal: exp.Literal) -> None:
    """Write a value as the only one of the column is written that differs in case, accents, or else in a letter."""
    column, value = column_of(side, query.schema), literal.name
    if column is None or not value.strip():
        return
    known = column.values or (column.samples if len(column.samples) < SAMPLES_PER_COLUMN else ())
    if value in known:
        return
    cased = [each for each in known if caseless(each) == caseless(value)]
    found = cased or [each for each in known if {*folds(value)} & {*folds(each)} - {""}]
    spelt = found[0] if len(found) == 1 else near(value, column.values) if column.whole and not found else None
    if spelt:
        query.note(value, f"“{value}” is spelt “{spelt}” in `{column.name}`.")
        literal.replace(exp.Literal.string(spelt))


# GROUP BY: what is shown beside a sum must be grouped by, or the database refuses or shows one arbitrary row.


def mend_having(query: Query) -> None:
    """Put conditions on sums and counts into HAVING: WHERE looks at single rows, and no database takes them there."""
    for select in query.selects():
        where, group = select.args.get("where"), select.args.get("group")
        if where is None or not (group or any(item.find(exp.AggFunc) for item in select.expressions)):
            continue
        sums = {
            item.alias.lower(): item.this
            for item in select.expressions
            if isinstance(item, exp.Alias) and item.find(exp.AggFunc) and not item.find(exp.Window, exp.Query)
        }
        taken = {name.lower() for source in query.sources(select) for name in source.columns or ()}
        kept: list[exp.Expr] = []
        for condition in conjuncts(where):
            own = [node for node in condition.find_all(exp.AggFunc) if node.find_ancestor(exp.Select) is select]
            named = [
                node
                for node in condition.find_all(exp.Column)
                if not node.table and node.name.lower() in sums and node.name.lower() not in taken
            ]
            if not own and not named:
                kept.append(condition)
                continue
            text = condition.sql(dialect=query.dialect)
            for node in named:
                node.replace(sums[node.name.lower()].copy())
            select.having(condition.copy(), copy=False)
            query.note(f"having {text}", f"`{text}` is asked of the groups, not of single rows.")
        select.set("where", exp.Where(this=exp.and_(*kept)) if kept else None)


def mend_groups(query: Query) -> None:
    """Group by the columns that stand beside sums if they were forgotten."""
    if isinstance(query.tree, exp.Select):
        _label(query, query.tree)
    for select in query.selects():
        sums = [node for node in _nodes_of(select, exp.AggFunc) if not node.find_ancestor(exp.Window)]
        group = select.args.get("group")
        # SQLite and MySQL take the row of the maximum, or any row, for what is not grouped by: that may be meant.
        lenient = query.dialect in ("sqlite", "mysql")
        if not sums or (lenient and (group or all(isinstance(node, exp.Max | exp.Min) for node in sums))):
            continue
        keys = list(group.expressions) if group else []
        if group and (len(group.args) > 1 or any(not isinstance(key, exp.Column) for key in keys)):
            continue  # numbers, expressions and subtotals are left to the database
        missing = [item.unalias() for item in select.expressions if _is_plain(select, item) and not _has(keys, item)]
        if missing:
            select.set("group", exp.Group(expressions=[*keys, *(node.copy() for node in missing)]))
            names = " and ".join(f"`{node.sql(dialect=query.dialect)}`" for node in missing)
            query.note(f"group {names}", f"The rows are grouped by {names}.")


def _label(query: Query, select: exp.Select) -> None:
    """Show what the rows are grouped by if nothing but sums is shown: numbers without names tell nothing."""
    group = select.args.get("group")
    keys = list(group.expressions) if group else []
    if any(not item.find(exp.AggFunc) for item in select.expressions):
        return
    if keys and all(isinstance(key, exp.Column | exp.Func) for key in keys):
        select.set("expressions", [*(key.copy() for key in keys), *select.expressions])
        names = " and ".join(f"`{key.sql(dialect=query.dialect)}`" for key in keys)
        query.note(f"label {names}", f"{names} is shown beside the numbers.")


def _nodes_of(select: exp.Select, kind: type[exp.Expr]) -> list[exp.Expr]:
    """Return the nodes in the results, in HAVING and in ORDER BY of this SELECT itself."""
    places = [*select.expressions, select.args.get("having"), select.args.get("order")]
    found = [node for place in places if place for node in place.find_all(kind)]
    return [node for node in found if node.find_ancestor(exp.Select) is select]


def _is_plain(select: exp.Select, item: exp.Expr) -> bool:
    """Return whether a result is a column, or computed from columns, without a sum, a window or an inner query."""
    if item.is_star or item.find(exp.AggFunc, exp.Window, exp.Query):
        return False
    return item.find(exp.Column) is not None


def _has(keys: list[exp.Expr], item: exp.Expr) -> bool:
    node = item.unalias()
    names = {key.name.lower() for key in keys}
    return node in keys or (isinstance(node, exp.Column) and node.name.lower() in names) or item.alias.lower() in names
