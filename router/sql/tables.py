"""Which tables a statement reads, and whether it may."""

from sqlglot import exp

from router.sql import folding, system
from router.sql.dialect import Name
from router.sql.scope import Scope


def problem(tree: exp.Expr, dialect: Name, scope: Scope | None = None) -> str:
    """Return the sentence for the first table that may not be read, or "".

    With a scope, only its tables may be read; without one, all but the database's own. Names compare as the database
    compares them; databases that ignore case are taken at their word.
    """
    pairs = scope.tables if scope else ()
    allowed = frozenset((folding.known(schema, dialect), folding.known(name, dialect)) for schema, name in pairs)
    for table in tree.find_all(exp.Table):
        if reason := _table(table, dialect, scope, allowed):
            return reason
    return ""


def _table(table: exp.Table, dialect: Name, scope: Scope | None, allowed: frozenset[tuple[str, str]]) -> str:
    schema, name = table.args.get("db"), table.this
    if table.args.get("catalog"):
        return (
            f"The table {_label(table)} is named with a database in front; only this connection's tables may be read."
        )
    if isinstance(name, exp.Func) and not schema:
        return ""  # a function that gives rows: its name is judged with all others, in the text that will run
    if not isinstance(name, exp.Identifier) or not (schema is None or isinstance(schema, exp.Identifier)):
        return f"What is read from must be a table, and {table.sql(dialect)[:60]} is none."
    if schema is None and (_is_cte(table, name, dialect) or system.is_nowhere(name.name, dialect)):
        return ""
    wanted = _key(table, dialect, scope.default if scope else "")
    # A bare name may mean the database's own table even where the scope has a table of that name.
    if not (schema and wanted in allowed) and system.is_system(schema.name if schema else "", name.name, dialect):
        return f"The table {_label(table)} belongs to the database itself, so it may not be read."
    if scope is None or wanted in allowed:
        return ""
    label = ".".join(part for part in wanted if part)[:120]
    return f"The table {label} is not among those that this connection may read.{_spelling(wanted, scope)}"


def qualify(tree: exp.Expr, dialect: Name, scope: Scope | None) -> None:
    """Put the scope's schema before every bare table name, where a session knows no default but the login's own."""
    if scope is None or dialect != "tsql":
        return
    for table in tree.find_all(exp.Table):
        name = table.this
        bare = isinstance(name, exp.Identifier) and not table.args.get("db")
        if bare and not _is_cte(table, name, dialect) and not system.is_nowhere(name.name, dialect):
            table.set("db", exp.to_identifier(scope.default, quoted=True))


def _key(table: exp.Table, dialect: Name, default: str) -> tuple[str, str]:
    schema = table.args.get("db")
    return (
        folding.key(schema, dialect) if schema else folding.known(default, dialect),
        folding.key(table.this, dialect),
    )


def _label(table: exp.Table) -> str:
    return ".".join(part.name for part in table.parts)[:120]


def _spelling(wanted: tuple[str, str], scope: Scope) -> str:
    """Return advice where only upper and lower case differ, because then quotes are missing."""
    for schema, name in sorted(scope.tables):
        if (folding.lower(schema), folding.lower(name)) == (folding.lower(wanted[0]), folding.lower(wanted[1])):
            return f' Its name has to be written as "{name}", with the quotes.'
    return ""


def _is_cte(table: exp.Table, name: exp.Identifier, dialect: Name) -> bool:
    """Tell whether a bare name means a WITH query that is visible at its place.

    In doubt it does not: then the name is judged as a table, which at worst refuses a harmless statement.
    """
    wanted = _cte_key(name, dialect)
    inside: exp.Expr | None = None
    node: exp.Expr | None = table
    while node is not None:
        if isinstance(node, exp.CTE):
            inside = node
        with_ = node.args.get("with_")
        if isinstance(with_, exp.With):
            own = inside if inside is not None and inside.parent is with_ else None
            if any(_cte_key(cte.args["alias"].this, dialect) == wanted for cte in _visible(with_, own, dialect)):
                return True
        node = node.parent
    return False


def _cte_key(name: exp.Identifier, dialect: Name) -> str:
    # Whether MySQL and SQL Server tell A from a depends on the server: only the same spelling is surely the same name.
    return name.name if dialect in ("mysql", "tsql") else folding.key(name, dialect)


def _visible(with_: exp.With, own: exp.Expr | None, dialect: Name) -> list[exp.CTE]:
    """Return the WITH queries that can be named in the body (`own` is None) or inside of the query `own`."""
    queries: list[exp.CTE] = list(with_.expressions)
    if own is None:
        return queries
    index = next(i for i, cte in enumerate(queries) if cte is own)
    # Only a UNION can be recursive; any other query that names itself means a table.
    recursive = with_.args.get("recursive") or dialect in ("oracle", "tsql", "sqlite")
    return queries[: index + 1] if recursive and isinstance(own.this, exp.SetOperation) else queries[:index]
