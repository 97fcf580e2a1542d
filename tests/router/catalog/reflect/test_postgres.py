"""What only PostgreSQL has: rights on tables, several schemas, partitions, comments, types of its own."""

import pytest
from sqlalchemy import event

from router.catalog.catalog import Catalog
from router.catalog.connection import Connection
from router.catalog.reflect import server
from router.catalog.schema import ForeignKey
from router.errors import JobFailed
from router.sql.dialect import DIALECTS
from tests.router.catalog.conftest import Connect
from tests.support.postgres import OWNER, PASSWORD, READER, PostgresDatabase, PostgresServer


def names(catalog: Catalog, schema: str = "") -> list[str]:
    return [table.name for table in catalog.schema("A", schema).tables]


def test_only_tables_the_user_may_select(postgres: PostgresDatabase, connect: Connect) -> None:
    """A table without a SELECT right is not there, one with a right on a column is."""
    postgres.run(
        f"CREATE TABLE shown (a int); CREATE TABLE hidden (a int); CREATE TABLE part (a int, b int);"
        f"REVOKE ALL ON hidden, part FROM {READER}; GRANT SELECT (a) ON part TO {READER}"
    )

    schema = connect("postgres", postgres.reader_url).schema("A")
    assert [(t.name, [column.name for column in t.columns]) for t in schema.tables] == [
        ("part", ["a"]),
        ("shown", ["a"]),
    ]
    assert schema.left_out_sentence == "Left out: part.b (the reading user has no right to it)."
    hidden = connect("postgres", postgres.reader_url, columns_hidden=("part.b",)).schema("A")
    assert ([table.name for table in hidden.tables], hidden.left_out_sentence) == (["part", "shown"], "")


def test_schemas_by_pattern(postgres: PostgresDatabase, connect: Connect) -> None:
    """Allowed schemas come with the default one first; the database's own never by a pattern."""
    postgres.run('CREATE SCHEMA mart_b; CREATE SCHEMA mart_a; CREATE SCHEMA hr; CREATE SCHEMA "Mart:C"')
    catalog = connect("postgres", postgres.reader_url, schemas=("mart*", "public"))

    assert catalog.schemas("A") == ("public", "Mart:C", "mart_a", "mart_b")
    everything = connect("postgres", postgres.reader_url, schemas=("*",))
    assert everything.schemas("A") == ("public", "Mart:C", "hr", "mart_a", "mart_b")


def test_tables_of_one_schema(postgres: PostgresDatabase, connect: Connect) -> None:
    """A schema holds its own tables only, and keys to another one where that may be read."""
    postgres.run(
        'CREATE SCHEMA "Mart:C"; CREATE TABLE customers (id int PRIMARY KEY);'
        'CREATE TABLE "Mart:C".sales (id int, customer_id int REFERENCES customers)'
    )
    postgres.share("Mart:C")
    both = connect("postgres", postgres.reader_url, schemas=("Mart:C", "public")).schema("A", "mart:c")
    alone = connect("postgres", postgres.reader_url, schemas=("Mart:C",)).schema("A")

    assert [(table.schema, table.name) for table in both.tables] == [("Mart:C", "sales")]
    assert (ForeignKey(("customer_id",), "customers", ("id",), "public"),) == both.tables[0].foreign_keys
    assert (alone.name, alone.tables[0].foreign_keys) == ("Mart:C", ())


def test_comments_and_counts(postgres: PostgresDatabase, connect: Connect) -> None:
    """Comments are read, and the rows as ANALYZE counted them; nobody counts rows before that."""
    postgres.run("CREATE TABLE t (a int); COMMENT ON TABLE t IS ' things '; COMMENT ON COLUMN t.a IS 'in metres'")
    (before,) = connect("postgres", postgres.reader_url).schema("A").tables
    postgres.run("INSERT INTO t SELECT generate_series(1, 1234); ANALYZE t")
    (after,) = connect("postgres", postgres.reader_url).schema("A").tables

    assert (before.comment, before.columns[0].comment) == ("things", "in metres")
    assert (before.rows, after.rows) == (None, 1234)


@pytest.mark.filterwarnings("ignore:Did not recognize type:sqlalchemy.exc.SAWarning")
def test_types(postgres: PostgresDatabase, connect: Connect) -> None:
    """Types are written as PostgreSQL writes them, those that SQLAlchemy does not know included."""
    postgres.run(
        "CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE DOMAIN positive AS int CHECK (value > 0);"
        "CREATE TYPE pair AS (a int, b int);"
        "CREATE TABLE t (a varchar(20), b numeric(10, 2), c timestamp, d timestamptz, e mood, f positive, g text[],"
        "h jsonb, i xml, j pair, k uuid, l double precision, m bigint);"
        "INSERT INTO t (e) VALUES ('happy'), ('sad')"
    )
    (table,) = connect("postgres", postgres.reader_url).schema("A").tables

    expected = (
        "VARCHAR(20) NUMERIC(10,2) TIMESTAMP|TIMESTAMP WITH TIME ZONE|mood|positive|TEXT[]|JSONB|xml|pair|UUID"
        "|DOUBLE PRECISION|BIGINT"
    )
    assert expected.replace(" NUM", "|NUM").replace(" TIMESTAMP|", "|TIMESTAMP|").split("|") == [
        column.type for column in table.columns
    ]
    assert table.columns[4].samples == ("happy", "sad")


def test_few_queries(postgres: PostgresDatabase) -> None:
    """Two hundred tables take as many queries as one."""

    def queries() -> int:
        count: list[str] = []
        connection = Connection("A", 1, "A", DIALECTS["postgres"], postgres.reader_url)
        with server.inspecting(connection) as inspector:
            event.listen(inspector.bind, "before_cursor_execute", lambda *arguments: count.append(arguments[2]))
            server.read_tables(inspector, "postgres", "public", lambda table: True)
        return len(count)

    postgres.run("CREATE TABLE t0 (id int PRIMARY KEY)")
    one = queries()
    postgres.run("".join(f"CREATE TABLE t{n} (id int PRIMARY KEY REFERENCES t0);" for n in range(1, 200)))

    assert one == queries()
    assert one < 15


@pytest.mark.parametrize("wrong", ["port", "password", "database"])
def test_unreachable_server(postgres_server: PostgresServer, wrong: str, connect: Connect) -> None:
    """Whatever hinders, the person learns the connection's name, and nothing of its URL."""
    url = postgres_server.url("gone", OWNER)
    if wrong == "port":
        url = url.replace(str(postgres_server.port), "1")
    if wrong == "password":
        url = url.replace(PASSWORD, "0ther-s3cret")
    catalog = connect("postgres", url)

    with pytest.raises(JobFailed) as raised:
        catalog.schema("A")

    expected = (
        "The database of Company (A) does not answer as it should, so its tables could not be read. "
        "Nothing was changed. Try again, or tell your administrator."
    )
    assert expected == str(raised.value)
    assert None is raised.value.__cause__
