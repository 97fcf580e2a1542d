"""What a database server says about its tables, through SQLAlchemy: a handful of queries whatever their number.

MySQL's own words are read in `mysql`, on the connection that is opened here.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection as Link
from sqlalchemy import Dialect as SqlalchemyDialect
from sqlalchemy import NullPool, create_engine, inspect, quoted_name, text
from sqlalchemy.engine.reflection import Inspector, ObjectKind
from sqlalchemy.types import NullType

from router.catalog.connection import Connection
from router.catalog.reflect.estimates import column_types, row_estimates
from router.catalog.reflect.types import compact_type
from router.catalog.schema import Column, ForeignKey, Table
from router.sql.dialect import Name

SYSTEM = {"information_schema", "pg_catalog", "mysql", "performance_schema", "sys", "guest", "system"}
"""Schemas of the database itself; they are offered only where a connection names them without "*"."""

CONNECT: dict[Name, str] = {
    "postgres": "connect_timeout",
    "oracle": "tcp_connect_timeout",
    "mysql": "connect_timeout",
    "tsql": "login_timeout",
}
"""What each driver calls the time-out of logging in."""

WAIT: dict[Name, str] = {"mysql": "read_timeout", "tsql": "timeout"}
"""What a driver calls the time-out of an answer, where no statement sets it."""


@contextmanager
def inspecting(connection: Connection) -> Iterator[Inspector]:
    """Lend an inspector on a connection of its own that is closed afterwards; read-only where a server can be told."""
    arguments = {CONNECT[connection.dialect.name]: max(2, min(10, round(connection.timeout)))}
    if wait := WAIT.get(connection.dialect.name):
        arguments[wait] = max(1, math.ceil(connection.timeout))
    engine = create_engine(connection.url, poolclass=NullPool, connect_args=arguments)
    try:
        with engine.connect() as link:
            _limit(link, connection)
            yield inspect(link)
    finally:
        engine.dispose()


def _limit(link: Link, connection: Connection) -> None:
    milliseconds = round(connection.timeout * 1000)
    match connection.dialect.name:
        case "postgres":
            link.execution_options(postgresql_readonly=True)
            link.execute(text(f"SET statement_timeout = {milliseconds}"))
        case "oracle":
            driver: Any = link.connection.driver_connection
            driver.call_timeout = milliseconds
        case "mysql":
            link.execute(text("SET SESSION TRANSACTION READ ONLY"))


def link_of(inspector: Inspector) -> Link:
    """Return the connection on which the inspector works."""
    link = inspector.bind
    assert isinstance(link, Link), "the inspector works on one connection"
    return link


def read_schemas(inspector: Inspector) -> tuple[tuple[str, ...], str]:
    """Return the names of the schemas and the one that bare names mean, as the database spells them."""
    spell = speller(inspector.dialect)
    return tuple(map(spell, inspector.get_schema_names())), spell(inspector.default_schema_name or "")


def read_tables(inspector: Inspector, dialect: Name, schema: str, wanted: Callable[[str], bool]) -> tuple[Table, ...]:
    """Return the wanted tables and views of the schema, spelled as the database does (Oracle: upper case)."""
    place = quoted_name(schema, True)  # exactly this name: not folded, not cut at a dot
    if dialect == "postgres":
        _look_only_in(inspector, place)
    views = {*inspector.get_view_names(place), *materialized_views(inspector, place)}
    estimates = row_estimates(inspector, dialect, schema)
    names = {*inspector.get_table_names(place), *views, *_foreign_tables(inspector, place)}
    spell = speller(inspector.dialect)
    granted = estimates if dialect == "postgres" else None  # the others list only what this user may read
    kept = {name for name in names if wanted(spell(name)) and (granted is None or spell(name) in granted)}
    if not kept:
        return ()
    ask: dict[str, Any] = {"schema": place, "kind": ObjectKind.ANY}
    if len(kept) < len(names):
        ask["filter_names"] = sorted(kept)
    columns = inspector.get_multi_columns(**ask)
    primary: Mapping[Any, Any] = inspector.get_multi_pk_constraint(**ask)
    foreign: Mapping[Any, Any] = inspector.get_multi_foreign_keys(**ask)
    comments: Mapping[Any, Any] = (
        inspector.get_multi_table_comment(**ask) if inspector.dialect.supports_comments else {}
    )
    types = _Types(inspector, dialect, schema)
    tables = []
    for key, found in columns.items():
        name = spell(key[1])
        if key[1] in kept:
            table = Table(
                name=name,
                schema=schema,
                columns=tuple(_column(column, types.of(name, column), spell) for column in found),
                primary_key=tuple(map(spell, primary.get(key, {}).get("constrained_columns") or ())),
                foreign_keys=tuple(_foreign_key(one, schema, spell) for one in foreign.get(key, ())),
                comment=(comments.get(key, {}).get("text") or "").strip(),
                rows=None if key[1] in views else estimates.get(name),
                view=key[1] in views,
            )
            tables.append(table)
    return tuple(tables)


def _look_only_in(inspector: Inspector, schema: str) -> None:
    """Make PostgreSQL name the schema of whatever is in another one, as queries of this schema have to."""
    link = link_of(inspector)
    path = inspector.dialect.identifier_preparer.quote_identifier(schema)
    link.execute(text("SELECT pg_catalog.set_config('search_path', :path, true)"), {"path": path})


def materialized_views(inspector: Inspector, schema: str) -> list[str]:
    """Return the materialised views; SQLAlchemy's SQL Server cannot tell, and shows an indexed view as a view."""
    try:
        return list(inspector.get_materialized_view_names(schema))
    except NotImplementedError:
        return []


def _foreign_tables(inspector: Inspector, schema: str) -> list[str]:
    """Return PostgreSQL's foreign tables, which its own list of tables leaves out."""
    from sqlalchemy.dialects.postgresql.base import PGInspector  # heavy where no server is read

    return list(inspector.get_foreign_table_names(schema)) if isinstance(inspector, PGInspector) else []


def speller(dialect: SqlalchemyDialect) -> Callable[[str], str]:
    """Return what turns SQLAlchemy's spelling (lower case for names without quotes) into the database's own."""
    if not dialect.requires_name_normalize:
        return str
    return lambda name: str(dialect.denormalize_name(name))


def _column(column: Mapping[str, Any], type: str, spell: Callable[[str], str]) -> Column:
    return Column(spell(column["name"]), type, column.get("nullable", True), (column.get("comment") or "").strip())


def _foreign_key(key: Mapping[str, Any], schema: str, spell: Callable[[str], str]) -> ForeignKey:
    target_schema = key.get("referred_schema")
    return ForeignKey(
        tuple(map(spell, key["constrained_columns"])),
        spell(key["referred_table"]),
        tuple(map(spell, key["referred_columns"])),
        spell(target_schema) if target_schema else schema,
    )


class _Types:
    """Writes types as the database does; those SQLAlchemy does not know are asked for, once."""

    def __init__(self, inspector: Inspector, dialect: Name, schema: str) -> None:
        self._inspector, self._dialect, self._schema = inspector, dialect, schema
        self._asked: Mapping[tuple[str, str], str] | None = None

    def of(self, table: str, column: Mapping[str, Any]) -> str:
        """Return the type of a column of the table; "" where nobody knows it."""
        type = column["type"]
        if not isinstance(type, NullType):
            return compact_type(type.compile(dialect=self._inspector.dialect))
        if self._asked is None:
            self._asked = column_types(self._inspector, self._dialect, self._schema)
        return compact_type(self._asked.get((table, str(column["name"])), ""))
