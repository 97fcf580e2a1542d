"""Repair of SQL from the schema, without a model: most wrong queries ask a table for another table's column.

`repair` reads the tree, follows the foreign keys, and changes only what can mean one thing.
"""

from dataclasses import dataclass

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from router.catalog.schema import Schema
from router.sql.dialect import DIALECTS
from router.text_to_sql.periods import periods
from router.text_to_sql.question import Question
from router.text_to_sql.repair.functions import mend_dates, mend_functions, read_foreign, written
from router.text_to_sql.repair.join_paths import direct, hops
from router.text_to_sql.repair.joins import drop_unused_joins, mend_joins
from router.text_to_sql.repair.match_question import fit
from router.text_to_sql.repair.query import Query
from router.text_to_sql.repair.unknown_names import mend_columns, mend_tables, quote_reserved
from router.text_to_sql.repair.values import mend_division, mend_literals, mend_values


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
        trees = [read_foreign(sql, schema.dialect)]
        notes.append(f"The query was written the way {label} knows it.")
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        return Repaired(sql)
    query = Query(trees[0], schema, hops(schema), notes)
    for mend in _STEPS:
        mend(query)
    mend_dates(query, periods(question.text, question.today) if question else ())
    if question and meaning:
        fit(query, question)
    return Repaired(written(query.tree, schema.dialect), tuple(query.notes), tuple(query.problems))


# Membership: a column that the inner table lacks would silently be the outer one's.


def mend_membership(query: Query) -> None:
    """Compare along the foreign key where `c IN (SELECT c FROM t)` asks a table for a column that it lacks.

    The database would take the outer row's own `c`, so that the condition says nothing.
    """
    for part in list(query.tree.find_all(exp.In)):
        inner = part.args.get("query")
        inner = inner.unnest() if isinstance(inner, exp.Subquery) else inner
        outer = part.find_ancestor(exp.Select)
        if not isinstance(part.this, exp.Column) or not isinstance(inner, exp.Select) or outer is None:
            continue
        item = inner.expressions[0] if len(inner.expressions) == 1 else None
        own = query.sources(inner)
        if not isinstance(item, exp.Column) or len(own) != 1 or own[0].table is None or own[0].has(item.name):
            continue
        around = [source for source in query.sources(outer) if source.has(part.this.name) and source.table]
        around = [each for each in around if part.this.table.lower() in ("", each.alias.lower())]
        hop = (
            direct(query.hops, around[0].table.name, own[0].table.name)
            if len(around) == 1 and around[0].table
            else None
        )
        if hop is None or len(hop.pairs) != 1:
            continue
        near, far = hop.pairs[0]
        label = around[0].label.copy() if part.this.table else None
        column = exp.Column(this=query.identifier(near), table=label)
        part.set("this", column)
        item.replace(exp.Column(this=query.identifier(far)))
        if isinstance(part.parent, exp.Not) and not hop.fans:
            absent = exp.Is(this=column.copy(), expression=exp.Null())
            negated = part.parent
            negated.replace(exp.Paren(this=exp.Or(this=absent, expression=negated.copy())))
        query.note(f"in {far}", f"`{hop.near}` and `{hop.far}` were compared by `{near} = {hop.far}.{far}`.")


# GROUP BY: what is shown beside a sum must be grouped by, or the database refuses or shows one arbitrary row.


def mend_groups(query: Query) -> None:
    """Group by the columns that stand beside sums where they were forgotten."""
    if isinstance(query.tree, exp.Select):
        _label(query, query.tree)
    for select in query.selects():
        sums = [node for node in _own(select, exp.AggFunc) if not node.find_ancestor(exp.Window)]
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


def _own(select: exp.Select, kind: type[exp.Expr]) -> list[exp.Expr]:
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


_STEPS = (
    quote_reserved,
    mend_functions,
    mend_tables,
    mend_joins,
    mend_columns,
    drop_unused_joins,
    mend_literals,
    mend_values,
    mend_groups,
    mend_division,
    mend_membership,
)
