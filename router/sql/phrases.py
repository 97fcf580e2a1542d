"""Expressions of a query in plain words; what has no plain words is shown as it is written."""

from dataclasses import dataclass

from sqlglot import exp

from router.sql.dialect import Name

_LONGEST = 90
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


@dataclass(frozen=True, slots=True)
class Terms:
    """How one query speaks: its dialect, and what its aliases stand for where it has several tables."""

    dialect: Name
    tables: dict[str, str]

    def code(self, node: exp.Expr) -> str:
        """Return the expression as it is written, or "a calculation" where that is long."""
        text = node.sql(dialect=self.dialect, comments=False)
        return f"`{text}`" if len(text) <= _LONGEST and "`" not in text else "a calculation"

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
            return f"“{node.this}”" if node.is_string else str(node.this)
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
            return f"the number of {counted(node, terms)}"
        case exp.Cast() if node.to.this in _HARMLESS:
            return phrase(node.this, terms)
        case exp.Coalesce() if len(node.expressions) == 1 and isinstance(node.expressions[0], exp.Literal):
            return f"{phrase(node.this, terms)} (or {phrase(node.expressions[0], terms)} where empty)"
        case exp.Nullif() if isinstance(node.expression, exp.Literal):
            return f"{phrase(node.this, terms)} (empty where {phrase(node.expression, terms)})"
        case exp.Round():
            return f"{phrase(node.this, terms)}, rounded"
    return ""


def counted(count: exp.Expr, terms: Terms) -> str:
    """Return what a COUNT counts: "rows", "different customers"."""
    inner = count.this
    if isinstance(inner, exp.Star) or inner is None or isinstance(inner, exp.Literal):
        return "rows"
    if count.expressions or isinstance(inner, exp.Order):
        return terms.code(count)
    if isinstance(inner, exp.Distinct):
        return "different " + listed([phrase(each, terms) for each in inner.expressions])
    return f"rows with {phrase(inner, terms)}"


def listed(parts: list[str]) -> str:
    """Return "a", "a and b", or "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def spoken(name: str) -> str:
    """Return a name with blanks for underscores."""
    return " ".join(name.replace("_", " ").split()) or name


def singular(name: str) -> str:
    """Return one of what a table's name speaks of, as far as English spelling tells."""
    low = name.lower()
    if low.endswith("ies") and len(low) > 4:
        return name[:-3] + "y"
    if low.endswith(("sses", "xes", "ches", "shes")):
        return name[:-2]
    return name if low.endswith(("ss", "us", "is")) or not low.endswith("s") else name[:-1]


def _calculated(node: exp.Expr, terms: Terms) -> str:
    if type(node) in _AGGREGATES and not isinstance(node.this, exp.Distinct | exp.Order) and not node.expressions:
        return _AGGREGATES[type(node)].format(phrase(node.this, terms))
    if type(node) in _ARITHMETIC:
        left, right = phrase(node.this, terms), phrase(node.args["expression"], terms)
        return f"{left} {_ARITHMETIC[type(node)]} {right}"
    return ""


def _dated(node: exp.Expr, terms: Terms) -> str:
    """Return a part of a date as words, or ""."""
    part = ""
    match node:
        case exp.Year() | exp.Month() | exp.Quarter():
            part = {"Year": "year", "Month": "month of the year", "Quarter": "quarter of the year"}[type(node).__name__]
        case exp.DateTrunc() | exp.TimestampTrunc():
            part = node.text("unit").lower()
        case exp.TimeToStr():
            part = _PARTS.get(node.text("format"), "")
        case exp.Extract():
            part = {"YEAR": "year", "MONTH": "month of the year", "QUARTER": "quarter of the year"}.get(
                node.this.name.upper(), ""
            )
            return f"the {part} of {phrase(node.expression, terms)}" if part else ""
        case exp.TsOrDsToDate() | exp.TsOrDsToTimestamp() | exp.Date() | exp.TimeStrToTime():
            bare = isinstance(node.this, exp.Column) and not node.expressions
            return phrase(node.this, terms) if bare else ""
    return f"the {part} of {phrase(node.this, terms)}" if part else ""
