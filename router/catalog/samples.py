"""Sample values: what stands in text columns with few different values, as found in the first rows of each table."""

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from threading import Timer
from typing import Any

from sqlglot import exp

from router.catalog.connection import Connection, names_column
from router.catalog.schema import Column, SchemaTable
from router.catalog.sensitive_columns import looks_personal
from router.errors import Failed
from router.sql.databases.session import PooledDatabase, Session
from router.sql.dialect import Name

SAMPLED_ROWS = 1000
"""Rows of a table that are looked at for samples."""

VALUE_ROWS = 5000
"""Rows of a table that are looked at for values that a question may name."""

VALUES_PER_COLUMN = 1000
"""Different values of a column that are remembered."""

SEARCHED_TABLE_MAX_ROWS = 200_000
"""A table of more rows is not searched for every different value."""

CATEGORY_MAX_VALUES = 20
"""A column with more different values than this is no category."""

SAMPLES_PER_COLUMN, SAMPLE_MAX_CHARS = 8, 40
"""Values kept of each column, and the length of one."""

TABLE_SECONDS = 2.0
SAMPLING_TIME = timedelta(seconds=10)
"""Time for one table and for all of them; what is not done by then stays without samples."""

NOT_TEXT = re.compile(
    r"INT|(?<!E)NUM|DEC|REAL|DOUB|FLOA|SERIAL|MONEY|DATE|TIME|YEAR|BOOL|BIT|BLOB|BYTE|BINARY|RAW|JSON|XML|LOB|UUID|UNIQUEID"
    r"|LONG(?!TEXT)|IMAGE|VECTOR|GEO|STRUCT|MAP|\[\]",
    re.IGNORECASE,
)

TYPE_BRACKETS = re.compile(r"\([^()]*(\)|$)")
"""The brackets of a type: the length of its texts, or the list of them."""


def with_samples(
    tables: Sequence[SchemaTable], connection: Connection, database: PooledDatabase
) -> tuple[SchemaTable, ...]:
    """Return the tables with what may be known of their values; tables that cannot be read in time stay as they are."""
    end = time.monotonic() + SAMPLING_TIME.total_seconds()
    done = {table.name: table for table in tables}

    def sample(table: SchemaTable, session: Session) -> None:
        if time.monotonic() < end:
            done[table.name] = _sampled(table, connection, session)
        if time.monotonic() < end and connection.knows_values:
            done[table.name] = _with_every_value(done[table.name], connection.dialect.name, session)

    read_each(tables, database, sample)
    return tuple(done.values())


def read_each(
    tables: Sequence[SchemaTable], database: PooledDatabase, read: Callable[[SchemaTable, Session], None]
) -> None:
    """Have something be read of each table over one session, or over another one after one that failed."""
    left, tried = list(tables), -1
    while left and tried != len(left):
        tried = len(left)
        with suppress(Failed), database.session() as session:
            while left:
                read(left.pop(0), session)


def _sampled(table: SchemaTable, connection: Connection, session: Session) -> SchemaTable:
    """Return the table with what stands in its first rows."""
    columns = [
        column
        for column in table.columns
        if not NOT_TEXT.search(TYPE_BRACKETS.sub("", column.type))
        and not names_column(connection.values_hidden, table.schema, table.name, column.name)
    ]
    if table.view or not columns:  # a view may compute all of its rows before it gives the first
        return table
    rows = rows_of(session, query_of(table, columns).limit(VALUE_ROWS), connection.dialect.name)
    known = {
        column.name: _with_values(table, column, [row[n] for row in rows], connection)
        for n, column in enumerate(columns)
    }
    return replace(table, columns=tuple(known.get(column.name, column) for column in table.columns))


def _with_values(table: SchemaTable, column: Column, found: Sequence[object], connection: Connection) -> Column:
    shown = connection.samples and not looks_personal(table.name, column.name)
    column = replace(column, samples=_categories(found[:SAMPLED_ROWS]) if shown else (), shown=shown)
    return _naming(column, found, len(found) < VALUE_ROWS) if connection.knows_values else column


def _naming(column: Column, found: Sequence[object], every: bool) -> Column:
    """Return the column with the values found; `every`: there are no others."""
    texts = {value.strip() for value in found if isinstance(value, str)}
    named = frozenset(value for value in texts if value and len(value) <= SAMPLE_MAX_CHARS and value.isprintable())
    whole = (
        every and len(named) == len(texts) <= VALUES_PER_COLUMN and all(v is None or isinstance(v, str) for v in found)
    )
    return replace(column, values=frozenset(sorted(named)[:VALUES_PER_COLUMN]), whole=whole)


def _with_every_value(table: SchemaTable, dialect: Name, session: Session) -> SchemaTable:
    """Return the table with all values of its columns, if its first rows did not hold them and it is not large."""
    if table.rows is None or not VALUE_ROWS <= table.rows <= SEARCHED_TABLE_MAX_ROWS:
        return table
    end = time.monotonic() + TABLE_SECONDS
    columns = list(table.columns)
    for number, column in enumerate(columns):
        if 0 < len(column.values) < VALUES_PER_COLUMN and not column.whole and time.monotonic() < end:
            found = [
                row[0]
                for row in rows_of(session, query_of(table, [column]).distinct().limit(VALUES_PER_COLUMN + 1), dialect)
            ]
            columns[number] = _naming(column, found, len(found) <= VALUES_PER_COLUMN)
    return replace(table, columns=tuple(columns))


def query_of(table: SchemaTable, columns: Sequence[Column]) -> exp.Select:
    names = [exp.column(column.name, quoted=True) for column in columns]
    return exp.select(*names).from_(source_of(table))


def source_of(table: SchemaTable) -> exp.Table:
    """Return a table as a query names it."""
    return exp.table_(table.name, table.schema or None, quoted=True)


def rows_of(session: Session, query: exp.Select, dialect: Name) -> list[tuple[Any, ...]]:
    clock = Timer(TABLE_SECONDS, session.cancel)
    clock.daemon = True
    clock.start()
    try:
        _, batches = session.stream(query.sql(dialect=dialect))
        return [row for batch in batches for row in batch]
    finally:
        clock.cancel()


def _categories(values: Sequence[object]) -> tuple[str, ...]:
    """Return the most frequent values in alphabetical order; none if they are too many, or not texts."""
    found = [value for value in values if value is not None]
    counts = Counter(value.strip() for value in found if isinstance(value, str))
    if not found or counts.total() < len(found) or len(counts) > CATEGORY_MAX_VALUES:
        return ()
    # A value with control characters is no category, and could pass for a line of a prompt.
    fit = {
        value: count
        for value, count in counts.items()
        if value and len(value) <= SAMPLE_MAX_CHARS and value.isprintable()
    }
    return tuple(sorted(sorted(fit, key=lambda value: (-fit[value], value))[:SAMPLES_PER_COLUMN]))
