"""Reading a database's own description of its tables, cut down to what the connection lets people read."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from logging import getLogger

from sqlalchemy import quoted_name
from sqlalchemy.exc import SQLAlchemyError
from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.catalog.connection import Connection, allows_table, matches, names_column
from router.catalog.inferred_keys import with_inferred_keys
from router.catalog.reflect import files, server
from router.catalog.samples import with_samples
from router.catalog.schema import Schema, SchemaTable
from router.catalog.table_descriptions import with_confirmed_keys, with_descriptions
from router.errors import BotError, JobFailed
from router.sql.databases.file_database import SqliteDatabase
from router.sql.databases.session import PooledDatabase
from router.sql.dialect import Name
from router.sql.guard import check
from router.sql.scope import Scope
from router.sql.writing.names import OWN_TABLE_PREFIX

# Hidden columns are taken out of the tables, with the keys and views that would show them. A view is kept only if the
# guard would let its text run as a query over what is shown: with names that are all resolved, and functions that only
# compute. Any other view would be a way round.


log = getLogger(__name__)


def without_hidden_columns(
    tables: Sequence[SchemaTable], patterns: Sequence[str], dialect: Name, definitions: Mapping[str, str]
) -> tuple[SchemaTable, ...]:
    """Return all tables of a schema without the columns that a pattern names.

    `definitions` are the texts of the views by their names; a view without one is left out.
    """
    shown = {table.name: _without_columns(table, patterns) for table in tables if not table.view}
    waiting = {table.name: _without_columns(table, patterns) for table in tables if table.view}
    while True:  # a view may read other views
        followed = [
            view for view in waiting.values() if _shows_none(definitions.get(view.name, ""), view, shown, dialect)
        ]
        if not followed:
            break
        for view in followed:
            shown[view.name] = waiting.pop(view.name)
    for name in sorted(waiting):
        log.warning("The view %s is left out: it reads columns that are hidden, or its text cannot be followed.", name)
    return tuple(shown[table.name] for table in tables if table.name in shown and shown[table.name].columns)


def _without_columns(table: SchemaTable, patterns: Sequence[str]) -> SchemaTable:
    named = {c.name for c in table.columns if names_column(patterns, table.schema, table.name, c.name)}
    hidden = tuple(c.name for c in table.columns if c.name in named or c.name in table.denied)
    keys = tuple(
        key
        for key in table.foreign_keys
        if not set(key.columns) & set(hidden)
        and not any(names_column(patterns, key.target_schema, key.target, name) for name in key.target_columns)
    )
    return replace(
        table,
        columns=tuple(column for column in table.columns if column.name not in hidden),
        primary_key=() if set(table.primary_key) & set(hidden) else table.primary_key,
        foreign_keys=keys,
        hidden=hidden,
        denied=tuple(name for name in table.denied if name not in named),
    )


def _shows_none(definition: str, view: SchemaTable, shown: Mapping[str, SchemaTable], dialect: Name) -> bool:
    """Return whether every name in a view's text is that of a column that may be read, in a table that is shown."""
    try:
        tree = parse_one(definition, dialect=dialect)
    except (SqlglotError, RecursionError):
        return False
    query = tree.expression if isinstance(tree, exp.Create) else tree
    if not isinstance(query, exp.Query):
        return False
    columns = {(table.schema, table.name): tuple(column.name for column in table.columns) for table in shown.values()}
    hidden = {(table.schema, table.name): table.hidden for table in shown.values()}
    scope = Scope.of(view.schema, columns, columns, hidden)
    return check(query.sql(dialect), dialect, scope).allowed and _is_explicit(query, shown.values())


_WHOLE_ROWS = (exp.Columns, exp.Pivot, exp.PositionalColumn)


def _is_explicit(query: exp.Expr, tables: Collection[SchemaTable]) -> bool:
    """Return whether a query reads columns by their names alone, and none that is called like a hidden one.

    The guard covers such columns where a query is typed; a view's text runs in the database as it is.
    """
    covered = {table.name.casefold() for table in tables if table.hidden}
    read = [table for table in query.find_all(exp.Table) if table.name.casefold() in covered]
    if not read:
        return True
    names = {name.casefold() for table in tables for name in table.hidden}
    names |= {each.casefold() for table in read for each in (table.name, table.alias)}
    columns = {column.name.casefold() for column in query.find_all(exp.Column)}
    using = {name.name.casefold() for join in query.find_all(exp.Join) for name in join.args.get("using") or ()}
    stars = [star for star in query.find_all(exp.Star) if not isinstance(star.parent, exp.Count)]
    whole = query.find(*_WHOLE_ROWS) or any(join.args.get("method") for join in query.find_all(exp.Join))
    renamed = any(table.args["alias"].args.get("columns") for table in read if table.args.get("alias"))
    return not (names & (columns | using) or stars or whole or renamed)


# The texts of views are asked only if columns are hidden: what they read has to be followed.


def definitions(
    connection: Connection, database: PooledDatabase, schema: str, views: Iterable[str]
) -> Mapping[str, str]:
    """Return the texts of these views as far as this user may see them; raises JobFailed or a driver's error."""
    match connection.dialect.name:
        case "sqlite":
            assert isinstance(database, SqliteDatabase)
            return dict(database.views())
        case "duckdb":
            with database.session() as session:
                return files.read_definitions(session, schema)
    found: dict[str, str] = {}
    with server.inspecting(connection) as inspector:
        place = quoted_name(schema, True)
        for view in views:
            with suppress(SQLAlchemyError, NotImplementedError):  # a view of which this user may not see the text
                found[view] = inspector.get_view_definition(quoted_name(view, True), place) or ""
    return found


def read_schemas(connection: Connection, database: PooledDatabase) -> tuple[str, ...]:
    """Return the allowed schemas that exist: the default one, then in the order of the patterns; raises JobFailed."""
    with _explained(connection):
        existing, default = _existing(connection, database)
    patterns = connection.schemas or (default,)
    found = [
        name
        for pattern in patterns
        for name in sorted(existing)
        if matches(pattern, name) and ("*" not in pattern or name.lower() not in server.SYSTEM_SCHEMAS)
    ]
    return tuple(dict.fromkeys(sorted(found, key=lambda name: name != default)))


def read_schema(connection: Connection, database: PooledDatabase, schema: str, now: datetime) -> Schema:
    """Return the readable tables of a schema that `read_schemas` gave; raises JobFailed."""
    with _explained(connection):
        found = _tables(connection, database, schema)
        tables = sorted(found, key=lambda table: (table.name.lower(), table.name))
    left_out = tuple(table for table in tables if table.left_out)
    readable = tuple(_without_hidden_targets(connection, table) for table in tables if not table.left_out)
    readable = with_descriptions(with_confirmed_keys(readable, connection.keys), connection.descriptions)
    if connection.samples or connection.knows_values:
        readable = with_samples(readable, connection, database)
    if connection.knows_values:
        readable = with_inferred_keys(readable, connection, database)
    return Schema(connection.name, connection.dialect.name, schema, readable, now, left_out=left_out)


def _existing(connection: Connection, database: PooledDatabase) -> tuple[tuple[str, ...], str]:
    match connection.dialect.name:
        case "sqlite":
            return ("main",), "main"
        case "duckdb":
            with database.session() as session:
                return files.read_schemas(session), "main"
    with server.inspecting(connection) as inspector:
        return server.read_schemas(inspector)


def _tables(connection: Connection, database: PooledDatabase, schema: str) -> tuple[SchemaTable, ...]:
    def wanted(table: str) -> bool:
        return allows_table(connection.tables, schema, table) and not table.lower().startswith(OWN_TABLE_PREFIX)

    if not connection.columns_hidden:
        return tuple(_without_columns(each, ()) for each in _described(connection, database, schema, wanted))
    every = _described(connection, database, schema, lambda _: True)  # views may read what nobody else may
    left_out = [table for table in every if table.left_out]
    every = tuple(table for table in every if not table.left_out)
    views = [table.name for table in every if table.view]
    texts = definitions(connection, database, schema, views) if views else {}
    shown = without_hidden_columns(every, connection.columns_hidden, connection.dialect.name, texts)
    return tuple(table for table in (*shown, *left_out) if wanted(table.name))


def _described(
    connection: Connection, database: PooledDatabase, schema: str, wanted: Callable[[str], bool]
) -> tuple[SchemaTable, ...]:
    match connection.dialect.name:
        case "sqlite":
            assert isinstance(database, SqliteDatabase)
            try:
                return files.sqlite_tables(database, schema, wanted)
            except JobFailed as error:
                raise _unread(connection, str(error)) from None
        case "duckdb":
            with database.session() as session:
                return files.duckdb_tables(session, schema, wanted)
    with server.inspecting(connection) as inspector:
        if connection.dialect.name == "mysql":
            return server.mysql_tables(server.link_of(inspector), schema, wanted)
        return server.read_tables(inspector, connection.dialect.name, schema, wanted)


def _without_hidden_targets(connection: Connection, table: SchemaTable) -> SchemaTable:
    """Return the table without the keys that lead to what may not be read, as even a name tells something."""
    keys = tuple(
        key
        for key in table.foreign_keys
        if allows_table(connection.tables, key.target_schema, key.target)
        and (
            key.target_schema == table.schema
            or any(matches(pattern, key.target_schema) for pattern in connection.schemas)
        )
    )
    return replace(table, foreign_keys=keys)


@contextmanager
def _explained(connection: Connection) -> Iterator[None]:
    """Turn a driver's error, whose text may hold the URL, into a sentence that names the connection only.

    So are errors that no driver should raise: whatever a database says of its tables, they are not known then.
    """
    try:
        yield
    except BotError:
        raise
    except Exception as error:
        cause = getattr(error, "orig", None) or error
        if isinstance(cause, UnicodeError) or type(cause).__name__ == "CharacterNotInRepertoire":
            log.warning("The tables of %s could not be read: a name is not UTF-8", connection.name)
            raise JobFailed(
                f"A name or a comment in the database of {connection.label} ({connection.name}) is not UTF-8, so its "
                "tables could not be read. Nothing was changed. Your administrator can write it in UTF-8."
            ) from None
        raise _unread(connection, type(cause).__name__) from None


def _unread(connection: Connection, reason: str) -> JobFailed:
    log.warning("The tables of %s could not be read: %s", connection.name, reason)
    return JobFailed(
        f"The database of {connection.label} ({connection.name}) does not answer as it should, so its tables "
        "could not be read. Nothing was changed. Try again, or tell your administrator."
    )
