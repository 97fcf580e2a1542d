"""The database servers that are read through their DBAPI drivers: one row each, with every statement that is ever sent.

`{ms}` is the time-out in milliseconds, `{name}` a quoted schema, `{text}` the statement as it stands within quotes,
`{id}` the number of the session to stop.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

WRITES = "('INSERT', 'UPDATE', 'DELETE', 'CREATE', 'DROP', 'ALTER', 'INDEX', 'TRIGGER', 'EVENT', 'FILE', 'SUPER')"

MYSQL_RIGHTS = tuple(
    f"SELECT CONCAT('the right to ', privilege_type, {where}) FROM information_schema.{view} "
    f"WHERE privilege_type IN {WRITES} LIMIT 1"
    for view, where in (
        ("user_privileges", "' everywhere'"),
        ("schema_privileges", "' in the schema ', table_schema"),
        ("table_privileges", "' on the table ', table_name"),
    )
)


@dataclass(frozen=True, slots=True)
class ServerDialect:
    """The statements and arguments by which one kind of server is read.

    `begin` comes before each statement; a ROLLBACK ends it. `check` is the dry run, "" where the cursor has `parse`.
    `kill` stops a statement from a second connection, "" where the driver has `cancel` (or nothing). `rights` are
    queries whose first row names something the user could write.
    """

    label: str
    driver: str
    quote: str
    ping: str
    schema: str
    begin: tuple[str, ...]
    check: str
    rights: tuple[str, ...]
    connect: Mapping[str, object]
    settings: tuple[str, ...] = ()
    """Sent on each new connection that reads or writes: what SQL and the texts of values mean, whatever the site has.

    The time zone stays the site's, since it says when a day begins.
    """
    execute: Mapping[str, object] = field(default_factory=dict)
    cursor: str = ""
    timeouts: int = 1
    """The time-outs that `begin` gives a statement: a server whose clock runs on while the reader looks at the rows
    gets several, and is told by `kill` when one is over."""
    whoami: str = ""
    """Asks for the number of the session and the version of the server."""
    kill: str = ""
    escape: str = ""
    """A character that is doubled in a text, as a quote is."""
    wait_argument: str = ""
    """The connection argument for the driver's own time-out, in seconds."""


MYSQL_SETTINGS = (
    # "text" is a text, || is OR, \\ escapes. MariaDB's ONLY_FULL_GROUP_BY would refuse what hangs on a key.
    "SET SESSION sql_mode = IF(VERSION() LIKE '%MariaDB%', '', 'ONLY_FULL_GROUP_BY')",
    "SET SESSION sql_select_limit = 18446744073709551615",  # a lower one leaves rows out without a word
    "SET SESSION group_concat_max_len = 1048576",  # MySQL's own cuts at 1,024 bytes
)

ORACLE_SETTINGS = (
    "ALTER SESSION SET NLS_DATE_FORMAT = 'YYYY-MM-DD HH24:MI:SS'",
    "ALTER SESSION SET NLS_TIMESTAMP_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF'",
    "ALTER SESSION SET NLS_TIMESTAMP_TZ_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FFTZH:TZM'",
    "ALTER SESSION SET NLS_NUMERIC_CHARACTERS = '.,'",  # else 1.5 is "1,5" as a text, and '1.5' no number
    "ALTER SESSION SET NLS_DATE_LANGUAGE = 'AMERICAN'",  # TO_CHAR(day, 'MON')
)

TSQL_SETTINGS = (
    "SET DATEFORMAT ymd",  # '2026-01-02' is in January, also for a DATETIME
)

MYSQL = ServerDialect(
    label="MySQL",
    driver="pymysql",
    quote="`",
    ping="SELECT 1",
    schema="USE {name}",
    begin=("SET SESSION MAX_EXECUTION_TIME = {ms}", "START TRANSACTION READ ONLY"),
    # An EXPLAIN takes a right on views that a reading user need not have, and may run what is in brackets.
    check="PREPARE icc_bot FROM '{text}'",
    rights=MYSQL_RIGHTS,
    connect={"connect_timeout": 10, "write_timeout": 30, "charset": "utf8mb4"},
    settings=MYSQL_SETTINGS,
    cursor="SSCursor",
    timeouts=10,
    escape="\\",
    whoami="SELECT CONNECTION_ID(), VERSION()",
    kill="KILL QUERY {id}",
    wait_argument="read_timeout",
)

SERVERS: dict[str, ServerDialect] = {
    "oracle": ServerDialect(
        label="Oracle",
        driver="oracledb",
        quote='"',
        ping="SELECT 1 FROM dual",
        schema="ALTER SESSION SET CURRENT_SCHEMA = {name}",
        begin=("SET TRANSACTION READ ONLY",),
        check="",  # EXPLAIN PLAN writes
        # A CREATE TABLE commits, so nothing is tried: rights are read.
        rights=(
            "SELECT 'the system privilege ' || privilege FROM session_privs WHERE ROWNUM = 1 AND ("
            "privilege LIKE 'CREATE%TABLE' OR privilege LIKE 'INSERT ANY%' OR privilege LIKE 'UPDATE ANY%' "
            "OR privilege LIKE 'DELETE ANY%' OR privilege LIKE 'DROP ANY%' OR privilege LIKE 'ALTER ANY%' "
            "OR privilege LIKE 'CREATE ANY%' OR privilege LIKE 'EXECUTE ANY%')",
            "SELECT 'the right to ' || privilege || ' on ' || table_schema || '.' || table_name FROM all_tab_privs "
            "WHERE privilege IN ('INSERT', 'UPDATE', 'DELETE', 'ALTER') AND ROWNUM = 1",
            "SELECT 'a table of its own, ' || table_name FROM user_tables WHERE ROWNUM = 1",
        ),
        connect={"tcp_connect_timeout": 10.0, "retry_count": 0, "expire_time": 2},
        settings=ORACLE_SETTINGS,
        execute={"fetch_lobs": False, "fetch_decimals": True},
    ),
    "mysql": MYSQL,
    "mariadb": replace(
        MYSQL,
        label="MariaDB",
        begin=("SET SESSION max_statement_time = {ms} / 1000", "START TRANSACTION READ ONLY"),
    ),
    # SQL Server knows no read-only transaction, and its driver no Stop: the user must be in db_datareader alone.
    "mssql": ServerDialect(
        label="SQL Server",
        driver="pymssql",
        quote='"',
        ping="SELECT 1",
        schema="",
        begin=("SET LOCK_TIMEOUT 5000",),
        check="EXEC sp_describe_first_result_set @tsql = N'{text}'",
        rights=(
            "SELECT TOP 1 'the right to ' + permission_name + ' in the database' "
            "FROM fn_my_permissions(NULL, 'DATABASE') WHERE permission_name "
            "IN ('INSERT', 'UPDATE', 'DELETE', 'ALTER', 'CONTROL', 'EXECUTE', 'CREATE TABLE')",
            "SELECT TOP 1 'the right to ' + p.permission_name + ' on ' + t.name FROM sys.tables AS t "
            "CROSS APPLY fn_my_permissions(QUOTENAME(SCHEMA_NAME(t.schema_id)) + '.' + QUOTENAME(t.name), 'OBJECT') "
            "AS p WHERE p.permission_name IN ('INSERT', 'UPDATE', 'DELETE', 'ALTER', 'CONTROL')",
        ),
        connect={"login_timeout": 10, "appname": "icc-bot"},
        settings=TSQL_SETTINGS,
        wait_argument="timeout",
    ),
}


def spoken(server: ServerDialect, version: str) -> ServerDialect:
    """Return the row of the server that answered: MySQL and MariaDB take one driver, and a URL of either leads to both.

    They differ in how a statement is told its time-out, and neither takes the other's words.
    """
    if server.driver != MYSQL.driver:
        return server
    return SERVERS["mariadb" if "mariadb" in version.lower() else "mysql"]
