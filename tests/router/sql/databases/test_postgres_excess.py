"""What a PostgreSQL reader could do if the guard failed: found, mended by the printed statement, gone."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from router.sql.databases.excess import Excess, excess_queries
from router.sql.dialect import DIALECTS
from router.sql.opening import open_database
from tests.support.postgres import PASSWORD, READER, PostgresDatabase

ROLE = "icc_belt"
"""A reader of these tests alone, as roles are the whole server's."""


def excess(
    postgres: PostgresDatabase, user: str = ROLE, tables: tuple[str, ...] = ("t", "own", "mine")
) -> tuple[Excess, ...]:
    """Return what the doctor is told, where people may read these tables of public."""
    url = postgres.server.url(postgres.name, user)
    with closing(open_database(url, DIALECTS["postgres"], 30)) as database:
        return database.excess(lambda schema, table: schema == "public" and table in tables)


def as_superuser(postgres: PostgresDatabase, *statements: str) -> None:
    """Run the statements."""
    with postgres.connect("postgres") as connection:
        for statement in statements:
            connection.execute(statement.encode())


def dropped(postgres: PostgresDatabase, *roles: str) -> None:
    """Take the roles away with all that they own and may do in this database."""
    with postgres.connect("postgres") as connection:
        for role in roles:
            if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone():
                connection.execute(f"DROP OWNED BY {role} CASCADE; DROP ROLE {role}".encode())


AT_ONCE = 6
"""Databases among which the rights are dealt out: to look at one takes much longer than to give one more right."""


@pytest.fixture
def place(postgres: PostgresDatabase) -> Iterator[PostgresDatabase]:
    """A database with a table and a role that may read it, after all that PUBLIC has was taken away as printed."""
    as_superuser(
        postgres,
        f"CREATE ROLE {ROLE} LOGIN PASSWORD '{PASSWORD}'",
        "CREATE TABLE t (a integer, b text)",
        f"GRANT USAGE ON SCHEMA public TO {ROLE}; GRANT SELECT ON t TO {ROLE}",
    )
    try:
        as_superuser(postgres, *(remedy for found in excess(postgres) for remedy in found.remedies))
        yield postgres
    finally:
        as_superuser(postgres, f"ALTER DATABASE {postgres.name} OWNER TO postgres")
        dropped(postgres, ROLE, "icc_between")


def test_what_everybody_has(postgres: PostgresDatabase) -> None:
    """A role that may only SELECT has what PUBLIC has on a fresh server; a statement for each takes it away."""
    postgres.run("CREATE TABLE t (a integer)")
    found = excess(postgres, READER)
    assert [each.sentence for each in found] == [
        f"The reading user may make temporary tables: TEMPORARY on {postgres.name}.",
        "The reading user may run functions that take SQL as a text: pg_catalog.cursor_to_xml, "
        "pg_catalog.cursor_to_xmlschema, pg_catalog.database_to_xml, "
        "pg_catalog.database_to_xml_and_xmlschema and 12 more.",
        "The reading user may end other sessions of its own: pg_catalog.pg_cancel_backend, "
        "pg_catalog.pg_terminate_backend.",
        "The reading user may make or change large objects: pg_catalog.lo_creat, pg_catalog.lo_create, "
        "pg_catalog.lo_from_bytea, pg_catalog.lo_put and 4 more.",
    ]
    assert not any(each.grave for each in found)
    remedies = [remedy for each in found for remedy in each.remedies]
    assert "REVOKE EXECUTE ON FUNCTION pg_catalog.ts_stat(text) FROM PUBLIC;" in remedies
    as_superuser(postgres, *remedies)
    assert excess(postgres, READER) == ()


GIVEN = [
    (
        f"ALTER ROLE {ROLE} CREATEDB CREATEROLE REPLICATION BYPASSRLS",
        "has CREATEDB, CREATEROLE, REPLICATION, BYPASSRLS",
    ),
    *(
        (f"GRANT {roles} TO {ROLE}", f"is a member of {roles}")
        for roles in (
            "pg_execute_server_program, pg_read_server_files, pg_signal_backend, pg_write_server_files",
            "pg_monitor, pg_read_all_data, pg_read_all_settings, pg_write_all_data",
        )
    ),
    (
        f"CREATE ROLE icc_between; GRANT pg_read_server_files TO icc_between; GRANT icc_between TO {ROLE}",
        "is a member of pg_read_server_files",
    ),
    (f"CREATE ROLE icc_between CREATEROLE; GRANT icc_between TO {ROLE}", "is a member of icc_between"),
    (f"GRANT EXECUTE ON FUNCTION pg_read_file(text) TO {ROLE}", "reach the server's files: pg_catalog.pg_read_file"),
    (
        f"GRANT EXECUTE ON FUNCTION pg_ls_dir(text), lo_export(oid, text) TO {ROLE}",
        "pg_catalog.lo_export, pg_catalog.pg",
    ),
    (f"GRANT EXECUTE ON FUNCTION pg_reload_conf() TO {ROLE}", "act on the server: pg_catalog.pg_reload_conf"),
    ("GRANT EXECUTE ON FUNCTION ts_stat(text) TO PUBLIC", "SQL as a text: pg_catalog.ts_stat"),
    ("GRANT EXECUTE ON FUNCTION pg_terminate_backend(integer, bigint) TO PUBLIC", "end other sessions of its own"),
    (
        "CREATE FUNCTION \"Odd\"(x int, OUT y int) LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'",
        "rights of their owners (SECURITY DEFINER): public.Odd",
    ),
    ("CREATE PROCEDURE p() LANGUAGE sql SECURITY DEFINER AS ''", "(SECURITY DEFINER): public.p"),
    ("GRANT CREATE ON SCHEMA public TO PUBLIC", "may make tables and functions: CREATE on public"),
    (
        f"DO $$ BEGIN EXECUTE format('GRANT CREATE, TEMP ON DATABASE %I TO {ROLE}', current_database()); END $$",
        "schemas",
    ),
    (f"GRANT INSERT, UPDATE (a) ON t TO {ROLE}; GRANT DELETE ON t TO PUBLIC", "may change public.t"),
    (f"CREATE SEQUENCE q; GRANT UPDATE ON q TO {ROLE}", "may change public.q"),
    (
        f"CREATE SCHEMA hr; CREATE TABLE hr.pay (a int); CREATE VIEW v AS SELECT 1 AS a; GRANT USAGE ON SCHEMA hr TO "
        f"{ROLE}; GRANT SELECT ON hr.pay, v TO {ROLE}",
        "may read what this connection does not name: hr.pay, public.v",
    ),
    (f"CREATE TABLE u (a int, b int); GRANT SELECT (b) ON u TO {ROLE}", "does not name: public.u"),
    (f"CREATE TABLE own (a serial); ALTER TABLE own OWNER TO {ROLE}", "owns public.own"),
    (f"CREATE VIEW mine AS SELECT 1; ALTER VIEW mine OWNER TO {ROLE}", "owns public.mine"),
    (f"CREATE SCHEMA mine AUTHORIZATION {ROLE}", "owns the schema mine"),
    (
        f"DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO {ROLE}', current_database()); END $$",
        "owns the database test_",
    ),
    (
        "CREATE FOREIGN DATA WRAPPER w; CREATE SERVER far FOREIGN DATA WRAPPER w;"
        f"GRANT USAGE ON FOREIGN SERVER far TO {ROLE}; CREATE USER MAPPING FOR {ROLE} SERVER far",
        "may use servers: USAGE on far",
    ),
    (
        "CREATE FOREIGN DATA WRAPPER w; CREATE SERVER far FOREIGN DATA WRAPPER w;"
        "CREATE USER MAPPING FOR PUBLIC SERVER far",
        "is known to other servers, of which it reads no table: far",
    ),
    (f"CREATE FOREIGN DATA WRAPPER w; GRANT USAGE ON FOREIGN DATA WRAPPER w TO {ROLE}", "may define servers"),
    (f"GRANT SET ON PARAMETER log_statement TO {ROLE}", "not its own: SET log_statement"),
]


@pytest.mark.parametrize("rights", [GIVEN[start::AT_ONCE] for start in range(AT_ONCE)])
def test_found_mended_gone(place: PostgresDatabase, rights: list[tuple[str, str]]) -> None:
    """Each right is named; what is printed takes it away; the role still reads its table."""
    assert excess(place) == ()
    as_superuser(place, *(given for given, _ in rights))
    found = excess(place)
    told = " ".join(each.sentence for each in found)
    assert [said for _, said in rights if said not in told] == []
    assert all(each.remedies for each in found)
    as_superuser(place, *(remedy for each in found for remedy in each.remedies))
    assert excess(place) == ()
    with place.connect(ROLE) as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchall() == [(0,)]


def test_a_superuser(place: PostgresDatabase) -> None:
    """A superuser has nothing else said of it; the one the server began with cannot be mended but replaced."""
    as_superuser(place, f"ALTER ROLE {ROLE} SUPERUSER")
    (found,) = excess(place)
    assert found == Excess(
        f"The reading user {ROLE} is a superuser: it can do everything, whatever else is granted.",
        (f"ALTER ROLE {ROLE} NOSUPERUSER;",),
        grave=True,
    )
    as_superuser(place, *found.remedies)
    assert excess(place) == ()
    (first,) = excess(place, "postgres")
    assert first.remedies[0].startswith("CREATE ROLE icc_bot_reader LOGIN; GRANT USAGE")


def test_functions_of_an_extension(place: PostgresDatabase) -> None:
    """What dblink, tablefunc and others bring is found by the extension, whatever it is named."""
    with place.connect("postgres") as connection:
        (look,) = (look for look in excess_queries("postgres") if look.about == "functions of extensions")
        there = {row[0] for row in connection.execute("SELECT name::text FROM pg_available_extensions")}
        for name in sorted(name for name in there if f"'{name}'" in look.query):
            connection.execute(f"CREATE EXTENSION IF NOT EXISTS {name}".encode())
    found = [each for each in excess(place) if "open links" in each.sentence]
    assert len(found) == 1
    assert "REVOKE EXECUTE ON FUNCTION public.dblink(text) FROM PUBLIC;" in found[0].remedies
    as_superuser(place, *(remedy for each in excess(place) for remedy in each.remedies))
    assert excess(place) == ()


def test_what_may_not_be_read(place: PostgresDatabase) -> None:
    """A dictionary that the role may not read is said, and everything else is looked at."""
    as_superuser(place, "REVOKE SELECT ON pg_catalog.pg_auth_members FROM PUBLIC", f"GRANT INSERT ON t TO {ROLE}")
    assert [each.sentence for each in excess(place)] == [
        "could not look at memberships: permission denied for table pg_auth_members.",
        "The reading user may change public.t.",
    ]


def test_views_that_keep_rows_back(place: PostgresDatabase) -> None:
    """A view on what people may not read is named until it is a barrier; one on what they may read anyhow is not."""
    as_superuser(
        place,
        "CREATE TABLE secrets (a integer, b text)",
        "CREATE VIEW own AS SELECT b FROM secrets WHERE a > 0",
        "CREATE VIEW mine AS SELECT b FROM t WHERE a > 0",
        f"GRANT SELECT ON own, mine TO {ROLE}",
    )
    (found,) = excess(place)
    assert "errors and timings may tell of rows that they keep back: public.own." in found.sentence
    assert found.remedies == ("ALTER VIEW public.own SET (security_barrier = true);",)
    as_superuser(place, *found.remedies)
    assert excess(place) == ()
