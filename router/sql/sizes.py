"""How much a statement makes of little: judged over its tree, before a database computes it.

    SELECT string_agg(repeat('x', 1000), '') FROM generate_series(1, 9999 * 9999)
           └ bytes × rows    └ bytes × number     └ rows: one bound less the other

Each expression has a bound (`bounds`), made from those of its parts; so have the columns of queries in FROM and WITH.
What a table holds is not known: its cells are taken for ordinary ones, and the time and the bytes that a database may
use for a statement are limited besides. What takes a size that cannot be told from the tree is refused.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from sqlglot import exp
from sqlglot.expressions import DType

from router.sql import step_limit
from router.sql.bounds import (
    AGGREGATES,
    CELL,
    COUNTS,
    FLAG,
    FORMATS,
    FUNCTIONS,
    INFINITY,
    NOTHING,
    NUMBER_BYTES,
    PIECES,
    SERIES,
    SUMS,
    TABLE_ROWS,
    Bound,
    added,
    divided,
    formatted,
    hull,
    joined,
    listed,
    literal_number,
    literal_text,
    magnitude,
    multiplied,
    number_between,
    of_bits,
    raised,
    remainder,
    shifted,
    sizes_of,
    subtracted,
    symmetric,
    times,
)
from router.sql.dialect import Name
from router.sql.names import ascii_lower

TEXT_MAX_BYTES = 10_000_000
"""Of a text or a list that a statement makes of its own."""

STATEMENT_MAX_BYTES = 4 * TEXT_MAX_BYTES
"""Of all such texts of a statement together, of which a planner may hold each."""

VECTOR_ROWS, VECTOR_MAX_BYTES = 2_048, 200_000_000
"""DuckDB computes so many rows at a time, all of whose texts it holds."""

SERIES_MAX_ROWS = 10_000_000
STEPS_OF_DATES = 100_000
"""Steps of a recursion that ends at a date."""

STEPS_OF_TABLES = 100
"""Steps of a recursion over a table: the levels of a hierarchy."""

SPAN_SECONDS = 10 * 366 * 86_400
"""The time between two moments that are not written out."""

UNIT_SECONDS = {"microsecond": 1e-6, "millisecond": 1e-3, "second": 1, "minute": 60, "hour": 3_600, "day": 86_400}
SMALL_UNITS = frozenset(
    {
        "year",
        "isoyear",
        "quarter",
        "month",
        "week",
        "day",
        "dow",
        "doy",
        "isodow",
        "hour",
        "minute",
        "second",
        "weekday",
    }
)
TIMES = (exp.Interval, exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentDatetime, exp.Localtimestamp)
PADDED_TYPES = frozenset({DType.CHAR, DType.NCHAR, DType.BPCHAR, DType.BINARY, DType.BIT})


class TooLarge(Exception):
    """The statement makes too much; says so in a sentence."""


def size_problem(tree: exp.Expr, dialect: Name) -> str:
    """Return the sentence for a statement that makes more than a database can bear, or ""."""
    try:
        _Sizes(dialect).query(tree)
    except TooLarge as problem:
        return str(problem)
    return ""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a query or a table: the columns whose bounds are known, and how many rows there are.

    `made` is how many of them the statement makes; what tables add to that is not known.
    """

    columns: Mapping[str, Bound] = field(default_factory=dict)
    made: float = 1.0
    of_table: bool = False

    @property
    def count(self) -> float:
        """Return how many rows there are, as far as that is ordinary."""
        return max(self.made, TABLE_ROWS) if self.of_table else self.made

    def named(self, names: list[str]) -> "Rows":
        """Return the rows with other names of their first columns."""
        bounds = list(self.columns.values())
        if len(bounds) < len(names) and bounds:
            bounds = [hull(bounds)] * len(names)  # behind a star, nobody knows which is which
        new = dict(zip(names, bounds, strict=False)) if names else {}
        return replace(self, columns={**new, **dict(list(self.columns.items())[len(names) :])})


class _Sizes:
    """Goes over one statement."""

    def __init__(self, dialect: Name) -> None:
        self.dialect = dialect
        self.total = 0.0
        self.steps = 0
        self.names: list[dict[str, Bound]] = [{}]
        self.queries: list[dict[str, Rows]] = [{}]
        self.rows: list[Rows] = [Rows()]
        self.gathers: list[bool] = [False]
        """By query, whether it makes one row out of many."""

    # Queries.

    def query(self, node: exp.Expr) -> Rows:
        """Return the rows of a query; raises TooLarge."""
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
                rows = self._recursive(cte) if _names_itself(cte) else self.query(cte.this)
                self.queries[-1][_lower(cte.alias)] = rows.named(_column_names(cte))
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
        whole = Rows(_side_by_side(found), sum(each.made for each in found), any(each.of_table for each in found))
        return self._with_rest(node, whole)

    def _with_rest(self, node: exp.Expr, rows: Rows) -> Rows:
        """Look at what follows a query: its order, and how many rows are kept."""
        for part in ("order", "limit", "offset"):
            if node.args.get(part):
                bound = self._all(node.args[part])
                if part == "limit" and math.isfinite(bound.high) and not bound.is_data:
                    rows = (
                        replace(rows, made=min(rows.made, max(bound.high, 1)), of_table=False)
                        if bound.high < TABLE_ROWS
                        else rows
                    )
        return rows

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
            self._demand(sizes_of(list(columns.values())), "one row")
            for part, value in node.args.items():
                if part not in ("expressions", "from_", "joins", "laterals", "with_", "limit", "order", "offset"):
                    self._every(value)
            rows = replace(self.rows[-1], columns=columns)
            if self.gathers[-1] and not node.args.get("group"):
                rows = Rows(columns)
            return self._with_rest(node, rows)
        finally:
            del self.rows[depth:]
            self.gathers.pop()
            self.names.pop()

    def _select_item(self, item: exp.Expr, place: int, columns: dict[str, Bound]) -> None:
        bound = self.bound(item)
        if isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star)):
            columns.update({name: each for name, each in self.names[-1].items() if "." not in name})
            return
        name = _lower(item.alias_or_name) or (_called(item) if isinstance(item, exp.Func) else f"column {place}")
        columns[name] = bound
        self.names[-1].setdefault(name, bound)

    def _joined(self, node: exp.Select) -> Rows:
        """Return how many rows FROM makes, and let its columns be known."""
        start = node.args.get("from_")
        joins = node.args.get("joins") or []
        sources = [*([start.this] if start else []), *joins, *(node.args.get("laterals") or [])]
        linked = _has_column(node.args.get("where"))
        made, of_table, count = 1.0, False, 1.0
        for each in sources:
            is_join = isinstance(each, exp.Join)
            rows = self._source(each.this if is_join else each)
            made, of_table = made * max(rows.made, 1), of_table or rows.of_table
            on = each.args.get("on") if is_join else None
            is_linked = linked or _has_column(on) or bool(is_join and each.args.get("using"))
            count = made if is_linked or count == 1 else count * rows.count
            self.rows[-1] = Rows({}, max(made, count if not is_linked and of_table else 0), of_table)
            if on is not None:
                self._all(on)
        return self.rows[-1]

    def _source(self, node: exp.Expr) -> Rows:
        """Return the rows of one table, query or function in FROM, and let its columns be known."""
        match node:
            case exp.Table() if isinstance(node.this, exp.Func):
                rows = self._function_rows(node.this)
            case exp.Table() if node.name and not node.args.get("db") and _lower(node.name) in self.queries[-1]:
                rows = self.queries[-1][_lower(node.name)]
            case exp.Table():
                rows = Rows(of_table=True)
            case exp.Lateral():
                inner = node.this.unnest() if isinstance(node.this, exp.Subquery) else node.this
                rows = self.query(inner) if isinstance(inner, exp.Query) else self._function_rows(inner)
            case exp.Unnest():
                rows = self._pieces(node, [self.bound(each) for each in node.expressions])
            case exp.Select() | exp.SetOperation() | exp.Subquery() | exp.Values():
                rows = self.query(node)
            case _:
                self._every(list(node.args.values()))
                rows = Rows(of_table=True)
        for join in node.args.get("joins") or ():
            more = self._source(join.this)
            rows = Rows({**rows.columns, **more.columns}, rows.made * more.made, rows.of_table or more.of_table)
        self._every([node.args.get("pivots"), node.args.get("sample")])
        return self._aliased(node, rows)

    def _aliased(self, node: exp.Expr, rows: Rows) -> Rows:
        """Let the columns of a source be known by their names, and all of them by its own."""
        rows = rows.named(_column_names(node))
        alias = (
            _lower(node.alias_or_name)
            if isinstance(node, (exp.Table, exp.Subquery, exp.Lateral, exp.Unnest, exp.Values))
            else ""
        )
        names = self.names[-1]
        for name, bound in rows.columns.items():
            names[name] = hull([names[name], bound]) if name in names else bound
            if alias:
                names[f"{alias}.{name}"] = bound
        if alias and rows.columns and alias not in rows.columns:
            names[alias] = listed(list(rows.columns.values()))
        return rows

    def _recursive(self, cte: exp.CTE) -> Rows:
        """Return the rows of a query that reads itself: what grows a little with each step does so for all of them."""
        name, names, body = _lower(cte.alias), _column_names(cte), cte.this
        body = body.this if isinstance(body, exp.Subquery) else body
        if not isinstance(body, exp.SetOperation):
            return self.query(body)
        start = self.query(body.this).named(names)
        states = [start]
        for _ in range(3 + len(start.columns)):
            self.queries[-1][name] = states[-1]
            after = self.query(body.expression)
            states.append(replace(start, columns=_side_by_side([states[-1], after]), of_table=after.of_table))
        steps = STEPS_OF_TABLES if after.of_table else self._steps(body.expression, start, states)
        columns = {each: _grown([state.columns[each] for state in states[-3:]], steps) for each in start.columns}
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
        with self._known(states[-1]):
            for each in where.this.flatten() if where and isinstance(where.this, exp.And) else [where and where.this]:
                if isinstance(each, (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NEQ, exp.Between)):
                    found.append(self._steps_until(each, start, states))
        return min(min(found), SERIES_MAX_ROWS)

    def _steps_until(self, condition: exp.Expr, start: Rows, states: list[Rows]) -> float:
        moving, ends = condition.this, [each for key, each in condition.args.items() if key != "this"]
        if not _has_column(moving):
            moving, ends = ends[0], [condition.this]
        if any(map(_has_column, ends)):
            return INFINITY
        end = hull([self.bound(each) for each in ends])
        name = _lower(moving.find(exp.Column).name)
        if any(each.is_string for each in ends if isinstance(each, exp.Literal)) or any(map(_is_time, ends)):
            return STEPS_OF_DATES
        if name not in start.columns:
            return INFINITY
        before, after = states[-2].columns[name], states[-1].columns[name]
        pace = max(after.high - before.high, before.low - after.low, after.size - before.size)
        return (magnitude(end) + magnitude(start.columns[name])) / min(pace, 1) + 1 if pace > 0 else INFINITY

    @contextmanager
    def _known(self, rows: Rows) -> Iterator[None]:
        self.names.append(dict(rows.columns))
        try:
            yield
        finally:
            self.names.pop()

    # Functions that make rows.

    def _function_rows(self, call: exp.Expr) -> Rows:
        name = _called(call)
        arguments = [self.bound(each) for each in _arguments(call)]
        if name in SERIES:
            bound, made = self._series(call, arguments)
            rows = Rows({name: bound, "value": bound}, made)
        else:
            rows = self._pieces(call, arguments)
        names = _column_names(call.parent) if call.parent else []
        alias = call.parent.alias if call.parent and not names else ""
        return (
            replace(rows, columns={_lower(alias): next(iter(rows.columns.values()))})
            if alias and self.dialect == "postgres"
            else rows
        )

    def _pieces(self, call: exp.Expr, arguments: list[Bound]) -> Rows:
        whole = replace(hull(arguments), size=sizes_of(arguments))
        names = ("unnest", "value", "key", "atom", "fullkey", "json", _called(call))
        return Rows(dict.fromkeys(names, whole), 10 if whole.is_data else max(whole.size, 1))

    def _series(self, call: exp.Expr, arguments: list[Bound]) -> tuple[Bound, float]:
        """Return the bound of the values of a series, and how many there are."""
        nodes = _arguments(call)
        if any(map(_is_time, nodes)):
            return CELL, self._moments(nodes)
        if len(arguments) == 1 and _called(call) == "range":
            arguments = [NOTHING, *arguments]
        start, stop = arguments[0], arguments[-1] if len(arguments) == 1 else arguments[1]
        stop = Bound(2.0**32, 2.0**32, 0) if len(arguments) == 1 and self.dialect == "sqlite" else stop
        step = arguments[2] if len(arguments) > 2 else Bound(1, 1, 0)
        pace = min(abs(step.low), abs(step.high)) if step.low * step.high > 0 else 1.0
        values = hull([start, stop])
        made = (values.high - values.low) / min(pace or 1.0, INFINITY) + 1 if math.isfinite(pace) else 1.0
        if values.is_data:
            made = max(made / TABLE_ROWS, 1)
        self._demand_rows(made)
        return replace(values, size=NUMBER_BYTES), made

    def _moments(self, nodes: list[exp.Expr]) -> float:
        """Return how many moments a series has."""
        pace = min((_seconds(each) for each in nodes[2:]), default=86_400.0)
        ends = [_moment(each) for each in nodes[:2]]
        first, last = ends[0], ends[-1]
        if first is None or last is None:
            return min(SPAN_SECONDS / pace, SERIES_MAX_ROWS)
        self._demand_rows(abs(last - first) / pace)
        return abs(last - first) / pace + 1

    # Expressions.

    def bound(self, node: exp.Expr) -> Bound:
        """Return the bound of an expression; raises TooLarge for it, or a part of it."""
        self.steps += 1
        if self.steps % 256 == 0:
            step_limit.demand_time()
        handler = next((_HANDLERS[kind] for kind in type(node).__mro__ if kind in _HANDLERS), _Sizes._all)
        found = handler(self, node)
        if found.size > TEXT_MAX_BYTES:
            self._demand(found.size, f"{_called(node)}()" if isinstance(node, exp.Func) else "an expression")
        return found

    def _all(self, node: exp.Expr) -> Bound:
        """Bound what holds all of its parts."""
        return listed(self._every(list(node.args.values())))

    def _every(self, value: object) -> list[Bound]:
        if isinstance(value, list):
            return [bound for each in value for bound in self._every(each)]
        return [self.bound(value)] if isinstance(value, exp.Expr) and not isinstance(value, exp.DataType) else []

    def _flag(self, node: exp.Expr) -> Bound:
        self._all(node)
        return FLAG

    def _literal(self, node: exp.Expr) -> Bound:
        return literal_text(node.this) if node.args.get("is_string") else literal_number(node.this)

    def _digits(self, node: exp.Expr) -> Bound:
        text = str(node.this)
        value = float(int(text, 16 if isinstance(node, exp.HexString) else 2)) if text and len(text) < 250 else INFINITY
        return replace(symmetric(value), size=len(text))

    def _column(self, node: exp.Expr) -> Bound:
        if isinstance(node.args.get("this"), exp.Star) or isinstance(node, exp.Star):
            return listed([CELL, *(each for name, each in self.names[-1].items() if "." not in name)])
        name = _lower(node.name)
        keys = [f"{_lower(node.table)}.{name}"] if isinstance(node, exp.Column) and node.table else [name]
        return next((names[key] for names in reversed(self.names) for key in keys if key in names), CELL)

    def _query(self, node: exp.Expr) -> Bound:
        self.names.append({})
        try:
            return hull(list(self.query(node).columns.values()) or [CELL])
        finally:
            self.names.pop()

    def _binary(self, node: exp.Expr) -> Bound:
        """Bound a chain of operators: there may be thousands."""
        chain = []
        while isinstance(node, exp.Binary) and not isinstance(node, (exp.Dot, exp.Kwarg, exp.PropertyEQ)):
            chain.append(node)
            node = node.this
        found = self.bound(node)
        for each in reversed(chain):
            found = self._operation(each, found, self.bound(each.expression))
            self._demand(found.size, "an expression")
        return found

    def _operation(self, node: exp.Expr, left: Bound, right: Bound) -> Bound:
        if isinstance(node, (exp.Add, exp.Sub)) and _is_time(node.expression):
            return left
        if isinstance(node, exp.Add) and self.dialect in ("tsql", "duckdb"):  # of texts or lists, too
            return replace(added(left, right), size=left.size + right.size if math.isfinite(left.size) else INFINITY)
        for kind, operation in _OPERATIONS.items():
            if isinstance(node, kind):
                return operation(left, right)
        if isinstance(node, (exp.Predicate, exp.Connector)):
            return FLAG
        return left

    def _negated(self, node: exp.Expr) -> Bound:
        inner = self.bound(node.this)
        return replace(inner, low=-inner.high - 1, high=-inner.low)

    def _inverted(self, node: exp.Expr) -> Bound:
        self.bound(node.this)
        return symmetric(2.0**64)

    def _inner(self, node: exp.Expr) -> Bound:
        return self.bound(node.this)

    def _value(self, node: exp.Expr) -> Bound:
        return self.bound(node.expression)

    def _case(self, node: exp.Expr) -> Bound:
        found = [self.bound(node.args["default"])] if node.args.get("default") else []
        self._every(node.this if isinstance(node, exp.Case) else None)
        for each in node.args["ifs"] if isinstance(node, exp.Case) else [node]:
            self.bound(each.this)
            found += self._every([each.args.get("true"), each.args.get("false")])
        return hull([NOTHING, *found])

    def _cast(self, node: exp.Expr) -> Bound:
        given = self.bound(node.this)
        kind = node.args.get("to")
        if isinstance(kind, exp.DataType) and kind.this in PADDED_TYPES:
            wide = [self.bound(each.this).high for each in kind.expressions if isinstance(each, exp.DataTypeParam)]
            given = replace(given, size=max(given.size, *wide, 0))
        return given

    def _interval(self, node: exp.Expr) -> Bound:
        self._every(node.args.get("this"))
        return CELL

    def _window(self, node: exp.Expr) -> Bound:
        self._every([value for part, value in node.args.items() if part != "this"])
        return self.bound(node.this)

    def _comprehension(self, node: exp.Expr) -> Bound:
        return self._over_items(node, self.bound(node.args["iterator"]))

    def _over_items(self, node: exp.Expr, items: Bound) -> Bound:
        """Bound the list that a lambda, or a comprehension, makes of the items of a list."""
        names = node.expressions if isinstance(node, exp.Lambda) else [node.expression]
        with self._known(Rows({_lower(each.name): items for each in names})):
            each = self.bound(node.this)
            self._every(node.args.get("condition"))
        return replace(each, size=times(max(items.size / 8, 1), max(each.size, 8)))

    # Calls.

    def _call(self, node: exp.Expr) -> Bound:
        name = _called(node)
        nodes = _arguments(node)
        lambdas = [each for each in nodes if isinstance(each, exp.Lambda)]
        if name in FORMATS[self.dialect]:
            found = self._format(node, nodes, FORMATS[self.dialect][name])
        elif lambdas:
            found = self._with_lambda(name, lambdas[0], [self.bound(each) for each in nodes if each not in lambdas])
        else:
            found = self._called(node, name, nodes)
        if found.size > NUMBER_BYTES * 100:
            self.total += min(found.size, STATEMENT_MAX_BYTES)
            self._demand_together(found.size, f"{name}()", name not in AGGREGATES)
        return found

    def _called(self, node: exp.Expr, name: str, nodes: list[exp.Expr]) -> Bound:
        special = _CALLS.get(name)
        if special:
            return special(self, node, nodes)
        given = [self.bound(each) for each in nodes]
        rule = FUNCTIONS.get(name)
        if rule and given:
            return rule(given)
        size = max(sizes_of(given), CELL.size)
        if any(each.is_data for each in given):
            return replace(hull([CELL, *given]), size=size)
        return Bound(-INFINITY, INFINITY, size)

    def _aggregate(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        if nodes and isinstance(nodes[0], exp.Query):  # ARRAY (SELECT …)
            return self._array(node, nodes)
        each = sizes_of([self.bound(part) for part in nodes]) + 8
        rows = self.rows[-1]
        is_window = isinstance(node.parent, exp.Window) or isinstance(node.parent and node.parent.parent, exp.Window)
        if not is_window:
            self.gathers[-1] = True
        count = rows.count * (rows.made if is_window else 1)
        return replace(
            hull([NOTHING, *map(self.bound, nodes)]), size=times(each * (6 if "json" in _called(node) else 1), count)
        )

    def _array(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        """Bound a list of the rows of a query."""
        if not (nodes and isinstance(nodes[0], exp.Query)):
            return listed([self.bound(each) for each in nodes])
        rows = self.query(nodes[0])
        each = hull(list(rows.columns.values()) or [CELL])
        return replace(each, size=(each.size + 8) * rows.count)

    def _counted(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        given = [self.bound(each) for each in nodes]
        self.gathers[-1] = self.gathers[-1] or not isinstance(node.parent, exp.Window)
        return number_between(0, max(self.rows[-1].count, *(each.high for each in given if not each.is_data), 0), CELL)

    def _summed(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        given = hull([self.bound(each) for each in nodes])
        self.gathers[-1] = self.gathers[-1] or not isinstance(node.parent, exp.Window)
        most = self.rows[-1].made
        return number_between(times(given.low, most), times(given.high, most), given)

    def _row_series(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        """Bound a series outside of FROM: a list in DuckDB, and a row for each value in PostgreSQL."""
        bound, made = self._series(node, [self.bound(each) for each in nodes])
        if self.dialect == "duckdb":
            return replace(bound, size=8 * made)
        self.rows[-1] = replace(self.rows[-1], made=self.rows[-1].made * made)
        return bound

    def _row_pieces(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        rows = self._pieces(node, [self.bound(each) for each in nodes])
        self.rows[-1] = replace(self.rows[-1], made=self.rows[-1].made * rows.made)
        return hull(list(rows.columns.values()))

    def _time_part(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        self._every(nodes)
        unit = _lower(node.this.name if isinstance(node, exp.Extract) else nodes[0].name if nodes else "")
        return number_between(0, 10_000) if unit in SMALL_UNITS else symmetric(1e13)

    def _filled_array(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        """Bound ARRAY_FILL, whose dimensions are a list of numbers."""
        given = [self.bound(each) for each in nodes]
        sides = [self.bound(side) for each in nodes[1:2] for side in each.expressions if isinstance(each, exp.Array)]
        count = math.prod(max(side.high, 1) for side in sides) if sides else (given[1].high if len(given) > 1 else 1)
        if not sides and any("," in str(text.this) for text in nodes[1].find_all(exp.Literal)):
            count = INFINITY
        return replace(given[0], size=times(max(given[0].size, 8), count))

    def _format(self, node: exp.Expr, nodes: list[exp.Expr], place: int) -> Bound:
        values = [self.bound(each) for number, each in enumerate(nodes) if number != place]
        if len(nodes) <= place:
            return hull(values)
        if any(isinstance(each, exp.Kwarg) for each in nodes):
            place, values = 0, [self.bound(each) for each in nodes]
        patterns = list(_patterns(nodes[place]))
        if not patterns:
            raise TooLarge(
                f"The pattern of {_called(node)}() says how long its text gets, so it has to be written out; "
                "this SQL computes it, so it does not run."
            )
        return formatted(patterns, values)

    def _with_lambda(self, name: str, function: exp.Lambda, given: list[Bound]) -> Bound:
        """Bound what a function makes with a lambda; one that reduces calls it with what it made before."""
        items = hull(given) if given else CELL
        if "filter" in name:
            self._over_items(function, items)
            return items
        if "reduce" not in name:
            return self._over_items(function, items)
        made = [items]
        for _ in range(3):
            names = {_lower(each.name): items for each in function.expressions[1:]}
            with self._known(Rows({**names, _lower(function.expressions[0].name): made[-1]})):
                made.append(hull([made[-1], self.bound(function.this)]))
        return _grown(made[1:], items.size / 8)

    # Limits.

    def _demand(self, size: float, what: str) -> None:
        if size <= TEXT_MAX_BYTES:
            return
        if math.isinf(size):
            raise TooLarge(
                f"How long {what} gets cannot be told from this SQL; it may burden the database, so it does not run."
            )
        raise TooLarge(
            f"A text of more than {TEXT_MAX_BYTES:,} characters would burden the database, so it does not run."
        )

    def _demand_together(self, size: float, what: str, in_each_row: bool) -> None:
        self._demand(size, what)
        if self.total > STATEMENT_MAX_BYTES:
            raise TooLarge(
                f"Texts of more than {STATEMENT_MAX_BYTES:,} characters together would burden the database, "
                "so this SQL does not run."
            )
        if in_each_row and self.dialect == "duckdb" and size * min(self.rows[-1].count, VECTOR_ROWS) > VECTOR_MAX_BYTES:
            raise TooLarge(
                f"A text of {VECTOR_MAX_BYTES // VECTOR_ROWS:,} characters and more in each of many rows would burden "
                "the database, so it does not run."
            )

    def _demand_rows(self, made: float) -> None:
        if made > SERIES_MAX_ROWS:
            raise TooLarge(
                f"A series of more than {SERIES_MAX_ROWS:,} values would burden the database, so it does not run."
            )


# The parts of a tree.


def _lower(name: str) -> str:
    return ascii_lower(name)


def _called(node: exp.Expr) -> str:
    return _lower(node.name) if isinstance(node, exp.Anonymous) else node.key


def _arguments(call: exp.Expr) -> list[exp.Expr]:
    """Return what a function is given, without the words around it."""
    given = call.expressions if isinstance(call, exp.Anonymous) else list(call.iter_expressions())
    found: list[exp.Expr] = []
    for each in given:
        if isinstance(each, exp.Distinct):
            found += each.expressions
        elif not isinstance(each, (exp.DataType, exp.Var, exp.TableAlias, exp.JSONSchema)):
            found.append(each)
    return found


def _column_names(node: exp.Expr | None) -> list[str]:
    alias = node.args.get("alias") if node is not None else None
    return [_lower(each.name) for each in alias.args.get("columns") or ()] if isinstance(alias, exp.TableAlias) else []


def _has_column(node: object) -> bool:
    return isinstance(node, exp.Expr) and node.find(exp.Column) is not None


def _names_itself(cte: exp.Expr) -> bool:
    name = _lower(cte.alias)
    return any(_lower(table.name) == name for table in cte.this.find_all(exp.Table))


def _side_by_side(found: list[Rows]) -> dict[str, Bound]:
    """Return the columns of queries of which one follows the other, by the names of the first."""
    others = [list(rows.columns.values()) for rows in found[1:]]
    columns = {}
    for place, (name, bound) in enumerate(found[0].columns.items()):
        columns[name] = hull([bound, *(other[place] for other in others if place < len(other))])
    return columns


def _grown(bounds: list[Bound], steps: float) -> Bound:
    """Return the bound after so many steps of a value of which three are known; what grows faster and faster, has none."""
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


def _patterns(node: exp.Expr) -> Iterator[str]:
    """Yield the texts that an expression can be, where they are written out."""
    match node:
        case exp.Literal():
            yield node.this
        case exp.Paren() | exp.Cast() | exp.National() | exp.RawString():
            yield from _patterns(node.this) if isinstance(node.this, exp.Expr) else [str(node.this)]
        case exp.ByteString() | exp.Kwarg():
            yield from _patterns(node.expression) if isinstance(node, exp.Kwarg) else [str(node.this)]


def _is_time(node: exp.Expr) -> bool:
    """Return whether an expression is a moment, or a span of time."""
    if isinstance(node, exp.Cast):
        return node.to.is_type(*exp.DataType.TEMPORAL_TYPES, DType.INTERVAL)
    if isinstance(node, (exp.Add, exp.Sub, exp.Paren)):
        return any(map(_is_time, node.iter_expressions()))
    return isinstance(node, TIMES) or (isinstance(node, exp.Func) and "date" in _called(node))


def _seconds(node: exp.Expr) -> float:
    """Return how long a span of time is at least; a day where that is not written out."""
    text = " ".join(str(each.this) for each in node.find_all(exp.Literal, exp.Var)).lower()
    found = [seconds for unit, seconds in UNIT_SECONDS.items() if unit in text or f"{unit}s" in text]
    numbers = [abs(literal_text(text).high) or 1.0] if text else [1.0]
    if ":" in text or " sec" in text or " ms" in text or " us" in text:
        return 1e-3
    return min(found, default=86_400.0) * min(max(numbers[0], 1e-6), 1.0) if found else 86_400.0


def _moment(node: exp.Expr) -> float | None:
    """Return a moment that is written out, in seconds, about."""
    literals = [each.this for each in node.find_all(exp.Literal) if each.is_string]
    if len(literals) != 1 or _has_column(node):
        return None
    parts = [int(part) for part in literals[0][:10].split("-") if part.isdigit()]
    return (
        (parts[0] * 366 + (parts[1] * 31 if len(parts) > 1 else 0) + (parts[2] if len(parts) > 2 else 0)) * 86_400.0
        if parts
        else None
    )


Handler = Callable[[_Sizes, exp.Expr], Bound]
_HANDLERS: Mapping[type, Handler] = {
    exp.Literal: _Sizes._literal,
    exp.HexString: _Sizes._digits,
    exp.BitString: _Sizes._digits,
    exp.Null: lambda _, __: NOTHING,
    exp.Boolean: lambda _, __: FLAG,
    **dict.fromkeys((exp.Column, exp.Pseudocolumn, exp.Identifier, exp.Star), _Sizes._column),
    **dict.fromkeys((exp.Query, exp.Subquery), _Sizes._query),
    **dict.fromkeys((exp.Neg,), _Sizes._negated),
    exp.BitwiseNot: _Sizes._inverted,
    **dict.fromkeys((exp.Paren, exp.Alias, exp.Filter, exp.WithinGroup, exp.Collate, exp.IgnoreNulls), _Sizes._inner),
    **dict.fromkeys((exp.Kwarg, exp.PropertyEQ), _Sizes._value),
    **dict.fromkeys((exp.Case, exp.If), _Sizes._case),
    exp.Cast: _Sizes._cast,
    exp.Interval: _Sizes._interval,
    exp.Window: _Sizes._window,
    exp.Comprehension: _Sizes._comprehension,
    exp.Dot: _Sizes._all,
    **dict.fromkeys((exp.Exists, exp.Between, exp.In, exp.Not), _Sizes._flag),
    exp.Binary: _Sizes._binary,
    exp.Func: _Sizes._call,
    exp.Values: _Sizes._query,
}
_OPERATIONS: Mapping[type, Callable[[Bound, Bound], Bound]] = {
    exp.Add: added,
    exp.Sub: subtracted,
    exp.Mul: multiplied,
    exp.Div: divided,
    exp.IntDiv: divided,
    exp.Mod: remainder,
    exp.Pow: raised,
    exp.BitwiseLeftShift: shifted,
    exp.BitwiseAnd: of_bits,
    exp.BitwiseOr: of_bits,
    exp.BitwiseXor: of_bits,
    exp.DPipe: lambda left, right: joined([left, right]),
}
_CALLS: Mapping[str, Callable[[_Sizes, exp.Expr, list[exp.Expr]], Bound]] = {
    **dict.fromkeys(AGGREGATES, _Sizes._aggregate),
    **dict.fromkeys(COUNTS, _Sizes._counted),
    **dict.fromkeys(SUMS, _Sizes._summed),
    **dict.fromkeys(SERIES, _Sizes._row_series),
    **dict.fromkeys(PIECES, _Sizes._row_pieces),
    **dict.fromkeys(("extract", "date_part", "datepart"), _Sizes._time_part),
    "array": _Sizes._array,
    "array_fill": _Sizes._filled_array,
}
