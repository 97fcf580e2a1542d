"""Writing into PostgreSQL: COPY inside one transaction, so that nothing is ever left half done, not even by a kill.

Rows for a table that is there go straight into it: others see them at the COMMIT only, and PostgreSQL names the column
and the row of whatever it refuses. A new table is filled under the job's own name and renamed in the same transaction,
so that an old table of its name is locked for that moment only. Old rows are deleted and not truncated, as readers go
on seeing them until the COMMIT.
"""

import math
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import psycopg

from router.errors import JobFailed
from router.sql.cell_text import plain
from router.sql.databases.error_sentences import note
from router.sql.databases.postgres import MEANINGS, parameters_of, reason_of
from router.sql.dialect import Name
from router.sql.value_kinds import ExactTime, Interval
from router.sql.writing.column_types import columns_of, field_of, made
from router.sql.writing.conversions import Bind, RowFitter
from router.sql.writing.names import LOG_TABLE, quoted, staging
from router.sql.writing.order import (
    CHANGE_ROWS,
    COUNTED_ROWS_MAX,
    TELL_ADMINISTRATOR,
    TRY_LATER,
    ConnectionLost,
    Existing,
    ExistingColumn,
    Kind,
    ResultField,
    WriteOrder,
    chosen,
    column_without_value,
    demand_mode,
    demand_seen,
    key_taken,
    nothing_written,
    taken,
)
from router.sql.writing.target import LOCK_WAIT_SECONDS, Batches, Progress, Target

# Refusals as sentences.

_PLACE = re.compile(r"COPY [^,]+, line (\d+)(?:, column ([^:]+?))?(?:: |$)", re.MULTILINE)
_KEY = re.compile(r"\(([^()]*)\)=\(")


def refusal_of(error: Exception, order: WriteOrder | None) -> JobFailed:
    """Return what an error means for the person."""
    if not isinstance(error, psycopg.Error):
        return nothing_written(f"A value does not fit its column ({type(error).__name__})", CHANGE_ROWS)
    note("PostgreSQL", f"{error.diag.message_primary or error} {error.diag.message_detail or ''}")
    state = error.sqlstate or ""
    if isinstance(error, psycopg.OperationalError) and (not state or state.startswith(("08", "57P"))):
        return ConnectionLost("The connection to the database was lost. Nothing was written. " + TRY_LATER)
    if state.startswith("23"):
        return _constraint(error, order)
    if state.startswith("22"):
        return _value(error)
    return _state(error, state, order)


def _state(error: psycopg.Error, state: str, order: WriteOrder | None) -> JobFailed:
    name = f'"{order.table}"' if order else "The database"
    match state:
        case "42501":
            return _no_right(error, order)
        case "25006":
            return nothing_written("The database, or this user, may only be read", TELL_ADMINISTRATOR)
        case "3F000":
            schema = f' "{order.schema}"' if order else ""
            return nothing_written(f"There is no schema{schema} (any more)", "Choose another one.")
        case "55P03" | "40P01":
            return nothing_written(
                f"{name} is being changed by somebody else, and did not become free in time", TRY_LATER
            )
        case "57014":
            return nothing_written(f"{name} took the database longer than it may", TELL_ADMINISTRATOR)
        case "53100" | "53200":
            return nothing_written(f"The database has no room left ({state})", TELL_ADMINISTRATOR)
        case "2BP01":
            return nothing_written(f"{name} cannot be replaced, as others depend on it", TELL_ADMINISTRATOR)
    return nothing_written(f"{name} cannot be written ({state})")


def _no_right(error: psycopg.Error, order: WriteOrder | None) -> JobFailed:
    right = "The user of this connection lacks a right (42501)"
    if order and "schema" in (error.diag.message_primary or ""):
        return nothing_written(
            right,
            f'It needs CREATE on the schema "{order.schema}" for a new table, and once for {LOG_TABLE}, where the bot '
            f"keeps which jobs were written. {TELL_ADMINISTRATOR}",
        )
    return nothing_written(right, TELL_ADMINISTRATOR)


def _constraint(error: psycopg.Error, order: WriteOrder | None) -> JobFailed:
    match error.sqlstate:
        case "23502":
            return column_without_value(error.diag.column_name or "", order)
        case "23505":
            found = _KEY.search(error.diag.message_detail or "")
            return key_taken(found[1].split(", ") if found else (), order)
        case "23503":
            broken = "A row refers to a row of another table that is not there, or is referred to"
        case "23514":
            broken = "A row breaks a rule of the table"
        case _:
            broken = f"The table refuses a row ({error.sqlstate})"
    return nothing_written(broken, CHANGE_ROWS)


def _value(error: psycopg.Error) -> JobFailed:
    """Tell the row and the column, which PostgreSQL knows of a COPY."""
    found, own = _PLACE.search(error.diag.context or ""), error.diag.message_primary or ""
    why = ""
    if error.sqlstate == "22021" or "0x00" in own or "\\u0000" in (error.diag.message_detail or ""):
        why = ": it holds a null character, which PostgreSQL does not take"
    if found is None:
        return nothing_written(f"A value does not fit its column{why}", CHANGE_ROWS)
    line, column = found.groups()
    where = f"Row {int(line):,} does not fit" + (f' the column "{column}"' if column else "")
    return nothing_written(f"{where}{why}", CHANGE_ROWS)


# Existing tables, out of the catalog.

SCHEMAS = """
SELECT nspname::text FROM pg_namespace n
WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND has_schema_privilege(oid, 'USAGE')
  AND (has_schema_privilege(oid, 'CREATE') OR EXISTS (
    SELECT 1 FROM pg_class WHERE relnamespace = n.oid AND relkind IN ('r', 'p') AND has_table_privilege(oid, 'INSERT')))
ORDER BY nspname COLLATE "C"
"""

TABLE = """
SELECT c.oid, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = %s AND c.relname = %s AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
"""

TARGET_COLUMNS_SQL = """
SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), t.typnotnull OR a.attnotnull,
       a.attidentity <> '' OR a.atthasdef OR t.typdefault IS NOT NULL, a.attgenerated <> ''
FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
"""


def schemas_of(connection: psycopg.Connection[Any]) -> tuple[str, ...]:
    """Return the schemas in which this user may create tables or write some."""
    return tuple(row[0] for row in connection.execute(SCHEMAS))


def existing_of(connection: psycopg.Connection[Any], schema: str, table: str, counted: bool) -> Existing | None:
    """Return what lies in a table; its rows only if they are to be `counted`, which locks it, and may be read."""
    found = connection.execute(TABLE, (schema, table)).fetchone()
    if found is None:
        return None
    number, relation = found
    columns = tuple(
        ExistingColumn(field_of(name, native, "postgres"), not required, filled, generated)
        for name, native, required, filled, generated in connection.execute(TARGET_COLUMNS_SQL, (number,))
    )
    rows, more = 0, True
    readable = connection.execute("SELECT has_table_privilege(%s::oid, 'SELECT')", (number,)).fetchone()
    if counted and readable and readable[0]:
        asked = f"SELECT count(*) FROM (SELECT FROM {quoted(schema, table)} LIMIT {COUNTED_ROWS_MAX + 1}) q"
        row = connection.execute(asked.encode()).fetchone()
        rows = min(row[0], COUNTED_ROWS_MAX) if row else 0
        more = bool(row and row[0] > COUNTED_ROWS_MAX)
    return Existing(schema, table, columns, rows, more, relation in ("v", "m"))


def array_text(value: Any) -> str:
    """Return an array, or a value within one, as PostgreSQL reads it."""
    if isinstance(value, list):
        return f"{{{','.join(map(array_text, value))}}}"
    if value is None:
        return "NULL"
    text = f"\\x{value.hex()}" if isinstance(value, bytes) else plain(value)
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


BINDS: dict[Kind, Bind] = {
    **dict.fromkeys(
        ("date", "time", "timestamp", "timestamptz", "interval"),
        lambda value: str(value) if isinstance(value, ExactTime | Interval) else value,
    ),
    "array": lambda value: value if isinstance(value, str) else array_text(value),
}

QUICKER = (psycopg.errors.DuplicateTable, psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation)
"""PostgreSQL's errors for the second of two who make a table at once."""

R = TypeVar("R")
Connection = psycopg.Connection[tuple[Any, ...]]


class PostgresTarget(Target):
    """One PostgreSQL database, as the user of its URL."""

    dialect: Name = "postgres"

    def __init__(self, url: str, timeout: float) -> None:
        super().__init__()
        self._parameters = parameters_of(url)
        self._timeout = timeout
        self._connection = self._open()

    def schemas(self) -> tuple[str, ...]:
        """Return the schemas in which this user may create tables or write some."""
        return self._ask(lambda: schemas_of(self._connection))

    def table(self, schema: str, table: str) -> Existing | None:
        """Return what lies in the table."""
        return self._ask(lambda: existing_of(self._connection, schema, table, counted=True))

    def written(self, schema: str, job: str) -> int | None:
        """Return how many rows this job wrote into the schema; connects again where the connection was lost."""
        if self._connection.broken:
            self.close()
            self._connection = self._open()
        return self._ask(lambda: self._written(schema, job))

    def _write(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
        self._ask(lambda: self._make_log(order.schema), order)
        return self._ask(lambda: self._transaction(order, batches, progress), order)

    def _transaction(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
        with self._connection.transaction():
            self._run("SET LOCAL statement_timeout = 0")
            rows = self._load(order, batches, progress)
            log = quoted(order.schema, LOG_TABLE)
            self._run(f"INSERT INTO {log} VALUES (%s, %s, %s, now())", (order.job, order.table, rows))
            self._demand_going()
        return rows

    def _load(self, order: WriteOrder, batches: Batches, progress: Progress) -> int:
        there = existing_of(self._connection, order.schema, order.table, counted=False)
        demand_mode(order, there)
        name = quoted(order.schema, order.table)
        if order.mode in ("create", "drop"):
            waiting = quoted(order.schema, staging(order.job))
            fields = tuple(made(field, self.dialect) for field in order.fields)
            self._run(f"CREATE TABLE {waiting} ({columns_of(fields)})")
            rows = self._fill(waiting, fields, batches, progress)
            if order.mode == "drop":
                if there is not None:
                    self._lock(name, order)
                self._run(f"DROP TABLE IF EXISTS {name}")
            self._rename(waiting, order)
            return rows
        assert there is not None
        fields = chosen(order, there)
        if order.mode == "truncate":
            self._lock(name, order)
            self._run(f"DELETE FROM {name}")
        return self._fill(name, fields, batches, progress)

    def _lock(self, name: str, order: WriteOrder) -> None:
        """Let nobody else write: two of these at once would each see the old rows only, and both leave theirs."""
        self._run(f"LOCK TABLE {name} IN SHARE ROW EXCLUSIVE MODE")
        if order.deletes:
            demand_seen(order, existing_of(self._connection, order.schema, order.table, counted=True))

    def _fill(self, name: str, fields: tuple[ResultField, ...], batches: Batches, progress: Progress) -> int:
        fitting = RowFitter(fields, self.dialect, BINDS)
        columns = ", ".join(quoted(field.name) for field in fields)
        with self._connection.cursor() as cursor:
            with cursor.copy(f"COPY {name} ({columns}) FROM STDIN".encode()) as copy:
                for rows in batches:
                    self._demand_going()
                    fitted = fitting.fit(rows)
                    try:
                        for row in fitted:
                            copy.write_row(row)
                    except (UnicodeError, psycopg.DataError) as error:
                        raise fitting.culprit(rows, nulls=True) or error from None
                    progress(fitting.total)
            if cursor.rowcount != fitting.total:
                raise nothing_written(f"{fitting.total:,} rows were sent, and {cursor.rowcount:,} arrived")
        return fitting.total

    def _rename(self, waiting: str, order: WriteOrder) -> None:
        try:
            self._run(f"ALTER TABLE {waiting} RENAME TO {quoted(order.table)}")
        except QUICKER as error:
            raise taken(order) from error

    def _make_log(self, schema: str) -> None:
        """Make the table that says which jobs were written, where there is none."""
        if self._has_log(schema):
            return
        columns = 'job text PRIMARY KEY, target text, "rows" bigint, written timestamptz'
        with suppress(*QUICKER):
            self._run(f"CREATE TABLE IF NOT EXISTS {quoted(schema, LOG_TABLE)} ({columns})")

    def _has_log(self, schema: str) -> bool:
        asked = "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = %s"
        return self._connection.execute(asked, (schema, LOG_TABLE)).fetchone() is not None

    def _written(self, schema: str, job: str) -> int | None:
        if not self._has_log(schema):
            return None
        asked = f'SELECT "rows" FROM {quoted(schema, LOG_TABLE)} WHERE job = %s'
        row = self._connection.execute(asked.encode(), (job,)).fetchone()
        return None if row is None else int(row[0])

    def _interrupt(self) -> None:
        with suppress(psycopg.Error):  # it is gone, or the server too busy to hear: the flag remains
            self._connection.cancel_safe(timeout=5)

    def close(self) -> None:
        """Close the connection; a transaction that is open is undone."""
        self._connection.close()

    def _open(self) -> Connection:
        try:
            connection = psycopg.connect(**self._parameters, autocommit=True, prepare_threshold=None)
            wait, limit = min(self._timeout, LOCK_WAIT_SECONDS), self._timeout
            meanings = "".join(f"SET {name} = {value};" for name, value in MEANINGS.items())
            connection.execute(
                f"SET lock_timeout = {math.ceil(wait * 1000)}; SET statement_timeout = {math.ceil(limit * 1000)}; "
                f"{meanings} SET timezone = 'UTC'".encode()
            )
        except psycopg.Error as error:
            raise nothing_written(f"The database cannot be reached: {reason_of(error)}") from error
        return connection

    def _run(self, sql: str, values: tuple[Any, ...] | None = None) -> None:
        self._connection.execute(sql.encode(), values)

    def _ask(self, call: Callable[[], R], order: WriteOrder | None = None) -> R:
        try:
            return call()
        except (psycopg.Error, OverflowError) as error:
            if not self._connection.broken:
                self._demand_going()
            raise refusal_of(error, order) from error
