"""Expressions and conditions of a query in words: "sum of total", "status “open”", "ordered on in 2025".

What has no words is shown as it is written.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from router.language.wording import and_list, or_list, truncate
from router.sql.dialect import Name
from router.sql.explain.description import Description, Result, Source, different
from router.sql.explain.joins import conjuncts, is_key, is_tie
from router.sql.explain.names import WORDS, called, harmless, is_time, words
from router.sql.explain.references import referred
from router.sql.explain.times import day_of, find_periods, part_of_date, without_casts
from router.sql.explain.title import DESCENDING

_NOTHING = "nothing"
"""NULL as a value; a comparison with it is shown as it is written, as it never holds."""
_CODE_MAX_CHARS = 200
_VALUES_MAX = 8
_HARMLESS_TYPES = ("timestamp", "timestamptz", "text", "varchar", "float", "double")
"""Types whose conversion changes nothing that a reader cares for."""
_PATTERNS = {(True, True): "reading", (True, False): "starting with", (False, True): "ending with"}
"""The words for a pattern by whether it is fixed at the text's start, and at its end."""
_FIELD = re.compile(r"{(\w+)}")
"""The name of a part in a template, as sqlglot calls it."""
_FLAGS = {"big_int", "is_global", "is_null", "is_nvl", "negate", "safe", "typed"}
"""Arguments of sqlglot's expressions that need no words."""
_ORDERED = {"GT", "GTE", "LT", "LTE"}
_PATTERN_SIGNS = frozenset("%_\\[")
_UNKNOWN = Source("", "")


@dataclass(frozen=True, slots=True)
class Phrases:
    """Puts the expressions of one query into words."""

    sources: Mapping[str, Source]
    """Sources of the query, by their name in it, in lower case."""
    known: Mapping[str, Source]
    """Sources of the query and of those around it."""
    is_alone: bool
    """True if its columns can only be those of one source."""
    dialect: Name
    describe: Callable[[exp.Expr], Description]

    def phrase(self, node: exp.Expr) -> str:
        """Return an expression as a noun."""
        if part := part_of_date(node):
            return f"{part[0]} of {self.phrase(part[1])}"
        match node:
            case exp.Alias() | exp.Ordered():
                return self.phrase(node.this)
            case exp.Paren():
                return f"({self.phrase(node.this)})"
            case exp.Query():
                return self.describe(node).inline()
            case exp.Column() if not node.is_star:
                return self._column(node)
            case exp.Window():
                return self._window(node) or self.code(node)
            case exp.Case() | exp.If():
                return self._case(node)
            case exp.Distinct():
                return different(tuple(map(self.phrase, node.expressions)))
        return value(node) or self._of_some_rows(node) or self._function(node) or self.code(node)

    def code(self, node: exp.Expr) -> str:
        """Return an expression as it is written."""
        return f"`{truncate(harmless(node.sql(dialect=self.dialect, comments=False)), _CODE_MAX_CHARS)}`"

    def source_of(self, column: exp.Expr) -> Source:
        """Return the source that a column comes from, as far as the SQL tells."""
        table = column.text("table").lower()
        if table or len(self.sources) != 1:
            return self.known.get(table, _UNKNOWN)
        return next(iter(self.sources.values()))

    def _column(self, column: exp.Column) -> str:
        """Return a column as a noun, with what it belongs to if there are several sources."""
        name, source = words(column.name), self.source_of(column)
        if source is _UNKNOWN:
            return f"{words(column.table)} {name}".strip()
        if not self.is_alone:
            return name if name.lower().startswith(source.noun.lower()) else f"{source.noun} {name}"
        results = source.query.results if source.query else ()
        result = next((each for each in results if each.name == column.name.lower()), Result("", name))
        if ";" in result.text:
            return called(column.name)
        return f"({result.text})" if result.is_open else result.text

    def rows(self) -> str:
        """Return what the rows that are read are: "orders"; "rows" if that is unknown."""
        known = (each.rows for each in self.sources.values() if each.is_once and not each.side)
        return next(known, "rows")

    def sorted_by(self, order: exp.Expr | None, select: exp.Query | None = None) -> tuple[str, ...]:
        """Return what rows are sorted by; names and numbers may stand for results of `select`."""
        said = []
        for key in order.expressions if order else ():
            meant = referred(select, key.this) if select else key.this
            said.append(self.phrase(meant) + (DESCENDING if key.args.get("desc") else ""))
        return tuple(said)

    # Functions and figures.

    def _function(self, node: exp.Expr) -> str:
        """Return what is worked out of other values, or ""."""
        kind, special = type(node).__name__, dict[str, str]()
        match node:
            case exp.Count() if not node.expressions:
                return self._counted(node.this)
            case exp.Cast() if node.is_type(*_HARMLESS_TYPES) and not node.args["to"].expressions:
                return self.phrase(node.this)
            case exp.Round() if not node.args.get("truncate"):
                special = {"this": self._part(without_casts(node.this), node)}
            case exp.Max() | exp.Min() if is_time(node.this.name):
                kind = f"{kind} of times"
        return self._filled(WORDS["phrases"].get(kind, ""), node, special)

    def _filled(self, template: str, node: exp.Expr, special: Mapping[str, str]) -> str:
        """Return a template with the parts of a node, or with special ones; "" if it does not name exactly these."""
        found = {key: each for key, each in node.args.items() if each and key not in _FLAGS}
        parts = special or {key: self._argument(each, node) for key, each in found.items()}
        return template.format(**parts) if parts.keys() == set(_FIELD.findall(template)) else ""

    def _argument(self, found: object, whole: exp.Expr) -> str:
        if isinstance(found, list):
            texts = list(map(self.phrase, found))
            return or_list(texts) if len(texts) <= _VALUES_MAX else f"one of {len(texts)} values"
        return self._part(found, whole) if isinstance(found, exp.Expr) else str(found)

    def _part(self, node: exp.Expr, whole: exp.Expr) -> str:
        """Return a part of an expression, in brackets if words beside it could be taken for its own."""
        text = self.phrase(node)
        if isinstance(node, exp.Binary):
            return text if isinstance(whole, exp.Binary) else f"({text})"
        return f"({text})" if isinstance(node, exp.Query) or " with " in text else text

    def _counted(self, counted: exp.Expr | None) -> str:
        """Return what COUNT counts: "number of orders", "number of orders with a known note"."""
        if counted is None or isinstance(counted, exp.Star | exp.Literal):
            return f"number of {self.rows()}"
        is_distinct = isinstance(counted, exp.Distinct)
        column = counted.expressions[0] if is_distinct and len(counted.expressions) == 1 else counted
        source = self.source_of(column)
        if is_distinct:
            is_whole = is_key(column, source.table)
            return f"number of different {source.rows}" if is_whole else f"number of {self.phrase(counted)}"
        if source.is_once and is_key(column, source.table):
            return f"number of {source.rows}"
        return f"number of {self.rows()} with a known {self.phrase(counted)}"

    def _of_some_rows(self, node: exp.Expr) -> str:
        """Return a figure of those rows that meet a condition, "sum of total with status “open”", or ""."""
        figure, test = _figure_of_some(node)
        if test is None:
            return ""
        parts = self.conditions(conjuncts(test))
        is_long = len(parts) > 1 or isinstance(test.unnest(), exp.Or)
        return f"{self.phrase(figure)} with {f'({and_list(parts)})' if is_long else and_list(parts)}"

    def _case(self, node: exp.Expr) -> str:
        branches, default = _branches(node)
        parts = [f"{self.phrase(then)} if {self._condition(test)}" for test, then in branches]
        if not isinstance(default, exp.Null):
            parts.append(f"else {self.phrase(default)}")
        return f"({', '.join(parts)})"

    def _window(self, window: exp.Expr) -> str:
        """Return what is worked out over other rows, or ""."""
        order, by, spec = map(window.args.get, ("order", "partition_by", "spec"))
        kind, known = type(window.this).__name__, WORDS["windows"]
        is_plain = not window.args.get("alias") and window.args.get("over") in (None, "OVER")
        is_running = order and (spec is None or spec.sql() in known["running"])
        if not is_plain or kind not in (*known["figures"], *known["places"]) or (spec and not is_running):
            return ""
        text = self.phrase(window.this)
        if kind in known["figures"]:
            text = f"{'running ' if is_running else '' if by else 'overall '}{text}"
        over = [f"by {and_list(self.sorted_by(order))}"] if order else []
        over += [f"within each {and_list(map(self.phrase, by))}"] if by else []
        return f"{text} ({' '.join(over)})" if over else text

    # Conditions, as they follow "with".

    def conditions(self, parts: Sequence[exp.Expr]) -> tuple[str, ...]:
        """Return conditions that all hold; those on times come first."""
        periods, rest = find_periods(parts)
        said = [f"{self.phrase(date)} {period}" for date, period in periods]
        for each in rest:
            is_open = isinstance(each, exp.Or) and len(parts) > 1  # it is to be seen how far OR reaches
            said.append(f"({self._said(each)})" if is_open else self._said(each))
        return tuple(dict.fromkeys(said))

    def _condition(self, node: exp.Expr) -> str:
        """Return a condition, whatever it is made of."""
        return and_list(self.conditions(conjuncts(node)))

    def _said(self, node: exp.Expr) -> str:
        match node:
            case exp.Or():
                sides = [(self._condition(side), isinstance(side, exp.And)) for side in node.flatten()]
                return " or ".join(f"({text})" if is_open else text for text, is_open in sides)
            case exp.Not():
                inner = node.this.unnest()
                return self._compared(inner, is_denied=True) or f"not ({self._condition(inner)})"
        return self._compared(node) or self.code(node)

    def _compared(self, node: exp.Expr, *, is_denied: bool = False) -> str:
        """Return a condition on values, or that it does not hold; "" if there are no words for it."""
        kind, special = self._kind_of(node)
        holds, *denied = WORDS["conditions"].get(kind) or [""]
        if holds and is_denied != bool(node.args.get("negate")):
            holds = denied[0] if denied else f"not ({holds})"
        return self._filled(holds, node, special)

    def _kind_of(self, node: exp.Expr) -> tuple[str, dict[str, str]]:
        """Return the name of the words for a condition, "" without, and what they take if not the parts of the node."""
        left, right, kind = node.this, node.expression, type(node).__name__
        match node:
            case exp.Column():
                return "Truth", {"this": self.phrase(node)}
            case exp.Exists():
                return kind, {"this": self._found(self.describe(left))}
            case exp.Like() | exp.ILike():
                return kind, {"this": self._part(left, node), "pattern": self._pattern(right)}
            case exp.In():
                is_unsure = _NOTHING in map(value, node.expressions)
                return "" if is_unsure else "Among" if node.args.get("query") else kind, {}
            case exp.Is() if isinstance(right, exp.Null):
                source = self.source_of(left)
                is_sought = source.side == "LEFT" and is_key(left, source.table)
                return ("Match", {"this": source.rows}) if is_sought else ("Empty", {"this": self._part(left, node)})
        if not isinstance(node, exp.Binary) or value(right) == _NOTHING:
            return kind if isinstance(node, exp.Between) else "", {}
        date_part, number = part_of_date(left), value(right).strip("“”")
        if kind == "EQ" and date_part and date_part[0] == "year" and number.isdigit():
            return "Year", {"this": self.phrase(date_part[1]), "year": number}
        is_of_column = isinstance(left, exp.Column)
        if kind in ("EQ", "Is") and is_of_column and number:
            return "Value", {}
        is_timely = day_of(right) or (is_of_column and is_time(left.name) and not right.is_number)
        return f"{kind} of times" if is_timely and kind in _ORDERED else kind, {}

    def _pattern(self, pattern: exp.Expr) -> str:
        """Return how a text reads that meets a pattern."""
        text = pattern.name
        core = text.strip("%")
        if not pattern.is_string or not core or _PATTERN_SIGNS & set(core):
            return f"like {self.phrase(pattern)}"
        return f"{_PATTERNS.get((text[0] != '%', text[-1] != '%'), 'containing')} “{harmless(core)}”"

    def _found(self, query: Description) -> str:
        """Return the rows that EXISTS looks for."""
        is_plain = query.is_simple and not query.measures
        return f"{query.rows}{query.where()}" if is_plain else f"row of ({query.inline()})"

    def matched(self, source: Source) -> tuple[str, ...]:
        """Return the conditions of an outer join beyond equal columns."""
        parts = conjuncts(source.on) if source.is_optional else []
        return self.conditions([part for part in parts if not is_tie(part, self.sources)])


def _figure_of_some(node: exp.Expr) -> tuple[exp.Expr, exp.Expr | None]:
    """Return a figure and which rows it is of, of SUM(CASE WHEN … THEN total END) too; None if it is of all."""
    if isinstance(node, exp.Filter) and isinstance(node.this, exp.AggFunc):
        return node.this, node.expression.this
    is_figure = type(node).__name__ in WORDS["windows"]["figures"] and not node.expressions
    is_chosen = is_figure and isinstance(node.this, exp.Case | exp.If)
    branches, default = _branches(node.this) if is_chosen else ([], exp.null())
    is_sum = isinstance(node, exp.Sum)
    if len(branches) != 1 or not (isinstance(default, exp.Null) or (is_sum and value(default) == "0")):
        return node, None
    test, then = branches[0]
    return exp.Count(this=exp.Star()) if is_sum and value(then) == "1" else type(node)(this=then.copy()), test


def _branches(case: exp.Expr) -> tuple[list[tuple[exp.Expr, exp.Expr]], exp.Expr]:
    """Return the conditions of a CASE or an IF, each with its value, and the value if none of them holds."""
    pairs = [(each.this, each.args["true"]) for each in case.args.get("ifs") or [case]]
    if isinstance(case, exp.Case) and case.this:
        pairs = [(exp.EQ(this=case.this.copy(), expression=test.copy()), then) for test, then in pairs]
    return pairs, case.args.get("default") or case.args.get("false") or exp.null()


def value(node: exp.Expr) -> str:
    """Return a literal as a reader sees it, "" of what is none."""
    node = without_casts(node)
    if node.is_string:
        return node.name if day_of(node) else f"“{harmless(node.name)}”"
    if isinstance(node, exp.Null):
        return _NOTHING
    return node.sql().lower() if node.is_number or isinstance(node, exp.Boolean) else ""
