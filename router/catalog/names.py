"""The words that a database's names are made of."""

from collections.abc import Iterable

from router.catalog.kept import kept
from router.catalog.schema import Schema
from router.catalog.values import name_words


@kept
def names_in(schema: Schema) -> frozenset[str]:
    """Return the words that the names of tables and columns are made of, in lower case and both numbers."""
    names = [table.name for table in schema.tables]
    names += [column.name for table in schema.tables for column in table.columns]
    return frozenset(word for name in names for word in name_words(name))


def names_known(read: Iterable[Schema], connection: str, schema: str) -> frozenset[str]:
    """Return the words of one schema among those that were read; none where it was not."""
    return next((names_in(each) for each in read if (each.connection, each.name) == (connection, schema)), frozenset())
