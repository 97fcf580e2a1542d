"""Expressions of a query as nouns: "revenue", "number of orders", "average age", "running total of revenue".

What has no words is shown as it is written.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlglot import exp

from router.language.wording import and_list
from router.sql.dialect import Name
from router.sql.explain.description import Description, Result, SelectDescription, is_short
from router.sql.explain.names import (
    WORDS,
    called,
    harmless,
    identifies,
    is_time,
    key_of,
    names_it,
    one,
    several,
    words,
)
from router.sql.explain.shape import QueryShape, ShapeSource
from router.sql.explain.steps import inline
from router.sql.explain.times import day_of, part_of_date, without_casts

_CODE_MAX_CHARS = 90
_HARMLESS_TYPES = ("date", "timestamp", "timestamptz", "text", "varchar", "float", "double")
"""Types whose conversion changes nothing that a reader cares for."""


@dataclass(frozen=True, slots=True)
class Expressions:
    """Puts the expressions of one SELECT into words; `is_brief`: without what a title has no room for."""

    shape: QueryShape
    inner: Mapping[str, Description]
    """The descriptions of the inner queries that it reads, by their aliases."""
    dialect: Name
    describe: Callable[[exp.Expr], Description]
    condition: Callable[[exp.Expr, "Expressions"], str]
    is_brief: bool = False

    def phrase(self, node: exp.Expr) -> str:
        """Return an expression as a noun."""
        if said := value(node):
            return said
        match node:
            case exp.Column() if not node.is_star:
                return self.column(node)
            case exp.Alias() | exp.Ordered():
                return self.phrase(node.this)
            case exp.Paren():
                return f"({self.phrase(node.this)})"
            case exp.Query():
                return inline(self.describe(node))
            case exp.Window():
                return self._window(node) or self.code(node)
            case exp.Count():
                return f"number of {self.counted(node)}"
        if (part := part_of_date(node)) is not None:
            return part[0] if self.is_brief else f"{part[0]} of {self.phrase(part[1])}"
        if found := self.some(node):
            return f"{found[0]} with {self.condition(found[1], self)}"
        return self._function(node) or self.code(node)

    def code(self, node: exp.Expr) -> str:
        """Return the expression as it is written, or "a calculation" if that is long."""
        text = node.sql(dialect=self.dialect, comments=False)
        return f"`{text}`" if len(text) <= _CODE_MAX_CHARS and not set("\n`") & set(text) else "a calculation"

    def _function(self, node: exp.Expr) -> str:
        """Return a function that has words of its own as words, or ""."""
        inner, template = node.this, WORDS["phrases"].get(type(node).__name__)
        match node:
            case exp.Coalesce() if len(node.expressions) == 1 and (filled := value(node.expressions[0])):
                return self.phrase(inner) + ("" if self.is_brief else f" (or {filled} where empty)")
            case exp.Round():
                return self.phrase(inner) + ("" if self.is_brief else ", rounded")
            case exp.Cast() if node.is_type(*_HARMLESS_TYPES):
                return self.phrase(inner)
            case exp.Date() | exp.TsOrDsToDate() | exp.TsOrDsToTimestamp() if without_casts(node) is not node:
                return self.phrase(without_casts(node))
            case exp.Case() if inner is None and len(node.args["ifs"]) == 1:
                branch, default = node.args["ifs"][0], node.args.get("default") or exp.null()
                return (
                    f"({self.phrase(branch.args['true'])} with {self.condition(branch.this, self)}, "
                    f"or else {self.phrase(default)})"
                )
        if not template or isinstance(inner, exp.Distinct | exp.Order):
            return ""
        return (
            self._summed(node, template)
            if isinstance(node, exp.AggFunc)
            else template.format(self.phrase(inner), self.phrase(node.args["expression"]))
        )

    def _summed(self, node: exp.Expr, template: str) -> str:
        what = self.phrase(node.this)
        if isinstance(node, exp.Max | exp.Min) and isinstance(node.this, exp.Column) and is_time(node.this.name):
            template = "latest {}" if isinstance(node, exp.Max) else "earliest {}"
        if what.lower().startswith("total") and isinstance(node, exp.Sum):
            template = "sum of {}"
        return template.format(f"of {what}" if isinstance(node.this, exp.Binary) else what)

    # Columns.

    def column(self, column: exp.Column) -> str:
        """Return a column as a noun, with what it belongs to if that is not what the rows are."""
        name, source, result = words(column.name), self.shape.source_of(column), self.result(column)
        is_alone = len(self.shape.sources) == 1
        if result is not None and (self.is_brief or is_alone) and result.kind in ("measure", "calculated"):
            return result.short
        first = next((alias for alias, each in self.shape.sources.items() if each.query), "")
        if source is None and column.table:
            return f"{words(column.table)} {name}"
        if source is None or is_alone or source.alias == (self.shape.entity or first):
            return name
        role, parts = self.shape.role(source.alias), name.lower().split()
        return name if source.table and set(role.lower().split()) & set(parts[:-1] or parts) else f"{role} {name}"

    def result(self, column: exp.Column) -> Result | None:
        """Return the result of an inner query that a column is, or None."""
        source = self.shape.source_of(column)
        inner = self.inner.get(source.alias) if source is not None else None
        results = inner.results if isinstance(inner, SelectDescription) else ()
        return next((each for each in results if each.name == column.name.lower()), None)

    def thing(self, column: exp.Column) -> str:
        """Return what a column stands for: "customer" for their ids and names."""
        source, key, result = self.shape.source_of(column), key_of(column.name), self.result(column)
        if result is not None:
            return result.stands_for or result.short
        table = source.table if source is not None else ""
        if source is not None and table and (identifies(column.name, table) or names_it(column.name, table)):
            return self.shape.role(source.alias)
        return key if key and column.name.lower().endswith("id") else self.column(column)

    def is_key(self, column: exp.Column) -> bool:
        """Return whether a column is the key of its table by its name."""
        source = self.shape.source_of(column)
        return source is not None and bool(source.table) and identifies(column.name, source.table)

    # Counts.

    def rows(self, alias: str = "") -> str:
        """Return what the rows of the query, or of one source, are, in the plural: "orders"; "rows" if unknown."""
        source = self.shape.sources.get(alias or self.shape.entity)
        if source is None or source.table:
            return several(words(source.table)) if source is not None else "rows"
        inner = self.inner.get(source.alias)
        return inner.rows_out if isinstance(inner, SelectDescription) else "rows"

    def counted(self, node: exp.Expr) -> str:
        """Return what a COUNT counts, in the plural: "orders", "different countries"."""
        inner = node.this
        if node.expressions or isinstance(inner, exp.Order):
            return f"{self.code(node)}"
        if isinstance(inner, exp.Distinct):
            column = inner.expressions[0]
            key = key_of(column.name) if isinstance(column, exp.Column) else ""
            if len(inner.expressions) == 1 and isinstance(column, exp.Column):
                return f"different {several(key if len(key) > 3 else self.column(column))}"
            return f"different {and_list(map(self.phrase, inner.expressions))}"
        if isinstance(inner, exp.Column) and not inner.is_star:
            return self._with_value(inner)
        return self.rows() if inner is None or inner.is_star or value(inner) else f"rows with {self.phrase(inner)}"

    def _with_value(self, column: exp.Column) -> str:
        """Return the rows in which a column has a value: those of its own table if each comes once."""
        source, is_key = self.shape.source_of(column), bool(key_of(column.name)) or column.name.lower() == "id"
        if source is None or not source.table:
            return f"{self.rows()} with {self.column(column)}"
        if source.is_optional or not self.shape.entity or source.alias == self.shape.entity:
            rows = self.rows(source.alias) if self._is_single(source) else "rows"
            return rows if is_key and rows != "rows" else f"{rows} with {self.column(column)}"
        return self.rows() if is_key else f"{self.rows()} with {self.column(column)}"

    def _is_single(self, source: ShapeSource) -> bool:
        """Return whether each row of a source occurs once in the join."""
        others = {tie.one for tie in self.shape.ties if tie.many == source.alias}
        single = source.is_optional and others >= set(self.shape.sources) - {source.alias}
        return single or source.alias == self.shape.entity

    # Figures of some of the rows, and of other rows.

    def some(self, node: exp.Expr) -> tuple[str, exp.Expr] | None:
        """Return the figure and the condition of a sum over those rows that meet a condition; None of any other."""
        if isinstance(node, exp.Filter) and isinstance(node.this, exp.AggFunc):
            return self.phrase(node.this), node.expression.this
        case = node.this if type(node).__name__ in WORDS["phrases"] or isinstance(node, exp.Count) else None
        if not isinstance(case, exp.Case) or case.this is not None or len(case.args["ifs"]) != 1:
            return None
        branch, default = case.args["ifs"][0], case.args.get("default") or exp.null()
        then = branch.args["true"]
        if not isinstance(default, exp.Null) and not (isinstance(node, exp.Sum) and value(default) in ("0", "0.0")):
            return None
        if value(then):
            counts = isinstance(node, exp.Count) or (isinstance(node, exp.Sum) and then.name == "1")
            return (f"number of {self.rows()}", branch.this) if counts else None
        return self.phrase(type(node)(this=then.copy())), branch.this

    def _window(self, window: exp.Window) -> str:
        """Return what is worked out over other rows, or ""."""
        inner, order, parts = window.this, window.args.get("order"), window.args.get("partition_by") or []
        pace = _pace(window.args.get("spec"))
        if window.args.get("over") not in (None, "OVER") or window.args.get("alias") or not pace:
            return ""
        keys = self.sorted_by(order.expressions if order else [])
        by = f" by {keys}" if keys else ""
        within = f" within each {and_list(map(self.phrase, parts))}" if parts and not self.is_brief else ""
        tail = within if self.is_brief else by + within
        match inner:
            case exp.RowNumber() | exp.Rank() | exp.DenseRank():
                return f"rank{by}{within}"
            case exp.Lag() | exp.Lead() if not inner.args.get("offset") or inner.args["offset"].name == "1":
                return f"{'previous' if isinstance(inner, exp.Lag) else 'next'} {self.phrase(inner.this)}{tail}"
            case exp.AggFunc() if not keys:
                return f"{'' if parts else 'overall '}{self.phrase(inner)}{within}"
            case exp.Sum() | exp.Avg():
                word = "total" if isinstance(inner, exp.Sum) else "average"
                return f"{pace} {word} of {self.phrase(inner.this)}{tail}"
        return ""

    def sorted_by(self, keys: list[exp.Expr]) -> str:
        """Return what rows are sorted by within an expression."""
        return and_list(
            self.phrase(key) + " descending" * bool(key.args.get("desc") and not self.is_brief) for key in keys
        )

    # Names that the writer of the SQL gave to results.

    def title_of(self, item: exp.Expr) -> str:
        """Return a result as a noun for a title: by its name if that claims no more than the expression does."""
        node, alias, said = item.unalias(), item.alias, self.phrase(item)
        if isinstance(node, exp.Column | exp.Count):
            return said
        if alias and alias.lower() not in WORDS["results"]["vague"] and self._is_honest(alias, node):
            return words(alias)
        if is_short(said) and not (alias and node.find(exp.Query, exp.Add, exp.Sub, exp.Mul, exp.Div)):
            return said
        return called(alias) if alias else "a calculated value"

    def _is_honest(self, alias: str, node: exp.Expr) -> bool:
        """Return whether each word of a name is in the expression or the tables, or says how rows are summed up."""
        lists, kinds = WORDS["results"], {type(each).__name__ for each in node.find_all(exp.AggFunc)}
        if not kinds or node.find(exp.If, exp.Case, exp.Filter, exp.Window, exp.Select):
            return False
        said = set(_stems(alias)) - set(lists["silent"])
        columns = {word for each in node.find_all(exp.Column) for word in _stems(each.name)}
        if said & set(lists["money"]) and columns & set(lists["no_money"]) and not node.find(exp.Mul):
            return False
        sources = [
            each for each in self.shape.sources.values() if "Count" not in kinds or each.alias == self.shape.entity
        ]
        known = columns | {word for each in sources for word in _stems(each.table)}
        return bool(said) and said <= known.union(*(lists.get(kind, ()) for kind in kinds))


def _pace(spec: exp.Expr | None) -> str:
    """Return whether a figure is "running" up to the row or "moving" along with it; "" of other windows."""
    ends = (spec.args.get("start_side"), spec.args.get("end")) if spec is not None else ("PRECEDING", "CURRENT ROW")
    if ends not in (("PRECEDING", "CURRENT ROW"), ("PRECEDING", None)):
        return ""
    return "running" if spec is None or spec.args.get("start") == "UNBOUNDED" else "moving"


def _stems(name: str) -> list[str]:
    return [one(part) for part in words(name).lower().split()]


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
