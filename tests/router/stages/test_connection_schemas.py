"""Tables of several schemas of one connection: joined by typed SQL, and by a question over all of them."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import duckdb
import pytest

from adapters.rendering.plain_text import text_of
from router.memory.draft import Place
from router.memory.stage import Stage
from tests.platforms.ollama import Ollama
from tests.support.postgres import PostgresDatabase
from tests.support.talk import Talk, llm_at

TABLES = """
CREATE SCHEMA sales; CREATE SCHEMA hr;
CREATE TABLE sales.orders (id INTEGER PRIMARY KEY, seller INTEGER, total INTEGER);
CREATE TABLE sales.regions (id INTEGER PRIMARY KEY, name VARCHAR(20));
CREATE TABLE hr.people (id INTEGER PRIMARY KEY, name VARCHAR(20));
CREATE TABLE hr.regions (id INTEGER PRIMARY KEY, name VARCHAR(20));
INSERT INTO sales.orders VALUES (1, 1, 10), (2, 2, 20), (3, 1, 5);
INSERT INTO hr.people VALUES (1, 'Ada'), (2, 'Bob');
INSERT INTO sales.regions VALUES (1, 'of sales');
INSERT INTO hr.regions VALUES (1, 'of people');
"""
JOIN = (
    "SELECT p.name, SUM(o.total) AS total FROM sales.orders o JOIN hr.people p ON p.id = o.seller"
    " GROUP BY p.name ORDER BY p.name"
)
BY_MODEL = JOIN.replace("sales.", "").replace("hr.", "")


@pytest.fixture(name="server")
def _server() -> Iterator[Ollama]:
    with Ollama(script=lambda prompt: BY_MODEL) as server:
        yield server


@pytest.fixture(name="talk", params=["duckdb", "postgres"])
def _talk(request: pytest.FixtureRequest, tmp_path: Path, server: Ollama) -> Iterator[Talk]:
    if request.param == "duckdb":
        with duckdb.connect(str(tmp_path / "firm.db")) as made:
            made.execute(TABLES)
        url = "duckdb:///firm.db"
    else:
        database: PostgresDatabase = request.getfixturevalue("postgres")
        database.run(TABLES)
        database.run(
            "GRANT USAGE ON SCHEMA sales, hr TO icc_reader;GRANT SELECT ON ALL TABLES IN SCHEMA sales, hr TO icc_reader"
        )
        url = database.reader_url
    file = tmp_path / "connections.toml"
    file.write_text(f'[connections.firm]\nid = 1\nlabel = "Firm"\nurl = "{url}"\nschemas = ["sales", "hr"]\n')
    file.chmod(0o600)
    talk = Talk(tmp_path, partial(llm_at, server.url), ())
    yield talk
    talk.close()


def test_typed_sql_joins_them_and_is_not_asked_for_a_schema(talk: Talk) -> None:
    """With its schemas written out it runs as it is, as a first message, and once a schema is chosen."""
    assert "Firm, all schemas:" in talk.say(JOIN)
    shown = talk.press("yes")
    assert "Ada" in shown
    assert "15" in shown
    talk.say("restart")
    talk.say("which orders are there?")
    talk.press("menu:hr")
    talk.say(JOIN)
    assert Stage.CONFIRM_USER_SQL == talk.stage
    assert "Ada" in talk.press("yes")


@pytest.mark.parametrize(
    ("sql", "schema"),
    [("select name from people order by id", "hr"), ("select total from orders order by id", "sales")],
)
def test_bare_names_say_which_schema_is_meant(talk: Talk, sql: str, schema: str) -> None:
    """Where one schema alone has all of them, it is not asked for."""
    talk.say(sql)
    assert (Stage.CONFIRM_USER_SQL, Place("firm", schema)) == (talk.stage, talk.memory.place)


def test_a_bare_name_of_both_is_asked_about_and_the_sql_is_kept(talk: Talk) -> None:
    """SQL that is typed while the menu asks is taken in its place."""
    shown = talk.say("select name from regions")
    assert Stage.CHOOSE_SCHEMA == talk.stage
    assert "Which schema is it about?" in shown
    assert "Your SQL is kept." in talk.say("select id, name from regions")
    assert "FROM regions" in talk.press("menu:hr")
    assert "of people" in talk.press("yes")
    talk.say("restart")
    talk.say("select name from regions")
    talk.say("select name from hr.people where id = 1")
    assert "Ada" in talk.press("yes")


def test_a_table_outside_is_refused_as_before(talk: Talk) -> None:
    """What no schema of the connection has may not be read."""
    assert "is not among those that this connection may read" in talk.say("select name from public.people")
    assert Stage.NEED_USER_SQL == talk.stage


def test_a_question_is_asked_over_all_of_them(talk: Talk, server: Ollama) -> None:
    """The model sees the tables of both, and what it writes gets the schemas before its names."""
    talk.say("what is the total of orders by name of the people?")
    assert "All of them together" in text_of(talk.replies[-1])
    shown = talk.press("menu:*")
    assert Stage.CONFIRM_GENERATED_SQL == talk.stage, shown
    prompt = str(server.history[-1])
    assert "CREATE TABLE hr.people" in prompt
    assert "CREATE TABLE orders" in prompt
    assert "Ada" in talk.press("yes")
