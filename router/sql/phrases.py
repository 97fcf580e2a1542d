"""Expressions of a query in plain words; what has no plain words is shown as it is written."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from sqlglot import exp

from router.language.inflection import singular
from router.language.wording import MONTHS, and_list
from router.sql.dialect import Name
from router.sql.query_names import harmless

_CODE_MAX_CHARS = 90
_AGGREGATES: dict[type[exp.Expr], str] = {
    exp.Sum: "the total {}",
    exp.Avg: "the average {}",
    exp.Max: "the highest {}",
    exp.Min: "the lowest {}",
}
_ARITHMETIC: dict[type[exp.Expr], str] = {exp.Add: "plus", exp.Sub: "minus", exp.Mul: "times", exp.Div: "divided by"}
_HARMLESS = (
    *(exp.DType.DATE, exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ, exp.DType.TEXT, exp.DType.VARCHAR),
    *(exp.DType.FLOAT, exp.DType.DOUBLE),
)
"""Types whose conversion changes nothing that a reader cares for."""
_PARTS = {"%Y": "year", "%Y-%m": "month", "%Y-%m-%d": "day", "%m": "month of the year", "%d": "day of the month"}


_CALENDAR_PARTS = {"YEAR": "year", "MONTH": "month of the year", "QUARTER": "quarter of the year"}


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one query: its dialect, and what its aliases stand for where it has several tables."""

    dialect: Name
    tables: dict[str, str]
    inner: Callable[[exp.Expr], str]
    """Says in words what a query within this one does."""

    def code(self, node: exp.Expr) -> str:
        """Return the expression as it is written, or "a calculation" where that is long."""
        text = node.sql(dialect=self.dialect, comments=False)
        return f"`{text}`" if "\n" not in text and len(text) <= _CODE_MAX_CHARS and "`" not in text else "a calculation"

    def column(self, column: exp.Column) -> str:
        """Return a column's name as words, with its table's where the query has several."""
        name = spoken(column.name)
        table = self.tables.get(column.table.lower(), "") if len(self.tables) > 1 else ""
        one = singular(spoken(table))
        return name if not one or name.lower().split()[0] == one.lower() else f"{one} {name}"


def phrase(node: exp.Expr, terms: Terms) -> str:
    """Return a value of the query as a noun: "the total amount", "the year of order date"."""
    match node:
        case exp.Column() if not isinstance(node.this, exp.Star):
            return terms.column(node)
        case exp.Literal():
            return f"“{harmless(node.this)}”" if node.is_string else str(node.this)
        case exp.Null():
            return "nothing"
        case exp.Alias() | exp.Ordered():
            return phrase(node.this, terms)
        case exp.Paren():
            return f"({phrase(node.this, terms)})"
    return _function(node, terms) or _calculated(node, terms) or _dated(node, terms) or terms.code(node)


def _function(node: exp.Expr, terms: Terms) -> str:
    """Return a function that has words of its own as words, or ""."""
    match node:
        case exp.Neg() if isinstance(node.this, exp.Literal):
            return f"-{node.this.this}"
        case exp.Count():
            return f"the number of {count_phrase(node, terms)}"
        case exp.Cast() if node.to.this in _HARMLESS:
            return phrase(node.this, terms)
        case exp.Coalesce() if len(node.expressions) == 1 and isinstance(node.expressions[0], exp.Literal):
            return f"{phrase(node.this, terms)} (or {phrase(node.expressions[0], terms)} where empty)"
        case exp.Nullif() if isinstance(node.expression, exp.Literal):
            return f"{phrase(node.this, terms)} (empty where {phrase(node.expression, terms)})"
        case exp.Round():
            return f"{phrase(node.this, terms)}, rounded"
    return ""


def count_phrase(count: exp.Expr, terms: Terms) -> str:
    """Return what a COUNT counts: "rows", "different customers"."""
    inner = count.this
    if isinstance(inner, exp.Star) or inner is None or isinstance(inner, exp.Literal):
        return "rows"
    if count.expressions or isinstance(inner, exp.Order):
        return terms.code(count)
    if isinstance(inner, exp.Distinct):
        return "different " + and_list(phrase(each, terms) for each in inner.expressions)
    return f"rows with {phrase(inner, terms)}"


def spoken(name: str) -> str:
    """Return a name with blanks for underscores, and without signs that would be markup."""
    return harmless(name.replace("_", " ")) or harmless(name)


def _calculated(node: exp.Expr, terms: Terms) -> str:
    if type(node) in _AGGREGATES and not isinstance(node.this, exp.Distinct | exp.Order) and not node.expressions:
        if isinstance(node, exp.Sum) and (some := _sum_of_some(node.this, terms)):
            return some
        what = phrase(node.this, terms)
        doubled = isinstance(node, exp.Sum) and what.lower().startswith(("total", "the "))
        if type(node.this) in _ARITHMETIC:
            what = f"({what})"
        return f"the sum of {what}" if doubled else _AGGREGATES[type(node)].format(what)
    if isinstance(node, exp.Case) and node.this is None and len(node.args["ifs"]) == 1:
        branch, default = node.args["ifs"][0], node.args.get("default")
        other = "" if default is None or isinstance(default, exp.Null) else f", or else {phrase(default, terms)}"
        return f"({phrase(branch.args['true'], terms)} where {condition(branch.this, terms)}{other})"
    if isinstance(node, exp.Window):
        return _windowed(node, terms)
    if type(node) in _ARITHMETIC:
        left, right = phrase(node.this, terms), phrase(node.args["expression"], terms)
        return f"{left} {_ARITHMETIC[type(node)]} {right}"
    return ""


def _sum_of_some(case: exp.Expr, terms: Terms) -> str:
    """Return what SUM(CASE WHEN … THEN … ELSE 0 END) is as words, or ""."""
    if not isinstance(case, exp.Case) or case.this is not None or len(case.args["ifs"]) != 1:
        return ""
    default, branch = case.args.get("default"), case.args["ifs"][0]
    if default is not None and not isinstance(default, exp.Null) and default.name not in ("0", "0.0"):
        return ""
    then, where = branch.args["true"], condition(branch.this, terms)
    one = isinstance(then, exp.Literal) and then.name == "1"
    return f"the number of rows where {where}" if one else f"the sum of {phrase(then, terms)} where {where}"


def _windowed(window: exp.Window, terms: Terms) -> str:
    """Return what is worked out over other rows as words, or ""."""
    inner, order, spec = window.this, window.args.get("order"), window.args.get("spec")
    if spec is not None or window.args.get("alias") or window.args.get("over") not in (None, "OVER"):
        return ""
    keys = [f"{phrase(key, terms)}{' descending' if key.args.get('desc') else ''}" for key in _ordered(order)]
    within = f" within each {and_list(phrase(each, terms) for each in window.args.get('partition_by') or ())}"
    within = within if window.args.get("partition_by") else ""
    match inner:
        case exp.RowNumber() | exp.Rank() | exp.DenseRank() if keys:
            return f"the rank by {and_list(keys)}{within}"
        case exp.Lag() | exp.Lead() if keys and not inner.args.get("offset") and not inner.args.get("default"):
            word = "before" if isinstance(inner, exp.Lag) else "after"
            return f"{phrase(inner.this, terms)} of the row {word} by {and_list(keys)}{within}"
        case exp.Sum() | exp.Avg() | exp.Max() | exp.Min() | exp.Count():
            so_far = f" so far by {and_list(keys)}" if keys else ""
            return f"{phrase(inner, terms)}{so_far}{within or ('' if keys else ' of all rows')}"
    return ""


def _ordered(order: exp.Expr | None) -> list[exp.Expr]:
    return order.expressions if order is not None else []


def _dated(node: exp.Expr, terms: Terms) -> str:
    """Return a part of a date as words, or ""."""
    part = ""
    match node:
        case exp.Year() | exp.Month() | exp.Quarter():
            part = _CALENDAR_PARTS[type(node).__name__.upper()]
        case exp.DateTrunc() | exp.TimestampTrunc():
            part = node.text("unit").lower()
        case exp.TimeToStr():
            part = _PARTS.get(node.text("format"), "")
        case exp.Extract():
            part = _CALENDAR_PARTS.get(node.this.name.upper(), "")
            return f"the {part} of {phrase(node.expression, terms)}" if part else ""
        case exp.TsOrDsToDate() | exp.TsOrDsToTimestamp() | exp.Date() | exp.TimeStrToTime():
            bare = isinstance(node.this, exp.Column) and not node.expressions
            return phrase(node.this, terms) if bare else ""
    return f"the {part} of {phrase(node.this, terms)}" if part else ""


# Conditions of a query in plain words: "order date is in 2026 and status is “paid”".

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_COMPARED: dict[type[exp.Expr], tuple[str, str]] = {
    exp.EQ: ("is", "is"),
    exp.NEQ: ("is not", "is not"),
    exp.GT: ("is more than", "is after"),
    exp.GTE: ("is at least", "is on or after"),
    exp.LT: ("is less than", "is before"),
    exp.LTE: ("is at most", "is on or before"),
}


def condition(node: exp.Expr, terms: Terms) -> str:
    """Return a condition as words."""
    match node:
        case exp.And():
            return _all([part for part in node.flatten() if part is not None], terms)
        case exp.Or():
            return " or ".join(_grouped(part, terms) for part in node.flatten())
        case exp.Paren():
            return condition(node.this, terms)
        case exp.Not():
            return _negated(node.this, terms)
    return _simple(node, terms)


def _simple(node: exp.Expr, terms: Terms) -> str:
    match node:
        case exp.Exists():
            return f"there is a row in an inner query ({terms.inner(node.this)})"
        case exp.Between() if not node.args.get("symmetric"):
            low, high = _value(node.args["low"], terms), _value(node.args["high"], terms)
            return f"{phrase(node.this, terms)} is from {low} to {high}"
        case exp.In() if not node.args.get("unnest"):
            return _among(node, terms, "is")
        case exp.Like() | exp.ILike():
            return _like(node, terms, negated=bool(node.args.get("negate")))
        case exp.Is():
            return _is(node, terms, "")
        case exp.Column():
            return f"{phrase(node, terms)} is true"
    if type(node) in _COMPARED:
        right = node.args["expression"]
        word = _COMPARED[type(node)][_day(right) is not None]
        return f"{_value(node.this, terms)} {word} {_value(right, terms)}"
    return f"{terms.code(node)} holds"


def _all(parts: list[exp.Expr], terms: Terms) -> str:
    """Return conditions joined by "and"; two that bound one date become one."""
    said: list[str] = []
    done: set[int] = set()
    for first in parts:
        if id(first) in done:
            continue
        second = next((p for p in parts if p is not first and id(p) not in done and _spans(first, p)), None)
        if second is None:
            said.append(_grouped(first, terms))
        else:
            done.add(id(second))
            said.append(f"{phrase(first.this, terms)} is {_span(first, second)}")
        done.add(id(first))
    return " and ".join(said)


def _spans(first: exp.Expr, second: exp.Expr) -> bool:
    bounds = isinstance(first, exp.GTE) and isinstance(second, exp.LT) and first.this == second.this
    return bounds and _day(first.args["expression"]) is not None and _day(second.args["expression"]) is not None


def _span(first: exp.Expr, second: exp.Expr) -> str:
    """Return the time from one day up to another that is not part of it."""
    start, end = _day(first.args["expression"]), _day(second.args["expression"])
    assert start is not None
    assert end is not None
    months = (end.year - start.year) * 12 + end.month - start.month
    if start.day == end.day == 1 and months == 12 and start.month == 1:
        return f"in {start.year}"
    if start.day == end.day == 1 and months == 3 and start.month % 3 == 1:
        return f"in quarter {start.month // 3 + 1} of {start.year}"
    if start.day == end.day == 1 and months == 1:
        return f"in {MONTHS[start.month - 1]} {start.year}"
    return f"from {start} up to before {end}"


def _day(node: exp.Expr) -> date | None:
    """Return the day that a literal stands for, or None."""
    inner = node.this if isinstance(node, exp.Cast | exp.Date) else node
    if not isinstance(inner, exp.Literal) or not inner.is_string or not _DAY.fullmatch(inner.this):
        return None
    try:
        return date.fromisoformat(inner.this)
    except ValueError:
        return None


def _value(node: exp.Expr, terms: Terms) -> str:
    if isinstance(node, exp.Query):
        return f"the result of an inner query ({terms.inner(node)})"
    day = _day(node)
    return day.isoformat() if day else phrase(node, terms)


def _grouped(node: exp.Expr, terms: Terms) -> str:
    bare = node.unnest() if isinstance(node, exp.Paren) else node
    text = condition(bare, terms)
    return f"({text})" if isinstance(bare, exp.And | exp.Or) else text


def _negated(node: exp.Expr, terms: Terms) -> str:
    match node:
        case exp.In() if not node.args.get("unnest"):
            return _among(node, terms, "is not")
        case exp.Like() | exp.ILike():
            return _like(node, terms, negated=not node.args.get("negate"))
        case exp.Is():
            return _is(node, terms, "not ")
        case exp.Exists():
            return f"there is no row in an inner query ({terms.inner(node.this)})"
    return f"not ({condition(node, terms)})"


def _among(node: exp.In, terms: Terms, word: str) -> str:
    left = phrase(node.this, terms)
    query = node.args.get("query")
    if query is not None:
        return f"{left} {word} among the results of an inner query ({terms.inner(query)})"
    values = [_value(each, terms) for each in node.expressions]
    if not values:
        return f"{terms.code(node)} holds" if word == "is" else f"{terms.code(node)} does not hold"
    more = f" and {len(values) - 8} more" if len(values) > 8 else ""
    return f"{left} {word} one of {', '.join(values[:8])}{more}" if len(values) > 1 else f"{left} {word} {values[0]}"


_VERBS = {
    (True, True): ("read", "reads"),
    (True, False): ("start with", "starts with"),
    (False, True): ("end with", "ends with"),
    (False, False): ("contain", "contains"),
}
"""The verb for a pattern by whether it is fixed at the text's start, and at its end."""


def _like(node: exp.Expr, terms: Terms, negated: bool) -> str:
    side, pattern = node.this, node.args["expression"]
    folded = isinstance(side, exp.Lower | exp.Upper)
    if folded:
        side, pattern = side.this, pattern.this if isinstance(pattern, type(side)) else pattern
    left, any_case = phrase(side, terms), " (in any case)" if folded or isinstance(node, exp.ILike) else ""
    text = pattern.this if isinstance(pattern, exp.Literal) else ""
    core = text.strip("%")
    verbs, object_ = ("match", "matches"), f"the pattern {phrase(pattern, terms)}"
    if core and not any(sign in core for sign in "%_"):
        object_ = f"“{harmless(core)}”"
        starts, ends = not text.startswith("%"), not text.endswith("%")
        verbs = _VERBS[starts, ends]
    said = f"does not {verbs[0]}" if negated else verbs[1]
    return f"{left} {said} {object_}{any_case}"


def _is(node: exp.Is, terms: Terms, negation: str) -> str:
    left, right = phrase(node.this, terms), node.expression
    if isinstance(right, exp.Null):
        return f"{left} is {'filled' if negation else 'empty'}"
    if isinstance(right, exp.Boolean):
        return f"{left} is {negation}{'true' if right.this else 'false'}"
    return f"{negation}{terms.code(node)} holds"
