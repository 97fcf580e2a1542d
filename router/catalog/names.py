"""The words that a database's names are made of."""

from router.catalog.kept import kept
from router.catalog.schema import Schema
from router.catalog.values import name_words


@kept
def names_in(schema: Schema) -> frozenset[str]:
    """Return the words that the names of tables and columns are made of, in lower case and both numbers."""
    names = [table.name for table in schema.tables]
    names += [column.name for table in schema.tables for column in table.columns]
    return frozenset(word for name in names for word in name_words(name))
