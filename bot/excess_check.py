"""Checks what a reading user could do if the guard failed, and prints the statements that take it away."""

from collections.abc import Iterator

from adapters.finding import Finding
from router.catalog.allowed import allows_table
from router.catalog.catalog import Catalog
from router.catalog.connection import Connection
from router.errors import BotError, SettingsError


def check_excess(connection: Connection, catalog: Catalog) -> Iterator[Finding]:
    """Yield a finding for each kind of thing that is too much; nothing where the database does not answer."""
    about = f"connection {connection.name}"
    try:
        schemas = frozenset(name.lower() for name in catalog.schemas(connection.name))
        excess = catalog.database(connection.name).excess(
            lambda schema, table: schema.lower() in schemas and allows_table(connection.tables, schema, table)
        )
    except (BotError, SettingsError):
        return  # the doctor has said so
    for each in excess:
        yield Finding("FAILED" if each.grave else "warning", about, each.sentence, remedies=each.remedies)
