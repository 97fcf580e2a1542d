"""The joins of a SELECT: which rows of several tables belong together, known by the names of their keys alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlglot import exp

from router.sql.explain.names import identifies, words


@dataclass(frozen=True, slots=True)
class Tie:
    """Equal columns of two sources: many rows of one point to one row of another, by a column."""

    many: str
    one: str
    by: str


@dataclass(frozen=True, slots=True)
class Joins:
    """How the sources of a SELECT, known by their aliases in lower case, belong together."""

    tables: Mapping[str, str]
    """The table of each source, "" if it is no table of the database."""
    sides: Mapping[str, str]
    """Which side's rows the join of each source keeps: "LEFT"; "" if it keeps only rows with a match."""
    ties: tuple[Tie, ...]
    unmatched: frozenset[str]
    """The sources of LEFT JOINs that are asked to have no row."""

    def entity(self) -> str:
        """Return the source of which every joined row is one row; "" if that is unknown."""
        inner = (alias for alias in self.tables if not self.sides[alias])
        return next((alias for alias in inner if self.is_once(alias)), "")

    def is_once(self, alias: str) -> bool:
        """Return whether no row of a source comes twice."""
        found = {alias}
        for _ in self.tables:
            found |= {tie.one for tie in self.ties if tie.many in found}
        is_kept = {"RIGHT", "FULL"}.isdisjoint(self.sides.values())
        return is_kept and bool(self.tables.get(alias)) and found >= self.tables.keys() - self.unmatched

    def role(self, alias: str) -> str:
        """Return what the column that points to a table read twice calls it: "manager" by `manager_id`; or ""."""
        tables = [table.lower() for table in self.tables.values()]
        if tables.count(self.tables[alias].lower()) == 1:
            return ""
        by = next((words(tie.by) for tie in self.ties if tie.one == alias), "")
        head, _, last = by.rpartition(" ")
        return head if last.lower() == "id" else last


def joins_of(select: exp.Select, made: Iterable[str]) -> Joins:
    """Return how the sources of a SELECT belong together; `made` are the names of the queries of WITH."""
    entries, known = entries_of(select), set(made)
    tables = {alias_of(each): table_of(each, known) for each in entries}
    sides = {alias_of(each): each.text("side").upper() for each in entries}
    where = conjuncts(select.args.get("where"))
    parts = [*where, *(part for each in entries for part in conjuncts(each.args.get("on")))]
    ties = [tie for part in parts for tie in ties_of(part, tables)]
    optional = {alias: each for each in entries if sides[alias := alias_of(each)] == "LEFT"}
    null = [part.this for part in where if is_equal(part) and isinstance(part.args["expression"], exp.Null)]
    unmatched = {
        alias for alias, join in optional.items() for column in null if is_of_match(column, join, tables[alias])
    }
    return Joins(tables, sides, tuple(ties), frozenset(unmatched))


def entries_of(select: exp.Select) -> list[exp.Expr]:
    """Return the FROM and the JOINs of a SELECT; what each reads is its `this`."""
    start = select.args.get("from_")
    return [*([start] if start else []), *(select.args.get("joins") or [])]


def alias_of(entry: exp.Expr) -> str:
    """Return the name of a source in the query, in lower case."""
    return entry.this.alias_or_name.lower() or f"?{entry.index}"


def table_of(entry: exp.Expr, made: Iterable[str]) -> str:
    """Return the name of the table of the database that a source is, or ""."""
    item = entry.this
    is_table = isinstance(item, exp.Table) and isinstance(item.this, exp.Identifier)
    return item.name if is_table and (item.db or item.name.lower() not in made) else ""


def conjuncts(node: exp.Expr | None) -> list[exp.Expr]:
    """Return the parts of a WHERE, a HAVING or an ON that all hold."""
    if node is None:
        return []
    bare = (node.this if isinstance(node, exp.Where | exp.Having) else node).unnest()
    parts = [each for part in bare.flatten() for each in conjuncts(part)] if isinstance(bare, exp.And) else [bare]
    return [each for each in parts if each != exp.true()]


def is_equal(node: exp.Expr) -> bool:
    """Return whether a condition says that two values are the same."""
    return isinstance(node, exp.EQ | exp.NullSafeEQ | exp.Is) and not node.args.get("negate")


def is_tie(node: exp.Expr, aliases: Iterable[str]) -> bool:
    """Return whether a condition only says that columns of two of these sources are equal."""
    ends = [node.this, node.args["expression"]] if is_equal(node) else []
    found = {end.table.lower() for end in ends if isinstance(end, exp.Column)}
    return len(found) == 2 and found <= {"", *aliases}


def ties_of(part: exp.Expr, tables: Mapping[str, str]) -> list[Tie]:
    """Return the ties that a condition makes; two if both columns are keys."""
    if not is_tie(part, tables) or not all(isinstance(end, exp.Column) and end.table for end in part.unnest_operands()):
        return []
    pairs = [(part.this, part.args["expression"]), (part.args["expression"], part.this)]
    return [
        Tie(many.table.lower(), one.table.lower(), many.name)
        for many, one in pairs
        if is_key(one, tables[one.table.lower()])
    ]


def is_key(column: exp.Expr, table: str) -> bool:
    """Return whether a column is the key of a table by its name, "" being no table."""
    return isinstance(column, exp.Column) and bool(table) and identifies(column.name, table)


def is_of_match(column: exp.Expr, join: exp.Expr, table: str) -> bool:
    """Return whether a column of a LEFT JOIN's table is NULL only where it found no row."""
    tied = [part for part in conjuncts(join.args.get("on")) if isinstance(part, exp.EQ)]
    is_own = column.text("table").lower() == alias_of(join)
    return is_own and (is_key(column, table) or any(column in part.unnest_operands() for part in tied))
