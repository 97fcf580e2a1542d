"""Connections, schemas and tables, as far as the token's person may know of them."""

from adapters.api import answers
from adapters.api.call import Call, Done, Site
from adapters.api.problems import unknown
from router.catalog.away import why_away
from router.catalog.connection import Connection, no_connection
from router.catalog.schema import Schema, Table
from router.errors import NotAllowed
from router.policy import may_read, may_write


def list_connections(site: Site, call: Call) -> Done:
    """Answer with those that the person may read or write to, in the order of the file."""
    found = [_shown(each, call) for each in site.tools.connections.values() if _known(each, call)]
    return Done(answers.Connections(connections=found))


def list_schemas(site: Site, call: Call) -> Done:
    """Answer with the schemas of a connection."""
    connection = place_of(site, call)
    return Done(answers.Schemas(schemas=list(site.tools.catalog.schemas(connection.name))))


def list_tables(site: Site, call: Call) -> Done:
    """Answer with the tables of a schema and their columns, as they were read an hour ago at most."""
    connection = place_of(site, call)
    schema = schema_of(site, connection, call.path["schema"])
    return Done(answers.Tables(tables=[_table(table) for table in schema.tables]))


def connection_of(site: Site, call: Call, number: int) -> Connection:
    """Return the connection of a number; raises NotThere where there is none that the person may read or write to."""
    for connection in site.tools.connections.values():
        if connection.id == number and _known(connection, call):
            return connection
    raise no_connection(number)


def place_of(site: Site, call: Call) -> Connection:
    """Return the connection of the address; raises NotThere as `connection_of` does."""
    return connection_of(site, call, int(call.path["connection"]))


def schema_of(site: Site, connection: Connection, name: str) -> Schema:
    """Return a schema with its tables; raises Refused where there is none of this name that may be read."""
    try:
        return site.tools.catalog.schema(connection.name, name)
    except NotAllowed as error:
        raise unknown(str(error)) from None


def _known(connection: Connection, call: Call) -> bool:
    return may_read(call.user, connection) or may_write(call.user, connection)


def _shown(connection: Connection, call: Call) -> answers.Connection:
    return answers.Connection(
        id=connection.id,
        name=connection.name,
        label=connection.label,
        dialect="" if connection.away else connection.dialect.name,
        away=bool(why_away(connection)),
        read=may_read(call.user, connection),
        write=may_write(call.user, connection),
        private=connection.private,
        sensitivity=connection.sensitivity,
    )


def _table(table: Table) -> answers.Table:
    columns = [
        answers.TableColumn(name=each.name, type=each.type, nullable=each.nullable, comment=each.comment)
        for each in table.columns
    ]
    key, comment = list(table.primary_key), table.comment
    return answers.Table(
        name=table.name, columns=columns, primary_key=key, comment=comment, rows=table.rows, view=table.view
    )
