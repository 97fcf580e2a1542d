"""SQLite keeps dates as text and has none of the usual functions for them; here they are, from those it has."""

from sqlglot import exp, parse_one

_FORMATS = {"YEAR": "%Y", "MONTH": "%m", "DAY": "%d", "HOUR": "%H", "MINUTE": "%M", "DOW": "%w", "DOY": "%j"}
_PARTS: dict[type[exp.Expr], str] = {exp.Year: "YEAR", exp.Month: "MONTH", exp.Day: "DAY", exp.Quarter: "QUARTER"}
_STARTS = {"YEAR": ", 'start of year'", "MONTH": ", 'start of month'", "DAY": "", "WEEK": ", 'weekday 0', '-6 days'"}
_UNITS = ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")


def as_sqlite(node: exp.Expr) -> exp.Expr:
    """Return what means the same in SQLite, or the node itself where it is fine or cannot be said."""
    if type(node) in _PARTS:
        return _part(_bare(node.this), _PARTS[type(node)]) or node
    match node:
        case exp.Extract():
            return _part(_bare(node.expression), node.this.name.upper()) or node
        case exp.DateTrunc() | exp.TimestampTrunc():
            return _start(_bare(node.this), node.text("unit").upper()) or node
        case exp.Add() | exp.Sub() if isinstance(node.expression, exp.Interval):
            step = node.expression
            return _moved(node.this, step.this, step.text("unit"), isinstance(node, exp.Sub)) or node
        case exp.DateAdd() | exp.DateSub():
            holder = node.expression if isinstance(node.expression, exp.Interval) else node
            amount = holder.this if holder is not node else node.expression
            return _moved(node.this, amount, holder.text("unit") or "DAY", isinstance(node, exp.DateSub)) or node
        case exp.Left():
            return _built("SUBSTR(x, 1, n)", node.this, n=node.expression)
        case exp.Right():
            return _built("SUBSTR(x, -n)", node.this, n=node.expression)
    return node


def _part(value: exp.Expr, part: str) -> exp.Expr | None:
    if part == "QUARTER":
        return _built("((CAST(STRFTIME('%m', x) AS INTEGER) + 2) / 3)", value)
    return _built(f"CAST(STRFTIME('{_FORMATS[part]}', x) AS INTEGER)", value) if part in _FORMATS else None


def _start(value: exp.Expr, unit: str) -> exp.Expr | None:
    if unit == "QUARTER":
        back = "'-' || ((CAST(STRFTIME('%m', x) AS INTEGER) - 1) % 3) || ' months'"
        return _built(f"DATE(x, 'start of month', {back})", value)
    return _built(f"DATE(x{_STARTS[unit]})", value) if unit in _STARTS else None


def _moved(value: exp.Expr, amount: exp.Expr, unit: str, back: bool) -> exp.Expr | None:
    """Return a date some units later or earlier; None where the number is not written out."""
    sign = -1 if back else 1
    if isinstance(amount, exp.Neg):
        amount, sign = amount.this, -sign
    unit, text = unit.upper().removesuffix("S"), amount.name if isinstance(amount, exp.Literal) else ""
    if unit == "WEEK" and text.isdigit():
        unit, text = "DAY", str(int(text) * 7)
    if unit == "QUARTER" and text.isdigit():
        unit, text = "MONTH", str(int(text) * 3)
    if unit not in _UNITS or not text.lstrip("-").isdigit():
        return None
    kind = "DATE" if unit in ("YEAR", "MONTH", "DAY") else "DATETIME"
    return _built(f"{kind}(x, '{sign * int(text):+d} {unit.lower()}s')", _bare(value))


def _bare(node: exp.Expr) -> exp.Expr:
    """Return a date without the conversions that another dialect's parser put around it."""
    while isinstance(node, exp.TsOrDsToDate | exp.TsOrDsToTimestamp | exp.TimeStrToTime):
        node = node.this
    return as_sqlite(node)


def _built(template: str, value: exp.Expr, n: exp.Expr | None = None) -> exp.Expr:
    """Return the template's tree with `x` and `n` filled in."""
    names = {"x": value, "n": n}

    def fill(node: exp.Expr) -> exp.Expr:
        put = names.get(node.name) if isinstance(node, exp.Column) else None
        return node if put is None else put.copy()

    tree: exp.Expr = parse_one(template, read="sqlite").transform(fill)
    return tree
