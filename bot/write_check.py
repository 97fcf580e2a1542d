"""Checks the users who may write: whether they get in, and whether there is a schema for their rows."""

from collections.abc import Iterator

from adapters.finding import Finding
from router.catalog.catalog import Catalog
from router.catalog.connection import Connection
from router.catalog.targets import takes_rows, targets
from router.errors import BotError, SettingsError

PROBE = "icc_bot_doctor"
"""A table that is looked for, so that the schema is looked at; nothing is written."""


def check_writing(connection: Connection, catalog: Catalog) -> Iterator[Finding]:
    """Yield what is to be said of a connection that people may write to; nothing of others."""
    about = f"writing to {connection.name}"
    if connection.write_url is None:
        if connection.writers:
            yield Finding("warning", about, "there are writers, but no write_url, so that nobody writes.")
        return
    if not connection.writers:
        yield Finding("warning", about, "there is a write_url, but no writers, so that nobody writes.")
        return
    try:
        schemas = [schema for schema in catalog.schemas(connection.name) if takes_rows(connection, schema)]
        with targets(catalog.connections)(connection.name) as target:
            for schema in schemas:
                target.table(schema, PROBE)
    except (BotError, SettingsError) as error:
        yield Finding("FAILED", about, str(error))
        return
    if not schemas:
        yield Finding("FAILED", about, "none of its readable schemas is among write_schemas, so that nobody writes.")
    else:
        yield Finding("ok", about, f"the writing user gets in; rows may go to {', '.join(schemas)}.")
