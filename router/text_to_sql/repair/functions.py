"""Functions of another database, written as this one knows them."""

from sqlglot import ErrorLevel, TokenType, exp, parse, parse_one, tokenize
from sqlglot.errors import SqlglotError

from router.sql.dialect import DIALECTS, Name
from router.text_to_sql.repair.query import Query, column_of

_DATES = ("DATE", "TIME")


def mend_dates(query: Query) -> None:
    """Count days between dates if SQLite would subtract texts."""
    for sub in list(query.tree.find_all(exp.Sub)) if query.dialect == "sqlite" else ():
        if _is_date(query, sub.this) and _is_date(query, sub.expression):
            for side in (sub.this, sub.expression):
                side.replace(exp.Anonymous(this="JULIANDAY", expressions=[side.copy()]))
            query.note("days", "Dates are subtracted as days.")


def _is_date(query: Query, node: exp.Expr) -> bool:
    column = column_of(node, query.schema) if isinstance(node, exp.Column) else None
    return column is not None and any(word in column.type.upper() for word in _DATES)


# SQLite keeps dates as text and has none of the usual functions for them: they are made of those it has.


_FORMATS = {"YEAR": "%Y", "MONTH": "%m", "DAY": "%d", "HOUR": "%H", "MINUTE": "%M", "DOW": "%w", "DOY": "%j"}
DATE_PARTS: dict[type[exp.Expr], str] = {exp.Year: "YEAR", exp.Month: "MONTH", exp.Day: "DAY", exp.Quarter: "QUARTER"}
_STARTS = {"YEAR": ", 'start of year'", "MONTH": ", 'start of month'", "DAY": "", "WEEK": ", 'weekday 0', '-6 days'"}
_UNITS = ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")


def as_sqlite(node: exp.Expr) -> exp.Expr:
    """Return what means the same in SQLite, or the node itself if it is fine or cannot be said."""
    if type(node) in DATE_PARTS:
        return _part(_bare(node.this), DATE_PARTS[type(node)]) or node
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
    """Return a date some units later or earlier; None if the number is not written out."""
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


_HOME: dict[str, Name] = {
    "CHARINDEX": "tsql",
    "CURDATE": "mysql",
    "DATEADD": "tsql",
    "DATETRUNC": "tsql",
    "DATE_ADD": "mysql",
    "DATE_FORMAT": "mysql",
    "DATE_PART": "postgres",
    "DATE_SUB": "mysql",
    "GETDATE": "tsql",
    "ISNULL": "tsql",
    "LEN": "tsql",
    "NOW": "postgres",
    "NVL": "oracle",
    "STRFTIME": "sqlite",
    "TO_CHAR": "postgres",
}
"""The dialect that a function comes from, if the parsers of others do not know it."""
_NATIVE: dict[Name, tuple[str, ...]] = {
    "mysql": ("NOW", "ISNULL"),
    "duckdb": ("NOW", "STRFTIME"),
    "postgres": ("DATE_PART",),
    "oracle": ("TO_CHAR", "NVL"),
    "tsql": ("LEN", "ISNULL"),
    "sqlite": ("STRFTIME",),
}


def read_foreign(sql: str, dialect: Name) -> exp.Expr | None:
    """Return the tree of a text that only another dialect can read, such as SELECT TOP 5, or None."""
    others: tuple[Name, ...] = ("tsql", "mysql", "postgres", "duckdb", "oracle")
    for other in others:
        try:
            trees = parse(sql, read=other)
            if len(trees) == 1 and isinstance(trees[0], exp.Query) and other != dialect:
                return parse_one(written(trees[0], dialect), read=dialect)
        except SqlglotError:
            continue
    return None


OPEN_MAX = 2
"""Brackets that a model forgets to close, at most; what has more of them open was broken off."""


def read_closed(sql: str, dialect: Name) -> exp.Expr | None:
    """Return the tree of a text that can be read once its last brackets are closed, or None."""
    text = sql.rstrip().removesuffix(";")
    try:
        kinds = [token.token_type for token in tokenize(text, read=dialect)]
        missing = kinds.count(TokenType.L_PAREN) - kinds.count(TokenType.R_PAREN)
        return parse_one(text + ")" * missing, read=dialect) if 0 < missing <= OPEN_MAX else None
    except SqlglotError:
        return None


def mend_functions(query: Query) -> None:
    """Replace functions that this database does not have by its own ones."""
    label = DIALECTS[query.dialect].label
    for node in reversed(list(query.tree.find_all(exp.Func, exp.Binary))):  # the inner ones first
        known = _known(node, query.dialect)
        final = as_sqlite(known) if query.dialect == "sqlite" else _extracted(known, query.dialect)
        before, after = _shown(node, query.dialect), written(final, query.dialect)
        if final is not node and before != after:
            node.replace(final)
            name = before.partition("(")[0] if "(" in before and len(before) > 40 else before
            query.note(name, f"`{name}` was written the way {label} knows it.")


def written(node: exp.Expr, dialect: Name) -> str:
    """Return the SQL of a tree; what the dialect lacks is left for the database to refuse."""
    return node.sql(dialect=dialect, unsupported_level=ErrorLevel.IGNORE)


def _known(node: exp.Expr, dialect: Name) -> exp.Expr:
    """Return what a function means in the dialect that it comes from, or the function itself."""
    name = node.name.upper() if isinstance(node, exp.Anonymous) else "TO_CHAR" if isinstance(node, exp.ToChar) else ""
    home = _HOME.get(name)
    if home is None or home == dialect or name in _NATIVE.get(dialect, ()):
        return node
    try:
        return parse_one(_shown(node, dialect), read=home)
    except SqlglotError:
        return node


def _shown(node: exp.Expr, dialect: Name) -> str:
    if isinstance(node, exp.ToChar):
        parts = [node.this, node.args.get("format")]
        return f"TO_CHAR({', '.join(written(part, dialect) for part in parts if part)})"
    return written(node, dialect)


def _extracted(node: exp.Expr, dialect: Name) -> exp.Expr:
    """Return EXTRACT for YEAR(x) and its like if only that is known."""
    part = DATE_PARTS.get(type(node))
    if part is None or dialect not in ("postgres", "oracle") or (dialect == "oracle" and part == "QUARTER"):
        return node
    return exp.Extract(this=exp.var(part), expression=node.this.copy())
