"""Reflects the tables of a database server, through SQLAlchemy: a handful of queries whatever their number."""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from typing import Any

from sqlalchemy import Connection as Link
from sqlalchemy import Dialect as SqlalchemyDialect
from sqlalchemy import NullPool, create_engine, event, inspect, quoted_name, text
from sqlalchemy.engine.reflection import Inspector, ObjectKind
from sqlalchemy.types import NullType

from router.catalog.connection import Connection
from router.catalog.schema import ORPHANED, Column, ForeignKey, SchemaTable, compact_type
from router.sql.databases.server_sql import SERVERS
from router.sql.dialect import DIALECTS, Name

# MySQL and MariaDB are asked in four queries. SQLAlchemy would ask for the CREATE of each table and view, which takes a
# right on views that a reading user need not have, and cannot read every name in it.


TABLES_SQL = """SELECT table_name, table_type LIKE '%VIEW', table_comment, table_rows FROM information_schema.tables
    WHERE table_schema = :schema AND table_type <> 'SEQUENCE'"""
COLUMNS_SQL = """SELECT table_name, column_name, column_type, is_nullable = 'YES', column_comment
    FROM information_schema.columns WHERE table_schema = :schema ORDER BY table_name, ordinal_position"""
PRIMARY_KEYS_SQL = """SELECT table_name, column_name FROM information_schema.key_column_usage
    WHERE table_schema = :schema AND constraint_name = 'PRIMARY' ORDER BY table_name, ordinal_position"""
FOREIGN_KEYS_SQL = """SELECT table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name,
    referenced_column_name FROM information_schema.key_column_usage
    WHERE table_schema = :schema AND referenced_table_name IS NOT NULL
    ORDER BY table_name, constraint_name, ordinal_position"""

_WIDTH = re.compile(r"^((?:small|medium|big)?int|tinyint(?!\(1\)))\(\d+\)")
"""The display width of an integer, which says nothing of what it holds; tinyint(1) is the servers' boolean."""


def mysql_tables(link: Link, schema: str, wanted: Callable[[str], bool]) -> tuple[SchemaTable, ...]:
    """Return the wanted tables and views of the schema; a view whose tables are gone is among those left out."""
    columns: dict[str, list[Column]] = defaultdict(list)
    for table, name, type, nullable, comment in _fetch(link, COLUMNS_SQL, schema):
        columns[table].append(
            Column(name, compact_type(_WIDTH.sub(r"\1", type)), bool(nullable), (comment or "").strip())
        )
    primary: dict[str, list[str]] = defaultdict(list)
    for table, name in _fetch(link, PRIMARY_KEYS_SQL, schema):
        primary[table].append(name)
    foreign = _foreign_keys(link, schema)
    return tuple(
        SchemaTable(
            name=name,
            schema=schema,
            columns=tuple(columns.get(name, ())),
            primary_key=tuple(primary.get(name, ())),
            foreign_keys=tuple(foreign.get(name, ())),
            comment="" if view else (comment or "").strip(),
            rows=None if view else _whole(rows),
            view=bool(view),
            left_out="" if name in columns else ORPHANED,
        )
        for name, view, comment, rows in _fetch(link, TABLES_SQL, schema)
        if (name in columns or view) and wanted(name)
    )


def _foreign_keys(link: Link, schema: str) -> dict[str, list[ForeignKey]]:
    keys: dict[tuple[str, str, str, str], list[tuple[str, str]]] = defaultdict(list)
    for table, constraint, name, target_schema, target, target_name in _fetch(link, FOREIGN_KEYS_SQL, schema):
        keys[table, constraint, target_schema, target].append((name, target_name))
    found: dict[str, list[ForeignKey]] = defaultdict(list)
    for (table, _, target_schema, target), pairs in keys.items():
        names, target_names = zip(*pairs, strict=True)
        found[table].append(ForeignKey(names, target, target_names, target_schema))
    return found


def _whole(rows: Any) -> int | None:
    """Return an estimate of rows, which some drivers give as a decimal number."""
    return None if rows is None else int(rows)


def _fetch(link: Link, sql: str, schema: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in link.execute(text(sql), {"schema": schema})]


# The server's own catalog: numbers of rows, and types that SQLAlchemy does not know.


DENIED_COLUMNS_SQL = """SELECT c.relname, a.attname FROM pg_catalog.pg_attribute a
    JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = :schema AND a.attnum > 0 AND NOT a.attisdropped
    AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT') AND NOT pg_catalog.has_table_privilege(c.oid, 'SELECT')
    AND NOT pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT') ORDER BY 1, a.attnum"""
"""PostgreSQL's columns that this user may not select, of tables of which it may select others."""


SYSTEM_SCHEMAS = {"information_schema", "pg_catalog", "mysql", "performance_schema", "sys", "guest", "system"}
"""Schemas of the database itself; they are offered only if a connection names them without "*"."""


@contextmanager
def inspecting(connection: Connection) -> Iterator[Inspector]:
    """Lend an inspector on a connection of its own that is closed afterwards; read-only if a server can be told."""
    dialect = connection.dialect
    arguments: dict[str, Any] = {dialect.catalog["login_timeout"]: max(2, min(10, round(connection.timeout)))}
    if wait := dialect.catalog.get("answer_timeout"):
        arguments[wait] = max(1, math.ceil(connection.timeout))
    if dialect.name == "postgres":
        arguments["client_encoding"] = "UTF8"
    engine = create_engine(connection.url, poolclass=NullPool, connect_args=arguments)
    if dialect.name == "mysql":
        event.listen(engine, "connect", _settle, insert=True)  # before SQLAlchemy looks how the server quotes names
    try:
        with engine.connect() as link:
            _limit(link, connection)
            yield inspect(link)
    finally:
        engine.dispose()


def _settle(connection: Any, _record: object) -> None:
    """Give a connection of the driver the settings that the bot's sessions have."""
    with closing(connection.cursor()) as cursor:
        for statement in SERVERS["mysql"].settings:
            cursor.execute(statement)


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


def read_tables(
    inspector: Inspector, dialect: Name, schema: str, wanted: Callable[[str], bool]
) -> tuple[SchemaTable, ...]:
    """Return the wanted tables and views of the schema, spelled as the database does (Oracle: upper case)."""
    place = quoted_name(schema, True)  # exactly this name: not folded, not cut at a dot
    if dialect == "postgres":
        _look_only_in(inspector, place)
    link = link_of(inspector)
    views = {*inspector.get_view_names(place), *materialized_views(inspector, place)}
    estimates = dict(_fetch(link, DIALECTS[dialect].catalog["rows"], schema))
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
    unchecked = set(_fetch(link, _UNCHECKED_SQL, schema) if dialect == "postgres" else ())
    comments: Mapping[Any, Any] = (
        inspector.get_multi_table_comment(**ask) if inspector.dialect.supports_comments else {}
    )
    denied: dict[str, list[str]] = defaultdict(list)
    for table_name, column_name in _fetch(link, DENIED_COLUMNS_SQL, schema) if dialect == "postgres" else ():
        denied[table_name].append(column_name)

    @cache
    def asked_types() -> dict[tuple[str, str], str]:
        return {
            (table, column): type for table, column, type in _fetch(link, DIALECTS[dialect].catalog["types"], schema)
        }

    def type_of(table: str, column: Mapping[str, Any]) -> str:
        """Return the type as the database writes it; one that SQLAlchemy does not know is asked for."""
        if isinstance(column["type"], NullType):
            return compact_type(asked_types().get((table, str(column["name"])), ""))
        return compact_type(column["type"].compile(dialect=inspector.dialect))

    tables = []
    for key, found in columns.items():
        name = spell(key[1])
        if key[1] in kept:
            table = SchemaTable(
                name=name,
                schema=schema,
                columns=tuple(_column(column, type_of(name, column), spell) for column in found),
                primary_key=tuple(map(spell, primary.get(key, {}).get("constrained_columns") or ())),
                foreign_keys=tuple(
                    _foreign_key(one, schema, spell, (name, one.get("name")) not in unchecked)
                    for one in foreign.get(key, ())
                ),
                comment=(comments.get(key, {}).get("text") or "").strip(),
                rows=None if key[1] in views else _whole(estimates.get(name)),
                view=key[1] in views,
                denied=tuple(denied.get(name, ())),
            )
            tables.append(table)
    return tuple(tables)


def _look_only_in(inspector: Inspector, schema: str) -> None:
    """Make PostgreSQL name the schema of whatever is in another one, as queries of this schema have to."""
    path = inspector.dialect.identifier_preparer.quote_identifier(schema)
    link_of(inspector).execute(text("SELECT pg_catalog.set_config('search_path', :path, true)"), {"path": path})


def materialized_views(inspector: Inspector, schema: str) -> list[str]:
    """Return the materialised views; SQLAlchemy's SQL Server cannot tell, and shows an indexed view as a view."""
    try:
        return list(inspector.get_materialized_view_names(schema))
    except NotImplementedError:
        return []


def _foreign_tables(inspector: Inspector, schema: str) -> list[str]:
    """Return PostgreSQL's foreign tables, which its own list of tables leaves out."""
    from sqlalchemy.dialects.postgresql.base import PGInspector  # heavy if no server is read

    return list(inspector.get_foreign_table_names(schema)) if isinstance(inspector, PGInspector) else []


def speller(dialect: SqlalchemyDialect) -> Callable[[str], str]:
    """Return what turns SQLAlchemy's spelling (lower case for names without quotes) into the database's own."""
    if not dialect.requires_name_normalize:
        return str
    return lambda name: str(dialect.denormalize_name(name))


def _column(column: Mapping[str, Any], type: str, spell: Callable[[str], str]) -> Column:
    return Column(spell(column["name"]), type, column.get("nullable", True), (column.get("comment") or "").strip())


_UNCHECKED_SQL = """SELECT c.relname, k.conname FROM pg_catalog.pg_constraint k
    JOIN pg_catalog.pg_class c ON c.oid = k.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = :schema AND k.contype = 'f' AND NOT k.convalidated"""


def _foreign_key(key: Mapping[str, Any], schema: str, spell: Callable[[str], str], checked: bool) -> ForeignKey:
    target_schema = key.get("referred_schema")
    return ForeignKey(
        tuple(map(spell, key["constrained_columns"])),
        spell(key["referred_table"]),
        tuple(map(spell, key["referred_columns"])),
        spell(target_schema) if target_schema else schema,
        checked=checked,
    )
