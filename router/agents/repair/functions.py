"""Functions of another database, written as this one knows them."""

from sqlglot import ErrorLevel, exp, parse, parse_one
from sqlglot.errors import SqlglotError

from router.agents.repair.query import Query
from router.agents.repair.sqlite_dates import as_sqlite
from router.sql.dialect import DIALECTS, Name

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
"""Where a function comes from that the parser of another dialect does not know."""
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
    """Return EXTRACT for YEAR(x) and its like where only that is known."""
    parts: dict[type[exp.Expr], str] = {exp.Year: "YEAR", exp.Month: "MONTH", exp.Day: "DAY", exp.Quarter: "QUARTER"}
    part = parts.get(type(node))
    if part is None or dialect not in ("postgres", "oracle") or (dialect == "oracle" and part == "QUARTER"):
        return node
    return exp.Extract(this=exp.var(part), expression=node.this.copy())
