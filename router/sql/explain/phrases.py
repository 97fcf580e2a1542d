"""Expressions and conditions of a query in words: "sum of total", "status “open”", "ordered on in 2025".

What has no words is shown as it is written.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from router.language.wording import and_list, or_list
from router.sql.dialect import Name
from router.sql.explain.description import DESCENDING, QueryWords, Result, Source, different, is_short
from router.sql.explain.joins import Joins, conjuncts, is_key, is_of_match, is_tie
from router.sql.explain.names import WORDS, called, harmless, is_time, words
from router.sql.explain.times import day_of, find_periods, part_of_date, without_casts

_CODE_MAX_CHARS = 200
_VALUES_MAX = 8
_HARMLESS_TYPES = ("timestamp", "timestamptz", "text", "varchar", "float", "double")
"""Types whose conversion changes nothing that a reader cares for."""
_PATTERNS = {(True, True): "reading", (True, False): "starting with", (False, True): "ending with"}
"""The words for a pattern by whether it is fixed at the text's start, and at its end."""
_CASES: dict[type[exp.Expr], Callable[[str], str]] = {exp.Lower: str.lower, exp.Upper: str.upper}
_UNKNOWN = Source("", "", "", "rows", exp.From())
_PATTERN_SIGNS = frozenset("%_\\[")


@dataclass(frozen=True, slots=True)
class Phrases:
    """Puts the expressions of one SELECT into words; `outer` are sources of queries around it that it names."""

    sources: Mapping[str, Source]
    outer: Mapping[str, Source]
    joins: Joins
    dialect: Name
    describe: Callable[[exp.Expr], QueryWords]

    def phrase(self, node: exp.Expr) -> str:
        """Return an expression as a noun."""
        if said := value(node):
            return said
        if part := part_of_date(node):
            return f"{part[0]} of {self.phrase(part[1])}"
        match node:
            case exp.Column() if not node.is_star:
                return self._column(node)
            case exp.Alias() | exp.Ordered():
                return self.phrase(node.this)
            case exp.Paren():
                return f"({self.phrase(node.this)})"
            case exp.Query():
                return self.describe(node).inline()
            case exp.Window():
                return self._window(node) or self.code(node)
        return self._of_some_rows(node) or self._worked_out(node) or self._templated(node) or self.code(node)

    def _worked_out(self, node: exp.Expr) -> str:
        """Return what is made of other values by a form of its own, or ""."""
        match node:
            case exp.Coalesce() if len(node.expressions) == 1 and (filled := value(node.expressions[0])):
                return f"{self._operand(node.this)} (or {filled} where empty)"
            case exp.Round() | exp.Cast() if isinstance(node, exp.Round) or _rounds(node):
                inner = node.this.this if _is_decimal(node.this) else node.this
                return f"rounded {self._operand(inner)}"
            case exp.Distinct():
                return different(tuple(map(self.phrase, node.expressions)))
            case exp.Cast() if node.is_type(*_HARMLESS_TYPES):
                return self.phrase(node.this)
            case exp.Case() | exp.If():
                return self._case(node)
            case exp.Count() if not isinstance(node.this, exp.Order) and not node.expressions:
                return self._counted(node.this)
        return ""

    def _counted(self, counted: exp.Expr | None) -> str:
        """Return what COUNT counts: "number of orders", "number of orders with a known note"."""
        if counted is None or isinstance(counted, exp.Star | exp.Literal):
            return f"number of {self.rows()}"
        columns = counted.expressions if isinstance(counted, exp.Distinct) else [counted]
        source = self.source_of(columns[0])
        is_whole = len(columns) == 1 and is_key(columns[0], source.table)
        if isinstance(counted, exp.Distinct):
            return f"number of different {source.rows}" if is_whole else f"number of {self.phrase(counted)}"
        is_once = self.joins.is_once(source.alias)
        rows = source.rows if is_once else self.rows()
        is_known = is_whole and (is_once or not self.joins.sides.get(source.alias))
        return f"number of {rows}" if is_known else f"number of {rows} with a known {self.phrase(counted)}"

    def _of_some_rows(self, node: exp.Expr) -> str:
        """Return a figure of those rows that meet a condition, "sum of total with status “open”", or ""."""
        if isinstance(node, exp.Filter) and isinstance(node.this, exp.AggFunc):
            return self._limited(node.this, node.expression.this)
        case = node.this if isinstance(node, exp.Sum | exp.Avg | exp.Count | exp.Min | exp.Max) else None
        if not isinstance(case, exp.Case | exp.If) or node.expressions:
            return ""
        (test, then), *more = _branches(case)
        default = _default(case)
        is_sum = isinstance(node, exp.Sum)
        if more or not (isinstance(default, exp.Null) or (is_sum and value(default) in ("0", "0.0"))):
            return ""
        is_number = value(then) == "1" if is_sum else isinstance(node, exp.Count) and bool(value(then))
        inner = exp.Count(this=exp.Star()) if is_number else type(node)(this=then.copy())
        return self._limited(inner, test)

    def _limited(self, figure: exp.Expr, test: exp.Expr) -> str:
        """Return a figure of those rows that meet a condition; it is to be seen where the condition ends."""
        parts = self.conditions(conjuncts(test))
        is_long = len(parts) > 1 or isinstance(test.unnest(), exp.Or)
        return f"{self.phrase(figure)} with {f'({and_list(parts)})' if is_long else and_list(parts)}"

    def rank(self, node: exp.Expr) -> str:
        """Return what a rank goes by, "by total descending within each region"; "" of all else."""
        is_rank = isinstance(node, exp.Window) and isinstance(node.this, exp.RowNumber | exp.Rank | exp.DenseRank)
        return self._over(node) if is_rank and self._window(node) else ""

    def _over(self, window: exp.Expr) -> str:
        order, by = window.args.get("order"), window.args.get("partition_by")
        keys = [f"by {self.sorted_by(order.expressions)}"] if order else []
        return " ".join([*keys, *([f"within each {and_list(map(self.phrase, by))}"] if by else [])])

    def _window(self, window: exp.Expr) -> str:
        """Return what is worked out over other rows, or ""."""
        inner, order, by = window.this, window.args.get("order"), window.args.get("partition_by")
        if window.args.get("alias") or window.args.get("over") not in (None, "OVER"):
            return ""
        template, tail = WORDS["windows"].get(type(inner).__name__), self._over(window)
        if template:
            is_plain = order and len([each for each in inner.args.values() if each]) <= template.count("{}")
            return f"{template.format(*map(self._operand, inner.iter_expressions()))} ({tail})" if is_plain else ""
        if type(inner).__name__ not in WORDS["phrases"] and not isinstance(inner, exp.Count):
            return ""
        frame = _frame(window.args.get("spec")) if order else "{}" if by else "overall {}"
        return frame.format(self.phrase(inner)) + f" ({tail})" * bool(tail) if frame else ""

    def code(self, node: exp.Expr) -> str:
        """Return an expression as it is written."""
        text = harmless(node.sql(dialect=self.dialect, comments=False))
        return f"`{text if len(text) <= _CODE_MAX_CHARS else f'{text[:_CODE_MAX_CHARS]}…'}`"

    def _templated(self, node: exp.Expr) -> str:
        """Return what its kind has words for, or ""."""
        template = WORDS["phrases"].get(type(node).__name__)
        sides = [side for key in ("this", "expression") if (side := node.args.get(key))]
        more = len([each for each in node.args.values() if each and each is not True]) > len(sides)
        if not template or more or isinstance(node.this, exp.Order):
            return ""
        if isinstance(node, exp.Max | exp.Min) and is_time(node.this.name):
            template = WORDS["timely"][type(node).__name__]
        return str(template.format(*map(self.apart if isinstance(node, exp.Binary) else self._operand, sides)))

    def _operand(self, node: exp.Expr) -> str:
        return f"({self.phrase(node)})" if isinstance(node, exp.Binary) else self.phrase(node)

    def apart(self, node: exp.Expr) -> str:
        """Return an expression so that words after it are not taken for its own."""
        text = self.phrase(node)
        return f"({text})" if " with " in text and not isinstance(node, exp.Binary) else text

    def _case(self, node: exp.Expr) -> str:
        parts = [f"{self.phrase(then)} if {self.condition(test)}" for test, then in _branches(node)]
        default = [] if isinstance(_default(node), exp.Null) else [f"else {self.phrase(_default(node))}"]
        return f"({', '.join([*parts, *default])})"

    # Columns and rows.

    def source_of(self, column: exp.Expr) -> Source:
        """Return the source that a column comes from, as far as the SQL tells."""
        table = column.text("table").lower()
        if table or len(self.sources) != 1:
            return self.sources.get(table) or self.outer.get(table) or _UNKNOWN
        return next(iter(self.sources.values()))

    def _column(self, column: exp.Column) -> str:
        """Return a column as a noun, with what it belongs to if there are several sources."""
        name, source = words(column.name), self.source_of(column)
        is_alone = len(self.sources) == 1 and not self.outer
        if source is _UNKNOWN:
            return f"{words(column.table)} {name}".strip()
        result = self._result(column)
        if result and is_alone and not result.is_plain:
            return result.text if is_short(result.text) and not result.rank else called(column.name)
        return name if is_alone or name.lower().startswith(source.noun.lower()) else f"{source.noun} {name}"

    def _result(self, column: exp.Expr) -> Result | None:
        """Return the result of an inner query that a column is, or None."""
        query = self.source_of(column).query if isinstance(column, exp.Column) else None
        results = query.results if query else ()
        return next((each for each in results if each.name == column.name.lower()), None)

    def is_tie(self, node: exp.Expr) -> bool:
        """Return whether a condition only says that columns of two of several sources are equal."""
        return len(self.sources) > 1 and is_tie(node, self.sources)

    def rows(self) -> str:
        """Return what the rows that are read are: "orders"; "rows" if that is unknown."""
        only = next(iter(self.sources)) if len(self.sources) == 1 else self.joins.entity()
        return self.sources[only].rows if only else "rows"

    def sorted_by(self, keys: Sequence[exp.Expr]) -> str:
        """Return what rows are sorted by."""
        return and_list(self.phrase(key) + DESCENDING * bool(key.args.get("desc")) for key in keys)

    # Conditions, as they follow "with".

    def conditions(self, parts: Sequence[exp.Expr]) -> tuple[str, ...]:
        """Return conditions that all hold; those on times come first."""
        periods, rest = find_periods(parts)
        said = [f"{self.phrase(date)} {period}" for date, period in periods]
        bare = len(parts) == 1  # else it is to be seen how far OR reaches
        said += [
            f"({self._said(each)})" if isinstance(each, exp.Or) and not bare else self._said(each) for each in rest
        ]
        return tuple(dict.fromkeys(said))

    def condition(self, node: exp.Expr) -> str:
        """Return a condition, whatever it is made of."""
        return and_list(self.conditions(conjuncts(node)))

    def _said(self, node: exp.Expr) -> str:
        match node:
            case exp.Or():
                sides = [node.left.unnest(), node.right.unnest()]
                return " or ".join(
                    f"({self.condition(x)})" if isinstance(x, exp.And) else self.condition(x) for x in sides
                )
            case exp.Not():
                inner = node.this.unnest()
                return self._compared(inner, "not ") or f"not ({self.condition(inner)})"
        return self._compared(node, "") or self.code(node)

    def _compared(self, node: exp.Expr, negation: str) -> str:
        """Return a condition on values, or that it does not hold; "" if there are no words for it."""
        negation = "not " * (bool(negation) != bool(node.args.get("negate")))
        match node:
            case exp.Column():
                return f"{self.phrase(node)} {'false' if negation else 'true'}"
            case exp.Exists():
                found = self.describe(node.this)
                rows = f"{found.rows}{found.where()}" if found.is_simple else f"row of ({found.inline()})"
                return f"{'no' if negation else 'some'} {rows}"
            case exp.Is() if isinstance(node.expression, exp.Null):
                return self._known(node.this, negation)
            case exp.In() if query := node.args.get("query"):
                return f"{self.phrase(node.this)} {negation}among ({self.describe(query).inline()})"
            case exp.In() if node.expressions:
                values = list(map(self.phrase, node.expressions))
                said = or_list(values) if len(values) <= _VALUES_MAX else f"one of {len(values)} values"
                return f"{self.phrase(node.this)} {'other than ' if negation else ''}{said}"
            case exp.Between() if not node.args.get("symmetric"):
                low, high = self.phrase(node.args["low"]), self.phrase(node.args["high"])
                return f"{self.phrase(node.this)} {negation}from {low} to {high}"
            case exp.Like() | exp.ILike():
                return self._like(node, negation)
        kind, left, right = type(node).__name__, node.this, node.args.get("expression", exp.null())
        if kind not in WORDS["comparisons"] or isinstance(right, exp.Null):
            return ""
        if value(left) and not value(right):
            kind, left, right = WORDS["mirrored"].get(kind, kind), right, left
        said = self._ranked(kind, left, right) or self._related(kind, left, right)
        return f"not ({said})" if negation else said

    def _known(self, node: exp.Expr, negation: str) -> str:
        """Return that a value is NULL, or with a negation that it is not."""
        match_ = self._match(node)
        if match_:
            return match_ if negation else f"no {match_}"
        return f"{'a' if negation else 'no'} known {self.phrase(node)}"

    def _related(self, kind: str, left: exp.Expr, right: exp.Expr) -> str:
        """Return how a value compares with another one."""
        side, part = self.apart(right), part_of_date(left)
        year = side.strip("“”")
        if kind == "EQ" and part and part[0] == "year" and year.isdigit():
            return f"{self.phrase(part[1])} in {year}"
        if kind == "EQ" and not (isinstance(left, exp.Column) and value(right)):
            side = f"equal to {side}"
        is_timely = day_of(right) is not None or (isinstance(left, exp.Column) and is_time(left.name))
        return str(WORDS["comparisons"][kind][is_timely].format(self.apart(left), side))

    def _ranked(self, kind: str, left: exp.Expr, right: exp.Expr) -> str:
        """Return that a rank is among the first ones, or ""."""
        result, last = self._result(left), value(right)
        if result and result.rank and last == "1" and kind in ("EQ", "LTE"):
            return f"the first place {result.rank}"
        is_among = result and result.rank and last.isdigit() and kind == "LTE"
        return f"a place among the first {last} {result.rank}" if result and is_among else ""

    def _like(self, node: exp.Expr, negation: str) -> str:
        """Return how a text reads; if both sides are in one case, that the case does not matter."""
        side, pattern = node.this, node.args["expression"]
        to_case = _CASES.get(type(side))
        is_folded = to_case is not None and (pattern.is_string and to_case(pattern.name) == pattern.name)
        if to_case and isinstance(pattern, type(side)):
            is_folded, pattern = True, pattern.this
        side = side.this if is_folded else side
        text, verb, said = pattern.name, "like", self.phrase(pattern)
        core = text.strip("%")
        if pattern.is_string and core and not _PATTERN_SIGNS & set(core):
            verb, said = _PATTERNS.get((text[0] != "%", text[-1] != "%"), "containing"), f"“{harmless(core)}”"
        in_any_case = " in any case" if is_folded or isinstance(node, exp.ILike) else ""
        return f"{self.phrase(side)} {negation}{verb} {said}{in_any_case}"

    def _match(self, node: exp.Expr) -> str:
        """Return the rows that a LEFT JOIN looked for, if their key is NULL only where it found none."""
        source = self.source_of(node)
        if source.side != "LEFT" or not source.table or not is_of_match(node, source.entry, source.table):
            return ""
        matched = self.matched(source)
        return f"matching {source.rows}{f' ({and_list(matched)})' if matched else ''}"

    def matched(self, source: Source) -> tuple[str, ...]:
        """Return the conditions of an outer join beyond equal columns."""
        parts = conjuncts(source.entry.args.get("on")) if source.side else []
        return self.conditions([part for part in parts if not self.is_tie(part)])


def _is_decimal(node: exp.Expr) -> bool:
    return isinstance(node, exp.Cast) and node.is_type("decimal")


def _rounds(node: exp.Expr) -> bool:
    """Return whether a conversion rounds to so many digits."""
    return _is_decimal(node) and bool(node.args["to"].expressions)


def _branches(case: exp.Expr) -> list[tuple[exp.Expr, exp.Expr]]:
    """Return the conditions of a CASE or an IF, each with its value."""
    pairs = [(each.this, each.args["true"]) for each in case.args.get("ifs") or [case]]
    if isinstance(case, exp.If) or not case.this:
        return pairs
    return [(exp.EQ(this=case.this.copy(), expression=test.copy()), then) for test, then in pairs]


def _default(case: exp.Expr) -> exp.Expr:
    """Return the value of a CASE or an IF if no condition holds."""
    default: exp.Expr = case.args.get("default") or case.args.get("false") or exp.null()
    return default


def _frame(spec: exp.Expr | None) -> str:
    """Return a template for a figure of the rows from another row up to this one; "" of other windows."""
    if spec is None:
        return "running {}"
    start, kinds = spec.args.get("start"), (spec.args.get("start_side"), spec.args.get("end") or "CURRENT ROW")
    if kinds != ("PRECEDING", "CURRENT ROW") or spec.args.get("exclude"):
        return ""
    if start == "UNBOUNDED":
        return "running {}"
    is_counted = isinstance(start, exp.Literal) and spec.args.get("kind") == "ROWS"
    return f"{{}} of this row and the {start} before" if is_counted else ""


def value(node: exp.Expr) -> str:
    """Return a literal as a reader sees it, "" of what is none."""
    node = without_casts(node)
    match node:
        case exp.Neg() if isinstance(node.this, exp.Literal):
            return f"-{node.this.this}"
        case exp.Boolean():
            return "true" if node.this else "false"
        case exp.Null():
            return "nothing"
        case exp.Literal():
            return str(node.this) if not node.is_string or day_of(node) else f"“{harmless(node.this)}”"
    return ""
