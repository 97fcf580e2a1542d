"""Sizes of queries: the number of rows that they make, and the size of the cells of their columns.

`sizes` judges the expressions in them.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sqlglot import exp

from router.sql.bounds import (
    CELL,
    INFINITY,
    NUMBER_BYTES,
    TABLE_ROWS,
    ZERO_BOUND,
    Bound,
    grown,
    hull,
    listed,
    sizes_of,
)
from router.sql.dialect import Name
from router.sql.made_rows import (
    SERIES_MAX_ROWS,
    STEPS_OF_DATES,
    STEPS_OF_TABLES,
    Rows,
    one_after_another,
    require_bytes,
    require_rows,
    side_by_side,
)
from router.sql.names import ascii_lower, is_star
from router.sql.size_parts import (
    branches_of,
    column_names_of,
    function_called,
    has_column,
    is_time,
    moments_of,
    number_of,
    reads,
    rows_kept,
)
from router.sql.size_rules import KINDS

_COMPARISONS = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NEQ, exp.Between)
_OUTSIDE_OF_ROWS = frozenset({"expressions", "from_", "joins", "laterals", "with_", "limit", "order", "offset"})
"""Parts of a query that are looked at by themselves."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function, with its arguments and their bounds."""

    node: exp.Expr
    name: str
    nodes: list[exp.Expr]
    given: list[Bound]


class QuerySizes(ABC):
    """Goes over the queries of one statement; each method raises StatementTooLarge for a part that makes too much."""

    def __init__(self, dialect: Name) -> None:
        self.dialect = dialect
        self.total = 0.0
        self.steps = 0
        self.names: list[dict[str, Bound]] = [{}]
        self.queries: list[dict[str, Rows]] = [{}]
        self.rows: list[Rows] = [Rows()]
        self.gathers: list[bool] = [False]
        """By query, whether it makes one row out of many."""

    @abstractmethod
    def bound(self, node: exp.Expr) -> Bound:
        """Return the bound of an expression."""

    @abstractmethod
    def given_to(self, node: exp.Expr) -> Call:
        """Return a call with the bounds of what it is given."""

    @abstractmethod
    def follow(self, size: float, paths: list[exp.Expr]) -> None:
        """Refuse paths that go over a document of so many bytes too often."""

    def every(self, value: object) -> list[Bound]:
        """Return the bounds of all expressions in a part of the tree."""
        if isinstance(value, list):
            return [bound for each in value for bound in self.every(each)]
        return [self.bound(value)] if isinstance(value, exp.Expr) and not isinstance(value, exp.DataType) else []

    # Queries.

    def query(self, node: exp.Expr) -> Rows:
        """Return the rows of a query."""
        self.queries.append(dict(self.queries[-1]))
        try:
            for cte in getattr(node.args.get("with_"), "expressions", ()):
                name = ascii_lower(cte.alias)
                rows = self._recursive(cte, name) if reads(cte.this, name) else self.query(cte.this)
                self.queries[-1][name] = rows.named(column_names_of(cte))
            match node:
                case exp.Subquery():
                    return self._aliased(node, self._with_rest(node, self.query(node.this)))
                case exp.SetOperation():
                    return self._set(node)
                case exp.Select():
                    return self._select(node)
                case exp.Values():
                    return self._values(node)
            return self._source(node)
        finally:
            self.queries.pop()

    def _set(self, node: exp.SetOperation) -> Rows:
        """Return the rows of a UNION, its parts one by one: there may be hundreds."""
        parts: list[exp.Expr] = []
        first: exp.Expr = node
        while isinstance(first, exp.SetOperation) and (first is node or not first.args.get("with_")):
            parts.append(first.expression)
            first = first.this
        found = [self.query(each) for each in (first, *reversed(parts))]
        return self._with_rest(node, one_after_another(found))

    def _with_rest(self, node: exp.Expr, rows: Rows) -> Rows:
        """Look at what follows a query: its order, and how many rows are kept."""
        self.every([node.args.get(part) for part in ("order", "limit", "offset")])
        kept = rows_kept(node.args.get("limit"))
        return replace(rows, made=min(rows.made, max(kept, 1)), of_table=False) if kept < TABLE_ROWS else rows

    def _values(self, node: exp.Values) -> Rows:
        rows = [self.every(getattr(row, "expressions", [row])) for row in node.expressions]
        columns = {f"column{place}": hull(list(each)) for place, each in enumerate(zip(*rows, strict=False), 1)}
        return self._aliased(node, Rows(columns, float(len(rows))))

    def _select(self, node: exp.Select) -> Rows:
        self.names.append({})
        self.gathers.append(False)
        depth = len(self.rows)
        try:
            self.rows.append(Rows())
            self._join(node)
            columns: dict[str, Bound] = {}
            for place, item in enumerate(node.expressions):
                self._select_item(item, place, columns)
            require_bytes(sizes_of(list(columns.values())), "one row")
            self.every([value for part, value in node.args.items() if part not in _OUTSIDE_OF_ROWS])
            if any(map(is_star, node.expressions)) and (len(node.expressions) > 1 or node.args.get("joins")):
                columns = dict.fromkeys(columns, hull(list(columns.values())))  # nobody knows which is which
            is_one = self.gathers[-1] and not node.args.get("group")
            return self._with_rest(node, Rows(columns) if is_one else replace(self.rows[-1], columns=columns))
        finally:
            del self.rows[depth:]
            self.gathers.pop()
            self.names.pop()

    def _select_item(self, item: exp.Expr, place: int, columns: dict[str, Bound]) -> None:
        bound = self.bound(item)
        if is_star(item):
            columns.update({name: each for name, each in self.names[-1].items() if "." not in name})
            return
        called = function_called(item) if isinstance(item, exp.Func) else f"column {place}"
        name = ascii_lower(item.alias_or_name) or called
        columns[name] = hull([columns[name], bound]) if name in columns else bound
        self.names[-1].setdefault(name, bound)

    def _join(self, node: exp.Select) -> None:
        """Count the rows that FROM makes, and let its columns be known."""
        linked = has_column(node.args.get("where"))
        made, of_table, count = 1.0, False, 1.0
        start = node.args.get("from_")
        for each in (start, *(node.args.get("joins") or ()), *(node.args.get("laterals") or ())):
            if each is None:
                continue
            rows = self._source(each if isinstance(each, exp.Lateral) else each.this)
            made, of_table = made * max(rows.made, 1), of_table or rows.of_table
            on = each.args.get("on")
            is_linked = linked or has_column(on) or bool(each.args.get("using"))
            count = Rows({}, made, of_table).count if is_linked else count * rows.count
            self.rows[-1] = Rows({}, made if count <= TABLE_ROWS else max(made, count), of_table)
            self.every(on)

    def _source(self, node: exp.Expr) -> Rows:
        """Return the rows of one table, query or function in FROM, and let its columns be known."""
        match node:
            case exp.Table() if isinstance(node.this, exp.Func):
                rows = self._function_rows(node.this)
            case exp.Table():
                known = {} if node.args.get("db") else self.queries[-1]
                rows = known.get(ascii_lower(node.name)) or Rows(of_table=True)
            case exp.Lateral():
                inner = node.this.unnest() if isinstance(node.this, exp.Subquery) else node.this
                rows = self.query(inner) if isinstance(inner, exp.Query) else self._function_rows(inner)
            case exp.Unnest():
                rows = self.pieces(Call(node, "unnest", node.expressions, self.every(node.expressions)))
            case exp.Select() | exp.SetOperation() | exp.Subquery() | exp.Values():
                rows = self.query(node)
            case _:
                self.every(list(node.args.values()))
                rows = Rows(of_table=True)
        for join in node.args.get("joins") or ():
            rows = rows.beside(self._source(join.this))
        self.every([node.args.get("pivots"), node.args.get("sample")])
        return self._aliased(node, rows)

    def _aliased(self, node: exp.Expr, rows: Rows) -> Rows:
        """Let the columns of a source be known by their names, and all of them by its own."""
        rows = rows.named(column_names_of(node))
        is_source = isinstance(node, (exp.Table, exp.Subquery, exp.Lateral, exp.Unnest, exp.Values))
        alias = ascii_lower(node.alias_or_name) if is_source else ""
        names = self.names[-1]
        for name, bound in rows.columns.items():
            names[name] = hull([names[name], bound]) if name in names else bound
            if alias:
                names[f"{alias}.{name}"] = bound
        if alias and rows.columns and alias not in rows.columns:
            names[alias] = listed(rows.bounds)
        return rows

    # Queries that read themselves.

    def _recursive(self, cte: exp.CTE, name: str) -> Rows:
        """Return the rows of a recursion: what grows a little with each step does so for all of them."""
        body = cte.this.this if isinstance(cte.this, exp.Subquery) else cte.this
        if not isinstance(body, exp.SetOperation):
            return self.query(body)
        first, *again = branches_of(body, name)
        start = self.query(first).named(column_names_of(cte))
        states = [start]
        for _ in range(3 + len(start.columns)):
            self.queries[-1][name] = states[-1]
            after = one_after_another([self.query(each) for each in again])
            states.append(replace(start, columns=side_by_side([states[-1], after]), of_table=after.of_table))
        self._with_rest(cte.this, start)
        steps = STEPS_OF_TABLES if after.of_table else max(self._steps(each, states) for each in again)
        columns = {each: grown([state.columns[each] for state in states[-3:]], steps) for each in start.columns}
        made = start.made
        if not after.of_table:
            is_fanned = after.made > max(states[-2].made, 1)
            made = SERIES_MAX_ROWS if is_fanned else min(max(made, 1) * (steps + 1), SERIES_MAX_ROWS)
        return Rows(columns, made, start.of_table or after.of_table)

    def _steps(self, node: exp.Expr, states: list[Rows]) -> float:
        """Return how often a recursion goes on at most, by the conditions that end it."""
        where = node.args.get("where")
        conditions = where.this.flatten() if where and isinstance(where.this, exp.And) else [where and where.this]
        ends = [self._steps_until(each, states) for each in conditions if isinstance(each, _COMPARISONS)]
        return min([SERIES_MAX_ROWS, *ends])

    def _steps_until(self, condition: exp.Expr, states: list[Rows]) -> float:
        """Return how often a recursion goes on until what grows in it reaches what does not."""
        sides = list(condition.iter_expressions())
        moving, ends = ([each for each in sides if has_column(each) is moves] for moves in (True, False))
        if len(moving) != 1:
            return INFINITY
        if any((isinstance(each, exp.Literal) and each.is_string) or is_time(each) for each in ends):
            return STEPS_OF_DATES
        name = ascii_lower(next(moving[0].find_all(exp.Column)).name)
        start, before, after = (state.columns.get(name, ZERO_BOUND) for state in (states[0], *states[-2:]))
        pace = max(after.most - before.most, after.size - before.size)
        way = hull(self.every(ends)).most + start.most
        return way / min(pace, 1) + 1 if pace > 0 else INFINITY

    @contextmanager
    def known(self, columns: Mapping[str, Bound]) -> Iterator[None]:
        self.names.append(dict(columns))
        try:
            yield
        finally:
            self.names.pop()

    # Functions that make rows.

    def _function_rows(self, node: exp.Expr) -> Rows:
        call = self.given_to(node)
        if call.name in KINDS["series"]:
            bound, made = self.series(call)
            rows = Rows({call.name: bound, "value": bound}, made)
        else:
            rows = self.pieces(call)
        alias = node.parent.alias if node.parent and self.dialect == "postgres" else ""
        own = [alias, *(each.name for each in node.find_all(exp.JSONColumnDef, exp.OpenJSONColumnDef))]
        first = dict.fromkeys([ascii_lower(each) for each in own if each], rows.bounds[0])
        return replace(rows, columns={**first, **rows.columns})

    def pieces(self, call: Call) -> Rows:
        """Return the rows that are made out of what is in a text or a list."""
        whole = replace(hull(call.given), size=sizes_of(call.given))
        if call.name in KINDS["row_paths"]:
            columns = [each.args["path"] for each in call.node.find_all(exp.JSONColumnDef) if each.args.get("path")]
            self.follow(whole.size, [*call.nodes[1:], *columns])
        made = 10 if whole.is_data else max(whole.size, 1)
        whole = replace(whole, size=min(whole.size, CELL.size)) if whole.is_data else whole
        return Rows(dict.fromkeys(("unnest", "value", "key", "atom", "fullkey", "json", call.name), whole), made)

    def series(self, call: Call) -> tuple[Bound, float]:
        """Return the bound of the values of a series, and how many there are."""
        if any(map(is_time, call.nodes)):
            made, is_known = moments_of(call.nodes)
            require_rows(made if is_known else 0)
            return CELL, min(made, SERIES_MAX_ROWS)
        values, written = hull(call.given[:2]), [number_of(each) for each in call.nodes]
        if len(written) == 1:  # the end in DuckDB, if it begins with 0, and the start in SQLite
            written.append(2.0**32 if self.dialect == "sqlite" else 0.0)
        first, last, *steps = written
        way = 2 * values.most if first is None or last is None else abs(last - first)
        pace = steps[0] if steps else 1.0
        if pace is None and call.given[2].is_data:
            pace = 1.0
        made = way / abs(pace) + 1 if pace else INFINITY
        if values.is_data:
            made = max(made / TABLE_ROWS, 1)
        require_rows(made)
        return replace(values, size=NUMBER_BYTES), made
