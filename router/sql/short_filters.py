"""Conditions in a few words for a headline: "with status “open”", "without orders", "2025"; "" where it takes more."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from sqlglot import exp

from router.language.wording import MONTHS, and_list
from router.sql.measures import Measures, date_part
from router.sql.query_names import harmless, identifies, is_time, key_of, several
from router.sql.query_shape import QueryShape, conditions, is_join_condition, result_of

_VALUE_MAX_CHARS = 40
_VALUES_MAX = 3


FILTERED: Final = ", filtered"
"""The end of a line that leaves conditions out."""


@dataclass(frozen=True, slots=True)
class Filters:
    """The conditions of a query in short words; `more` where some are left out."""

    with_: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()
    more: bool = False

    def attached(self) -> str:
        """Return them as they follow a noun: " with status “open” and without items, 2025"."""
        parts = [f"{word} {and_list(each)}" for word, each in (("with", self.with_), ("without", self.without)) if each]
        said = f" {' and '.join(parts)}" if parts else ""
        return said + "".join(f", {each}" for each in self.periods) + (FILTERED if self.more else "")

    def aside(self) -> str:
        """Return them as they follow a noun that they do not belong to: ", only with status “open”, 2025"."""
        said = self.attached()
        return f", only{said}" if self.with_ or self.without else said


NO_FILTERS = Filters()


def filters_of(shape: QueryShape, measures: Measures, *, inside: bool = True) -> Filters:
    """Return the conditions of a query's WHERE and its joins, and of the queries `inside` that it reads from."""
    parts = [each for each in conditions(shape.select.args.get("where")) if not _across(each, unsaid=False)]
    for join in shape.select.args.get("joins") or ():
        if join.side != "LEFT":
            parts = [*parts, *(each for each in conditions(join.args.get("on")) if not _across(each, unsaid=True))]
    own = Shorter(shape, measures).all(parts)
    # What an outer join asks for beyond its keys leaves rows out of what is counted, though none of the first table.
    asked = [
        each
        for join in shape.select.args.get("joins") or ()
        if join.side == "LEFT" and join.this.alias_or_name.lower() not in shape.unmatched
        for each in conditions(join.args.get("on"))
        if not _across(each, unsaid=True)
    ]
    own = replace(own, more=True) if asked else own
    return _merged(own, _inside(shape, measures)) if inside else own


def _across(part: exp.Expr, *, unsaid: bool) -> bool:
    """Tell whether a condition says that columns of two sources are equal; `unsaid`: also where no source is named."""
    if not isinstance(part, exp.EQ) or not is_join_condition(part):
        return False
    tables = [part.this.table.lower(), part.expression.table.lower()]
    return tables[0] != tables[1] and (unsaid or all(tables))


def _inside(shape: QueryShape, measures: Measures) -> Filters:
    """Return the conditions of the query that this one reads from; of several, that there are some."""
    queries = [each.query for each in shape.sources.values() if each.query is not None]
    if (
        len(queries) == len(shape.sources) == 1
        and isinstance(queries[0], exp.Select)
        and queries[0] is not shape.select
    ):
        inner = QueryShape(queries[0], shape.made)
        found = filters_of(inner, Measures(inner, kept=measures.kept))
        return replace(found, more=found.more or any(queries[0].args.get(each) for each in ("limit", "having")))
    cut = any(each.find(exp.Where, exp.Limit, exp.Having, exp.SetOperation) for each in queries)
    return Filters(more=cut)


def _merged(first: Filters, second: Filters) -> Filters:
    periods = tuple(dict.fromkeys((*first.periods, *second.periods)))
    return Filters(
        tuple(dict.fromkeys((*first.with_, *second.with_))),
        tuple(dict.fromkeys((*first.without, *second.without))),
        periods if len(periods) < 2 else (),
        first.more or second.more or len(periods) > 1,
    )


class Shorter:
    """Says the conditions of one query shortly."""

    def __init__(self, shape: QueryShape, measures: Measures) -> None:
        """Keep the shape."""
        self.shape, self.measures = shape, measures

    def all(self, parts: list[exp.Expr]) -> Filters:
        """Return the conditions that all hold."""
        with_: list[str] = []
        without: list[str] = []
        periods, rest = spans(parts)
        more = False
        for part in rest:
            absent = self._absent(part)
            if absent:
                without.append(absent)
                continue
            period = self._period(part)
            present = "" if period else self._present(part) or self._said(part, alone=len(parts) == 1)
            if period:
                periods.append(period)
            elif present:
                with_.append(present)
            else:
                more = True
        if len(periods) > 1:  # of which date each is takes too many words
            periods, more = [], True
        return Filters(tuple(dict.fromkeys(with_)), tuple(dict.fromkeys(without)), tuple(periods), more)

    # Rows of another table that there are, or are not.

    def _absent(self, part: exp.Expr) -> str:
        if isinstance(part, exp.Is) and isinstance(part.expression, exp.Null) and isinstance(part.this, exp.Column):
            return self._unmatched(part.this) or f"a known {self.measures.column(part.this)}"
        if isinstance(part, exp.Not):
            inner = part.this.unnest()
            return self._related(inner) if isinstance(inner, exp.In | exp.Exists) else ""
        return ""

    def _present(self, part: exp.Expr) -> str:
        return self._related(part) if isinstance(part, exp.In | exp.Exists) else ""

    def _unmatched(self, column: exp.Column) -> str:
        """Return the rows that a LEFT JOIN found none of, where IS NULL asks for that."""
        source = self.shape.source_of(column)
        if source is None or source.alias not in self.shape.unmatched:
            return ""
        joins = self.shape.select.args["joins"]
        on = conditions(next(j.args.get("on") for j in joins if j.this.alias_or_name.lower() == source.alias))
        tying = self.shape.join_ties(source.alias)
        noun = several(self.measures.table(source.table), kept=self.measures.kept)
        return _of_those(noun, self.all([each for each in on if each not in tying]), whole=bool(tying))

    def _related(self, part: exp.Expr) -> str:
        """Return the rows of an inner query that belong to a row of this one: "orders in 2025"."""
        query = part.args.get("query") if isinstance(part, exp.In) else part.this
        query = query.this if isinstance(query, exp.Subquery) else query
        if not isinstance(query, exp.Select) or any(query.args.get(each) for each in ("group", "limit", "joins")):
            return ""
        shape = QueryShape(query, self.shape.made)
        if len(shape.sources) != 1 or not next(iter(shape.sources.values())).table:
            return ""
        (alias,) = shape.sources
        outer = [each for each in self.shape.sources if each != alias]
        parts = conditions(query.args.get("where"))
        tied = [each for each in parts if _ties(each, alias, outer)]
        if isinstance(part, exp.In):
            if tied or not isinstance(part.this, exp.Column) or not self._keyed(part, query, shape):
                return ""
        elif len(tied) != 1 or not any(key_of(c.name) or c.name.lower() == "id" for c in tied[0].find_all(exp.Column)):
            return ""
        measures = Measures(shape, kept=self.measures.kept)
        inner = Shorter(shape, measures).all([each for each in parts if each not in tied])
        return _of_those(measures.entity(alias), inner, whole=True)

    def _keyed(self, part: exp.In, query: exp.Select, inner: QueryShape) -> bool:
        """Tell whether IN compares keys of one thing: customers' ids, and not theirs with those of stores."""
        item = query.expressions[0].unalias() if len(query.expressions) == 1 else None
        source, (other,) = self.shape.source_of(part.this), inner.sources.values()
        if not isinstance(item, exp.Column) or source is None or not source.table:
            return False
        keys = [key_of(part.this.name), key_of(item.name)]
        if keys[0] and keys[0] == keys[1]:
            return True
        ours, theirs = identifies(item.name, source.table), identifies(part.this.name, other.table)
        return (part.this.name.lower() == "id" and ours > 0) or (item.name.lower() == "id" and theirs > 0)

    # Values.

    def _said(self, part: exp.Expr, *, alone: bool = False) -> str:
        """Return a condition as what follows "with", or ""."""
        if isinstance(part, exp.Or) and alone:
            return self._either(part)
        if isinstance(part, exp.Not):
            return self._not(part.this.unnest())
        column = part.this
        if isinstance(column, exp.Lower | exp.Upper) and isinstance(part, exp.EQ | exp.Like):
            column = column.this
        if not isinstance(column, exp.Column) or isinstance(column.this, exp.Star):
            return ""
        window = result_of(self.shape, column)
        if isinstance(window, exp.Window):
            return self._place(part, window)
        return self._compared(part, self.measures.of(column), is_time(column.name))

    def _place(self, part: exp.Expr, window: exp.Window) -> str:
        """Return "the latest start date of each doctor", where a rank within a group is asked for."""
        order, by = window.args.get("order"), window.args.get("partition_by") or []
        right = part.args.get("expression")
        count = right.name if isinstance(right, exp.Literal) else ""
        ranked = isinstance(window.this, exp.RowNumber | exp.Rank | exp.DenseRank)
        keys, select = order.expressions if order else [], window.find_ancestor(exp.Select)
        plain = select is not None and len(keys) == len(by) == 1 and isinstance(by[0], exp.Column)
        if not ranked or not plain or not count.isdigit() or not isinstance(part, exp.EQ | exp.LTE):
            return ""
        if isinstance(part, exp.EQ) and count != "1":
            return ""
        assert select is not None
        inner = Measures(QueryShape(select, self.shape.made), kept=self.measures.kept)
        key = keys[0]
        item = next((each for each in select.expressions if each.alias and each.unalias() == key.this), key.this)
        timely = isinstance(key.this, exp.Column) and is_time(key.this.name)
        down, what = bool(key.args.get("desc")), inner.of(item)
        end = ("latest" if down else "earliest") if timely else ("highest" if down else "lowest")
        group = key_of(by[0].name) or inner.column(by[0])
        return f"the {end if count == '1' else f'{count} {end}'} {what} of each {group}"

    def _compared(self, part: exp.Expr, name: str, timely: bool) -> str:
        match part:
            case exp.Between() if not part.args.get("symmetric"):
                low, high = value(part.args["low"]), value(part.args["high"])
                return f"{name} from {low} to {high}" if low and high else ""
            case exp.In() if part.expressions and not part.args.get("query"):
                return _among(name, part.expressions)
            case exp.Like() | exp.ILike():
                return _like(name, part.expression, "not " if part.args.get("negate") else "")
        words_for: dict[type[exp.Expr], str] = {
            exp.EQ: "{} {}",
            exp.NEQ: "{} other than {}",
            exp.GT: "{} after {}" if timely else "{} over {}",
            exp.GTE: "{} from {} on" if timely else "{} of at least {}",
            exp.LT: "{} before {}" if timely else "{} under {}",
            exp.LTE: "{} up to {}" if timely else "{} of at most {}",
        }
        if type(part) not in words_for:
            return ""
        right = value(part.args["expression"]) or self._extreme(part, part.args["expression"])
        return words_for[type(part)].format(name, right) if right else ""

    def _extreme(self, part: exp.Expr, right: exp.Expr) -> str:
        """Return "the average" of the same column of the same table, all of it, or ""."""
        query = right.this if isinstance(right, exp.Subquery) else right
        if not isinstance(query, exp.Select) or len(query.expressions) != 1 or len(self.shape.sources) != 1:
            return ""
        if any(query.args.get(each) for each in ("where", "group", "limit", "joins", "having", "with_")):
            return ""
        item, start = query.expressions[0].unalias(), query.args.get("from_")
        (source,) = self.shape.sources.values()
        same = start is not None and start.this.name.lower() == source.table.lower() != ""
        kinds = {exp.Avg: "the average", exp.Max: "the highest", exp.Min: "the lowest"}
        if not same or type(item) not in kinds or not isinstance(item.this, exp.Column):
            return ""
        if item.this.name.lower() != part.this.name.lower():
            return ""
        said = kinds[type(item)]
        return said if isinstance(item, exp.Avg) or not isinstance(part, exp.EQ) else f"at {said}"

    def _either(self, part: exp.Or) -> str:
        sides = [each.unnest() for each in part.flatten()]
        same = all(isinstance(each, exp.EQ) and isinstance(each.this, exp.Column) for each in sides)
        if same and len({each.this for each in sides}) == 1:
            return _among(self.measures.of(sides[0].this), [each.args["expression"] for each in sides])
        said = [self._said(each) for each in sides]
        return " or ".join(said) if all(said) and len(said) <= _VALUES_MAX else ""

    def _not(self, part: exp.Expr) -> str:
        if isinstance(part, exp.Is) and isinstance(part.expression, exp.Null) and isinstance(part.this, exp.Column):
            source = self.shape.source_of(part.this)
            if source is not None and source.optional and source.table:
                return ""
            return f"a known {self.measures.column(part.this)}"
        if not isinstance(part.this, exp.Column):
            return ""
        name = self.measures.of(part.this)
        if isinstance(part, exp.In) and part.expressions and not part.args.get("query"):
            return _among(name, part.expressions, "other than ")
        if isinstance(part, exp.Like | exp.ILike) and not part.args.get("negate"):
            return _like(name, part.expression, "not ")
        return ""

    def _period(self, part: exp.Expr) -> str:
        """Return the year, where a condition asks for one."""
        named = isinstance(part.this, exp.Column) and part.this.name.lower() == "year"
        if isinstance(part, exp.EQ) and (named or date_part(part.this) == "year"):
            year = part.expression.name if isinstance(part.expression, exp.Literal) else ""
            return year if year.isdigit() and len(year) == 4 else ""
        return ""


def _of_those(noun: str, filters: Filters, *, whole: bool) -> str:
    """Return rows with all of their conditions, or "matching" ones: to leave some out would claim too much."""
    if not whole:
        return ""
    if filters.more or len(filters.with_) + len(filters.without) > 1:
        return f"matching {noun}"
    said = filters.attached()
    for period in filters.periods:
        joint = " " if period.startswith(("since", "before", "after", "up to", "from")) else " in "
        said = said.replace(f", {period}", f"{joint}{period}")
    return noun + said


def _ties(part: exp.Expr, alias: str, outer: list[str]) -> bool:
    columns = isinstance(part, exp.EQ) and is_join_condition(part)
    return columns and any(side.table.lower() in outer for side in (part.this, part.expression))


def value(node: exp.Expr) -> str:
    """Return a literal as a reader sees it, "" of what is none or is long."""
    if isinstance(node, exp.Cast | exp.Date) and isinstance(node.this, exp.Literal):
        return value(node.this)
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
        return f"-{node.this.this}"
    if isinstance(node, exp.Boolean):
        return "true" if node.this else "false"
    if not isinstance(node, exp.Literal) or len(node.this) > _VALUE_MAX_CHARS:
        return ""
    if not node.is_string:
        return str(node.this)
    return node.this if day_of(node) else f"“{harmless(node.this)}”"


def _among(name: str, nodes: list[exp.Expr], before: str = "") -> str:
    values = [value(each) for each in nodes]
    if not all(values):
        return ""
    if len(values) > _VALUES_MAX:
        return f"{name} {before}one of {len(values)} values" if not before else ""
    return f"{name} {before}" + (f"{', '.join(values[:-1])} or {values[-1]}" if len(values) > 1 else values[0])


def _like(name: str, pattern: exp.Expr, negation: str) -> str:
    text = pattern.this if isinstance(pattern, exp.Literal) else ""
    core = text.strip("%")
    if not core or any(sign in core for sign in "%_") or len(core) > _VALUE_MAX_CHARS:
        return ""
    verb = {(False, False): "containing", (True, False): "starting with", (False, True): "ending with"}
    how = verb.get((not text.startswith("%"), not text.endswith("%")), "")
    return f"{name} {negation}{how} “{harmless(core)}”" if how else ""


# Days.


def day_of(node: exp.Expr) -> date | None:
    """Return the day that a literal stands for, or None."""
    inner = node.this if isinstance(node, exp.Cast | exp.Date) else node
    if not isinstance(inner, exp.Literal) or not inner.is_string or len(inner.this) != 10:
        return None
    try:
        return date.fromisoformat(inner.this)
    except ValueError:
        return None


def spans(parts: list[exp.Expr]) -> tuple[list[str], list[exp.Expr]]:
    """Return the periods that conditions ask for, each in words, and the other conditions."""
    found: list[str] = []
    rest: list[exp.Expr] = []
    bounds: dict[str, dict[type[exp.Expr], date]] = {}
    places: dict[str, list[exp.Expr]] = {}
    for part in parts:
        this, right = part.this, part.args.get("expression")
        if isinstance(part, exp.Between) and not part.args.get("symmetric"):
            days: dict[type[exp.Expr], date | None] = {
                exp.GTE: day_of(part.args["low"]),
                exp.LTE: day_of(part.args["high"]),
            }
        elif type(part) in (exp.GTE, exp.LT, exp.LTE, exp.GT) and isinstance(right, exp.Expr):
            days = {type(part): day_of(right)}
        else:
            days = {}
        known = {kind: day for kind, day in days.items() if day is not None}
        key = this.sql() if isinstance(this, exp.Expr) else ""
        if not known or len(known) != len(days) or set(known) & set(bounds.get(key, {})):
            rest.append(part)
            continue
        bounds.setdefault(key, {}).update(known)
        places.setdefault(key, []).append(part)
    for key, limits in bounds.items():
        said = _span(limits)
        found += [said] if said else []
        rest += [] if said else places[key]
    return found, rest


def _span(limits: dict[type[exp.Expr], date]) -> str:
    kinds = frozenset(limits)
    if kinds == {exp.GTE, exp.LT}:
        return period(limits[exp.GTE], limits[exp.LT])
    if kinds == {exp.GTE, exp.LTE}:
        start, end = limits[exp.GTE], limits[exp.LTE]
        return f"{start} to {end}"
    word: dict[type[exp.Expr], str] = {exp.GTE: "since", exp.GT: "after", exp.LT: "before", exp.LTE: "up to"}
    return f"{word[next(iter(kinds))]} {next(iter(limits.values()))}" if len(kinds) == 1 else ""


def period(start: date, end: date) -> str:
    """Return the time from one day up to another that is not part of it: "2025", "Q3 2025", "March 2026"."""
    months = (end.year - start.year) * 12 + end.month - start.month
    if start.day == end.day == 1:
        if months == 12 and start.month == 1:
            return str(start.year)
        if months == 3 and start.month % 3 == 1:
            return f"Q{start.month // 3 + 1} {start.year}"
        if months == 1:
            return f"{MONTHS[start.month - 1]} {start.year}"
    return f"from {start} until before {end}"
