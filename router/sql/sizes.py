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
from dataclasses import dataclass, replace

from sqlglot import exp
from sqlglot.expressions import DType

from router.sql import step_limit
from router.sql.bounds import (
    CELL,
    FLAG,
    INFINITY,
    NOTHING,
    NUMBER_BYTES,
    TABLE_ROWS,
    Bound,
    added,
    divided,
    grown,
    hull,
    is_data,
    listed,
    literal_number,
    literal_text,
    magnitude,
    multiplied,
    number_between,
    of_bits,
    raised,
    remainder,
    rounded,
    shifted,
    sizes_of,
    subtracted,
    symmetric,
    text_of,
    times,
)
from router.sql.dialect import ALIKE, DIALECTS, Name
from router.sql.made_rows import (
    SERIES_MAX_ROWS,
    STATEMENT_MAX_BYTES,
    STEPS_OF_DATES,
    STEPS_OF_TABLES,
    Rows,
    StatementTooLarge,
    demand_bytes,
    demand_looks,
    demand_rows,
    demand_together,
    one_after_another,
    side_by_side,
)
from router.sql.names import ascii_lower, is_star
from router.sql.size_parts import (
    arguments_of,
    branches_of,
    column_names_of,
    function_called,
    has_column,
    in_window,
    is_time,
    moments_of,
    path_levels,
    pattern_of,
    reads,
    rows_kept,
)
from router.sql.size_rules import FUNCTIONS, KINDS, formatted, joined, replaced

SMALL_UNITS = frozenset(ALIKE["words"]["small_units"].split())
"""Parts of a time that are small numbers."""

PADDED_TYPES = frozenset({DType.CHAR, DType.NCHAR, DType.BPCHAR, DType.BINARY, DType.BIT})

_COMPARISONS = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NEQ, exp.Between)
_OUTSIDE_OF_ROWS = frozenset({"expressions", "from_", "joins", "laterals", "with_", "limit", "order", "offset"})
"""Parts of a query that are looked at by themselves."""
ANYTHING = Bound(-INFINITY, INFINITY, 0)
_NOT_BY_PATH = (exp.MatchAgainst, exp.JSONExtract, exp.JSONExtractScalar)
"""In PostgreSQL: a search in texts, where its right side is no literal, and keys of JSON."""


def size_problem(tree: exp.Expr, dialect: Name) -> str:
    """Return the sentence for a statement that makes more than a database can bear, or ""."""
    try:
        Sizes(dialect).query(tree)
    except StatementTooLarge as problem:
        return str(problem)
    return ""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function, with its arguments and their bounds."""

    node: exp.Expr
    name: str
    nodes: list[exp.Expr]
    given: list[Bound]


class Sizes:
    """Goes over one statement; each method raises StatementTooLarge for what it looks at, or a part of it."""

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
            demand_bytes(sizes_of(list(columns.values())), "one row")
            self.every([value for part, value in node.args.items() if part not in _OUTSIDE_OF_ROWS])
            sources = [node.args.get("from_"), *(node.args.get("joins") or ())]
            is_in_order = len(node.expressions) == len(sources) == 1 or not any(map(is_star, node.expressions))
            is_one = self.gathers[-1] and not node.args.get("group")
            rows = Rows(columns) if is_one else replace(self.rows[-1], columns=columns, is_in_order=is_in_order)
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
                rows = self._pieces(Call(node, "unnest", node.expressions, self.every(node.expressions)))
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
        start, before, after = (state.columns.get(name, NOTHING) for state in (states[0], *states[-2:]))
        pace = max(after.high - before.high, before.low - after.low, after.size - before.size)
        way = magnitude(hull(self.every(ends))) + magnitude(start)
        return way / min(pace, 1) + 1 if pace > 0 else INFINITY

    @contextmanager
    def _known(self, columns: Mapping[str, Bound]) -> Iterator[None]:
        self.names.append(dict(columns))
        try:
            yield
        finally:
            self.names.pop()

    # Functions that make rows.

    def _function_rows(self, node: exp.Expr) -> Rows:
        call = self._given(node)
        if call.name in KINDS["series"]:
            bound, made = self._series(call)
            rows = Rows({call.name: bound, "value": bound}, made)
        else:
            rows = self._pieces(call)
        alias = node.parent.alias if node.parent and self.dialect == "postgres" else ""
        own = [alias, *(each.name for each in node.find_all(exp.JSONColumnDef, exp.OpenJSONColumnDef))]
        first = dict.fromkeys([ascii_lower(each) for each in own if each], rows.bounds[0])
        return replace(rows, columns={**first, **rows.columns})

    def _pieces(self, call: Call) -> Rows:
        """Return the rows that are made out of what is in a text or a list."""
        whole = replace(hull(call.given), size=sizes_of(call.given))
        if call.name in KINDS["row_paths"]:
            columns = [each.args["path"] for each in call.node.find_all(exp.JSONColumnDef) if each.args.get("path")]
            self._follow(whole.size, [*call.nodes[1:], *columns])
        made = 10 if whole.is_data else max(whole.size, 1)
        whole = replace(whole, size=min(whole.size, CELL.size)) if whole.is_data else whole
        return Rows(dict.fromkeys(("unnest", "value", "key", "atom", "fullkey", "json", call.name), whole), made)

    def _series(self, call: Call) -> tuple[Bound, float]:
        """Return the bound of the values of a series, and how many there are."""
        if any(map(is_time, call.nodes)):
            made, is_known = moments_of(call.nodes)
            demand_rows(made if is_known else 0)
            return CELL, min(made, SERIES_MAX_ROWS)
        given = call.given
        if len(given) == 1:  # the end in DuckDB, where it begins with 0, and the start in SQLite
            given = [*given, symmetric(2.0**32) if self.dialect == "sqlite" else NOTHING]
        step = given[2] if len(given) > 2 else Bound(1, 1, 0)
        pace = min(abs(step.low), abs(step.high)) if step.low * step.high > 0 else 1.0
        values = hull(given[:2])
        made = (values.high - values.low) / (pace or 1.0) + 1 if math.isfinite(pace) else 1.0
        if values.is_data:
            made = max(made / TABLE_ROWS, 1)
        demand_rows(made)
        return replace(values, size=NUMBER_BYTES), made

    # Expressions.

    def bound(self, node: exp.Expr) -> Bound:
        """Return the bound of an expression."""
        self.steps += 1
        if self.steps % 256 == 0:
            step_limit.demand_time()
        found = _handler_of(node)(self, node)
        demand_bytes(found.size, f"{function_called(node)}()" if isinstance(node, exp.Func) else "an expression")
        return found

    def every(self, value: object) -> list[Bound]:
        """Return the bounds of all expressions in a part of the tree."""
        if isinstance(value, list):
            return [bound for each in value for bound in self.every(each)]
        return [self.bound(value)] if isinstance(value, exp.Expr) and not isinstance(value, exp.DataType) else []

    def _all(self, node: exp.Expr) -> Bound:
        """Bound what holds all of its parts."""
        return listed(self.every(list(node.args.values())))

    def _inner(self, node: exp.Expr) -> Bound:
        """Bound what has words around it."""
        self.every([value for part, value in node.args.items() if part not in ("this", "alias")])
        return self.bound(node.this)

    def _literal(self, node: exp.Expr) -> Bound:
        return literal_text(node.this) if node.args.get("is_string") else literal_number(node.this)

    def _column(self, node: exp.Expr) -> Bound:
        if isinstance(node.args.get("this"), exp.Star) or isinstance(node, exp.Star):
            return listed([CELL, *(each for name, each in self.names[-1].items() if "." not in name)])
        name = ascii_lower(node.name)
        around = ascii_lower(node.table) if isinstance(node, exp.Column) else ""
        keys = [f"{around}.{name}", around] if around else [name]  # a struct's field is no larger than the struct
        return next((names[key] for names in reversed(self.names) for key in keys if key in names), CELL)

    def _query(self, node: exp.Expr) -> Bound:
        with self._known({}):
            return hull(self.query(node).bounds or [CELL])

    def _binary(self, node: exp.Expr) -> Bound:
        """Bound a chain of operators: there may be thousands."""
        chain = []
        while _handler_of(node) is Sizes._binary:
            chain.append(node)
            node = node.this
        found = self.bound(node)
        for each in reversed(chain):
            found = self._operation(each, found, self.bound(each.expression))
            demand_bytes(found.size, "an expression")
        return found

    def _operation(self, node: exp.Expr, left: Bound, right: Bound) -> Bound:
        if isinstance(node, (exp.Add, exp.Sub)) and is_time(node.expression):
            return left
        if isinstance(node, exp.Add) and self.dialect in ("tsql", "duckdb"):  # of texts or lists, too
            return replace(added(left, right), size=left.size + right.size)
        if operation := _OPERATIONS.get(type(node)):
            return operation(left, right)
        if isinstance(node, (exp.Like, exp.ILike, exp.SimilarTo, exp.Glob)):
            demand_looks(left.size * right.size, "A comparison with a pattern")
        return FLAG if isinstance(node, (exp.Predicate, exp.Connector)) else left

    def _negated(self, node: exp.Expr) -> Bound:
        inner = self.bound(node.this)
        return replace(inner, low=-inner.high - 1, high=-inner.low)

    def _case(self, node: exp.Expr) -> Bound:
        """Bound CASE, and one WHEN of it."""
        self.every(node.this)
        return hull([NOTHING, *self.every([node.args.get(part) for part in ("ifs", "true", "false", "default")])])

    def _cast(self, node: exp.Expr) -> Bound:
        given, kind = rounded(self.bound(node.this)), node.args.get("to")
        if not isinstance(kind, exp.DataType):
            return given
        if math.isinf(given.high) and not given.is_data and kind.is_type(*exp.DataType.NUMERIC_TYPES):
            given = number_between(given.low, given.high)  # a short text, and a number of many digits
        if kind.this in PADDED_TYPES:
            wide = [each.high for each in self.every([each.this for each in kind.expressions])]
            given = replace(given, size=max(given.size, *wide, 0))
        return given

    def _over_items(self, node: exp.Expr, items: Bound) -> Bound:
        """Bound the list that a lambda, or a comprehension, makes of the items of a list."""
        names = node.expressions if isinstance(node, exp.Lambda) else [node.expression]
        with self._known({ascii_lower(each.name): items for each in names}):
            each = self.bound(node.this)
            self.every(node.args.get("condition"))
        return replace(each, size=times(max(items.size / 8, 1), max(each.size, 8)))

    # Calls.

    def _given(self, node: exp.Expr) -> Call:
        """Return a call with the bounds of what it is given, but for a lambda, and the query in ARRAY (SELECT …)."""
        name, nodes = function_called(node), arguments_of(node)
        apart = (exp.Lambda, exp.Query) if name == "array" else exp.Lambda
        return Call(node, name, nodes, self.every([each for each in nodes if not isinstance(each, apart)]))

    def _call(self, node: exp.Expr) -> Bound:
        call = self._given(node)
        found = self._called(call)
        if found.size > NUMBER_BYTES * 100:
            self.total += min(found.size, STATEMENT_MAX_BYTES)
            demand_bytes(found.size, f"{call.name}()")
            demand_together(self.total)
        return found

    def _called(self, call: Call) -> Bound:
        function = next((each for each in call.nodes if isinstance(each, exp.Lambda)), None)
        if call.name in DIALECTS[self.dialect].formats:
            return self._format(call, DIALECTS[self.dialect].formats[call.name])
        if function is not None:
            return self._with_lambda(call, function)
        if look := _CALLS.get(call.name):
            return look(self, call)
        if call.given and (rule := FUNCTIONS.get(call.name)):
            return rule(call.given)
        size = max(sizes_of(call.given), CELL.size)
        return replace(hull([CELL, *call.given]), size=size) if is_data(call.given) else replace(ANYTHING, size=size)

    def _array(self, call: Call) -> Bound:
        """Bound a list of what is given, or of the rows of a query."""
        if not (call.nodes and isinstance(call.nodes[0], exp.Query)):
            return listed(call.given)
        rows = self.query(call.nodes[0])
        each = hull(rows.bounds or [CELL])
        return replace(each, size=(each.size + 8) * rows.count)

    def _aggregate(self, call: Call) -> Bound:
        whole = listed([NOTHING, *call.given])
        escapes = (2 if whole.is_data else 6) if "json" in call.name else 1
        count = self._gathered(call).count * (self.rows[-1].made if in_window(call.node) else 1)
        if call.nodes and isinstance(call.nodes[0], exp.Query):  # it gives one row; it has to make all of them
            count = max(count, self.query(call.nodes[0]).count)
        return replace(whole, size=times(whole.size * escapes, count))

    def _gathered(self, call: Call) -> Rows:
        """Return the rows that an aggregate gathers: without a table, they may be those of a query around it."""
        self.gathers[-1] = self.gathers[-1] or not in_window(call.node)
        found = self.rows[-1:] if self.rows[-1].of_table else self.rows
        return Rows({}, max(each.made for each in found), any(each.of_table for each in found))

    def _counted(self, call: Call) -> Bound:
        most = max([self._gathered(call).count, *(each.high for each in call.given if not each.is_data)])
        return number_between(0, most, CELL)

    def _summed(self, call: Call) -> Bound:
        return multiplied(hull(call.given), Bound(0, self._gathered(call).made, 0))

    def _row_series(self, call: Call) -> Bound:
        """Bound a series outside of FROM: a list in DuckDB, and a row for each value in PostgreSQL."""
        bound, made = self._series(call)
        if self.dialect == "duckdb":
            return replace(bound, size=8 * made)
        self._repeat_rows(made)
        return bound

    def _row_pieces(self, call: Call) -> Bound:
        rows = self._pieces(call)
        self._repeat_rows(rows.made)
        return hull(rows.bounds)

    def _repeat_rows(self, made: float) -> None:
        """Let each row of the query stand there several times."""
        self.rows[-1] = replace(self.rows[-1], made=self.rows[-1].made * made)

    def _time_part(self, call: Call) -> Bound:
        part = call.node.this if isinstance(call.node, exp.Extract) else next(iter(call.nodes), exp.Null())
        return number_between(0, 10_000) if ascii_lower(part.name) in SMALL_UNITS else symmetric(1e13)

    def _compared(self, call: Call) -> Bound:
        """Bound what is made by a look at each pair of signs, or items, of two texts."""
        demand_looks(math.prod(max(each.size, 1) for each in call.given[:2]), f"{call.name}()")
        return joined(call.given)

    def _replaced(self, call: Call) -> Bound:
        is_literal = len(call.nodes) > 1 and isinstance(call.nodes[1], exp.Literal)
        return replaced(call.given, call.given[1].size if is_literal else 1)

    def _format(self, call: Call, place: int) -> Bound:
        """Bound a text that is made by a pattern, which stands at this place."""
        if len(call.nodes) <= place:
            return hull(call.given)
        if any(isinstance(each, exp.Kwarg) for each in call.nodes):
            place = 0
        pattern = pattern_of(call.nodes[place])
        if pattern is not None:
            return formatted(pattern, call.given)
        if isinstance(call.nodes[place], exp.Column) and call.given[place] == CELL:
            return joined(call.given)
        raise StatementTooLarge(
            f"The pattern of {call.name}() says how long its text gets, so it has to be written out; "
            "this SQL computes it, so it does not run."
        )

    def _with_lambda(self, call: Call, function: exp.Lambda) -> Bound:
        """Bound what a function makes with a lambda; one that reduces calls it with what it made before."""
        items = hull(call.given) if call.given else CELL
        if "reduce" not in call.name:
            made = self._over_items(function, items)
            return items if "filter" in call.name else made
        each = replace(items, size=min(items.size, CELL.size)) if items.is_data else items
        states = [each]
        before, *others = (ascii_lower(name.name) for name in function.expressions)
        for _ in range(3):
            with self._known({**dict.fromkeys(others, each), before: states[-1]}):
                states.append(hull([states[-1], self.bound(function.this)]))
        return grown(states[1:], items.size / 8)

    # Paths of JSON.

    def _path_followed(self, call: Call) -> Bound:
        paths = call.nodes[1 : 2 if self.dialect == "postgres" else None]  # MySQL takes several
        whole = listed(call.given)
        self._follow(whole.size, call.nodes[:1] if isinstance(call.node, exp.MatchAgainst) else paths)
        return whole

    def _follow(self, size: float, paths: list[exp.Expr]) -> None:
        """Refuse paths that go over a document of so many bytes too often."""
        rounds = 1.0
        if self.dialect in ("postgres", "mysql"):  # files are read in a process that can be ended
            rounds = float(max(size, 1.0) ** min(sum(map(self._levels, paths)), 20))
        demand_looks(size * rounds, "A path of JSON")

    def _levels(self, path: exp.Expr) -> float:
        """Return how often a path begins at the whole document again; as often as it has room for, if it is made."""
        pattern = pattern_of(path)
        if pattern is not None:
            return path_levels(pattern)
        if isinstance(path, exp.OnCondition) or (self.dialect == "postgres" and isinstance(path.parent, _NOT_BY_PATH)):
            return 0
        parts = [each for each in path.walk() if not isinstance(each, exp.Identifier)]
        if all(function_called(each) in ("concat", "literal") or self.bound(each) == CELL for each in parts):
            return sum(path_levels(each.this) for each in parts if isinstance(each, exp.Literal))
        return self.bound(path).size / 2


Handler = Callable[[Sizes, exp.Expr], Bound]


def _handler_of(node: exp.Expr) -> Handler:
    return next((_HANDLERS[kind] for kind in type(node).__mro__ if kind in _HANDLERS), Sizes._all)


def _always(bound: Bound) -> Handler:
    """Return what looks at the parts of an expression, and bounds it by itself."""

    def look(sizes: Sizes, node: exp.Expr) -> Bound:
        sizes.every(list(node.args.values()))
        return bound

    return look


_HANDLERS: Mapping[type, Handler] = {
    exp.Literal: Sizes._literal,
    **dict.fromkeys((exp.HexString, exp.BitString), lambda _, node: text_of(2 * len(node.name), [])),
    exp.Null: _always(NOTHING),
    exp.Interval: _always(CELL),
    exp.BitwiseNot: _always(symmetric(2.0**64)),
    **dict.fromkeys((exp.Boolean, exp.Exists, exp.Between, exp.In, exp.Not), _always(FLAG)),
    **dict.fromkeys((exp.Column, exp.Pseudocolumn, exp.Identifier, exp.Star), Sizes._column),
    **dict.fromkeys((exp.Query, exp.Subquery, exp.Values), Sizes._query),
    exp.Neg: Sizes._negated,
    **dict.fromkeys((exp.Paren, exp.Alias, exp.Filter, exp.WithinGroup, exp.Collate, exp.IgnoreNulls), Sizes._inner),
    exp.Window: Sizes._inner,
    **dict.fromkeys((exp.Kwarg, exp.PropertyEQ), lambda sizes, node: sizes.bound(node.expression)),
    **dict.fromkeys((exp.Case, exp.If), Sizes._case),
    **dict.fromkeys((exp.Cast, exp.WeightString), Sizes._cast),
    exp.Comprehension: lambda sizes, node: sizes._over_items(node, sizes.bound(node.args["iterator"])),
    exp.Dot: Sizes._all,
    **dict.fromkeys((exp.JSONBPathExists, exp.JSONExtract, exp.JSONExtractScalar, exp.JSONValue), Sizes._call),
    exp.Binary: Sizes._binary,
    exp.Func: Sizes._call,
}
_OPERATIONS: Mapping[type, Callable[[Bound, Bound], Bound]] = {
    exp.Add: added,
    exp.Sub: subtracted,
    exp.Mul: multiplied,
    **dict.fromkeys((exp.Div, exp.IntDiv), divided),
    exp.Mod: remainder,
    exp.Pow: raised,
    exp.BitwiseLeftShift: shifted,
    **dict.fromkeys((exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor), of_bits),
    exp.DPipe: lambda left, right: joined([left, right]),
}
_BY_KIND: Mapping[str, Callable[[Sizes, Call], Bound]] = {
    "arrays": Sizes._array,
    "aggregates": Sizes._aggregate,
    "counts": Sizes._counted,
    "sums": Sizes._summed,
    "series": Sizes._row_series,
    "pieces": Sizes._row_pieces,
    "time_parts": Sizes._time_part,
    "pairs": Sizes._compared,
    "paths": Sizes._path_followed,
    "replacing": Sizes._replaced,
}
_CALLS = {name: look for kind, look in _BY_KIND.items() for name in KINDS[kind]}
