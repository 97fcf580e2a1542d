"""What a bot has to know before it can talk: the databases with everybody's rights, their tables, what SQL would do."""

from importlib.metadata import version

from adapters.api import answers
from adapters.api.bodies import Place, Tables, Trial
from adapters.api.call import Call, Done, Site
from adapters.api.places import connection_of, schema_of
from adapters.api.problems import failed, unfit
from adapters.api.rows import json_adapter
from adapters.wire import WIRE
from adapters.wire.house import House, channels_on_wire, connection_on_wire, rules_on_wire
from router.catalog.connection import Connection
from router.catalog.targets import demand_schema
from router.errors import JobFailed
from router.policy import demand_read, demand_write
from router.sql.guard import check


def show_house(site: Site, call: Call) -> Done:
    """Answer with all connections and the rules that hold, but for what the token may not have done at all."""
    connections, scopes = site.tools.connections, call.token.scopes
    office = site.tools.office if "email" in scopes else None
    house = House(
        version=version("icc-bot"),
        wire=WIRE,
        token=call.token.name,
        scopes=sorted(scopes),
        connections=[
            connection_on_wire(each, "write" in scopes and each.write_url is not None) for each in connections.values()
        ],
        default=connections.default.name if connections.default else "",
        channels=channels_on_wire(connections.channels),
        office=None if office is None else rules_on_wire(office),
    )
    return Done(house)


def schema_names(site: Site, call: Call) -> Done:
    """Answer with the schemas of a connection; with `fresh`, as the database has them now."""
    return Done(answers.Schemas(schemas=list(site.tools.catalog.schemas(_looked_up(site, call).name))))


def schema_tables(site: Site, call: Call) -> Done:
    """Answer with all that is known of a schema's tables."""
    schema = schema_of(site, _looked_up(site, call), call.query.schema_name)
    return Done(answers.Known(tables=json_adapter.dump_python(schema.without_values(), mode="json")))


def table_there(site: Site, call: Call) -> Done:
    """Answer with what lies in a table that the person may write to."""
    asked: Place = call.query
    connection = connection_of(site, call, int(call.path["connection"]))
    demand_write(call.user, connection)
    demand_schema(connection, asked.schema_name)
    there = site.tools.catalog.existing(connection.name, asked.schema_name, asked.table, call.user)
    return Done(answers.There(there=json_adapter.dump_python(there, mode="json")))


def try_out(site: Site, call: Call) -> Done:
    """Answer with what the database expects of a query; the guard judges it here once more."""
    asked: Trial = call.body
    connection = site.tools.connections.demand(asked.connection)
    demand_read(call.user, connection)
    schema = schema_of(site, connection, asked.schema_name)
    verdict = check(asked.sql, schema.dialect, schema.scope)
    if not verdict.allowed:
        raise unfit(verdict.reason)
    try:
        found = site.dry_run(connection.name, schema.scope, verdict.sql)
    except JobFailed as error:
        raise failed(error) from error
    return Done(answers.Expected(rows=found.rows, cost=found.cost, note=found.note))


def _looked_up(site: Site, call: Call) -> Connection:
    connection = site.tools.connections.by_id(int(call.path["connection"]))
    asked: Tables = call.query
    if asked.fresh == "true":
        site.tools.catalog.refresh(connection.name)
    return connection
