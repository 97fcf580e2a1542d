"""The database servers that are read through their DBAPI drivers, by the backends of their URLs."""

from dataclasses import replace

from router.sql.dialect import DIALECTS, ServerDialect

SERVERS: dict[str, ServerDialect] = {
    backend: dialect.server for dialect in DIALECTS.values() if dialect.server for backend in dialect.backends
}


def spoken(server: ServerDialect, version: str) -> ServerDialect:
    """Return what holds of the server that answered: one driver, and a URL of either, lead to MySQL and to MariaDB.

    They differ in how a statement is told its time-out, and neither takes the other's words.
    """
    return next((replace(server, **own) for word, own in server.kin.items() if word in version.lower()), server)
