"""How much a statement makes of little: judged over its tree, before a database computes it.

    SELECT string_agg(repeat('x', 1000), '') FROM generate_series(1, 9999 * 9999)
           └ bytes × rows    └ bytes × number     └ rows: one bound less the other

Each expression has a bound (`bounds`), made from those of its parts; so have the columns of queries in FROM and WITH.
What a table holds is not known: its cells are taken for ordinary ones, and the time and the bytes that a database may
use for a statement are limited besides. What takes a size that cannot be told from the tree is refused.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlglot import exp
from sqlglot.expressions import DType

from router.sql import step_limit
from router.sql.bounds import (
    AGGREGATES,
    CELL,
    COUNTS,
    FLAG,
    FUNCTIONS,
    INFINITY,
    NOTHING,
    NUMBER_BYTES,
    PAIRS,
    PATHS,
    PIECES,
    SERIES,
    SUMS,
    Bound,
    added,
    divided,
    formatted,
    hull,
    joined,
    listed,
    literal_number,
    literal_text,
    multiplied,
    number_between,
    of_bits,
    raised,
    remainder,
    replaced,
    rounded,
    shifted,
    sizes_of,
    subtracted,
    symmetric,
    times,
)
from router.sql.dialect import ALIKE, DIALECTS, Name
from router.sql.made_rows import (
    STATEMENT_MAX_BYTES,
    TEXT_MAX_BYTES,
    MadeRows,
    Rows,
    StatementTooLarge,
    grown,
)
from router.sql.names import ascii_lower
from router.sql.size_parts import (
    arguments_of,
    function_called,
    in_window,
    is_time,
    path_levels,
    patterns_of,
)

SMALL_UNITS = frozenset(ALIKE["words"]["small_units"].split())
"""Parts of a time that are small numbers."""

PADDED_TYPES = frozenset({DType.CHAR, DType.NCHAR, DType.BPCHAR, DType.BINARY, DType.BIT})


def size_problem(tree: exp.Expr, dialect: Name) -> str:
    """Return the sentence for a statement that makes more than a database can bear, or ""."""
    try:
        Sizes(dialect).query(tree)
    except StatementTooLarge as problem:
        return str(problem)
    return ""


class Sizes(MadeRows):
    """Goes over one statement."""

    # Expressions.

    def bound(self, node: exp.Expr) -> Bound:
        """Return the bound of an expression; raises StatementTooLarge for it, or a part of it."""
        self.steps += 1
        if self.steps % 256 == 0:
            step_limit.demand_time()
        found = _handler_of(node)(self, node)
        if found.size > TEXT_MAX_BYTES:
            self.demand(found.size, f"{function_called(node)}()" if isinstance(node, exp.Func) else "an expression")
        return found

    def _all(self, node: exp.Expr) -> Bound:
        """Bound what holds all of its parts."""
        return listed(self.every(list(node.args.values())))

    def every(self, value: object) -> list[Bound]:
        if isinstance(value, list):
            return [bound for each in value for bound in self.every(each)]
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
        name = ascii_lower(node.name)
        around = ascii_lower(node.table) if isinstance(node, exp.Column) else ""
        keys = [f"{around}.{name}", around] if around else [name]  # a struct's field is no larger than the struct
        return next((names[key] for names in reversed(self.names) for key in keys if key in names), CELL)

    def _query(self, node: exp.Expr) -> Bound:
        with self.known(Rows()):
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
            self.demand(found.size, "an expression")
        return found

    def _operation(self, node: exp.Expr, left: Bound, right: Bound) -> Bound:
        if isinstance(node, (exp.Add, exp.Sub)) and is_time(node.expression):
            return left
        if isinstance(node, exp.Add) and self.dialect in ("tsql", "duckdb"):  # of texts or lists, too
            return replace(added(left, right), size=left.size + right.size if math.isfinite(left.size) else INFINITY)
        for kind, operation in _OPERATIONS.items():
            if isinstance(node, kind):
                return operation(left, right)
        if isinstance(node, (exp.Like, exp.ILike, exp.SimilarTo, exp.Glob)):
            self.demand_looks(left.size * right.size, "A comparison with a pattern")
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
        self.every(node.this if isinstance(node, exp.Case) else None)
        for each in node.args["ifs"] if isinstance(node, exp.Case) else [node]:
            self.bound(each.this)
            found += self.every([each.args.get("true"), each.args.get("false")])
        return hull([NOTHING, *found])

    def _cast(self, node: exp.Expr) -> Bound:
        given = rounded(self.bound(node.this))
        if math.isinf(given.high) and not given.is_data and node.args["to"].is_type(*exp.DataType.NUMERIC_TYPES):
            given = number_between(given.low, given.high)  # a short text, and a number of many digits
        kind = node.args.get("to")
        if isinstance(kind, exp.DataType) and kind.this in PADDED_TYPES:
            wide = [self.bound(each.this).high for each in kind.expressions if isinstance(each, exp.DataTypeParam)]
            given = replace(given, size=max(given.size, *wide, 0))
        return given

    def _interval(self, node: exp.Expr) -> Bound:
        self.every(node.args.get("this"))
        return CELL

    def _window(self, node: exp.Expr) -> Bound:
        self.every([value for part, value in node.args.items() if part != "this"])
        return self.bound(node.this)

    def _comprehension(self, node: exp.Expr) -> Bound:
        return self._over_items(node, self.bound(node.args["iterator"]))

    def _over_items(self, node: exp.Expr, items: Bound) -> Bound:
        """Bound the list that a lambda, or a comprehension, makes of the items of a list."""
        names = node.expressions if isinstance(node, exp.Lambda) else [node.expression]
        with self.known(Rows({ascii_lower(each.name): items for each in names})):
            each = self.bound(node.this)
            self.every(node.args.get("condition"))
        return replace(each, size=times(max(items.size / 8, 1), max(each.size, 8)))

    # Calls.

    def _call(self, node: exp.Expr) -> Bound:
        name = function_called(node)
        nodes = arguments_of(node)
        lambdas = [each for each in nodes if isinstance(each, exp.Lambda)]
        if name in DIALECTS[self.dialect].formats:
            found = self._format(node, nodes, DIALECTS[self.dialect].formats[name])
        elif lambdas:
            found = self._with_lambda(name, lambdas[0], self.every([each for each in nodes if each not in lambdas]))
        else:
            found = self._by_name(node, name, nodes)
        if found.size > NUMBER_BYTES * 100:
            self.total += min(found.size, STATEMENT_MAX_BYTES)
            self.demand_together(found, f"{name}()")
        return found

    def _by_name(self, node: exp.Expr, name: str, nodes: list[exp.Expr]) -> Bound:
        special = _CALLS.get(name)
        if special:
            return special(self, node, nodes)
        given = self.every(nodes)
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
        given = listed([NOTHING, *map(self.bound, nodes)])
        escapes = (2 if given.is_data else 6) if "json" in function_called(node) else 1
        count = self._gathered(node).count * (self.rows[-1].made if in_window(node) else 1)
        return replace(given, size=times(given.size * escapes, count))

    def _gathered(self, node: exp.Expr) -> Rows:
        """Return the rows that an aggregate gathers: one of outer columns alone gathers those of the query around."""
        self.gathers[-1] = self.gathers[-1] or not in_window(node)
        own = self.rows[-1]
        columns = [ascii_lower(each.name) for each in node.find_all(exp.Column)]
        if own.of_table or not columns or any(name in self.names[-1] for name in columns):
            return own
        return max(self.rows, key=lambda each: each.count)

    def _array(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        """Bound a list of the rows of a query."""
        if not (nodes and isinstance(nodes[0], exp.Query)):
            return listed(self.every(nodes))
        rows = self.query(nodes[0])
        each = hull(rows.bounds or [CELL])
        return replace(each, size=(each.size + 8) * rows.count)

    def _counted(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        given = self.every(nodes)
        return number_between(
            0, max(self._gathered(node).count, *(each.high for each in given if not each.is_data), 0), CELL
        )

    def _summed(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        given = hull(self.every(nodes))
        most = self._gathered(node).made
        return number_between(times(given.low, most), times(given.high, most), given)

    def _row_series(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        """Bound a series outside of FROM: a list in DuckDB, and a row for each value in PostgreSQL."""
        bound, made = self.series(node, self.every(nodes))
        if self.dialect == "duckdb":
            return replace(bound, size=8 * made)
        self.rows[-1] = replace(self.rows[-1], made=self.rows[-1].made * made)
        return bound

    def _row_pieces(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        rows = self.pieces(node, self.every(nodes))
        self.rows[-1] = replace(self.rows[-1], made=self.rows[-1].made * rows.made)
        return hull(rows.bounds)

    def _time_part(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        self.every(nodes)
        unit = ascii_lower(node.this.name if isinstance(node, exp.Extract) else nodes[0].name if nodes else "")
        return number_between(0, 10_000) if unit in SMALL_UNITS else symmetric(1e13)

    def _filled_array(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        """Bound ARRAY_FILL, whose dimensions are a list of numbers."""
        given = self.every(nodes)
        sides = nodes[1].expressions if len(nodes) > 1 and isinstance(nodes[1], exp.Array) else []
        is_known = sides and not isinstance(sides[0], exp.Query)
        count = math.prod(max(self.bound(side).high, 1) for side in sides) if is_known else INFINITY
        return replace(given[0], size=times(max(given[0].size, 8), count))

    def _compared(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        """Bound what is made by a look at each pair of signs, or items, of two texts."""
        given = self.every(nodes)
        self.demand_looks(math.prod(max(each.size, 1) for each in given[:2]), f"{function_called(node)}()")
        return joined(given)

    def _path_followed(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        given = listed(self.every(nodes))
        paths = nodes[1 : 2 if self.dialect == "postgres" else None]  # MySQL takes several
        if isinstance(node, exp.MatchAgainst):
            paths = nodes[:1]
        self.demand_looks(given.size * self.rounds_of(given.size, paths), "A path of JSON")
        return given

    def rounds_of(self, size: float, paths: list[exp.Expr]) -> float:
        """Return how often paths go over a document of so many bytes."""
        if self.dialect not in ("postgres", "mysql"):  # files are read in a process that can be ended
            return 1.0
        return float(max(size, 1.0) ** min(sum(map(self._levels, paths)), 20))

    def _levels(self, path: exp.Expr) -> float:
        """Return how often a path begins at the whole document again; as often as it has room for, if it is made."""
        if patterns := patterns_of(path):
            return max(map(path_levels, patterns))
        if self.dialect == "postgres" and isinstance(path.parent, _NOT_BY_PATH):
            return 0
        if isinstance(path, exp.OnCondition):
            return 0
        parts = [each for each in path.walk() if not isinstance(each, exp.Identifier)]
        if all(function_called(each) in ("concat", "literal") or self.bound(each) == CELL for each in parts):
            return sum(path_levels(each.this) for each in parts if isinstance(each, exp.Literal))
        return self.bound(path).size / 2

    def _replaced(self, node: exp.Expr, nodes: list[exp.Expr]) -> Bound:
        given = self.every(nodes)
        is_literal = len(nodes) > 1 and isinstance(nodes[1], exp.Literal)
        return replaced(given, given[1].size if is_literal else 1)

    def _format(self, node: exp.Expr, nodes: list[exp.Expr], place: int) -> Bound:
        values = self.every([*nodes[:place], *nodes[place + 1 :]])
        if len(nodes) <= place:
            return hull(values)
        if any(isinstance(each, exp.Kwarg) for each in nodes):
            place, values = 0, self.every(nodes)
        patterns = patterns_of(nodes[place])
        if not patterns and isinstance(nodes[place], exp.Column) and self.bound(nodes[place]) == CELL:
            return joined([CELL, *values])  # a table's cell
        if not patterns:
            raise StatementTooLarge(
                f"The pattern of {function_called(node)}() says how long its text gets, so it has to be written out; "
                "this SQL computes it, so it does not run."
            )
        return formatted(patterns, values)

    def _with_lambda(self, name: str, function: exp.Lambda, given: list[Bound]) -> Bound:
        """Bound what a function makes with a lambda; one that reduces calls it with what it made before."""
        items = hull(given) if given else CELL
        each = replace(items, size=min(items.size, CELL.size)) if items.is_data else items
        if "filter" in name:
            self._over_items(function, items)
            return items
        if "reduce" not in name:
            return self._over_items(function, items)
        made = [each]
        for _ in range(3):
            names = {ascii_lower(name.name): each for name in function.expressions[1:]}
            with self.known(Rows({**names, ascii_lower(function.expressions[0].name): made[-1]})):
                made.append(hull([made[-1], self.bound(function.this)]))
        return grown(made[1:], items.size / 8)


_NOT_BY_PATH = (exp.MatchAgainst, exp.JSONExtract, exp.JSONExtractScalar)
"""In PostgreSQL: a search in texts, where its right side is no literal, and keys of JSON."""

Handler = Callable[[Sizes, exp.Expr], Bound]


def _handler_of(node: exp.Expr) -> Handler:
    return next((_HANDLERS[kind] for kind in type(node).__mro__ if kind in _HANDLERS), Sizes._all)


_HANDLERS: Mapping[type, Handler] = {
    exp.Literal: Sizes._literal,
    exp.HexString: Sizes._digits,
    exp.BitString: Sizes._digits,
    exp.Null: lambda _, __: NOTHING,
    exp.Boolean: lambda _, __: FLAG,
    **dict.fromkeys((exp.Column, exp.Pseudocolumn, exp.Identifier, exp.Star), Sizes._column),
    **dict.fromkeys((exp.Query, exp.Subquery), Sizes._query),
    exp.Neg: Sizes._negated,
    exp.BitwiseNot: Sizes._inverted,
    **dict.fromkeys((exp.Paren, exp.Alias, exp.Filter, exp.WithinGroup, exp.Collate, exp.IgnoreNulls), Sizes._inner),
    **dict.fromkeys((exp.Kwarg, exp.PropertyEQ), Sizes._value),
    **dict.fromkeys((exp.Case, exp.If), Sizes._case),
    **dict.fromkeys((exp.Cast, exp.WeightString), Sizes._cast),
    exp.Interval: Sizes._interval,
    exp.Window: Sizes._window,
    exp.Comprehension: Sizes._comprehension,
    exp.Dot: Sizes._all,
    **dict.fromkeys((exp.Exists, exp.Between, exp.In, exp.Not), Sizes._flag),
    **dict.fromkeys((exp.JSONBPathExists, exp.JSONExtract, exp.JSONExtractScalar, exp.JSONValue), Sizes._call),
    exp.Binary: Sizes._binary,
    exp.Func: Sizes._call,
    exp.Values: Sizes._query,
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
_CALLS: Mapping[str, Callable[[Sizes, exp.Expr, list[exp.Expr]], Bound]] = {
    **dict.fromkeys(AGGREGATES, Sizes._aggregate),
    **dict.fromkeys(COUNTS, Sizes._counted),
    **dict.fromkeys(SUMS, Sizes._summed),
    **dict.fromkeys(SERIES, Sizes._row_series),
    **dict.fromkeys(PIECES, Sizes._row_pieces),
    **dict.fromkeys(("extract", "date_part", "datepart"), Sizes._time_part),
    "array": Sizes._array,
    "array_fill": Sizes._filled_array,
    **dict.fromkeys(PAIRS, Sizes._compared),
    **dict.fromkeys(PATHS, Sizes._path_followed),
    "replace": Sizes._replaced,
}
