"""Oracle calls functions without parentheses: `pkg.f` looks like a column, so before a dot there must be a table."""

from sqlglot import exp

from router.sql import folding
from router.sql.dialect import Name


def problem(tree: exp.Expr, dialect: Name) -> str:
    """Return the sentence for the first column whose qualifier is no table or alias of the statement, or ""."""
    if dialect != "oracle":
        return ""
    aliases, tables = _sources(tree, dialect)
    for column in tree.find_all(exp.Column):
        parts = [folding.key(part, dialect) for part in column.parts if isinstance(part, exp.Identifier)]
        if len(parts) > 1 and parts[0] not in aliases and (parts[0], parts[1]) not in tables:
            name = ".".join(part.name for part in column.parts)[:120]
            first = column.parts[0].name[:60]
            return f"The column {name} could be a function, because {first} is no table of this statement."
    return ""


def _sources(tree: exp.Expr, dialect: Name) -> tuple[set[str], set[tuple[str, str]]]:
    aliases = {
        folding.key(a.this, dialect) for a in tree.find_all(exp.TableAlias) if isinstance(a.this, exp.Identifier)
    }
    tables: set[tuple[str, str]] = set()
    for table in tree.find_all(exp.Table):
        if isinstance(table.this, exp.Identifier):
            aliases.add(folding.key(table.this, dialect))
            if isinstance(schema := table.args.get("db"), exp.Identifier):
                tables.add((folding.key(schema, dialect), folding.key(table.this, dialect)))
    return aliases, tables
