"""Connections, their schemas and tables: as far as a person may know of them, and as a bot has to know them."""

from http import HTTPStatus
from importlib.metadata import version
from typing import Any, Final, Literal

from pydantic import Field, TypeAdapter

from adapters.api.problems import RequestRefused, not_found, unprocessable
from adapters.api.request import ApiAnswer, ApiBody, ApiCall, ApiParameters, Site
from adapters.wire import WIRE_VERSION, SiteInfo, channels_on_wire, connection_on_wire, rules_on_wire
from router.catalog.availability import why_away
from router.catalog.connection import Connection, no_connection
from router.catalog.schema import Schema
from router.errors import JobFailed, NotAllowed
from router.policy import demand_read, demand_write, may_read, may_write
from router.sql.guard import check

TO_JSON: Final[TypeAdapter[Any]] = TypeAdapter(Any)
"""Makes JSON of the router's values."""


class ConnectionAnswer(ApiAnswer):
    """A database, and what the token's person may do there."""

    id: int
    name: str
    label: str
    dialect: str = Field(description="Empty where the connection is away and nobody knows it.")
    away: bool = Field(description="Whether its database cannot be used now, as far as that is known unasked.")
    read: bool
    write: bool
    private: bool
    sensitivity: str


class ConnectionListAnswer(ApiAnswer):
    """Those that the token's person may read or write to."""

    connections: list[ConnectionAnswer]


class SchemaListAnswer(ApiAnswer):
    """The first is the one that is taken where none is named."""

    schemas: list[str]


class TableColumnAnswer(ApiAnswer):
    """A column of a table, with the database's own name of its type."""

    name: str
    type: str
    nullable: bool
    comment: str


class TableAnswer(ApiAnswer):
    """A table or view; `rows` is an estimate, null where the database has none."""

    name: str
    columns: list[TableColumnAnswer]
    primary_key: list[str]
    comment: str
    rows: int | None
    view: bool


class TableListAnswer(ApiAnswer):
    """In alphabetical order."""

    tables: list[TableAnswer]


class KnownSchemaAnswer(ApiAnswer):
    """All that is known of a schema, for a bot of the same version."""

    tables: dict[str, Any]


class ExistingTableAnswer(ApiAnswer):
    """A table that may be written to, for a bot of the same version; null where there is none."""

    there: dict[str, Any] | None


class EstimateAnswer(ApiAnswer):
    """The expectation of the database's planner, where it has one."""

    rows: int | None
    note: str


class SchemaParameters(ApiParameters):
    """The schema that is meant, and how old the answer may be."""

    fresh: Literal["true", "false"] = Field("false", description="Have the database read anew.")
    schema_name: str = Field("", alias="schema", max_length=128, description="Without one, the connection's first.")


class TableParameters(ApiParameters):
    """The table that is meant."""

    schema_name: str = Field(alias="schema", max_length=128)
    table: str = Field(min_length=1, max_length=128)


class TrialBody(ApiBody):
    """SQL that a database is to look at without running it."""

    connection: str = Field(min_length=1, max_length=200, description="The name of the connection.")
    schema_name: str = Field(alias="schema", max_length=128, description="The schema.")
    sql: str = Field(min_length=1, max_length=100_000, description="One SELECT, in the form that the guard gave it.")


def list_connections(site: Site, call: ApiCall) -> ConnectionListAnswer:
    """Answer with those that the person may read or write to, in the order of the file."""
    found = [_connection(each, call) for each in site.backend.connections.values() if _visible(each, call)]
    return ConnectionListAnswer(connections=found)


def list_schemas(site: Site, call: ApiCall, connection: int) -> SchemaListAnswer:
    """Answer with the schemas of a connection."""
    known = connection_of(site, call, connection)
    return SchemaListAnswer(schemas=list(site.backend.catalog.schemas(known.name)))


def list_tables(site: Site, call: ApiCall, connection: int, schema: str) -> TableListAnswer:
    """Answer with the tables of a schema and their columns, as they were read an hour ago at most."""
    found = schema_of(site, connection_of(site, call, connection), schema)
    return TableListAnswer(tables=[TableAnswer.model_validate(table, from_attributes=True) for table in found.tables])


def show_house(site: Site, call: ApiCall) -> SiteInfo:
    """Answer with all connections and the rules that hold, but for what the token may not have done at all."""
    connections, scopes = site.backend.connections, call.token.scopes
    mail_config = site.backend.mail_config if "email" in scopes else None
    return SiteInfo(
        version=version("icc-bot"),
        wire=WIRE_VERSION,
        token=call.token.name,
        scopes=sorted(scopes),
        connections=[
            connection_on_wire(each, "write" in scopes and each.write_url is not None) for each in connections.values()
        ],
        default=connections.default.name if connections.default else "",
        channels=channels_on_wire(connections.channels),
        office=None if mail_config is None else rules_on_wire(mail_config),
    )


def schema_names(site: Site, call: ApiCall, connection: int, query: SchemaParameters) -> SchemaListAnswer:
    """Answer with the schemas of a connection; with `fresh`, as the database has them now."""
    return SchemaListAnswer(schemas=list(site.backend.catalog.schemas(_for_bot(site, connection, query).name)))


def schema_tables(site: Site, call: ApiCall, connection: int, query: SchemaParameters) -> KnownSchemaAnswer:
    """Answer with all that is known of a schema's tables."""
    schema = schema_of(site, _for_bot(site, connection, query), query.schema_name)
    return KnownSchemaAnswer(tables=TO_JSON.dump_python(schema.without_values(), mode="json"))


def table_there(site: Site, call: ApiCall, connection: int, query: TableParameters) -> ExistingTableAnswer:
    """Answer with what lies in a table that the person may write to."""
    known = connection_of(site, call, connection)
    demand_write(call.user, known)
    there = site.backend.catalog.existing(known.name, query.schema_name, query.table, call.user)
    return ExistingTableAnswer(there=TO_JSON.dump_python(there, mode="json"))


def try_out(site: Site, call: ApiCall, body: TrialBody) -> EstimateAnswer:
    """Answer with what the database expects of a query; the guard judges it here once more."""
    connection = site.backend.connections.demand(body.connection)
    demand_read(call.user, connection)
    schema = schema_of(site, connection, body.schema_name)
    verdict = check(body.sql, schema.dialect, schema.scope)
    if not verdict.allowed:
        raise unprocessable(verdict.reason)
    try:
        found = site.dry_run(connection.name, schema.scope, verdict.sql)
    except JobFailed as error:
        raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, str(error), kind=JobFailed.__name__) from error
    return EstimateAnswer.model_validate(found, from_attributes=True)


def connection_of(site: Site, call: ApiCall, number: int) -> Connection:
    """Return the connection of a number; raises NotThere where there is none that the person may read or write to."""
    for connection in site.backend.connections.values():
        if connection.id == number and _visible(connection, call):
            return connection
    raise no_connection(number)


def schema_of(site: Site, connection: Connection, name: str) -> Schema:
    """Return a schema with its tables; raises RequestRefused where there is none of this name that may be read."""
    try:
        return site.backend.catalog.schema(connection.name, name)
    except NotAllowed as error:
        raise not_found(str(error)) from None


def _for_bot(site: Site, number: int, query: SchemaParameters) -> Connection:
    connection = site.backend.connections.by_id(number)
    if query.fresh == "true":
        site.backend.catalog.refresh(connection.name)
    return connection


def _visible(connection: Connection, call: ApiCall) -> bool:
    return may_read(call.user, connection) or may_write(call.user, connection)


def _connection(connection: Connection, call: ApiCall) -> ConnectionAnswer:
    return ConnectionAnswer(
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
