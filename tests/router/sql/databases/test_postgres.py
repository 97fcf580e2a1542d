"""What is PostgreSQL's own: rights, dead connections, values without a Python form."""

import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, time
from typing import Any

import pytest

from bot.checks.doctor import check_connection
from router.catalog.catalog import Catalog
from router.catalog.connection import Connection, Connections
from router.errors import JobFailed
from router.sql.databases.session import PooledDatabase
from router.sql.dialect import DIALECTS
from router.sql.opening import open_database
from router.sql.scope import Scope
from router.sql.value_kinds import ExactTime, Interval, JsonText
from tests.support.postgres import OWNER, PASSWORD, READER, PostgresDatabase, PostgresServer


@contextmanager
def opened(url: str, timeout: float = 10) -> Iterator[PooledDatabase]:
    """Open it as the bot does."""
    database = open_database(url, DIALECTS["postgres"], timeout)
    yield database
    database.close()


def read(database: PooledDatabase, sql: str, schema: str = "") -> list[tuple[Any, ...]]:
    """Return all rows."""
    with database.session(Scope.of(schema, ())) as session:
        return [row for rows in session.stream(sql)[1] for row in rows]


def test_a_reader_that_can_only_select_cannot_write(postgres: PostgresDatabase) -> None:
    """The first layer as it should be."""
    postgres.run("CREATE TABLE t (a integer)")
    with opened(postgres.reader_url) as database:
        assert read(database, "SELECT count(*) FROM t") == [(0,)]
        assert database.can_write() is None


def test_a_reader_that_can_write_is_found_out(postgres: PostgresDatabase) -> None:
    """The trial leaves nothing."""
    postgres.run(f"GRANT CREATE ON SCHEMA public TO {READER}")
    count = "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    with opened(postgres.reader_url) as database:
        before = read(database, count)
        said = "The reading user created a table in the schema public (it was rolled back)."
        assert database.can_write() == said
        assert read(database, count) == before


def test_a_read_only_setting_does_not_hide_a_right(postgres: PostgresDatabase) -> None:
    """The user could switch the setting off, so it counts for nothing."""
    postgres.run(f"GRANT CREATE ON SCHEMA public TO {READER}")
    with postgres.server.connect() as connection:
        connection.execute(f"ALTER DATABASE {postgres.name} SET default_transaction_read_only = on".encode())
    with opened(postgres.reader_url) as database:
        assert database.can_write() == ("The reading user created a table in the schema public (it was rolled back).")


def test_a_connection_that_dies_while_reading_is_a_sentence(postgres: PostgresDatabase) -> None:
    """The next question gets a new connection."""
    with opened(postgres.reader_url) as database:
        with database.session() as session:
            _, batches = session.stream("SELECT * FROM generate_series(1, 100000)", batch=10)
            next(batches)
            kill(postgres)
            with pytest.raises(JobFailed, match=r"was lost\. Nothing was changed; please run the query again"):
                next(batches)
        assert read(database, "SELECT 1") == [(1,)]


def kill(postgres: PostgresDatabase) -> None:
    """End all that the reader has open."""
    with postgres.server.connect() as connection:
        ended = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s AND usename = %s"
        assert connection.execute(ended, [postgres.name, READER]).fetchall() == [(True,)]


@pytest.mark.parametrize("change", [("@127", "x@127"), ("127.0.0.1", "localhost.invalid"), ("/test_", "/none_")])
def test_no_password_and_no_url_is_told(postgres: PostgresDatabase, change: tuple[str, str]) -> None:
    """Why there is no connection is said in one line without secrets."""
    with opened(postgres.reader_url.replace(*change)) as database, pytest.raises(JobFailed) as failed:
        database.ping()
    said = str(failed.value)
    assert said.startswith("The database cannot be reached: ")
    assert PASSWORD not in said
    assert "://" not in said
    assert "\n" not in said


def test_bare_names_are_looked_up_in_the_scope_s_schema(postgres: PostgresDatabase) -> None:
    """One connection serves sessions of several schemas, whatever their names."""
    postgres.run(
        'CREATE SCHEMA "Odd""name"; CREATE TABLE "Odd""name".t AS SELECT 1 AS a; CREATE TABLE t AS SELECT 2 AS a'
    )
    with opened(postgres.owner_url) as database:
        assert read(database, "SELECT a FROM t", 'Odd"name') == [(1,)]
        assert read(database, "SELECT a FROM t", "public") == [(2,)]
        assert read(database, "SELECT a FROM t") == [(2,)]


def test_a_session_leaves_nothing_to_the_next(postgres: PostgresDatabase) -> None:
    """Locks and settings that a function took are gone when the connection is lent again."""
    with opened(postgres.owner_url) as database:
        read(database, "SELECT pg_advisory_lock(7), set_config('work_mem', '1MB', false)")
        assert read(database, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == [(0,)]
        assert read(database, "SELECT current_setting('work_mem') = '1MB'") == [(False,)]


def test_a_transaction_cannot_be_made_writable(postgres: PostgresDatabase) -> None:
    """Not by a function, either: PostgreSQL refuses after the first statement, and nothing is changed."""
    postgres.run(
        "CREATE TABLE t (a integer);"
        "CREATE FUNCTION add() RETURNS integer LANGUAGE sql AS 'INSERT INTO t VALUES (1) RETURNING a'"
    )
    with opened(postgres.owner_url) as database:
        for sql in ("SELECT set_config('transaction_read_only', 'off', false)", "SELECT add()"):
            with pytest.raises(JobFailed, match=r"active sql transaction|read only sql transaction"):
                read(database, sql)
        assert read(database, "SELECT count(*) FROM t") == [(0,)]


def test_values_that_python_has_no_type_for(postgres: PostgresDatabase) -> None:
    """Infinity, the years before 1, addresses and ranges do not end a query."""
    with opened(postgres.reader_url) as database:
        assert read(
            database,
            "SELECT 'infinity'::date, '2026-01-31'::date, '-infinity'::timestamptz, '0044-03-15 BC'::date, "
            "'1.2.3.4'::inet, int4range(1, 5), '{\"a\": [1]}'::jsonb, ARRAY[1, NULL], 5::money",
        ) == [
            (
                ExactTime("date", "infinity"),
                date(2026, 1, 31),
                ExactTime("timestamptz", "-infinity"),
                ExactTime("date", "0044-03-15 BC"),
                "1.2.3.4",
                "[1,5)",
                JsonText('{"a": [1]}'),
                [1, None],
                "$5.00",
            )
        ]


ODD_SETTINGS = {
    "standard_conforming_strings": "off",
    "transform_null_equals": "on",
    "DateStyle": "'SQL, DMY'",
    "IntervalStyle": "iso_8601",
    "extra_float_digits": "-5",
    "bytea_output": "escape",
    "xmlbinary": "hex",
    "TimeZone": "'Asia/Kathmandu'",
    "client_encoding": "LATIN1",
    "search_path": "other",
}


@pytest.mark.parametrize("settings", [{}, ODD_SETTINGS])
def test_sql_means_the_same_whatever_the_settings_of_the_role(
    postgres: PostgresDatabase, settings: dict[str, str]
) -> None:
    """A session has its own settings for all that changes what SQL, or the text of a value, means."""
    postgres.run("CREATE TABLE t (a text); INSERT INTO t VALUES ('株é'), (NULL); CREATE SCHEMA other")
    with postgres.server.connect() as admin:
        for name, value in settings.items():
            admin.execute(f"ALTER ROLE {READER} IN DATABASE {postgres.name} SET {name} = {value}".encode())
    sql = (
        r"SELECT a, 'it\n', a = NULL, date '2026-03-01'::text, interval '1 day 2 hours'::text, "
        r"(0.1::float8 + 0.2)::text, 0.1::float8 + 0.2, '\x00ff'::bytea::text, timestamptz '2026-03-01 12:00:00+00', "
        "time '10:00', interval '25 h', date '2026-03-04' FROM t WHERE a IS NOT NULL"
    )
    with opened(postgres.reader_url) as database:
        ((*texts, moment, clock, length, day),) = read(database, sql, "public")
        ((order,),) = read(database, "SELECT date '01/02/2026'")
    assert texts == [
        *("株é", r"it\n", None, "2026-03-01", "1 day 02:00:00", "0.30000000000000004", 0.30000000000000004),
        r"\x00ff",
    ]
    assert (moment, clock) == (datetime(2026, 3, 1, 12, tzinfo=UTC), time(10))
    assert length == Interval(micros=25 * 3600 * 10**6)
    assert (day, order) == (date(2026, 3, 4), date(2026, 2, 1) if settings else date(2026, 1, 2))


@pytest.fixture
def ascii_postgres(postgres_server: PostgresServer) -> Iterator[PostgresDatabase]:
    """A database in SQL_ASCII, with a text in UTF-8 and one in Latin-1."""
    database = PostgresDatabase(postgres_server, f"test_{secrets.token_hex(6)}")
    with postgres_server.connect() as admin:
        admin.execute(f"CREATE DATABASE {database.name} OWNER {OWNER} ENCODING 'SQL_ASCII' TEMPLATE template0".encode())
    try:
        with database.connect() as owner:
            owner.execute("SET client_encoding = 'SQL_ASCII'")
            owner.execute(f"GRANT USAGE ON SCHEMA public TO {READER}".encode())
            owner.execute("CREATE TABLE people (id integer, name text)")
            owner.execute("INSERT INTO people VALUES (1, 'Zoë')".encode())
            owner.execute("INSERT INTO people VALUES (2, 'Caf\xe9')".encode("latin-1"))
            owner.execute(f"GRANT SELECT ON people TO {READER}".encode())
        yield database
    finally:
        with postgres_server.connect() as admin:
            admin.execute(f"DROP DATABASE {database.name} WITH (FORCE)".encode())


def test_texts_of_a_database_without_an_encoding(ascii_postgres: PostgresDatabase) -> None:
    """Its UTF-8 is text, its tables are read, and another encoding is a sentence that says what to do."""
    connection = Connection("A", 1, "Company", DIALECTS["postgres"], ascii_postgres.reader_url)
    with closing(Catalog(Connections([connection]))) as catalog:
        (table,) = catalog.schema("A").tables
        assert [column.name for column in table.columns] == ["id", "name"]
    with opened(ascii_postgres.reader_url) as database:
        assert read(database, "SELECT name FROM people WHERE id = 1") == [("Zoë",)]
        assert read(database, "SELECT count(name) FROM people") == [(2,)]
        with pytest.raises(JobFailed, match=r"A text there is not UTF-8.* no row is shown\. Leave out its column"):
            read(database, "SELECT name FROM people")
    with ascii_postgres.connect() as owner:
        owner.execute("SET client_encoding = 'SQL_ASCII'")
        owner.execute("COMMENT ON TABLE people IS 'Caf\xe9'".encode("latin-1"))
    with closing(Catalog(Connections([connection]))) as catalog:
        said = [str(finding) for finding in check_connection(connection, catalog)]
    assert "A name or a comment in the database of Company (A) is not UTF-8" in said[0]
