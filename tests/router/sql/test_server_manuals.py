"""Servers that are not here: whatever is sent to them exists in their manuals, and SQLAlchemy can read their tables."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlglot
from sqlalchemy.dialects.mssql.pymssql import MSDialect_pymssql
from sqlalchemy.dialects.oracle.oracledb import OracleDialect_oracledb
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.engine.interfaces import Dialect
from sqlglot import exp

import router.catalog.reflect.server as reflecting
from router.catalog.reflect.server import (
    COLUMNS_SQL,
    FOREIGN_KEYS_SQL,
    PRIMARY_KEYS_SQL,
    TABLES_SQL,
)
from router.sql.databases.server_sql import SERVERS, spoken
from router.sql.dialect import DIALECTS, Name
from router.sql.writing.dialects import WRITE_DIALECTS

OLDEST = {"oracle": "12.2", "mssql": "2012", "mysql": "5.7.8", "mariadb": "10.2.7"}
"""The oldest version of each server whose manual has all of it."""

MANUAL: dict[str, dict[str, str]] = {
    # Each name that is sent, and the version since when the manual has it.
    "oracle": {
        # Database Globalization Support Guide, NLS parameters
        "ALTER SESSION SET NLS_DATE_FORMAT": "7",
        "ALTER SESSION SET NLS_DATE_LANGUAGE": "7",
        "ALTER SESSION SET NLS_NUMERIC_CHARACTERS": "7",
        "ALTER SESSION SET NLS_TIMESTAMP_FORMAT": "9.0",
        "ALTER SESSION SET NLS_TIMESTAMP_TZ_FORMAT": "9.0",
        # Database Reference, static data dictionary views
        "all_tab_privs": "7",
        "all_tables": "7",
        "all_objects": "7",
        "all_users": "7",
        "all_tab_cols": "9.0",
        "all_tab_columns": "7",
        "dual": "7",
        # their columns that are younger than the view
        "oracle_maintained": "12.1",
        "identity_column": "12.1",
        "virtual_column": "11.1",
        "char_length": "9.0",
        # SQL Language Reference: SET TRANSACTION, ALTER SESSION, LOCK TABLE, row_limiting_clause
        "SET TRANSACTION READ ONLY": "7",
        "ALTER SESSION SET CURRENT_SCHEMA": "8.1",
        "ALTER SESSION SET DDL_LOCK_TIMEOUT": "11.1",
        "LOCK TABLE": "7",
        "FETCH FIRST": "12.1",
        "TO_TIMESTAMP_TZ": "9.0",
    },
    "mssql": {
        # System catalog views
        "sys.tables": "2005",
        "sys.schemas": "2005",
        "sys.objects": "2005",
        "sys.columns": "2005",
        "sys.types": "2005",
        "sys.partitions": "2005",
        "user_type_id": "2005",
        "information_schema.columns": "2000",
        # System procedures and functions
        "sp_describe_first_result_set": "2012",
        "sp_rename": "2000",
        "COLLATIONPROPERTY": "2000",
        # SET statements, table hints, types
        "SET DATEFORMAT": "2000",
        "SET LOCK_TIMEOUT": "2000",
        "SET QUOTED_IDENTIFIER": "2000",
        "SET XACT_ABORT": "2000",
        "TABLOCKX": "2000",
        "HOLDLOCK": "2000",
        "DATETIME2": "2008",
    },
    "mysql": {
        # INFORMATION_SCHEMA tables
        "information_schema.tables": "5.0",
        "information_schema.columns": "5.0",
        "information_schema.schemata": "5.0",
        "information_schema.key_column_usage": "5.0",
        # Server system variables
        "SET SESSION MAX_EXECUTION_TIME": "5.7.8",
        "SET SESSION sql_mode": "5.0",
        "SET SESSION sql_select_limit": "5.0",
        "SET SESSION group_concat_max_len": "5.0",
        "SET SESSION time_zone": "5.0",
        "SET SESSION innodb_lock_wait_timeout": "5.5",
        "SET SESSION lock_wait_timeout": "5.5.3",
        # SQL statements and functions
        "START TRANSACTION READ ONLY": "5.6.5",
        "KILL QUERY": "5.0",
        "PREPARE": "5.0",
        "CONNECTION_ID": "5.0",
        "CONV": "5.0",
        "VERSION": "5.0",
        "GET_LOCK": "5.7.5",  # more than one at a time
        "RENAME TABLE": "5.0",
        "FOR UPDATE": "5.0",
        "IF": "5.0",
        "USE": "5.0",
    },
}
MANUAL["mariadb"] = {
    **{name: "10.0" for name in MANUAL["mysql"] if name != "SET SESSION MAX_EXECUTION_TIME"},
    "SET SESSION max_statement_time": "10.1.1",
}

NAMES = re.compile(
    r"\b(?:information_schema|sys)\.\w+|\b(?:all|user|session|dba)_\w+|\bsp_\w+|\bfn_\w+"
    r"|\bSET (?:SESSION |TRANSACTION READ )?\w+|ALTER SESSION SET \w+|START TRANSACTION READ ONLY|LOCK TABLE"
    r"|KILL QUERY|RENAME TABLE|CROSS APPLY|FETCH FIRST|FOR UPDATE|^(?:PREPARE|USE)\b|\bdual\b"
    r"|\b(?:TABLOCKX|HOLDLOCK|DATETIME2|oracle_maintained|identity_column|virtual_column|char_length)\b"
    r"|\b[A-Z][A-Z_]+(?=\()",
    re.MULTILINE,
)
PLAIN = frozenset(
    ["CONCAT", "CAST", "SUM", "IN", "CASE", "VARCHAR", "NVARCHAR", "NUMBER", "TO_CHAR", "CONVERT", "VARBINARY"]
)
"""Words before a bracket that every SQL database has."""

BACKENDS = {"oracle": "oracle", "mssql": "tsql", "mysql": "mysql", "mariadb": "mysql"}


def sent(backend: str) -> Iterator[str]:
    """Give every statement that is sent to this kind of server beside people's own."""
    name = BACKENDS[backend]
    server, dialect = spoken(SERVERS[backend], backend), WRITE_DIALECTS[name]
    yield from (
        server.ping,
        server.schema,
        *server.settings,
        *server.begin,
        server.check,
        server.whoami,
        server.kill,
    )
    yield from (
        dialect.schemas,
        *filter(None, (dialect.utc,)),
        dialect.table,
        dialect.columns,
        dialect.log,
        dialect.rename,
        *dialect.swap,
        dialect.count,
    )
    yield from (*dialect.session, dialect.lock, dialect.hold, *dialect.marks.values())
    yield from (asked for key, asked in DIALECTS[name].catalog.items() if key in ("rows", "types"))
    if name == "mysql":
        yield from (TABLES_SQL, COLUMNS_SQL, PRIMARY_KEYS_SQL, FOREIGN_KEYS_SQL)


def used(backend: str) -> set[str]:
    """Return the names in all that is sent."""
    found = {" ".join(name.split()) for statement in sent(backend) for name in NAMES.findall(statement)}
    alone = {name for name in found if any(other != name and other.endswith(name) for other in found)}
    return found - PLAIN - alone


@pytest.mark.parametrize("backend", MANUAL)
def test_every_name_is_in_the_manual(backend: str) -> None:
    """Settings, views, procedures and functions: each is known here, and none is known that is not used."""
    assert used(backend) == set(MANUAL[backend])


@pytest.mark.parametrize("backend", MANUAL)
def test_every_name_is_old_enough(backend: str) -> None:
    """Nothing is younger than the oldest version that the bot is for."""

    def number(version: str) -> tuple[int, ...]:
        return tuple(map(int, version.split(".")))

    assert [name for name, since in MANUAL[backend].items() if number(since) > number(OLDEST[backend])] == []


@pytest.mark.parametrize("backend", MANUAL)
def test_every_query_is_sql_of_its_dialect(backend: str) -> None:
    """What sqlglot reads of a dialect, it reads whole."""
    for statement in sent(backend):
        if statement.startswith("SELECT"):
            text = re.sub(r"\{(most|seconds)\}", "1", statement).replace("%s", "'x'").replace("%%", "%")
            text = re.sub(r"\{\w+\}", "x", re.sub(r":(\d|schema)", "'x'", text)).replace("FOR UPDATE", "")
            tree = sqlglot.parse_one(text, read=BACKENDS[backend])
            assert isinstance(tree, exp.Query), statement
            assert not list(tree.find_all(exp.Command)), statement


INSPECTED = re.findall(r"inspector\.(get_\w+)", Path(reflecting.__file__).read_text(encoding="utf-8"))
WITHOUT: dict[Name, set[str]] = {
    "tsql": {"get_materialized_view_names"},  # which is asked for with care
    "oracle": set(),
    "postgres": set(),
}


@pytest.mark.parametrize(
    ("name", "dialect"),
    [("oracle", OracleDialect_oracledb), ("tsql", MSDialect_pymssql), ("postgres", PGDialect_psycopg)],
)
def test_sqlalchemy_can_be_asked(name: Name, dialect: type[Dialect]) -> None:
    """Each method of its inspector that is called does something in this dialect of the installed version."""
    assert {"get_schema_names", "get_view_names", "get_multi_columns", "get_materialized_view_names"} <= set(INSPECTED)
    of_postgres = {"get_foreign_table_names"}  # which the others are not asked for
    lacking = {
        method
        for method in set(INSPECTED) - of_postgres
        if getattr(dialect, method, None) in (None, getattr(Dialect, method, None))
    }
    assert lacking == WITHOUT[name]
