"""The databases that are written: one row each, with every statement that is ever sent.

`{name}` is a table in quotes with its schema, `{bare}` without; `{waiting}` is the table in which a job's rows wait.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal
from math import isfinite
from operator import methodcaller
from typing import Any, Literal

from router.sql.cell_text import plain
from router.sql.dialect import Name
from router.sql.value_kinds import ExactTime, Interval, duckdb_text
from router.sql.writing.order import Kind, UnfitValue


def _cancel(connection: Any) -> None:
    if hasattr(connection, "cancel"):
        connection.cancel()


@dataclass(frozen=True, slots=True)
class WriteDialect:
    """The statements that write to one kind of database; `mark` stands for a value, numbered if the driver wants that.

    `ddl_commits` says that a CREATE TABLE cannot be undone. `swap` puts the table {waiting} in the place of {name},
    which is there; what was there is then called {old}. `many` is the most rows of one INSERT; 0: the driver's own way.
    """

    name: Name
    label: str
    quote: str
    mark: str
    ddl_commits: bool
    schemas: str
    table: str
    """Says of a table or view whether it is a view, and, if a name has no case, its schema and name as they are."""
    columns: str
    """Gives each column's name, type, and whether it takes NULL, has a value of its own, or is computed.

    Last may come the code page of a text that is none of Unicode.
    """
    log: str
    count: str
    rename: str = ""
    swap: tuple[str, ...] = ()
    leftovers: str = ""
    """Asks for the bot's own tables; "" if everything is undone that is not committed."""
    staged: Literal["always", "new", "never"] = "always"
    """Whether rows are loaded into a table of the job's own first: always, for a new table only, or never."""
    log_first: bool = False
    """True if the log is made before the transaction: of two that make it at once, one would fail as a whole."""
    session: tuple[str, ...] = ()
    """Sent on each new connection."""
    begin: str = ""
    """Begins the transaction; "" if the driver does."""
    one_cursor: bool = False
    """True if the connection is its only cursor, and any other one a connection of its own."""
    checks_texts: bool = False
    """True if the driver refuses a text that cannot be written; else each one is looked at first."""
    readable: str = ""
    """Asks whether the rows of a table may be read; "" if a count of them says so."""
    utc: str = ""
    """Sent before moments are: columns that keep them without a zone take each in the zone of the session."""
    lock: str = ""
    """Keeps others from writing into the table {name}."""
    hold: str = ""
    """Waits for a lock of the bot's own, {key}, which ends with the connection; its row says whether it was had."""
    many: int = 0
    marks: Mapping[Kind, str] = field(default_factory=dict)
    binds: Mapping[Kind, Callable[[Any], Any]] = field(default_factory=dict)
    sizes: Mapping[str, str] = field(default_factory=dict)
    """The driver's type objects for native types that it would not find out by itself."""
    interrupt: Callable[[Any], None] = _cancel
    """Makes the database abandon what a connection does; any thread may call it."""


def _sqlite_decimal(value: Decimal) -> Any:
    """Return a text, which a column of numbers makes a number of; what a float would change is refused."""
    if value.is_finite() and Decimal(repr(float(value))) != value:
        raise UnfitValue("has more digits than SQLite keeps in a column of numbers")
    return plain(value)


_RENAME = "ALTER TABLE {waiting} RENAME TO {bare}"

SQLITE = WriteDialect(
    name="sqlite",
    label="SQLite",
    quote='"',
    mark="?",
    ddl_commits=False,
    schemas="SELECT 'main'",
    table=(
        "SELECT type = 'view', 'main', name FROM sqlite_master "
        "WHERE ?1 IS NOT NULL AND lower(name) = lower(?2) AND type IN ('table', 'view')"
    ),
    # An INTEGER PRIMARY KEY is filled by SQLite; a hidden column is none of the table's.
    columns=(
        'SELECT name, type, NOT ("notnull" OR own), dflt_value IS NOT NULL OR own, hidden > 1 FROM '
        "(SELECT *, pk = 1 AND upper(type) = 'INTEGER' AND sum(pk > 0) OVER () = 1 AS own FROM pragma_table_xinfo "
        "WHERE ?1 IS NOT NULL AND arg = ?2) WHERE hidden <> 1 ORDER BY cid"
    ),
    log=(
        "CREATE TABLE IF NOT EXISTS {name} (job VARCHAR PRIMARY KEY, target VARCHAR, {rows} BIGINT, written TIMESTAMP)"
    ),
    count="SELECT count(*) FROM (SELECT 1 FROM {name} LIMIT {most})",
    staged="never",
    begin="BEGIN IMMEDIATE",
    checks_texts=True,
    # It keeps integers, floats, texts and blobs: dates and times become texts in ISO form, which its own date functions
    # read, booleans are 0 and 1, NaN is the text NaN.
    binds={
        "decimal": _sqlite_decimal,
        **dict.fromkeys(("float", "any"), lambda value: value if value == value else "NaN"),
        "bool": int,
        **dict.fromkeys(("date", "time", "timestamp", "timestamptz", "uuid", "interval"), plain),
    },
)

DUCKDB = WriteDialect(
    name="duckdb",
    label="DuckDB",
    quote='"',
    mark="?",
    ddl_commits=False,
    schemas=(
        "SELECT schema_name FROM duckdb_schemas() WHERE NOT internal AND database_name = current_database() "
        "UNION SELECT 'main' ORDER BY 1"
    ),
    table=(
        "SELECT view, schema_name, name FROM (SELECT false AS view, schema_name, table_name AS name, database_name "
        "FROM duckdb_tables() UNION ALL SELECT true, schema_name, view_name, database_name FROM duckdb_views()) "
        "WHERE database_name = current_database() AND lower(schema_name) = lower(?) AND lower(name) = lower(?)"
    ),
    columns=(
        "SELECT c.column_name, c.data_type, c.is_nullable, c.column_default IS NOT NULL, i.is_generated = 'ALWAYS' "
        "FROM duckdb_columns() c JOIN information_schema.columns i ON i.table_catalog = c.database_name "
        "AND i.table_schema = c.schema_name AND i.table_name = c.table_name AND i.column_name = c.column_name "
        "WHERE c.database_name = current_database() AND c.schema_name = ? AND c.table_name = ? "
        "ORDER BY c.column_index"
    ),
    log=SQLITE.log,
    count=SQLITE.count,
    staged="never",
    begin="BEGIN",
    one_cursor=True,
    checks_texts=True,
    binds=dict.fromkeys(("date", "time", "timestamp", "timestamptz", "interval"), duckdb_text),
    interrupt=methodcaller("interrupt"),
)


def _array_text(value: Any) -> str:
    """Return an array, or a value within one, as PostgreSQL reads it."""
    if isinstance(value, list):
        return f"{{{','.join(map(_array_text, value))}}}"
    if value is None:
        return "NULL"
    text = f"\\x{value.hex()}" if isinstance(value, bytes) else plain(value)
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


POSTGRES = WriteDialect(
    name="postgres",
    label="PostgreSQL",
    quote='"',
    mark="%s",
    ddl_commits=False,
    schemas=(
        "SELECT nspname::text FROM pg_namespace n "
        "WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND has_schema_privilege(oid, 'USAGE') "
        "AND (has_schema_privilege(oid, 'CREATE') OR EXISTS (SELECT 1 FROM pg_class "
        "WHERE relnamespace = n.oid AND relkind IN ('r', 'p') AND has_table_privilege(oid, 'INSERT'))) "
        'ORDER BY nspname COLLATE "C"'
    ),
    table=(
        "SELECT c.relkind IN ('v', 'm') FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = %s AND c.relname = %s AND c.relkind IN ('r', 'p', 'v', 'm', 'f')"
    ),
    columns=(
        "SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), NOT (t.typnotnull OR a.attnotnull), "
        "a.attidentity <> '' OR a.atthasdef OR t.typdefault IS NOT NULL, a.attgenerated <> '' "
        "FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid JOIN pg_class c ON c.oid = a.attrelid "
        "JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = %s AND c.relname = %s AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum"
    ),
    log=("CREATE TABLE IF NOT EXISTS {name} (job text PRIMARY KEY, target text, {rows} bigint, written timestamptz)"),
    rename=_RENAME,
    swap=("DROP TABLE {name}", _RENAME),
    count="SELECT count(*) FROM (SELECT FROM {name} LIMIT {most}) q",
    staged="new",
    log_first=True,
    begin="BEGIN; SET LOCAL statement_timeout = 0",
    checks_texts=True,
    readable="SELECT has_table_privilege(%s, 'SELECT')",
    lock="LOCK TABLE {name} IN SHARE ROW EXCLUSIVE MODE",
    binds={
        **dict.fromkeys(
            ("date", "time", "timestamp", "timestamptz", "interval"),
            lambda value: str(value) if isinstance(value, ExactTime | Interval) else value,
        ),
        "array": lambda value: value if isinstance(value, str) else _array_text(value),
    },
    interrupt=methodcaller("cancel_safe", timeout=5),
)


def _finite(value: float) -> float:
    if not isfinite(value):
        raise UnfitValue("is no number that this database has")
    return value


def _own_type(value: Any) -> Any:
    """Return what the driver sends as a value of its own type; it would send anything else as a text."""
    if not isinstance(value, str | int | float | Decimal):
        raise UnfitValue("would become a text in it")
    return value


_ORACLE_ZONE = "TO_TIMESTAMP_TZ({mark}, 'YYYY-MM-DD HH24:MI:SS.FF6TZH:TZM')"

ORACLE = WriteDialect(
    name="oracle",
    label="Oracle",
    quote='"',
    mark=":{number}",
    ddl_commits=True,
    schemas=(
        "SELECT USER FROM dual UNION SELECT table_schema FROM all_tab_privs WHERE privilege = 'INSERT' "
        "AND table_schema IN (SELECT username FROM all_users WHERE oracle_maintained = 'N') ORDER BY 1"
    ),
    table=(
        "SELECT CASE object_type WHEN 'TABLE' THEN 0 ELSE 1 END FROM all_objects "
        "WHERE owner = :1 AND object_name = :2 AND object_type IN ('TABLE', 'VIEW', 'MATERIALIZED VIEW') "
        "ORDER BY 1 DESC"
    ),
    columns=(
        "SELECT column_name, CASE WHEN data_type IN ('VARCHAR2', 'CHAR', 'NVARCHAR2', 'NCHAR') "
        "THEN data_type || '(' || char_length || ')' "
        "WHEN data_type = 'NUMBER' AND data_precision IS NOT NULL "
        "THEN 'NUMBER(' || data_precision || ', ' || data_scale || ')' "
        "WHEN data_type = 'NUMBER' AND data_scale = 0 THEN 'NUMBER(38, 0)' ELSE data_type END, "
        "CASE nullable WHEN 'Y' THEN 1 ELSE 0 END, CASE WHEN default_length > 0 OR identity_column = 'YES' "
        "THEN 1 ELSE 0 END, CASE virtual_column WHEN 'YES' THEN 1 ELSE 0 END FROM all_tab_cols "
        "WHERE owner = :1 AND table_name = :2 AND hidden_column = 'NO' ORDER BY column_id"
    ),
    log=(
        "CREATE TABLE {name} (job VARCHAR2(40) PRIMARY KEY, target VARCHAR2(512), {rows} NUMBER(19), written TIMESTAMP)"
    ),
    rename=_RENAME,
    swap=("ALTER TABLE {name} RENAME TO {bare_old}", _RENAME),
    count="SELECT count(*) FROM (SELECT 1 FROM {name} FETCH FIRST {most} ROWS ONLY)",
    leftovers="SELECT table_name FROM all_tables WHERE owner = :1 AND table_name LIKE 'icc\\_bot\\_%' ESCAPE '\\'",
    session=("ALTER SESSION SET DDL_LOCK_TIMEOUT = {seconds}",),
    lock="LOCK TABLE {name} IN SHARE ROW EXCLUSIVE MODE WAIT {seconds}",
    marks={"timestamptz": _ORACLE_ZONE},
    binds={
        "bool": int,
        "timestamptz": lambda value: value.isoformat(" ", "microseconds"),
        "uuid": str,
        "interval": lambda value: timedelta(value.days, microseconds=value.micros),
    },
    sizes={"CLOB": "DB_TYPE_CLOB", "BLOB": "DB_TYPE_BLOB", "BINARY_DOUBLE": "DB_TYPE_BINARY_DOUBLE"},
)

MYSQL = WriteDialect(
    name="mysql",
    label="MySQL",
    quote="`",
    mark="%s",
    ddl_commits=True,
    schemas=(
        "SELECT schema_name FROM information_schema.schemata WHERE schema_name NOT IN "
        "('information_schema', 'mysql', 'performance_schema', 'sys') ORDER BY 1"
    ),
    table=(
        "SELECT CASE table_type WHEN 'BASE TABLE' THEN 0 ELSE 1 END FROM information_schema.tables "
        "WHERE table_schema = %s AND table_name = %s"
    ),
    columns=(
        "SELECT column_name, column_type, is_nullable = 'YES', "
        # where there is no default, MariaDB says that it is NULL
        "(column_default IS NOT NULL AND NOT (is_nullable = 'YES' AND column_default = 'NULL')) "
        "OR extra LIKE '%%auto_increment%%', "
        "extra LIKE '%%GENERATED%%' AND extra NOT LIKE '%%DEFAULT_GENERATED%%' "
        "FROM information_schema.columns WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position"
    ),
    log=(
        "CREATE TABLE IF NOT EXISTS {name} (job VARCHAR(40) PRIMARY KEY, target VARCHAR(512), {rows} BIGINT, "
        "written DATETIME) ENGINE = InnoDB"
    ),
    rename="RENAME TABLE {waiting} TO {name}",
    swap=("RENAME TABLE {name} TO {old}, {waiting} TO {name}",),
    count="SELECT count(*) FROM (SELECT 1 FROM {name} LIMIT {most}) q",
    leftovers=(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = %s AND table_name LIKE 'icc\\_bot\\_%%'"
    ),
    session=(
        "SET SESSION sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO'",
        "SET SESSION innodb_lock_wait_timeout = {seconds}",
        "SET SESSION lock_wait_timeout = {seconds}",
    ),
    utc="SET SESSION time_zone = '+00:00'",
    lock="SELECT count(*) FROM {name} FOR UPDATE",
    hold="SELECT GET_LOCK('icc_bot {key}', {seconds})",
    marks={"bits": "CAST(CONV({mark}, 2, 10) AS UNSIGNED)"},
    binds={
        "bool": int,
        "float": _finite,
        **dict.fromkeys(("date", "time", "timestamp", "uuid", "interval"), plain),
        "timestamptz": lambda value: plain(value.replace(tzinfo=None) - value.utcoffset()),
    },
)

TSQL = WriteDialect(
    name="tsql",
    label="SQL Server",
    quote='"',
    mark="%s",
    ddl_commits=False,
    schemas=(
        "SELECT name FROM sys.schemas WHERE schema_id < 16384 AND name NOT IN ('sys', 'INFORMATION_SCHEMA', 'guest') "
        "ORDER BY 1"
    ),
    table=(
        "SELECT CASE o.type WHEN 'U' THEN 0 ELSE 1 END FROM sys.objects o JOIN sys.schemas s "
        "ON s.schema_id = o.schema_id WHERE s.name = %s AND o.name = %s AND o.type IN ('U', 'V')"
    ),
    columns=(
        "SELECT c.name, t.name + CASE WHEN t.name IN ('decimal', 'numeric') "
        "THEN '(' + CAST(c.precision AS VARCHAR) + ', ' + CAST(c.scale AS VARCHAR) + ')' "
        "WHEN t.name IN ('nvarchar', 'nchar') AND c.max_length > 0 "
        "THEN '(' + CAST(c.max_length / 2 AS VARCHAR) + ')' "
        "WHEN t.name IN ('varchar', 'char') AND c.max_length > 0 THEN '(' + CAST(c.max_length AS VARCHAR) + ')' "
        "WHEN t.name = 'binary' THEN '(' + CAST(c.max_length AS VARCHAR) + ')' "
        "WHEN t.name IN ('nvarchar', 'varchar', 'varbinary') AND c.max_length < 0 THEN '(MAX)' "
        "WHEN t.name IN ('datetime2', 'datetimeoffset', 'time') THEN '(' + CAST(c.scale AS VARCHAR) + ')' ELSE '' END "
        "+ CASE WHEN t.name IN ('varchar', 'char', 'text') THEN ' COLLATE ' + c.collation_name ELSE '' END, "
        "c.is_nullable, CASE WHEN c.default_object_id > 0 OR c.is_identity = 1 THEN 1 ELSE 0 END, c.is_computed, "
        "CASE WHEN t.name IN ('varchar', 'char', 'text') "
        "THEN CAST(COLLATIONPROPERTY(c.collation_name, 'CodePage') AS INT) END "
        "FROM sys.columns c JOIN sys.types t ON t.user_type_id = c.user_type_id "
        "JOIN sys.objects o ON o.object_id = c.object_id JOIN sys.schemas s ON s.schema_id = o.schema_id "
        "WHERE s.name = %s AND o.name = %s ORDER BY c.column_id"
    ),
    log=("CREATE TABLE {name} (job VARCHAR(40) PRIMARY KEY, target NVARCHAR(512), {rows} BIGINT, written DATETIME2)"),
    rename="EXEC sp_rename N'{waiting_text}', N'{bare_text}'",
    swap=("DROP TABLE {name}", "EXEC sp_rename N'{waiting_text}', N'{bare_text}'"),
    count="SELECT count(*) FROM (SELECT TOP {most} 1 AS n FROM {name}) q",
    leftovers=(
        "SELECT o.name FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id "
        "WHERE s.name = %s AND o.type = 'U' AND o.name LIKE 'icc[_]bot[_]%%'"
    ),
    session=("SET QUOTED_IDENTIFIER ON", "SET XACT_ABORT ON", "SET LOCK_TIMEOUT {milliseconds}"),
    lock="SELECT TOP 0 1 FROM {name} WITH (TABLOCKX, HOLDLOCK)",
    many=1000,
    marks={"blob": "CONVERT(VARBINARY(MAX), {mark}, 1)"},
    binds={
        "bool": int,
        "float": _finite,
        "blob": lambda value: "0x" + value.hex(),
        "variant": _own_type,
        **dict.fromkeys(("date", "time", "timestamp", "uuid", "interval"), plain),
        "timestamptz": lambda value: value.isoformat(" ", "microseconds"),
    },
)

WRITE_DIALECTS: dict[str, WriteDialect] = {
    "sqlite": SQLITE,
    "duckdb": DUCKDB,
    "postgresql": POSTGRES,
    "postgres": POSTGRES,
    "oracle": ORACLE,
    "mysql": MYSQL,
    "mariadb": replace(MYSQL, label="MariaDB"),
    "mssql": TSQL,
}


def valued(sql: str, dialect: WriteDialect) -> str:
    """Return a part of a statement that has values beside it, in which the driver may take % for a mark."""
    return sql.replace("%", "%%") if dialect.mark == "%s" else sql
