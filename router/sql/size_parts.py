"""The parts of a tree by which sizes are judged: names, arguments, patterns, moments and spans of time."""

import math
import re
from collections.abc import Mapping

from sqlglot import exp
from sqlglot.expressions import DType

from router.sql.bounds import float_of
from router.sql.names import ascii_lower

TIMES = (exp.Interval, exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentDatetime, exp.Localtimestamp)


def function_called(node: exp.Expr) -> str:
    """Return the name of a function, in lower case."""
    return ascii_lower(node.name) if isinstance(node, exp.Anonymous) else node.key


def arguments_of(call: exp.Expr) -> list[exp.Expr]:
    """Return what a function is given, without the words around it."""
    given = call.expressions if isinstance(call, exp.Anonymous) else list(call.iter_expressions())
    found: list[exp.Expr] = []
    for each in given:
        if isinstance(each, exp.Distinct):
            found += each.expressions
        elif not isinstance(each, (exp.DataType, exp.Var, exp.TableAlias, exp.JSONSchema)):
            found.append(each)
    return found


def column_names_of(node: exp.Expr | None) -> list[str]:
    """Return the names that an alias gives to columns."""
    alias = node.args.get("alias") if node is not None else None
    return [ascii_lower(each.name) for each in alias.columns] if isinstance(alias, exp.TableAlias) else []


def has_column(node: exp.Expr | None) -> bool:
    """Return whether there is a column in an expression."""
    return node is not None and node.find(exp.Column) is not None


def reads(query: exp.Expr, name: str) -> bool:
    """Return whether a query reads a table, or a query, of this name."""
    return any(ascii_lower(table.name) == name for table in query.find_all(exp.Table))


def branches_of(body: exp.SetOperation, name: str) -> list[exp.Expr]:
    """Return where a recursion starts, and its branches that read the query itself: SQLite and MySQL know several."""
    start: exp.Expr = body.this
    again = [body.expression]
    while isinstance(start, exp.SetOperation) and reads(start.expression, name):
        again.append(start.expression)
        start = start.this
    return [start, *again]


def in_window(call: exp.Expr) -> bool:
    """Return whether a call has OVER behind it, after its FILTER and other words."""
    around = call.parent
    while isinstance(around, (exp.Filter, exp.WithinGroup, exp.IgnoreNulls, exp.RespectNulls)):
        around = around.parent
    return isinstance(around, exp.Window)


def rows_kept(limit: exp.Expr | None) -> float:
    """Return how many rows a LIMIT keeps; one that is not a plain number may keep them all, and so may FETCH."""
    count = limit.args.get("expression") if limit and not limit.args.get("limit_options") else None
    return float_of(count.this) if isinstance(count, exp.Literal) and not count.is_string else math.inf


def number_of(node: exp.Expr) -> float | None:
    """Return the number that an expression is, None if it is not written out."""
    match node:
        case exp.Literal():
            return None if node.is_string else float_of(node.this)
        case exp.Neg():
            inner = number_of(node.this)
            return None if inner is None else -inner
        case exp.Paren() | exp.Cast():
            return number_of(node.this)
    return None


def pattern_of(node: exp.Expr) -> str | None:
    """Return the text that an expression is, None if it is not written out."""
    match node:
        case exp.Literal() | exp.National() | exp.RawString() | exp.ByteString():
            return str(node.this)
        case exp.Paren() | exp.Cast():
            return pattern_of(node.this)
        case exp.Kwarg():
            return pattern_of(node.expression)
        case exp.Introducer():  # a character set before it, or words behind it
            return pattern_of(node.this) or pattern_of(node.expression)
        case exp.DPipe():
            left, right = pattern_of(node.this), pattern_of(node.expression)
            return None if left is None or right is None else left + right
    return None


def path_levels(path: str) -> int:
    """Return how often a path of JSON meets a whole document again: by each **, and by $ in filters within filters."""
    depth = deepest = 0
    for sign in path:
        depth += (sign == "(") - (sign == ")")
        deepest = max(deepest, depth if sign == "$" else 0)
    return deepest + path.count("**")


def is_time(node: exp.Expr) -> bool:
    """Return whether an expression is a moment, or a span of time."""
    if isinstance(node, exp.Cast):
        return node.to.is_type(*exp.DataType.TEMPORAL_TYPES, DType.INTERVAL)
    if isinstance(node, (exp.Add, exp.Sub, exp.Paren)):
        return any(map(is_time, node.iter_expressions()))
    return isinstance(node, TIMES) or (isinstance(node, exp.Func) and "date" in function_called(node))


_PACE = re.compile(r"\D*[1-9]\d*\W*(second|minute|hour|day|week|month|quarter|year)s?\W*")
_TIMES_A_DAY: Mapping[str, float] = {"second": 86_400, "minute": 1_440, "hour": 24}


def moments_of(nodes: list[exp.Expr]) -> tuple[float, bool]:
    """Return how many moments a series has at most, and whether both its ends are written out: else it has ten years.

    A pace that is not a whole number of units is taken for a microsecond.
    """
    ends, pace = (
        " ".join(str(each.this) for node in part for each in node.find_all(exp.Literal, exp.Var)).lower()
        for part in (nodes[:2], nodes[2:])
    )
    years = [int(each) for each in re.findall(r"(\d{4,})-", ends)]
    unit = _PACE.fullmatch(pace or "1 day")
    a_day = _TIMES_A_DAY.get(unit[1], 1) if unit else 86_400e6
    return (max(years) - min(years) + 1 if len(years) == 2 else 10) * 366 * a_day, len(years) == 2
