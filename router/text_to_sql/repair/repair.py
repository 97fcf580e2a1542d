"""Repair of SQL from the schema, without a model: most wrong queries ask a table for another table's column.

`repair` reads the tree, follows the foreign keys, and changes only what can mean one thing.
"""

from dataclasses import dataclass

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from router.catalog.samples import SAMPLES_PER_COLUMN
from router.catalog.schema import Column, Schema, SchemaTable
from router.language.folding import caseless, folds
from router.sql.dialect import DIALECTS
from router.text_to_sql.periods import periods
from router.text_to_sql.question import Question
from router.text_to_sql.repair.functions import (
    mend_dates,
    mend_functions,
    mend_years,
    read_closed,
    read_foreign,
    written,
)
from router.text_to_sql.repair.join_order import link_tables, order_joins
from router.text_to_sql.repair.join_paths import hops, nearest_chain
from router.text_to_sql.repair.joins import add_joins, drop_unused_joins, mend_joins
from router.text_to_sql.repair.match_question import fit
from router.text_to_sql.repair.query import FromItem, Query, column_of, conjuncts, exact, near, owner, words
from router.text_to_sql.repair.set_logic import split_union
from router.text_to_sql.repair.subqueries import mend_membership, mend_outer_sums
from router.text_to_sql.repair.unknown_names import mend_columns, mend_tables, quote_reserved


@dataclass(frozen=True, slots=True)
class Repaired:
    """The query after repair, a sentence for each repair, and one for each fault that is left."""

    sql: str
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def repair(sql: str, schema: Schema, question: Question | None = None, meaning: bool = True) -> Repaired:
    """Return the query with everything put right that can only mean one thing; unchanged where it cannot be read.

    `meaning`: what the question does not ask for is changed, too.
    """
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
        split_union,
        mend_outer_sums,
        mend_membership,
        mend_columns,
        drop_unused_joins,
        link_tables,
        mend_years,
        mend_literals,
        mend_values,
        mend_groups,
        mend_division,
    ):
        mend(query)
    mend_dates(query, periods(question.text, question.today) if question else ())
    if question and meaning:
        fit(query, question)
    return Repaired(written(query.tree, schema.dialect), tuple(query.notes), tuple(query.problems))


# Values: spelt as the database spells them, of the type they are compared with, and not mistaken for names.


_WIDTHS = {"%Y": 4, "%m": 2, "%d": 2, "%H": 2, "%w": 1}


def mend_literals(query: Query) -> None:
    """Put values right where the samples, or what they are compared with, leave no doubt."""
    for node in list(query.tree.find_all(exp.EQ, exp.NEQ, exp.In)):
        others = node.expressions if isinstance(node, exp.In) else [node.args["expression"]]
        for literal in others:
            _spell(query, node.this, literal)
    for node in list(query.tree.find_all(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between)):
        _match_type(query, node)
    for select in query.selects():
        _unquote_names(query, select)


def mend_division(query: Query) -> None:
    """Divide counts as decimals where the database would cut the share to a whole number."""
    if query.dialect not in ("sqlite", "postgres", "tsql"):
        return
    for node in list(query.tree.find_all(exp.Div)):
        if _counts(node.this) and _counts(node.expression) and not isinstance(node.expression, exp.Literal):
            left = node.this
            node.set("this", exp.Mul(this=exp.Literal.number("1.0"), expression=left.copy()))
            query.note(
                "division", "The counts are divided as decimals, so that the share is not cut to a whole number."
            )


def _spell(query: Query, side: exp.Expr, literal: exp.Expr) -> None:
    """Write a value as the only sample is written that differs from it in case alone."""
    if not isinstance(side, exp.Column) or not isinstance(literal, exp.Literal) or not literal.is_string:
        return
    column = column_of(side, query.schema)
    value = literal.name
    if column is None or value in column.samples or len(column.samples) >= SAMPLES_PER_COLUMN:
        return  # where not every value is known, this one may exist as it is written
    same = [sample for sample in column.samples if sample.strip().casefold() == value.strip().casefold()]
    if len(same) == 1:
        literal.replace(exp.Literal.string(same[0]))
        query.note(value, f"“{value}” is spelt “{same[0]}” in `{column.name}`.")


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


def _unquote_names(query: Query, select: exp.Select) -> None:
    """Read 'name' as the column where a mere value would make no sense: as a result, in GROUP BY, in ORDER BY."""
    group, order = select.args.get("group"), select.args.get("order")
    places = list(select.expressions) + (list(group.expressions) if group else [])
    places += [each.this for each in order.expressions] if order else []
    for node in places:
        if isinstance(node, exp.Literal) and node.is_string:
            names = [name for source in query.sources(select) for name in source.columns or ()]
            names += [item.alias for item in select.expressions if item.alias]
            found = exact(node.name, names)
            if found:
                node.replace(exp.Column(this=query.identifier(found)))
                query.note(found, f"'{node.name}' was read as the column `{found}`.")


def _counts(node: exp.Expr) -> bool:
    """Tell whether a value is surely a whole number that counts something."""
    match node:
        case exp.Paren():
            return _counts(node.this)
        case exp.Count():
            return True
        case exp.Sum():
            case = node.this
            return isinstance(case, exp.Case | exp.If) and all(_whole(value) for value in _results(case))
        case exp.Mul():
            sides = (node.this, node.expression)
            return any(_counts(side) for side in sides) and all(_counts(side) or _whole(side) for side in sides)
    return False


def _results(case: exp.Expr) -> list[exp.Expr]:
    branches = case.args.get("ifs") or [case]
    default = case.args.get("default") or case.args.get("false")
    return [branch.args["true"] for branch in branches] + ([default] if default else [])


def _whole(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and bool(node.is_int)


def mend_values(query: Query) -> None:
    """Compare each column with a value that it has, where what is known of the values leaves no doubt."""
    for node in list(query.tree.find_all(exp.EQ, exp.NEQ)):
        literal = node.expression
        if isinstance(node.this, exp.Column) and isinstance(literal, exp.Literal) and literal.is_string:
            _mend(query, node.this, literal)


def _mend(query: Query, side: exp.Column, literal: exp.Literal) -> None:
    column, value = column_of(side, query.schema), literal.name
    if column is None or value in column.values or not value.strip():
        return
    if spelt := _spelt(value, column) or _accented(value, column):
        _respell(query, literal, column, spelt)
    elif column.whole or (column.is_number and not _numeric(value)):
        _look_elsewhere(query, side, literal, column)


def _spelt(value: str, column: Column) -> str:
    """Return the only value of the column that differs in case and blanks alone, or ""."""
    found = [each for each in column.values if caseless(each) == caseless(value)]
    return found[0] if len(found) == 1 else ""


def _accented(value: str, column: Column) -> str:
    """Return the only value of the column that differs in accents, hyphens and points as well, or ""."""
    typed = set(folds(value)) - {""}
    found = [each for each in column.values if typed.intersection(folds(each))]
    return found[0] if len(found) == 1 else ""


def _respell(query: Query, literal: exp.Literal, column: Column, spelt: str) -> None:
    query.note(literal.name, f"“{literal.name}” is spelt “{spelt}” in `{column.name}`.")
    literal.replace(exp.Literal.string(spelt))


def _numeric(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _look_elsewhere(query: Query, side: exp.Column, literal: exp.Literal, column: Column) -> None:
    """Take the column that has the value: of the same table, of the query's others, or of one that is to be joined."""
    select = owner(side)
    if not isinstance(select, exp.Select):
        return
    sources = [source for source in query.sources(select) if source.table]
    own = next((source for source in sources if source.alias.lower() == side.table.lower()), None)
    own = own or (sources[0] if len(sources) == 1 else None)
    if own is None:
        return
    for group in ([own], [source for source in sources if source is not own]):
        found = [(source, *pair) for source in group for pair in _holding(source.table, literal.name)]
        if len(found) == 1:
            source, name, spelt = found[0]
            _take(query, side, literal, source.label, name, spelt)
            return
        if found:
            return
    if _join(query, select, side, literal, sources):
        return
    if column.whole and (nearest_chain := near(literal.name, column.values)):
        _respell(query, literal, column, nearest_chain)


def _join(query: Query, select: exp.Select, side: exp.Column, literal: exp.Literal, sources: list[FromItem]) -> bool:
    starts = {source.table.name: source for source in sources if source.table}
    if len(starts) != len(sources):
        return False
    homes = [(t.name, pair) for t in query.schema.tables if t.name not in starts for pair in _holding(t, literal.name)]
    found = nearest_chain(query.hops, starts, homes, fans=False)
    if found is None:
        return False
    chain, (name, spelt) = found
    label = add_joins(query, select, chain, starts[chain[0].near])
    _take(query, side, literal, label, name, spelt)
    return True


def _holding(table: SchemaTable | None, value: str) -> list[tuple[str, str]]:
    """Return the columns of a table that have the value, each with its spelling."""
    columns = table.columns if table else ()
    return [(column.name, spelt) for column in columns if (spelt := _spelt(value, column))]


def _take(query: Query, side: exp.Column, literal: exp.Literal, label: exp.Identifier, name: str, spelt: str) -> None:
    query.note(f"{literal.name}+{name}", f"“{spelt}” is a value of `{name}`, not of `{side.name}`.")
    query.redirect(side, label, name)
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
    """Group by the columns that stand beside sums where they were forgotten."""
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
    """Show what the rows are grouped by where nothing but sums is shown: numbers without names tell nothing."""
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
    """Tell whether a result is a column, or computed from columns, without a sum, a window or an inner query."""
    if item.is_star or item.find(exp.AggFunc, exp.Window, exp.Query):
        return False
    return item.find(exp.Column) is not None


def _has(keys: list[exp.Expr], item: exp.Expr) -> bool:
    node = item.unalias()
    names = {key.name.lower() for key in keys}
    return node in keys or (isinstance(node, exp.Column) and node.name.lower() in names) or item.alias.lower() in names
