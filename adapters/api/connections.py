"""Connections, their schemas and tables, and queries that are only looked at: as far as a person may know of them."""

from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import version
from typing import Annotated

from aiohttp import web
from pydantic import Field, RootModel

from adapters.api.problems import QueryRefused
from adapters.api.request import ApiAnswer, ApiBody, ApiCall, ApiParameters
from adapters.wire import SchemaNames, SiteInfo, channels_on_wire, connection_on_wire, rules_on_wire
from router.catalog.availability import why_away
from router.catalog.connection import Connection, no_connection
from router.catalog.schema import Schema, SchemaTable
from router.errors import JobFailed
from router.jobs.runner import JobBackend
from router.policy import may_read, may_write, require_read, require_write
from router.sql.databases.session import Estimate
from router.sql.guard import check
from router.sql.writing.order import Existing


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


class SchemaAnswer(RootModel[Schema]):
    """A schema with its tables in alphabetical order; the rows of a table are an estimate, null if there is none."""


class TargetAnswer(ApiAnswer):
    """A table that may be written to; null if there is none."""

    table: Existing | None


class EstimateAnswer(RootModel[Estimate]):
    """The expectation of the database's planner, if it has one."""


class SchemaListParameters(ApiParameters):
    """The age that the answer may have."""

    fresh: bool = Field(False, description="Have the database read again.")


class SchemaParameters(SchemaListParameters):
    """The schema that is meant, and how old the answer may be."""

    schema_name: str = Field("", alias="schema", max_length=128, description="Without one, the connection's first.")


class TableParameters(ApiParameters):
    """The table that is meant."""

    schema_name: str = Field(alias="schema", max_length=128)
    table: str = Field(min_length=1, max_length=128)


ConnectionName = Annotated[int, Field(ge=1, le=2**31 - 1)] | Annotated[str, Field(min_length=1, max_length=200)]
"""The number of a connection, or its name."""


class QueryBody(ApiBody):
    """A query on one schema of a connection."""

    connection: ConnectionName = Field(description="The number of the connection, or its name.", examples=[1])
    schema_name: str = Field(
        "", alias="schema", max_length=128, description="The schema; without one, the connection's first."
    )
    sql: str = Field(
        min_length=1,
        max_length=100_000,
        description="One SELECT, in the dialect of the connection.",
        examples=["SELECT 1 AS one"],
    )


def list_connections(site: JobBackend, call: ApiCall) -> ConnectionListAnswer:
    """Answer with those that the person may read or write to, in the order of the file."""
    found = [_connection(each, call) for each in site.connections.values() if _is_visible(each, call)]
    return ConnectionListAnswer(connections=found)


def list_schemas(site: JobBackend, call: ApiCall, connection: int, query: SchemaListParameters) -> SchemaNames:
    """Answer with the schemas of a connection; with `fresh`, as the database has them now."""
    known = _connection_for(site, call, connection, query)
    return SchemaNames(schemas=site.catalog.schemas(known.name))


def list_tables(site: JobBackend, call: ApiCall, connection: int, query: SchemaParameters) -> SchemaAnswer:
    """Answer with what is known of a schema's tables, as it was read an hour ago at most, or with `fresh` now."""
    known = _connection_for(site, call, connection, query)
    schema = site.catalog.schema(known.name, query.schema_name).without_values()
    if not call.for_everybody:
        schema = replace(schema, tables=_without_hidden(schema.tables), beside=_without_hidden(schema.beside))
    return SchemaAnswer(schema)


def show_target(site: JobBackend, call: ApiCall, connection: int, query: TableParameters) -> TargetAnswer:
    """Answer with what lies in a table that the person may write to."""
    known = connection_of(site, call, connection)
    require_write(call.user, known)
    return TargetAnswer(table=site.catalog.existing(known.name, query.schema_name, query.table, call.user))


def check_query(site: JobBackend, call: ApiCall, body: QueryBody) -> EstimateAnswer:
    """Answer with what the database expects of a query that the guard allows; the query is not run."""
    connection, schema, sql = checked_query(site, call, body)
    try:
        with site.catalog.trial(connection.name, schema.scope, call.user) as trial:
            return EstimateAnswer(trial.check(sql))
    except JobFailed as error:
        raise QueryRefused(str(error)) from error


def show_site(site: JobBackend, call: ApiCall) -> SiteInfo:
    """Answer with all connections and the rules that hold, but for what the token may not have done at all."""
    connections, scopes = site.connections, call.token.scopes
    mail_config = site.mail_config if "email" in scopes else None
    return SiteInfo(
        version=version("icc-bot"),
        token=call.token.name,
        scopes=sorted(scopes),
        connections=[
            connection_on_wire(each, "write" in scopes and each.write_url is not None) for each in connections.values()
        ],
        default=connections.default.name if connections.default else "",
        channels=channels_on_wire(connections.channels),
        mail=None if mail_config is None else rules_on_wire(mail_config),
    )


def checked_query(site: JobBackend, call: ApiCall, body: QueryBody) -> tuple[Connection, Schema, str]:
    """Return where a query runs, and its checked form; raises NotFound, or HTTPException with the guard's reason."""
    connection = connection_of(site, call, body.connection)
    require_read(call.user, connection)
    schema = site.catalog.schema(connection.name, body.schema_name)
    verdict = check(body.sql, schema.dialect, schema.scope)
    if not verdict.allowed:
        raise web.HTTPUnprocessableEntity(text=verdict.reason)
    return connection, schema, verdict.sql


def connection_of(site: JobBackend, call: ApiCall, named: int | str) -> Connection:
    """Return a connection by its number or name; raises NotFound if there is none that the person may use."""
    connections = site.connections
    found = connections.by_id(named) if isinstance(named, int) else connections.require(named)
    if not _is_visible(found, call):
        raise no_connection(named)
    return found


def _connection_for(site: JobBackend, call: ApiCall, number: int, query: SchemaListParameters) -> Connection:
    connection = connection_of(site, call, number)
    if query.fresh:
        site.catalog.refresh(connection.name)
    return connection


def _without_hidden(tables: Iterable[SchemaTable]) -> tuple[SchemaTable, ...]:
    """Return tables without the names of what nobody may read, which only a bot's own guard needs."""
    return tuple(replace(table, hidden=(), denied=()) for table in tables)


def _is_visible(connection: Connection, call: ApiCall) -> bool:
    return call.for_everybody or may_read(call.user, connection) or may_write(call.user, connection)


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
