"""The servers that are written through their DBAPI drivers: one row each, with every statement that is ever sent.

`{name}` is a table in quotes with its schema, `{bare}` without; `{columns}` and `{marks}` are those of an INSERT.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal
from math import isfinite
from typing import Any

from router.sql.cell_text import plain
from router.sql.dialect import Name
from router.sql.writing.order import Kind, UnfitValue


@dataclass(frozen=True, slots=True)
class WriteDialect:
    """The statements that write to one kind of server; `mark` stands for a value, numbered where the driver wants that.

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
    columns: str
    log: str
    rename: str
    swap: tuple[str, ...]
    count: str
    leftovers: str
    begin: tuple[str, ...] = ()
    utc: str = ""
    """Sent before moments are: columns that keep them without a zone take each in the zone of the session."""
    lock: str = ""
    hold: str = ""
    """Waits for a lock of the bot's own, {key}, which ends with the connection; its row says whether it was had."""
    many: int = 0
    marks: Mapping[Kind, str] = field(default_factory=dict)
    binds: Mapping[Kind, Callable[[Any], Any]] = field(default_factory=dict)
    sizes: Mapping[str, str] = field(default_factory=dict)
    """The driver's type objects for native types that it would not find out by itself."""


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
    rename="ALTER TABLE {waiting} RENAME TO {bare}",
    swap=("ALTER TABLE {name} RENAME TO {bare_old}", "ALTER TABLE {waiting} RENAME TO {bare}"),
    count="SELECT count(*) FROM (SELECT 1 FROM {name} FETCH FIRST {most} ROWS ONLY)",
    leftovers="SELECT table_name FROM all_tables WHERE owner = :1 AND table_name LIKE 'icc\\_bot\\_%' ESCAPE '\\'",
    begin=("ALTER SESSION SET DDL_LOCK_TIMEOUT = {seconds}",),
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
    begin=(
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
        "ELSE '' END, c.is_nullable, CASE WHEN c.default_object_id > 0 OR c.is_identity = 1 THEN 1 ELSE 0 END, "
        "c.is_computed FROM sys.columns c JOIN sys.types t ON t.user_type_id = c.user_type_id "
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
    begin=("SET QUOTED_IDENTIFIER ON", "SET XACT_ABORT ON", "SET LOCK_TIMEOUT {milliseconds}"),
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
    "oracle": ORACLE,
    "mysql": MYSQL,
    "mariadb": replace(MYSQL, label="MariaDB"),
    "mssql": TSQL,
}


def valued(sql: str, dialect: WriteDialect) -> str:
    """Return a part of a statement that has values beside it, in which the driver may take % for a mark."""
    return sql.replace("%", "%%") if dialect.mark == "%s" else sql
