"""Reads from the names of keys alone which rows of several tables belong together."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

from sqlglot import exp

from router.sql.explain.names import one, words


def entries_of(select: exp.Select) -> dict[str, exp.Expr]:
    """Return the FROM and the JOINs of a SELECT by the names that the query gives them, in lower case."""
    found: dict[str, exp.Expr] = {}
    for entry in filter(None, (select.args.get("from_"), *(select.args.get("joins") or ()))):
        name = entry.this.alias_or_name.lower()
        found[name if name and name not in found else f"?{len(found)}"] = entry
    return found


def conjuncts(node: exp.Expr | None) -> list[exp.Expr]:
    """Return the parts of a WHERE, a HAVING or an ON that all hold."""
    if node is None:
        return []
    bare = (node.this if isinstance(node, exp.Where | exp.Having) else node).unnest()
    parts = [each for part in bare.flatten() for each in conjuncts(part)] if isinstance(bare, exp.And) else [bare]
    return [each for each in parts if each != exp.true()]


def is_tie(node: exp.Expr, names: Iterable[str]) -> bool:
    """Return whether a condition only says that columns of two of these sources are equal."""
    if not isinstance(node, exp.EQ | exp.NullSafeEQ | exp.Is) or node.args.get("negate"):
        return False
    found = {end.table.lower() for end in node.unnest_operands() if isinstance(end, exp.Column)}
    return len(found) == 2 and found <= {"", *names}


def is_key(column: exp.Expr, table: str) -> bool:
    """Return whether a column is the key of a table by its name: `id`, or `customer_id` of customers."""
    if not isinstance(column, exp.Column) or not table:
        return False
    names = (f"{name} id".lower().replace(" ", "") for name in (words(table), one(table)))
    return words(column.name).lower().replace(" ", "") in ("id", *names)


def sources_once(select: exp.Select, tables: Mapping[str, str]) -> set[str]:
    """Return the sources of which no row comes twice, as keys lead from it to all others; `tables` are theirs."""
    parts = conjuncts(select.args.get("where"))
    for join in select.args.get("joins") or ():
        parts += conjuncts(join.args.get("on"))
    ties = [
        (many.text("table").lower(), single.text("table").lower())
        for part in parts
        if is_tie(part, tables)
        for many, single in permutations(part.unnest_operands())
        if is_key(single, tables.get(single.text("table").lower(), ""))
    ]
    return {name for name, table in tables.items() if table and reached(name, ties) >= tables.keys()}


def reached(start: str, ties: Sequence[tuple[str, str]]) -> set[str]:
    """Return the sources of which each row of a source has one row at most, and that source itself."""
    found = {start}
    for _ in ties:
        found |= {single for many, single in ties if many in found}
    return found
