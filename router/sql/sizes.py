"""Bounds of the work of a statement: judged over its tree, before a database computes it.

    SELECT string_agg(repeat('x', 1000), '') FROM generate_series(1, 9999 * 9999)
           └ bytes × rows    └ bytes × number     └ rows: one bound less the other

Each expression has a bound (`bounds`), made from those of its parts; so have the columns of queries in FROM and WITH.
What a table holds is not known: its cells are taken for ordinary ones, and the time and the bytes that a database may
use for a statement are limited besides. A statement whose size cannot be seen in the tree is refused.
"""

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from sqlglot import exp
from sqlglot.expressions import DType

from router.sql import step_limit
from router.sql.bounds import (
    CELL,
    FLAG,
    INFINITY,
    NUMBER_BYTES,
    ZERO_BOUND,
    Bound,
    added,
    divided,
    grown,
    hull,
    is_data,
    joined,
    listed,
    literal_number,
    literal_text,
    multiplied,
    number,
    remainder,
    sizes_of,
    text_of,
    times,
)
from router.sql.dialect import DIALECTS, EVERY_DIALECT, Name
from router.sql.made_rows import (
    STATEMENT_MAX_BYTES,
    Rows,
    StatementTooLarge,
    require_bytes,
    require_looks,
    require_together,
)
from router.sql.names import ascii_lower
from router.sql.query_sizes import Call, QuerySizes
from router.sql.size_parts import (
    arguments_of,
    function_called,
    in_window,
    is_time,
    number_of,
    path_levels,
    pattern_of,
)
from router.sql.size_rules import FUNCTIONS, KINDS, formatted, replaced

SMALL_UNITS = frozenset(EVERY_DIALECT["words"]["small_units"].split())
"""Parts of a time that are small numbers."""

PADDED_TYPES = frozenset({DType.CHAR, DType.NCHAR, DType.BPCHAR, DType.BINARY, DType.BIT})

ANY_BOUND = Bound(INFINITY, 0)
_NOT_BY_PATH = (exp.MatchAgainst, exp.JSONExtract, exp.JSONExtractScalar)
"""In PostgreSQL: a search in texts, if its right side is no literal, and keys of JSON."""


def size_problem(tree: exp.Expr, dialect: Name) -> str:
    """Return the sentence for a statement that makes more than a database can bear, or ""."""
    try:
        Sizes(dialect).query(tree)
    except StatementTooLarge as problem:
        return str(problem)
    return ""


class Sizes(QuerySizes):
    """Goes over one statement; each method raises StatementTooLarge for what it looks at, or a part of it."""

    # Expressions.

    def bound(self, node: exp.Expr) -> Bound:
        """Return the bound of an expression."""
        self.steps += 1
        if self.steps % 256 == 0:
            step_limit.require_time()
        found = _handler_of(node)(self, node)
        require_bytes(found.size, f"{function_called(node)}()" if isinstance(node, exp.Func) else "an expression")
        return found

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
        with self.known({}):
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
            require_bytes(found.size, "an expression")
        return found

    def _operation(self, node: exp.Expr, left: Bound, right: Bound) -> Bound:
        if isinstance(node, (exp.Add, exp.Sub)) and is_time(node.expression):
            return left
        if isinstance(node, exp.Add) and self.dialect in ("tsql", "duckdb"):  # of texts or lists, too
            return replace(added(left, right), size=left.size + right.size)
        if operation := _OPERATIONS.get(type(node)):
            return operation(left, right)
        if isinstance(node, (exp.Div, exp.IntDiv)):
            return divided(left, right, number_of(node.expression))
        if rule := FUNCTIONS.get(node.key):
            return rule([left, right])
        if isinstance(node, (exp.Like, exp.ILike, exp.SimilarTo, exp.Glob)):
            require_looks(left.size * right.size, "A comparison with a pattern")
        return FLAG if isinstance(node, (exp.Predicate, exp.Connector)) else left

    def _case(self, node: exp.Expr) -> Bound:
        """Bound CASE, and one WHEN of it."""
        self.every(node.this)
        return hull([ZERO_BOUND, *self.every([node.args.get(part) for part in ("ifs", "true", "false", "default")])])

    def _cast(self, node: exp.Expr) -> Bound:
        given, kind = self.bound(node.this), node.args.get("to")
        if not isinstance(kind, exp.DataType):
            return given
        if not math.isinf(given.most):
            given = replace(given, most=math.ceil(given.most))
        elif not given.is_data and kind.is_type(*exp.DataType.NUMERIC_TYPES):
            given = number(given.most)  # a short text, and a number of many digits
        if kind.this in PADDED_TYPES:
            wide = [each.most for each in self.every([each.this for each in kind.expressions])]
            given = replace(given, size=max(given.size, *wide, 0))
        return given

    def _over_items(self, node: exp.Expr, items: Bound) -> Bound:
        """Bound the list that a lambda, or a comprehension, makes of the items of a list."""
        names = node.expressions if isinstance(node, exp.Lambda) else [node.expression]
        with self.known({ascii_lower(each.name): items for each in names}):
            each = self.bound(node.this)
            self.every(node.args.get("condition"))
        return replace(each, size=times(max(items.size / 8, 1), max(each.size, 8)))

    # Calls.

    def given_to(self, node: exp.Expr) -> Call:
        """Return a call with the bounds of what it is given, but for a lambda, and the query in ARRAY (SELECT …)."""
        name, nodes = function_called(node), arguments_of(node)
        apart = (exp.Lambda, exp.Query) if name == "array" else exp.Lambda
        return Call(node, name, nodes, self.every([each for each in nodes if not isinstance(each, apart)]))

    def _call(self, node: exp.Expr) -> Bound:
        call = self.given_to(node)
        found = self._called(call)
        if found.size > NUMBER_BYTES * 100:
            self.total += min(found.size, STATEMENT_MAX_BYTES)
            require_bytes(found.size, f"{call.name}()")
            require_together(self.total)
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
        return replace(hull([CELL, *call.given]), size=size) if is_data(call.given) else replace(ANY_BOUND, size=size)

    def _array(self, call: Call) -> Bound:
        """Bound a list of what is given, or of the rows of a query."""
        if not (call.nodes and isinstance(call.nodes[0], exp.Query)):
            return listed(call.given)
        rows = self.query(call.nodes[0])
        each = hull(rows.bounds or [CELL])
        return replace(each, size=(each.size + 8) * rows.count)

    def _aggregate(self, call: Call) -> Bound:
        whole = listed([ZERO_BOUND, *call.given])
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
        most = max([self._gathered(call).count, *(each.most for each in call.given if not each.is_data)])
        return number(most, CELL)

    def _summed(self, call: Call) -> Bound:
        return multiplied(hull(call.given), Bound(self._gathered(call).made, 0))

    def _raised(self, call: Call) -> Bound:
        """Bound a power of numbers that are written out; any other one has no bound."""
        base, exponent, *_ = (*map(number_of, call.nodes), None, None)
        with suppress(OverflowError, ZeroDivisionError):
            if base is not None and exponent is not None:
                return number(abs(base) ** exponent, *call.given)
        return number(INFINITY, *call.given)

    def _row_series(self, call: Call) -> Bound:
        """Bound a series outside of FROM: a list in DuckDB, and a row for each value in PostgreSQL."""
        bound, made = self.series(call)
        if self.dialect == "duckdb":
            return replace(bound, size=8 * made)
        self._repeat_rows(made)
        return bound

    def _row_pieces(self, call: Call) -> Bound:
        rows = self.pieces(call)
        self._repeat_rows(rows.made)
        return hull(rows.bounds)

    def _repeat_rows(self, made: float) -> None:
        """Let each row of the query stand there several times."""
        self.rows[-1] = replace(self.rows[-1], made=self.rows[-1].made * made)

    def _time_part(self, call: Call) -> Bound:
        part = call.node.this if isinstance(call.node, exp.Extract) else next(iter(call.nodes), exp.Null())
        return number(10_000 if ascii_lower(part.name) in SMALL_UNITS else 1e13)

    def _compared(self, call: Call) -> Bound:
        """Bound what is made by a look at each pair of signs, or items, of two texts."""
        require_looks(math.prod(max(each.size, 1) for each in call.given[:2]), f"{call.name}()")
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
            with self.known({**dict.fromkeys(others, each), before: states[-1]}):
                states.append(hull([states[-1], self.bound(function.this)]))
        return grown(states[1:], items.size / 8)

    # Paths of JSON.

    def _path_followed(self, call: Call) -> Bound:
        paths = call.nodes[1 : 2 if self.dialect == "postgres" else None]  # MySQL takes several
        whole = listed(call.given)
        self.follow(whole.size, call.nodes[:1] if isinstance(call.node, exp.MatchAgainst) else paths)
        return whole

    def follow(self, size: float, paths: list[exp.Expr]) -> None:
        """Refuse paths that go over a document of so many bytes too often."""
        rounds = 1.0
        if self.dialect in ("postgres", "mysql"):  # files are read in a process that can be ended
            rounds = float(max(size, 1.0) ** min(sum(map(self._levels, paths)), 20))
        require_looks(size * rounds, "A path of JSON")

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
    exp.Null: _always(ZERO_BOUND),
    exp.Interval: _always(CELL),
    exp.BitwiseNot: Sizes._call,
    **dict.fromkeys((exp.Boolean, exp.Exists, exp.Between, exp.In, exp.Not), _always(FLAG)),
    **dict.fromkeys((exp.Column, exp.Pseudocolumn, exp.Identifier, exp.Star), Sizes._column),
    **dict.fromkeys((exp.Query, exp.Subquery, exp.Values), Sizes._query),
    **dict.fromkeys((exp.Neg, exp.Paren, exp.Alias, exp.Filter, exp.WithinGroup, exp.Collate), Sizes._inner),
    **dict.fromkeys((exp.IgnoreNulls, exp.Window), Sizes._inner),
    **dict.fromkeys((exp.Kwarg, exp.PropertyEQ), lambda sizes, node: sizes.bound(node.expression)),
    **dict.fromkeys((exp.Case, exp.If), Sizes._case),
    **dict.fromkeys((exp.Cast, exp.WeightString), Sizes._cast),
    exp.Comprehension: lambda sizes, node: sizes._over_items(node, sizes.bound(node.args["iterator"])),
    exp.Dot: Sizes._all,
    **dict.fromkeys((exp.JSONBPathExists, exp.JSONExtract, exp.JSONExtractScalar, exp.JSONValue), Sizes._call),
    exp.Pow: Sizes._call,
    exp.Binary: Sizes._binary,
    exp.Func: Sizes._call,
}
_OPERATIONS: Mapping[type, Callable[[Bound, Bound], Bound]] = {
    exp.Add: added,
    exp.Sub: added,
    exp.Mul: multiplied,
    exp.Mod: remainder,
    exp.DPipe: lambda left, right: joined([left, right]),
}
_BY_KIND: Mapping[str, Callable[[Sizes, Call], Bound]] = {
    "arrays": Sizes._array,
    "aggregates": Sizes._aggregate,
    "counts": Sizes._counted,
    "sums": Sizes._summed,
    "powers": Sizes._raised,
    "series": Sizes._row_series,
    "pieces": Sizes._row_pieces,
    "time_parts": Sizes._time_part,
    "pairs": Sizes._compared,
    "paths": Sizes._path_followed,
    "replacing": Sizes._replaced,
}
_CALLS = {name: look for kind, look in _BY_KIND.items() for name in KINDS[kind]}
