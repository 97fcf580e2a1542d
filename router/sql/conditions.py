"""Conditions of a query in plain words: "order date is in 2026 and status is “paid”"."""

import re
from collections.abc import Callable
from datetime import date

from sqlglot import exp

from router.sql.phrases import Terms, phrase

Inner = Callable[[exp.Expr], str]
"""Says in words what a query within the condition does."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_COMPARED: dict[type[exp.Expr], tuple[str, str]] = {
    exp.EQ: ("is", "is"),
    exp.NEQ: ("is not", "is not"),
    exp.GT: ("is more than", "is after"),
    exp.GTE: ("is at least", "is on or after"),
    exp.LT: ("is less than", "is before"),
    exp.LTE: ("is at most", "is on or before"),
}
_MONTHS = "January February March April May June July August September October November December"


def condition(node: exp.Expr, terms: Terms, inner: Inner) -> str:
    """Return a condition as words."""
    match node:
        case exp.And():
            return _all([part for part in node.flatten() if part is not None], terms, inner)
        case exp.Or():
            return " or ".join(_grouped(part, terms, inner) for part in node.flatten())
        case exp.Paren():
            return condition(node.this, terms, inner)
        case exp.Not():
            return _negated(node.this, terms, inner)
    return _simple(node, terms, inner)


def _simple(node: exp.Expr, terms: Terms, inner: Inner) -> str:
    match node:
        case exp.Exists():
            return f"there is a row in an inner query ({inner(node.this)})"
        case exp.Between() if not node.args.get("symmetric"):
            low, high = _value(node.args["low"], terms, inner), _value(node.args["high"], terms, inner)
            return f"{phrase(node.this, terms)} is from {low} to {high}"
        case exp.In() if not node.args.get("unnest"):
            return _among(node, terms, inner, "is")
        case exp.Like() | exp.ILike():
            return _like(node, terms, negated=bool(node.args.get("negate")))
        case exp.Is():
            return _is(node, terms, "")
        case exp.Column():
            return f"{phrase(node, terms)} is true"
    if type(node) in _COMPARED:
        right = node.args["expression"]
        word = _COMPARED[type(node)][_day(right) is not None]
        return f"{_value(node.this, terms, inner)} {word} {_value(right, terms, inner)}"
    return f"{terms.code(node)} holds"


def _all(parts: list[exp.Expr], terms: Terms, inner: Inner) -> str:
    """Return conditions joined by "and"; two that bound one date become one."""
    said: list[str] = []
    done: set[int] = set()
    for first in parts:
        if id(first) in done:
            continue
        second = next((p for p in parts if p is not first and id(p) not in done and _spans(first, p)), None)
        if second is None:
            said.append(_grouped(first, terms, inner))
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
        return f"in {_MONTHS.split()[start.month - 1]} {start.year}"
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


def _value(node: exp.Expr, terms: Terms, inner: Inner) -> str:
    if isinstance(node, exp.Query):
        return f"the result of an inner query ({inner(node)})"
    day = _day(node)
    return day.isoformat() if day else phrase(node, terms)


def _grouped(node: exp.Expr, terms: Terms, inner: Inner) -> str:
    bare = node.unnest() if isinstance(node, exp.Paren) else node
    text = condition(bare, terms, inner)
    return f"({text})" if isinstance(bare, exp.And | exp.Or) else text


def _negated(node: exp.Expr, terms: Terms, inner: Inner) -> str:
    match node:
        case exp.In() if not node.args.get("unnest"):
            return _among(node, terms, inner, "is not")
        case exp.Like() | exp.ILike():
            return _like(node, terms, negated=not node.args.get("negate"))
        case exp.Is():
            return _is(node, terms, "not ")
        case exp.Exists():
            return f"there is no row in an inner query ({inner(node.this)})"
    return f"not ({condition(node, terms, inner)})"


def _among(node: exp.In, terms: Terms, inner: Inner, word: str) -> str:
    left = phrase(node.this, terms)
    query = node.args.get("query")
    if query is not None:
        return f"{left} {word} among the results of an inner query ({inner(query)})"
    values = [_value(each, terms, inner) for each in node.expressions]
    if not values:
        return f"{terms.code(node)} holds" if word == "is" else f"{terms.code(node)} does not hold"
    more = f" and {len(values) - 8} more" if len(values) > 8 else ""
    return f"{left} {word} one of {', '.join(values[:8])}{more}" if len(values) > 1 else f"{left} {word} {values[0]}"


def _like(node: exp.Expr, terms: Terms, negated: bool) -> str:
    side, pattern = node.this, node.args["expression"]
    folded = isinstance(side, exp.Lower | exp.Upper)
    if folded:
        side, pattern = side.this, pattern.this if isinstance(pattern, type(side)) else pattern
    left, any_case = phrase(side, terms), " (in any case)" if folded or isinstance(node, exp.ILike) else ""
    text = pattern.this if isinstance(pattern, exp.Literal) else ""
    core = text.strip("%")
    verb, object_ = "match", f"the pattern {phrase(pattern, terms)}"
    if core and not any(sign in core for sign in "%_"):
        object_ = f"“{core}”"
        starts, ends = not text.startswith("%"), not text.endswith("%")
        verb = "read" if starts and ends else "start with" if starts else "end with" if ends else "contain"
    said = f"does not {verb}" if negated else _third_person(verb)
    return f"{left} {said} {object_}{any_case}"


def _third_person(verb: str) -> str:
    first, _, rest = verb.partition(" ")
    return f"{first}es {rest}".strip() if first.endswith("ch") else f"{first}s {rest}".strip()


def _is(node: exp.Is, terms: Terms, negation: str) -> str:
    left, right = phrase(node.this, terms), node.expression
    if isinstance(right, exp.Null):
        return f"{left} is {'filled' if negation else 'empty'}"
    if isinstance(right, exp.Boolean):
        return f"{left} is {negation}{'true' if right.this else 'false'}"
    return f"{negation}{terms.code(node)} holds"
