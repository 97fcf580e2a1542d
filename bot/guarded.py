"""What the guard's command line lets pass of a connection."""

from contextlib import ExitStack, closing

from bot.clock import now
from bot.settings import read_settings
from bot.wiring import connections_of
from router.catalog.catalog import Catalog
from router.catalog.tables import Tables
from router.errors import SettingsError
from router.sql.dialect import Name
from router.sql.guard import Scope


def scope_of(name: str) -> tuple[Name, Scope]:
    """Return the dialect and the readable tables of a connection, for the guard's command line."""
    settings = read_settings()
    tables: Tables
    with ExitStack() as stack:
        if address := settings.jobs_api:
            from bot.remote_jobs import remote_jobs

            site = remote_jobs(settings, address, lambda text: None, now, stack)
            connections, tables = site.connections, site.catalog
        else:
            connections = connections_of(settings)
            tables = stack.enter_context(closing(Catalog(connections)))
        if name not in connections:
            raise SettingsError([f"There is no connection {name}; there are: {', '.join(connections)}."])
        schema = tables.schema(name)
        return schema.dialect, schema.scope
