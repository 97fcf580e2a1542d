"""A schema as a model reads it: short, the same bytes every time, each name written as the dialect wants it."""

import re

from router.catalog.schema import Column, Schema, SchemaTable
from router.language.wording import one_line, truncate
from router.llm.call import unmarked
from router.text_to_sql.repair.query import quoted

COMMENT_MAX_CHARS = 60
SAMPLES_MAX_CHARS = 80
"""Characters of sample values a column; values that a question names are shown beside it anyway."""

_SIZE = re.compile(r"\s*\([^)]*\)")


def schema_text(schema: Schema) -> str:
    """Return the tables as CREATE TABLE statements with keys, comments and sample values."""
    return "\n\n".join(table_text(schema, table) for table in schema.tables)


def table_text(schema: Schema, table: SchemaTable) -> str:
    """Return one table as a CREATE TABLE statement."""
    lines = [_column(schema, table, column) for column in table.columns]
    lines += _keys(schema, table)
    comment = f" -- {folded(table.comment)}" if table.comment else ""
    return f"CREATE TABLE {table_name(schema, table.schema, table.name)} ({comment}\n" + "\n".join(lines) + "\n);"


def folded(text: str, longest: int = COMMENT_MAX_CHARS) -> str:
    """Return text of people, or of a database, on one line and cut, without what they cannot see: it is but itself."""
    line = unmarked(one_line(text))
    return truncate(line, longest)


def literal(value: str) -> str:
    """Return a value as SQL writes it, cut; no quote in it ends it."""
    return "'" + folded(value, 40).replace("'", "''") + "'"


def _column(schema: Schema, table: SchemaTable, column: Column) -> str:
    parts = [_name(schema, column.name)]
    if column.type:
        parts.append(_SIZE.sub("", folded(column.type, 30)))  # NUMERIC(10,2) costs seven tokens and tells no more
    if table.primary_key == (column.name,):
        parts.append("PRIMARY KEY")
    parts += [
        f"REFERENCES {table_name(schema, key.target_schema, key.target)}({_name(schema, key.target_columns[0])})"
        for key in table.foreign_keys
        if key.columns == (column.name,) and key.target_columns and schema.table(key.target)
    ]
    remarks = [folded(column.comment)] if column.comment else []
    if column.samples:
        remarks.append(_samples(column))
    return f"  {' '.join(parts)}," + (f" -- {'; '.join(remarks)}" if remarks else "")


def _samples(column: Column) -> str:
    """Return the first values in quotes, and dots if there are more."""
    shown: list[str] = []
    for value in column.samples:
        if shown and len(", ".join([*shown, literal(value)])) > SAMPLES_MAX_CHARS:
            return ", ".join([*shown, "…"])
        shown.append(literal(value))
    return ", ".join(shown)


def _keys(schema: Schema, table: SchemaTable) -> list[str]:
    """Return the keys of several columns."""
    lines = []
    if len(table.primary_key) > 1:
        lines.append(f"  PRIMARY KEY ({_list(schema, table.primary_key)}),")
    lines += [
        f"  FOREIGN KEY ({_list(schema, key.columns)})"
        f" REFERENCES {table_name(schema, key.target_schema, key.target)}({_list(schema, key.target_columns)}),"
        for key in table.foreign_keys
        if len(key.columns) > 1 and schema.table(key.target)
    ]
    return lines


def _list(schema: Schema, names: tuple[str, ...]) -> str:
    return ", ".join(_name(schema, name) for name in names)


def table_name(schema: Schema, home: str, name: str) -> str:
    """Return the name of a table, with the schema before it if that is not the one of bare names."""
    return f"{_name(schema, home)}.{_name(schema, name)}" if home in schema.others else _name(schema, name)


def _name(schema: Schema, name: str) -> str:
    return quoted(" ".join(name.split()), schema.dialect)
