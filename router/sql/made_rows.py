"""How many rows a query makes, and how large the cells of its columns get; `sizes` judges the expressions in it."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from sqlglot import exp

from router.sql.bounds import (
    CELL,
    INFINITY,
    NOTHING,
    NUMBER_BYTES,
    ROW_PATHS,
    SERIES,
    TABLE_ROWS,
    Bound,
    hull,
    listed,
    magnitude,
    sizes_of,
)
from router.sql.dialect import Name
from router.sql.names import ascii_lower, is_star
from router.sql.size_parts import (
    arguments_of,
    branches_of,
    column_names_of,
    function_called,
    has_column,
    is_time,
    moments_of,
    names_itself,
    rows_kept,
)

TEXT_MAX_BYTES = 10_000_000
"""Of a text or a list that a statement makes of its own."""

STATEMENT_MAX_BYTES = 4 * TEXT_MAX_BYTES
"""Of all such texts of a statement together, of which a planner may hold each."""

SERIES_MAX_ROWS = 10_000_000
STEPS_OF_DATES = 20_000
"""Steps of a recursion that ends at a date."""

STEPS_OF_TABLES = 100
"""Steps of a recursion over a table: the levels of a hierarchy."""


class StatementTooLarge(Exception):
    """The statement makes too much; says so in a sentence."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a query or a table: the columns whose bounds are known, and how many rows there are.

    `made` is how many of them the statement makes; what tables add to that is not known.
    """

    columns: Mapping[str, Bound] = field(default_factory=dict)
    made: float = 1.0
    of_table: bool = False
    is_in_order: bool = True
    """Whether the columns stand as they are selected: behind a star, nobody knows which is which."""

    @property
    def count(self) -> float:
        """Return how many rows there are, as far as that is ordinary."""
        return max(self.made, TABLE_ROWS) if self.of_table else self.made

    @property
    def bounds(self) -> list[Bound]:
        """Return the bounds of the columns that are known."""
        return list(self.columns.values())

    def named(self, names: list[str]) -> "Rows":
        """Return the rows with other names of their first columns."""
        bounds = self.bounds
        if bounds and (len(bounds) < len(names) or not self.is_in_order):
            bounds = [hull(bounds)] * max(len(names), len(bounds))
        new = dict(zip(names, bounds, strict=False)) if names else {}
        return replace(self, columns={**new, **dict(list(self.columns.items())[len(names) :])})


class MadeRows(ABC):
    """Goes over the queries of one statement."""

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
        """Return the bound of an expression; raises StatementTooLarge for it, or a part of it."""

    @abstractmethod
    def rounds_of(self, size: float, paths: list[exp.Expr]) -> float:
        """Return how often paths of JSON go over a document of so many bytes."""

    @abstractmethod
    def every(self, value: object) -> list[Bound]:
        """Return the bounds of all expressions in a part of the tree."""

    # Queries.

    def query(self, node: exp.Expr) -> Rows:
        """Return the rows of a query; raises StatementTooLarge."""
        with self._queries_of(node):
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

    @contextmanager
    def _queries_of(self, node: exp.Expr) -> Iterator[None]:
        """Let the queries in WITH be known in a query."""
        known = self.queries[-1]
        self.queries.append(dict(known))
        try:
            for cte in getattr(node.args.get("with_"), "expressions", ()):
                rows = self._recursive(cte) if names_itself(cte) else self.query(cte.this)
                self.queries[-1][ascii_lower(cte.alias)] = rows.named(column_names_of(cte))
            yield
        finally:
            self.queries.pop()

    def _set(self, node: exp.SetOperation) -> Rows:
        """Return the rows of a UNION, its parts one by one: there may be hundreds."""
        parts: list[exp.Expr] = []
        first: exp.Expr = node
        while isinstance(first, exp.SetOperation):
            parts.append(first.expression)
            first = first.this
            if first.args.get("with_"):
                break
        found = [self.query(first), *map(self.query, reversed(parts))]
        whole = _one_after_another(found)
        return self._with_rest(node, whole)

    def _with_rest(self, node: exp.Expr, rows: Rows) -> Rows:
        """Look at what follows a query: its order, and how many rows are kept."""
        for part in ("order", "limit", "offset"):
            if node.args.get(part):
                self.bound(node.args[part])
        kept = rows_kept(node.args.get("limit"))
        return replace(rows, made=min(rows.made, max(kept, 1)), of_table=False) if kept < TABLE_ROWS else rows

    def _values(self, node: exp.Values) -> Rows:
        rows = [[self.bound(each) for each in getattr(row, "expressions", [row])] for row in node.expressions]
        columns = [hull(list(column)) for column in zip(*rows, strict=False)]
        numbers = {f"column{place}": each for place, each in enumerate(columns, 1)}
        return self._aliased(node, Rows({**numbers}, float(len(rows))))

    def _select(self, node: exp.Select) -> Rows:
        self.names.append({})
        self.gathers.append(False)
        depth = len(self.rows)
        try:
            self.rows.append(Rows())
            self.rows[-1] = self._joined(node)
            columns: dict[str, Bound] = {}
            for place, item in enumerate(node.expressions):
                self._select_item(item, place, columns)
            self.demand(sizes_of(list(columns.values())), "one row")
            for part, value in node.args.items():
                if part not in ("expressions", "from_", "joins", "laterals", "with_", "limit", "order", "offset"):
                    self.every(value)
            sources = [node.args.get("from_"), *(node.args.get("joins") or ())]
            is_in_order = len(node.expressions) == len(sources) == 1 or not any(map(is_star, node.expressions))
            rows = replace(self.rows[-1], columns=columns, is_in_order=is_in_order)
            if self.gathers[-1] and not node.args.get("group"):
                rows = Rows(columns)
            return self._with_rest(node, rows)
        finally:
            del self.rows[depth:]
            self.gathers.pop()
            self.names.pop()

    def _select_item(self, item: exp.Expr, place: int, columns: dict[str, Bound]) -> None:
        bound = self.bound(item)
        if is_star(item):
            columns.update({name: each for name, each in self.names[-1].items() if "." not in name})
            return
        name = ascii_lower(item.alias_or_name) or (
            function_called(item) if isinstance(item, exp.Func) else f"column {place}"
        )
        columns[name] = hull([columns[name], bound]) if name in columns else bound
        self.names[-1].setdefault(name, bound)

    def _joined(self, node: exp.Select) -> Rows:
        """Return how many rows FROM makes, and let its columns be known."""
        start = node.args.get("from_")
        joins = node.args.get("joins") or []
        sources = [*([start.this] if start else []), *joins, *(node.args.get("laterals") or [])]
        linked = has_column(node.args.get("where"))
        made, of_table, count = 1.0, False, 1.0
        for each in sources:
            is_join = isinstance(each, exp.Join)
            rows = self._source(each.this if is_join else each)
            made, of_table = made * max(rows.made, 1), of_table or rows.of_table
            on = each.args.get("on") if is_join else None
            is_linked = linked or has_column(on) or bool(is_join and each.args.get("using"))
            count = Rows({}, made, of_table).count if is_linked else count * rows.count
            self.rows[-1] = Rows({}, made if count <= TABLE_ROWS else max(made, count), of_table)
            if on is not None:
                self.bound(on)
        return self.rows[-1]

    def _source(self, node: exp.Expr) -> Rows:
        """Return the rows of one table, query or function in FROM, and let its columns be known."""
        match node:
            case exp.Table() if isinstance(node.this, exp.Func):
                rows = self._function_rows(node.this)
            case exp.Table() if node.name and not node.args.get("db") and ascii_lower(node.name) in self.queries[-1]:
                rows = self.queries[-1][ascii_lower(node.name)]
            case exp.Table():
                rows = Rows(of_table=True)
            case exp.Lateral():
                inner = node.this.unnest() if isinstance(node.this, exp.Subquery) else node.this
                rows = self.query(inner) if isinstance(inner, exp.Query) else self._function_rows(inner)
            case exp.Unnest():
                rows = self.pieces(node, self.every(node.expressions))
            case exp.Select() | exp.SetOperation() | exp.Subquery() | exp.Values():
                rows = self.query(node)
            case _:
                self.every(list(node.args.values()))
                rows = Rows(of_table=True)
        for join in node.args.get("joins") or ():
            more = self._source(join.this)
            rows = Rows({**rows.columns, **more.columns}, rows.made * more.made, rows.of_table or more.of_table)
        self.every([node.args.get("pivots"), node.args.get("sample")])
        return self._aliased(node, rows)

    def _aliased(self, node: exp.Expr, rows: Rows) -> Rows:
        """Let the columns of a source be known by their names, and all of them by its own."""
        rows = rows.named(column_names_of(node))
        alias = (
            ascii_lower(node.alias_or_name)
            if isinstance(node, (exp.Table, exp.Subquery, exp.Lateral, exp.Unnest, exp.Values))
            else ""
        )
        names = self.names[-1]
        for name, bound in rows.columns.items():
            names[name] = hull([names[name], bound]) if name in names else bound
            if alias:
                names[f"{alias}.{name}"] = bound
        if alias and rows.columns and alias not in rows.columns:
            names[alias] = listed(rows.bounds)
        return rows

    def _recursive(self, cte: exp.CTE) -> Rows:
        """Return the rows of a query that reads itself: what grows a little with each step does so for all of them."""
        name, names, body = ascii_lower(cte.alias), column_names_of(cte), cte.this
        body = body.this if isinstance(body, exp.Subquery) else body
        if not isinstance(body, exp.SetOperation):
            return self.query(body)
        first, *again = branches_of(body, name)
        start = self.query(first).named(names)
        states = [start]
        for _ in range(3 + len(start.columns)):
            self.queries[-1][name] = states[-1]
            after = _one_after_another([self.query(each) for each in again])
            states.append(replace(start, columns=_side_by_side([states[-1], after]), of_table=after.of_table))
        steps = STEPS_OF_TABLES if after.of_table else max(self._steps(each, start, states) for each in again)
        columns = {each: grown([state.columns[each] for state in states[-3:]], steps) for each in start.columns}
        fan = max(after.made / max(states[-2].made, 1), 1)
        made = (
            start.made
            if after.of_table
            else min(max(start.made, 1) * (steps + 1) * (1 if fan == 1 else INFINITY), SERIES_MAX_ROWS)
        )
        self._with_rest(cte.this, start)
        return Rows(columns, made, start.of_table or after.of_table)

    def _steps(self, node: exp.Expr, start: Rows, states: list[Rows]) -> float:
        """Return how often a recursion goes on at most, by the condition that ends it."""
        found = [INFINITY]
        where = node.args.get("where")
        with self.known(states[-1]):
            for each in where.this.flatten() if where and isinstance(where.this, exp.And) else [where and where.this]:
                if isinstance(each, (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NEQ, exp.Between)):
                    found.append(self._steps_until(each, start, states))
        return min(min(found), SERIES_MAX_ROWS)

    def _steps_until(self, condition: exp.Expr, start: Rows, states: list[Rows]) -> float:
        moving, ends = condition.this, [each for key, each in condition.args.items() if key != "this"]
        if not has_column(moving):
            moving, ends = ends[0], [condition.this]
        if any(map(has_column, ends)):
            return INFINITY
        end = hull(self.every(ends))
        name = ascii_lower(moving.find(exp.Column).name)
        if any(each.is_string for each in ends if isinstance(each, exp.Literal)) or any(map(is_time, ends)):
            return STEPS_OF_DATES
        if name not in start.columns:
            return INFINITY
        before, after = states[-2].columns[name], states[-1].columns[name]
        pace = max(after.high - before.high, before.low - after.low, after.size - before.size)
        return (magnitude(end) + magnitude(start.columns[name])) / min(pace, 1) + 1 if pace > 0 else INFINITY

    @contextmanager
    def known(self, rows: Rows) -> Iterator[None]:
        self.names.append(dict(rows.columns))
        try:
            yield
        finally:
            self.names.pop()

    # Functions that make rows.

    def _function_rows(self, call: exp.Expr) -> Rows:
        name = function_called(call)
        arguments = self.every(arguments_of(call))
        if name in SERIES:
            bound, made = self.series(call, arguments)
            rows = Rows({name: bound, "value": bound}, made)
        else:
            rows = self.pieces(call, arguments)
        names = column_names_of(call.parent) if call.parent else []
        alias = call.parent.alias if call.parent and not names and self.dialect == "postgres" else ""
        own = [alias, *(each.name for each in call.find_all(exp.JSONColumnDef, exp.OpenJSONColumnDef))]
        first = next(iter(rows.columns.values()))
        return replace(rows, columns={**{ascii_lower(each): first for each in own if each}, **rows.columns})

    def pieces(self, call: exp.Expr, arguments: list[Bound]) -> Rows:
        whole = replace(hull(arguments), size=sizes_of(arguments))
        if function_called(call) in ROW_PATHS:
            columns = [each.args["path"] for each in call.find_all(exp.JSONColumnDef) if each.args.get("path")]
            paths = [*arguments_of(call)[1:], *columns]
            self.demand_looks(whole.size * self.rounds_of(whole.size, paths), "A path of JSON")
        whole = replace(whole, size=min(whole.size, CELL.size)) if whole.is_data else whole
        names = ("unnest", "value", "key", "atom", "fullkey", "json", function_called(call))
        return Rows(dict.fromkeys(names, whole), 10 if whole.is_data else max(whole.size, 1))

    def series(self, call: exp.Expr, arguments: list[Bound]) -> tuple[Bound, float]:
        """Return the bound of the values of a series, and how many there are."""
        nodes = arguments_of(call)
        if any(map(is_time, nodes)):
            made, is_known = moments_of(nodes)
            if is_known:
                self.demand_rows(made)
            return CELL, min(made, SERIES_MAX_ROWS)
        if len(arguments) == 1 and function_called(call) == "range":
            arguments = [NOTHING, *arguments]
        start, stop = arguments[0], arguments[-1] if len(arguments) == 1 else arguments[1]
        stop = Bound(2.0**32, 2.0**32, 0) if len(arguments) == 1 and self.dialect == "sqlite" else stop
        step = arguments[2] if len(arguments) > 2 else Bound(1, 1, 0)
        pace = min(abs(step.low), abs(step.high)) if step.low * step.high > 0 else 1.0
        values = hull([start, stop])
        made = (values.high - values.low) / min(pace or 1.0, INFINITY) + 1 if math.isfinite(pace) else 1.0
        if values.is_data:
            made = max(made / TABLE_ROWS, 1)
        self.demand_rows(made)
        return replace(values, size=NUMBER_BYTES), made

    # Limits.

    def demand(self, size: float, what: str) -> None:
        if size <= TEXT_MAX_BYTES:
            return
        if math.isinf(size):
            raise StatementTooLarge(
                f"How long {what} gets cannot be told from this SQL; it may burden the database, so it does not run."
            )
        raise StatementTooLarge(
            f"A text of more than {TEXT_MAX_BYTES:,} characters would burden the database, so it does not run."
        )

    def demand_looks(self, count: float, what: str) -> None:
        """Refuse what looks at something too often: some servers do not look at the clock meanwhile."""
        if count > TEXT_MAX_BYTES:
            raise StatementTooLarge(
                f"{what} would look at more than {TEXT_MAX_BYTES:,} pairs of signs or parts of a document; that would "
                "burden the database, so it does not run."
            )

    def demand_together(self, made: Bound, what: str) -> None:
        self.demand(made.size, what)
        if self.total > STATEMENT_MAX_BYTES:
            raise StatementTooLarge(
                f"Texts of more than {STATEMENT_MAX_BYTES:,} characters together would burden the database, "
                "so this SQL does not run."
            )

    def demand_rows(self, made: float) -> None:
        if made > SERIES_MAX_ROWS:
            raise StatementTooLarge(
                f"A series of more than {SERIES_MAX_ROWS:,} values would burden the database, so it does not run."
            )


def _one_after_another(found: list[Rows]) -> Rows:
    """Return the rows of queries that are put together."""
    return Rows(_side_by_side(found), sum(each.made for each in found), any(each.of_table for each in found))


def _side_by_side(found: list[Rows]) -> dict[str, Bound]:
    """Return the columns of queries of which one follows the other, by the names of the first."""
    others = [rows.bounds for rows in found[1:]]
    if not all(rows.is_in_order and len(rows.columns) == len(found[0].columns) for rows in found):
        whole = hull([bound for rows in found for bound in rows.bounds])
        return dict.fromkeys(found[0].columns, whole)
    columns = {}
    for place, (name, bound) in enumerate(found[0].columns.items()):
        columns[name] = hull([bound, *(other[place] for other in others if place < len(other))])
    return columns


def grown(bounds: list[Bound], steps: float) -> Bound:
    """Return the bound, after so many steps, of a value of which three are known.

    What grows faster and faster has none.
    """
    lows, highs, sizes = ([getattr(each, part) for each in bounds] for part in ("low", "high", "size"))
    return Bound(
        -_extrapolated([-low for low in lows], steps),
        _extrapolated(highs, steps),
        _extrapolated(sizes, steps),
        any(each.is_data for each in bounds),
    )


def _extrapolated(values: list[float], steps: float) -> float:
    first, second, third = values
    if third == second:
        return third
    before, after = second - first, third - second
    return third + after * steps if after <= 1.001 * before else INFINITY
