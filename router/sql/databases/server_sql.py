"""The database servers that are read through their DBAPI drivers: one row each, with every statement that is ever sent.

`{ms}` is the time-out in milliseconds, `{name}` a quoted schema, `{text}` the statement as it stands within quotes,
`{id}` the number of the session to stop.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class ServerDialect:
    """The statements and arguments by which one kind of server is read.

    `begin` comes before each statement; a ROLLBACK ends it. `check` is the dry run, "" where the cursor has `parse`.
    `kill` stops a statement from a second connection, "" where the driver has `cancel` (or nothing).
    """

    label: str
    driver: str
    quote: str
    ping: str
    schema: str
    begin: tuple[str, ...]
    check: str
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
