"""What a person chose for words, as the model is told it, and as whoever approves reads it."""

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.agents.repair.names import quoted
from router.catalog.schema import Schema
from router.memory import Meant
from router.sql.dialect import Name
from router.sql.reading import statement


def condition(meant: Meant, schema: Schema) -> str:
    """Return a choice as the model is told it."""
    column = _name(meant.table, meant.column, schema)
    if meant.value:
        value = meant.value.replace("'", "''")
        return f"{meant.words} means {column} = '{value}'"
    through = f", joined by {_name(meant.owner, meant.through, schema)}" if meant.through else ""
    return f"{meant.words} means {column}{through}"


def choice(meant: Meant, sql: str, dialect: Name) -> str:
    """Return a choice as whoever approves is told it; of a column that the SQL does not use, that it does not."""
    column = f"`{meant.table}.{meant.column}`"
    if meant.value:
        return f"“{meant.words}” is taken as {meant.value} ({column}), as you chose."
    through = f" by `{meant.owner}.{meant.through}`" if meant.through else ""
    if not _uses(sql, dialect, meant.owner or meant.table, meant.through or meant.column):
        return f"You chose {column}{through} for “{meant.words}”, and this SQL does not use it. Try again, or edit it."
    return f"“{meant.words}” is taken as {column}{through}, as you chose."


def _name(table: str, column: str, schema: Schema) -> str:
    return f"{quoted(table, schema.dialect)}.{quoted(column, schema.dialect)}"


def _uses(sql: str, dialect: Name, table: str, column: str) -> bool:
    """Tell whether SQL names a column of a table; what cannot be told, as behind a star, is taken to be so."""
    try:
        tree = statement(sql, dialect)
    except (SqlglotError, RecursionError):
        return True
    if isinstance(tree, str):
        return True
    names = {each.alias_or_name.lower() for each in tree.find_all(exp.Table) if each.name.lower() == table.lower()}
    named = {
        each.table.lower()
        for each in tree.find_all(exp.Column)
        if each.name.lower() == column.lower() or isinstance(each.this, exp.Star)
    }
    joined = any(
        each.name.lower() == column.lower() for join in tree.find_all(exp.Join) for each in join.args.get("using") or ()
    )
    starred = any(isinstance(each, exp.Star) for select in tree.find_all(exp.Select) for each in select.expressions)
    return bool(names) and (starred or joined or bool(named & {*names, ""}))
