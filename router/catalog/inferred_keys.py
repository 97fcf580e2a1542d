"""Foreign keys that nobody declared: names propose them, values decide.

A column may point to a table that its name speaks of. It does if its values are among those of the table's key, and
no value stands in that key twice. Nothing that is read for this leaves the process.
"""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from math import isfinite
from typing import Any, Final

from sqlglot import exp

from router.catalog.connection import Connection, names_column
from router.catalog.foreign_keys import NAMED, NAMED_BY_END, SHORTENED, Candidate, Targets, type_family
from router.catalog.samples import query_of, read_each, rows_of, source_of
from router.catalog.schema import Column, ForeignKey, SchemaTable
from router.sql.databases.session import PooledDatabase, Session

CHECKING_SECONDS: Final = 10.0
"""Seconds for all checks of a schema; what is not checked by then is judged by its name."""

CHECKED_ROWS: Final = 1000
CHECKED_VALUES: Final = 60
"""Rows of a table that are read for its columns, and values of a column that are looked for in a key."""

CHECKED_CANDIDATES: Final = 3
"""Tables that are tried for one column."""

UNIQUE_MAX_ROWS: Final = 200_000
"""In a larger table, it is not counted whether the values of a column are unique."""

FOUND_SHARE_MIN, FOUND_SHARE_MIN_OF_UNCLEAR = 0.85, 0.98
"""Share of the values that have to be found, by how clear the name is: data that no key protects has holes."""

PLACEHOLDERS: Final = (None, "", 0, -1, "0", "-1")
"""Values that people write if there is nothing to point to."""

KEY_FAMILIES: Final = frozenset({"number", "text", ""})
"""Kinds of types that hold keys; "" is a type without a name."""

_WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,38}")

DISTINCT_VALUES_MIN: Final = 4
"""With fewer different values, those of a key may hold them by chance."""

UNCHECKED_CONFIDENCE: Final = 0.6
"""The confidence in a key if no value of its column could be seen."""

CONFIDENCE_BY_NAME: Final = {NAMED: (0.9, 0.98), NAMED_BY_END: (0.7, 0.95), SHORTENED: (0.0, 0.9)}
"""The confidence in a key if all its values were found, by its name: with few different values, and with more."""


def with_inferred_keys(
    tables: Sequence[SchemaTable], connection: Connection, database: PooledDatabase
) -> tuple[SchemaTable, ...]:
    """Return the tables with the foreign keys that their values confirm; without them if they cannot be read."""
    targets = Targets(tables)
    proposed = {table.name: tuple(_proposed(table, targets, connection)) for table in tables}
    end = time.monotonic() + CHECKING_SECONDS
    done = {table.name: table for table in tables}

    def confirm(table: SchemaTable, session: Session) -> None:
        found = _Checks(session, connection, end).keys(table, proposed[table.name])
        keys = tuple(key for key in found if not _leads_back(key, table, done[key.target]))
        judged = table.judged.union(each.column.name for each in proposed[table.name])
        done[table.name] = replace(table, foreign_keys=table.foreign_keys + keys, judged=judged)

    read_each([table for table in tables if proposed[table.name]], database, confirm)
    return tuple(done.values())


def _proposed(table: SchemaTable, targets: Targets, connection: Connection) -> Iterator[Candidate]:
    """Yield what the names of a table's columns propose, for each column the likeliest first."""

    def is_hidden(table: SchemaTable, column: Column) -> bool:
        return names_column(connection.values_hidden, table.schema, table.name, column.name)

    known = table.judged.union(*(key.columns for key in table.foreign_keys))
    for column in table.columns if not table.view else ():
        if column.name in known or type_family(column.type) not in KEY_FAMILIES or is_hidden(table, column):
            continue
        found = [
            each
            for each in targets.named_by(column, table)
            if (connection.dialect.compares_freely or each.same_type) and not is_hidden(each.table, each.key)
        ]
        yield from sorted(found, key=lambda each: -each.strength)[:CHECKED_CANDIDATES]


class _Checks:
    """The checks of one schema's candidates, over one session."""

    def __init__(self, session: Session, connection: Connection, end: float) -> None:
        self._session, self._connection, self._end = session, connection, end
        self._dialect = connection.dialect.name

    def keys(self, table: SchemaTable, proposed: Sequence[Candidate]) -> Iterator[ForeignKey]:
        """Yield the keys of a table that its values confirm, one a column at most."""
        columns = list({each.column.name: each.column for each in proposed}.values())
        values = self._values(table, columns)
        for column in columns:
            judged = ((each, self._sure(each, values[column.name])) for each in proposed if each.column is column)
            confirmed = [(each, sure) for each, sure in judged if sure]
            clearest = max((each.strength for each, _ in confirmed), default=0)
            best = [_key_of(each, sure) for each, sure in confirmed if each.strength == clearest]
            if len(best) == 1:
                yield best[0]

    def _values(self, table: SchemaTable, columns: Sequence[Column]) -> Mapping[str, Sequence[Any]]:
        """Return different values of each column."""
        rows: Sequence[Sequence[Any]] = ()
        if time.monotonic() < self._end:
            rows = rows_of(self._session, query_of(table, columns).limit(CHECKED_ROWS), self._dialect)
        return {
            column.name: [v for v in dict.fromkeys(row[n] for row in rows) if v not in PLACEHOLDERS][:CHECKED_VALUES]
            for n, column in enumerate(columns)
        }

    def _sure(self, candidate: Candidate, values: Sequence[Any]) -> float:
        """Return how sure it is that a column points to a key; 0 if its values speak against it."""
        target, key = candidate.table, candidate.key
        named = candidate.strength == NAMED and candidate.is_identity
        if not values or time.monotonic() > self._end:
            return UNCHECKED_CONFIDENCE if named else 0
        if candidate.strength < NAMED_BY_END and len(values) < DISTINCT_VALUES_MIN:
            return 0
        written = [_literal(value, key) for value in values]
        known = [literal for literal in written if literal is not None]
        enough = len(values) * (FOUND_SHARE_MIN if candidate.strength >= NAMED_BY_END else FOUND_SHARE_MIN_OF_UNCLEAR)
        unique = self._is_unique(target, key)
        if len(known) < enough or unique is False:
            return 0
        asked = query_of(target, [key]).where(exp.column(key.name, quoted=True).isin(*known)).distinct()
        found = len(rows_of(self._session, asked, self._dialect))
        if found < enough:
            return 0
        if unique is None:
            return UNCHECKED_CONFIDENCE if named else 0
        return CONFIDENCE_BY_NAME[candidate.strength][len(values) >= DISTINCT_VALUES_MIN]

    def _is_unique(self, table: SchemaTable, key: Column) -> bool | None:
        """Return whether no value stands in a column twice; None if the table is too large to be counted."""
        if table.primary_key == (key.name,):
            return True
        if (table.rows or 0) > UNIQUE_MAX_ROWS:
            return None
        column = exp.column(key.name, quoted=True)
        counts = exp.Count(this=column), exp.Count(this=exp.Distinct(expressions=[column]))
        rows = rows_of(self._session, exp.select(*counts).from_(source_of(table)), self._dialect)
        return bool(rows) and rows[0][0] == rows[0][1]


def _key_of(candidate: Candidate, sure: float) -> ForeignKey:
    target = candidate.table
    return ForeignKey((candidate.column.name,), target.name, (candidate.key.name,), target.schema, sure)


def _leads_back(key: ForeignKey, table: SchemaTable, target: SchemaTable) -> bool:
    """Return whether the same two columns are linked the other way already."""
    return any(
        (each.target, each.columns, each.target_columns) == (table.name, key.target_columns, key.columns)
        for each in target.foreign_keys
    )


def _literal(value: Any, key: Column) -> exp.Expr | None:
    """Return a value as the type of a key has it; None if it cannot be among its values."""
    number = type_family(key.type) == "number"
    if isinstance(value, bool | bytes | date):
        return None
    whole = isinstance(value, float | Decimal) and isfinite(value) and value == int(value)
    text = str(int(value) if whole else value).strip()
    if number:
        return exp.Literal.number(text) if _WHOLE_NUMBER.fullmatch(text) else None
    return exp.Literal.string(text)
