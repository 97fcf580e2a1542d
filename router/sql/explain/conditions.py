"""Conditions of a query in words that follow "with": "status “open”", "total over 100", "no orders in 2025"."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlglot import exp

from router.language.wording import and_list, or_list
from router.sql.explain.description import Filter, SelectDescription
from router.sql.explain.expressions import Expressions, value
from router.sql.explain.names import WORDS, harmless, identifies, is_time, key_of, one, several, words
from router.sql.explain.shape import conditions, is_join_condition, is_null_test
from router.sql.explain.steps import inline
from router.sql.explain.times import day_of, find_periods, joint

_VALUES_MAX = 8
_PATTERNS = {(1, 1): "reading", (1, 0): "starting with", (0, 1): "ending with", (0, 0): "containing"}
"""The words for a pattern by whether it is fixed at the text's start, and at its end."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Puts the conditions of one SELECT into words."""

    terms: Expressions

    def filters(self, parts: Iterable[exp.Expr]) -> tuple[Filter, ...]:
        """Return conditions that all hold, in words; those that ask for nothing come last, to end their list."""
        periods, rest = find_periods(each for part in parts for each in conditions(_pushed(part)))
        found = [Filter(self._single(part, is_alone=len(rest) == 1 and not periods)) for part in rest]
        found += [Filter(f"{self.terms.phrase(date)} {joint(period)}", period) for date, period in periods]
        return tuple(sorted(dict.fromkeys(found), key=lambda each: each.text.startswith("no ")))

    def condition(self, node: exp.Expr) -> str:
        """Return a condition in words, whatever it is made of."""
        return and_list(each.text for each in self.filters(conditions(node)))

    def _single(self, node: exp.Expr, *, is_alone: bool = False) -> str:
        """Return a condition as a part of others."""
        match node:
            case exp.Or():
                sides = list(map(conditions, _merged(node)))
                said = [and_list(each.text for each in self.filters(side)) for side in sides]
                text = " or ".join(
                    f"({each})" if len(side) > 1 else each for each, side in zip(said, sides, strict=True)
                )
                return text if is_alone or len(said) == 1 else f"({text})"
            case exp.Not():
                inner = node.this.unnest()
                return self._negated(inner) or f"not ({self.condition(inner)})"
        return self._related(node) or self._said(node, "") or self.terms.code(node)

    def _negated(self, node: exp.Expr) -> str:
        if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
            source = self.terms.shape.source_of(node.this) if isinstance(node.this, exp.Column) else None
            is_match = source is not None and source.is_optional and source.table
            return (
                f"a match in {harmless(source.table)}"
                if source and is_match
                else f"a known {self.terms.phrase(node.this)}"
            )
        related = self._related(node)
        return f"no {related}" if related else self._said(node, "not ")

    def _said(self, node: exp.Expr, negation: str) -> str:
        """Return a condition on values; "" if there are no words for it."""
        left = self.terms.phrase(node.this) if isinstance(node.this, exp.Expr) else ""
        match node:
            case exp.Is() if isinstance(node.expression, exp.Boolean):
                return f"{left} {negation}{value(node.expression)}"
            case exp.Is() if isinstance(node.expression, exp.Null):
                return self._unmatched(node) or f"no known {left}"
            case exp.In() if query := node.args.get("query"):
                return f"{left} {negation}among the results of an inner query ({inline(self.terms.describe(query))})"
            case exp.In() if node.expressions:
                values = list(map(self.terms.phrase, node.expressions))
                said = or_list(values) if len(values) <= _VALUES_MAX else f"one of {len(values)} values"
                return f"{left} {'other than ' if negation else ''}{said}"
            case exp.Between() if not node.args.get("symmetric"):
                low, high = map(self.terms.phrase, (node.args["low"], node.args["high"]))
                return f"{left} {negation}from {low} to {high}"
            case exp.Like() | exp.ILike():
                return self._like(node, bool(negation) != bool(node.args.get("negate")))
            case exp.Exists():
                return f"{'no' if negation else 'a'} row in an inner query ({inline(self.terms.describe(node.this))})"
            case exp.Column():
                return f"{self.terms.column(node)} {negation}true"
        return self._compared(node) if type(node).__name__ in WORDS["comparisons"] and not negation else ""

    def _compared(self, node: exp.Expr) -> str:
        left, right = node.this, node.args["expression"]
        if value(left) or isinstance(right, exp.Null):
            return "" if value(right) else self._compared(_turned(node, "mirrored", right, left))
        side, templates = self.terms.phrase(right), WORDS["comparisons"][type(node).__name__]
        if isinstance(left, exp.Column) and (ranks := getattr(self.terms.result(left), "ranks", "")):
            if side == "1" and isinstance(node, exp.EQ | exp.LTE):
                return f"the {ranks}"
            if side.isdigit() and isinstance(node, exp.LTE):
                return f"the {side} {ranks}"
        if isinstance(left, exp.Count) and value(right):
            what = self.terms.counted(left)
            return str(templates[2].format(side, one(what) if side == "1" and " with " not in what else what))
        if isinstance(node, exp.EQ) and not (isinstance(left, exp.Column) and value(right)):
            side = f"equal to {side}"
        is_timely = day_of(right) is not None or (isinstance(left, exp.Column) and is_time(left.name))
        return str(templates[is_timely].format(self.terms.phrase(left), side))

    def _like(self, node: exp.Expr, is_negated: bool) -> str:
        side, pattern = node.this, node.args["expression"]
        is_folded = isinstance(side, exp.Lower | exp.Upper)
        if is_folded:
            side, pattern = side.this, pattern.this if isinstance(pattern, type(side)) else pattern
        text, verb, said = pattern.name, "matching the pattern", self.terms.phrase(pattern)
        core = text.strip("%")
        if pattern.is_string and core and not set("%_") & set(core):
            verb, said = _PATTERNS[text[0] != "%", text[-1] != "%"], f"“{harmless(core)}”"
        case = " in any case" if is_folded or isinstance(node, exp.ILike) else ""
        return f"{self.terms.phrase(side)} {'not ' if is_negated else ''}{verb} {said}{case}"

    # Rows of another table that there are, or are not.

    def _unmatched(self, node: exp.Is) -> str:
        """Return that a LEFT JOIN found no rows, if IS NULL asks for that; or ""."""
        source = self.terms.shape.source_of(node.this) if is_null_test(node) else None
        if source is None or source.alias not in self.terms.shape.unmatched:
            return ""
        rest = [each for each in self.terms.shape.join_conditions(source.alias) if not is_join_condition(each)]
        return f"no {attached(several(words(source.table)), self.filters(rest))}"

    def _related(self, node: exp.Expr) -> str:
        """Return the rows of an inner query that belong to a row of this one: "orders in 2025"; or ""."""
        query = (
            node.args.get("query") if isinstance(node, exp.In) else node.this if isinstance(node, exp.Exists) else None
        )
        query = query.unnest() if query is not None else None
        if not isinstance(query, exp.Select) or len(list(query.find_all(exp.Table))) != 1:
            return ""
        parts = conditions(query.args.get("where"))
        tied = [each for each in parts if is_join_condition(each) and any(map(self._is_outer, _sides(each)))]
        pairs = [(node.this, query.expressions[0].unalias())] if isinstance(node, exp.In) else []
        pairs += [sides if self._is_outer(sides[0]) else sides[::-1] for sides in map(_sides, tied)]
        rest = query.copy().select(exp.Star(), append=False)
        rest.set("where", exp.Where(this=exp.and_(exp.true(), *(each for each in parts if each not in tied))))
        found = self.terms.describe(rest)
        if not isinstance(found, SelectDescription) or found.groups or found.limit or found.having:
            return ""
        is_tied = len(pairs) == 1 and self._are_keys(*pairs[0], found.rows)
        return attached(found.rows, found.filters) if is_tied and found.rows != "rows" else ""

    def _is_outer(self, column: exp.Expr) -> bool:
        return column.text("table").lower() in self.terms.shape.sources

    def _are_keys(self, ours: exp.Expr, theirs: exp.Expr, rows: str) -> bool:
        """Return whether columns are keys of one thing: customers' ids, and not theirs with those of stores."""
        source = self.terms.shape.source_of(ours) if isinstance(ours, exp.Column) else None
        if source is None or not source.table or not isinstance(theirs, exp.Column):
            return False
        if key_of(ours.name) and key_of(ours.name) == key_of(theirs.name):
            return True
        named = (ours.name.lower() == "id", theirs.name.lower() == "id")
        return (named[0] and identifies(theirs.name, source.table)) or (named[1] and identifies(ours.name, rows))


def _sides(node: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    return node.this, node.args["expression"]


def attached(noun: str, filters: Iterable[Filter]) -> str:
    """Return rows with their conditions: "orders in 2025", "orders (status “open” and total over 100)"."""
    found = list(filters)
    if len(found) > 1:
        return f"{noun} ({and_list(each.text for each in found)})"
    return noun + "".join(f" {joint(each.period)}" if each.period else f" with {each.text}" for each in found)


def _turned(node: exp.Expr, how: str, left: exp.Expr, right: exp.Expr) -> exp.Expr:
    """Return a comparison of another kind with these sides."""
    turned: exp.Expr = getattr(exp, WORDS[how][type(node).__name__])(this=left, expression=right)
    return turned


def _pushed(node: exp.Expr) -> exp.Expr:
    """Return a condition with its NOT before single conditions, as far as they have no opposite."""
    node = node.unnest()
    inner = node.this.unnest() if isinstance(node, exp.Not) else node
    if node is inner or type(inner).__name__ not in WORDS["opposites"]:
        return node
    sides = _sides(inner)
    if isinstance(inner, exp.Connector):
        return _turned(inner, "opposites", *(_pushed(exp.Not(this=side)) for side in sides))
    return _turned(inner, "opposites", *sides)


def _merged(node: exp.Expr) -> list[exp.Expr]:
    """Return the sides of an OR; those that compare one column with values become one list of them."""
    sides = [_pushed(each) for each in node.flatten()]
    is_list = all(isinstance(each, exp.EQ) and value(each.expression) for each in sides)
    if is_list and len({each.this for each in sides}) == 1:
        return [exp.In(this=sides[0].this, expressions=[each.args["expression"] for each in sides])]
    return sides
