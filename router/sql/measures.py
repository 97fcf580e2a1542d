"""Results of a query as nouns for a headline: "revenue", "number of orders", "average age", "running total of revenue".

A name that the writer of the SQL gave is used where it claims no more than the expression does; otherwise the
expression is said, or the name stands in quotes.
"""

from functools import cache

from sqlglot import exp

from router.language.phrases import listed
from router.sql.query_names import harmless, is_time, key_of, one, several, words
from router.sql.query_shape import QueryShape, Source, called, sums_up

_KINDS: dict[str, tuple[type[exp.Expr], ...]] = {
    "totals": (exp.Sum, exp.Count),
    "averages": (exp.Avg,),
    "highest": (exp.Max,),
    "lowest": (exp.Min,),
    "counts": (exp.Count, exp.Sum),
    "amounts": (exp.Sum, exp.Avg),
    "medians": (exp.Median, exp.PercentileCont),
}
"""The aggregates that the words of a list may be said of."""


@cache
def _sums(word: str) -> frozenset[type[exp.Expr]]:
    """Return the aggregates that a word of a name may be said of."""
    return frozenset(each for kind, kinds in _KINDS.items() if word in listed(f"sql.{kind}") for each in kinds)


class Measures:
    """Puts the results of one SELECT into nouns; `kept`: names stay in their own case and number."""

    def __init__(self, shape: QueryShape, *, kept: bool) -> None:
        """Keep the shape."""
        self.shape, self.kept = shape, kept

    def entity(self, alias: str = "") -> str:
        """Return what the rows of the query are, in the plural: "orders"; "rows" where that is unknown."""
        alias = alias or self.shape.entity
        if alias not in self.shape.sources:
            return "rows"
        source = self.shape.sources[alias]
        if source.table:
            return several(self.table(source.table), kept=self.kept)
        inner = source.query
        if isinstance(inner, exp.Select) and inner is not self.shape.select and not _reshaped(inner):
            return Measures(QueryShape(inner, self.shape.made), kept=self.kept).entity()
        return "rows"

    def table(self, name: str) -> str:
        """Return a table's name as a noun, in its own number."""
        return words(name, kept=self.kept)

    def column(self, column: exp.Column) -> str:
        """Return a column as a noun, with what it belongs to where that is not what the rows are."""
        name = words(column.name, kept=self.kept)
        source = self.shape.source_of(column)
        if source is None or not source.table or len(self.shape.sources) == 1 or source.alias == self.shape.entity:
            return name
        role = self.role(source)
        return (
            name if set(role.lower().split()) & set(name.lower().split()[:-1] or [name.lower()]) else f"{role} {name}"
        )

    def role(self, source: Source) -> str:
        """Return what one row of a source is called."""
        return one(self.table(source.table), kept=True) if self.kept else self.shape.role(source.alias)

    def of(self, item: exp.Expr) -> str:
        """Return a result as a noun."""
        node = item.unalias()
        if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
            return self._made(node) or self.column(node)
        said = self._said(node)
        alias = item.alias
        if alias and alias.lower() not in listed("sql.vague") and self._honest(alias, node):
            return words(alias, kept=self.kept)
        if said:
            return said
        return called(alias) if alias else "a calculated value"

    def _made(self, column: exp.Column) -> str:
        """Return a column of an inner query as what it is there, or ""."""
        source = self.shape.source_of(column)
        if source is None or not isinstance(source.query, exp.Select):
            return ""
        items = [each for each in source.query.expressions if each.alias_or_name.lower() == column.name.lower()]
        if len(items) != 1 or source.query is self.shape.select or isinstance(items[0].unalias(), exp.Column):
            return ""
        return Measures(QueryShape(source.query, self.shape.made), kept=self.kept).of(items[0])

    def _honest(self, alias: str, node: exp.Expr) -> bool:
        """Tell whether each word of a name is in the expression or the tables, or says how rows are summed up."""
        kinds = {type(each) for each in node.find_all(exp.AggFunc)}
        if not kinds:
            return False
        at_hand = {word for each in node.find_all(exp.Column) for word in _stems(each.name)}
        tables = [each.table for each in self.shape.sources.values() if each.table]
        counted = any(isinstance(each, exp.Count) for each in node.find_all(exp.Count))
        known = (
            at_hand | {word for each in tables for word in _stems(each)}
            if not counted
            else at_hand | set(_stems(self.shape.sources[self.shape.entity].table if self.shape.entity else ""))
        )
        if any(isinstance(each, exp.If | exp.Case | exp.Filter | exp.Window) for each in node.walk()):
            return False
        alone = not any(isinstance(each, exp.Mul) for each in node.walk())
        if alone and listed("sql.money") & set(_stems(alias)) and listed("sql.no_money") & at_hand:
            return False
        for word in _stems(alias):
            if word in listed("sql.silent") or word in known:
                continue
            if not _sums(word) & kinds:
                return False
        return any(_sums(word) or word in known for word in _stems(alias))

    def _said(self, node: exp.Expr) -> str:
        match node:
            case exp.Paren() | exp.Round() | exp.Cast():
                return self.of(node.this)
            case exp.Coalesce() if all(isinstance(each, exp.Literal) for each in node.expressions):
                return self.of(node.this)
            case exp.Count():
                return f"number of {self.counted(node)}"
            case exp.Sum() | exp.Avg() | exp.Max() | exp.Min():
                return self._summed(node)
            case exp.Window():
                return self._window(node)
        return self._dated(node)

    def counted(self, node: exp.Expr) -> str:
        """Return what a COUNT counts, in the plural: "orders", "different countries"."""
        inner = node.this
        if isinstance(inner, exp.Distinct):
            if len(inner.expressions) != 1 or not isinstance(inner.expressions[0], exp.Column):
                return "different values"
            column, key = inner.expressions[0], key_of(inner.expressions[0].name)
            return f"different {several(key if len(key) > 3 else self.column(column), kept=self.kept)}"
        if isinstance(inner, exp.Column) and not isinstance(inner.this, exp.Star):
            return self._with_value(inner)
        return self.entity() if isinstance(inner, exp.Star | exp.Literal) and not node.expressions else "rows"

    def _with_value(self, column: exp.Column) -> str:
        source = self.shape.source_of(column)
        if source is None or not source.table:
            return f"{self.entity()} with {self.column(column)}"
        many = self.shape.entity in (source.alias, "") or source.optional
        if not many:
            return f"{self.entity()} with {self.column(column)}" if not key_of(column.name) else self.entity()
        rows = self.entity(source.alias) if self._alone(source) else "rows"
        return rows if column.name.lower() == "id" or key_of(column.name) else f"{rows} with {self.column(column)}"

    def _alone(self, source: Source) -> bool:
        """Tell whether each row of a source occurs once in the join."""
        if source.alias == self.shape.entity:
            return True
        others = {tie.one for tie in self.shape.ties if tie.many == {source.alias}}
        return source.optional and others >= set(self.shape.sources) - {source.alias}

    def _summed(self, node: exp.Expr) -> str:
        inner = node.this
        if isinstance(inner, exp.Distinct):
            return ""
        what = self.of(inner)
        if what == "a calculated value" or (not isinstance(inner, exp.Column) and not what):
            return ""
        if isinstance(inner, exp.Case | exp.If):
            return ""
        if isinstance(node, exp.Sum):
            return what if what.lower().startswith("total") else f"total {what}"
        if isinstance(node, exp.Avg):
            return f"average {what}"
        timely = isinstance(inner, exp.Column) and is_time(inner.name)
        word = {(True, True): "latest", (True, False): "earliest", (False, True): "highest", (False, False): "lowest"}
        return f"{word[timely, isinstance(node, exp.Max)]} {what}"

    def _window(self, node: exp.Window) -> str:
        inner, order, parts = node.this, node.args.get("order"), node.args.get("partition_by") or []
        spec = node.args.get("spec")
        if node.args.get("over") not in (None, "OVER") or node.args.get("alias"):
            return ""
        match inner:
            case exp.RowNumber() | exp.Rank() | exp.DenseRank():
                keys = order.expressions if order else []
                return f"rank by {self.of(keys[0].this)}" if len(keys) == 1 else "rank"
            case exp.Lag() | exp.Lead():
                far = inner.args.get("offset")
                word = "previous" if isinstance(inner, exp.Lag) else "next"
                return f"{word} {self.of(inner.this)}" if far is None or far.name == "1" else ""
            case exp.Sum() | exp.Avg():
                if spec is not None and spec.args.get("start") != "UNBOUNDED":
                    return f"moving {'total' if isinstance(inner, exp.Sum) else 'average'} of {self.of(inner.this)}"
                if order is None and not parts:
                    return f"overall {self._summed(inner)}" if self._summed(inner) else ""
                if order is not None and isinstance(inner, exp.Sum):
                    return f"running total of {self.of(inner.this)}"
        return ""

    def _dated(self, node: exp.Expr) -> str:
        return date_part(node)


def _reshaped(select: exp.Select) -> bool:
    """Tell whether the rows of a query are no rows of a table any more."""
    return any(select.args.get(each) for each in ("group", "distinct")) or any(map(sums_up, select.expressions))


def _stems(name: str) -> list[str]:
    return [one(part) for part in words(name).lower().split()]


_FORMATS = {"%Y": "year", "%Y-%m": "month", "%Y-%m-%d": "day", "%m": "month of the year", "%H": "hour"}


def date_part(node: exp.Expr) -> str:
    """Return the part of a date that an expression takes, "month", or ""."""
    match node:
        case exp.Year() | exp.Quarter():
            return type(node).__name__.lower()
        case exp.Month():
            return "month of the year"
        case exp.DateTrunc() | exp.TimestampTrunc():
            return harmless(node.text("unit").lower())
        case exp.TimeToStr():
            return _FORMATS.get(node.text("format"), "")
        case exp.Extract():
            part = node.this.name.lower()
            return {"year": "year", "month": "month of the year", "quarter": "quarter of the year"}.get(part, "")
        case exp.Cast() | exp.TsOrDsToDate() | exp.Date():
            return date_part(node.this) if isinstance(node.this, exp.Expr) else ""
    return ""
