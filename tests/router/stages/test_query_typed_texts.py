"""What is typed is what runs: SQL of every odd kind, as a first message, below rows, and for a comparison."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

import duckdb
import pytest

from router.cards import Table
from router.memory.stage import Stage
from router.sql.dialect import Name
from tests.support.postgres import PostgresDatabase
from tests.support.rows import check_rows
from tests.support.talk import Talk

NOTES = """
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, name VARCHAR(60), city VARCHAR(60), note VARCHAR(60), "first name" VARCHAR(60)
);
INSERT INTO customers VALUES (1, 'Ada', 'Rome', 'a;b and c d', 'A'), (2, 'Bob', 'Köln', 'x - y z', 'B'),
    (3, 'Cleo', 'Rome', 'it''s -- ok', 'C'), (5, 'Eve', 'Paris', 'a — b “c”', 'E'), (6, 'Fay', 'Paris', '50\\%', 'F');
"""

Oracle = Callable[[str], list[tuple[Any, ...]]]

TAKEN_WHOLE = (
    "select name from customers",
    "select name from customers\n\nwhere id = 5",
    "SELECT name\r\nFROM customers\r\n\r\nWHERE id > 2\r\nORDER BY id\r\n",
    "\tselect\tname\tfrom\tcustomers\twhere\tid = 1\t",
    "select name from customers where note = 'a;b and c d'",
    "select name from customers where note = 'x - y z'",
    "select name from customers where note = 'it''s -- ok'",
    "select name from customers where note = 'a — b “c”'",
    "select name from customers where note <> 'thanks\n\nfor all; please' order by id",
    "/* Report */ select name from customers order by name desc",
    "-- the report\n-- of two lines\nselect name from customers where id = 2",
    "select name -- the name of it\nfrom customers -- all of them\n\n-- and now\nwhere id = 3",
    "select name from customers /* where id = 9; */ where id = 5 /* please - and thanks */",
    "select name from customers where id = 5;",
    "select name from customers where id = 5 ; -- thanks",
    "with rome as (select * from customers where city = 'Rome')\n\nselect name from rome order by id",
    "with a as (select 1 as n), b as (select n + 1 as n from a) select n from b",
    "values (1, 'x;y'), (2, '- a b')",
    "select 1",
    "select 'What? Please, thanks.' as q",
    "select '🎉 party' as \"🎉\"",
    'select "first name" from customers where id < 3 order by "first name"',
    'select c."first name" as "Wie heißt; er" from customers c where c.id = 5',
    "select id - 1, 5 - id from customers where id - 1 = 0",
    "select count(*) from customers where city in ('Rome', 'Köln')",
    "select case when id > 2 then 'big' else 'small' end from customers order by id",
    "SELECT name FROM customers WHERE city LIKE 'R%' AND note LIKE '%;%'",
    "select name from customers where note like '50\\%'",
    "select name from customers where note like '50\\%' escape '\\'",
    "select name from customers order by id limit 2 offset 1",
    "select a.name from customers a join customers b on a.city = b.city and a.id < b.id order by a.id",
    "select name, (select count(*) from customers i where i.city = o.city) from customers o order by id",
    "Select\nname\nfrom\ncustomers\nwhere\nid\n=\n6",
    "select name thanks from customers where id = 1",
    "```sql\nselect name from customers\n\nwhere id = 5;\n```",
    "```\nselect name from customers where note = 'x - y z'\n```",
    "~~~sql\nselect name from customers where id = 5\n~~~",
    "`select name from customers where id = 5`",
    '"select name from customers where id = 5;"',
)
"""Texts that every database reads as it reads them when they are sent as they stand."""

PARENTHESISED = (
    "(select name from customers where id = 1)",
    "(select id from customers where id < 3) union all (select id from customers where id > 5)",
)

OF_DIALECT: dict[Name, tuple[str, ...]] = {
    "sqlite": ("select [first name] from customers where id = 1", "select `first name` from customers where id = 2"),
    "duckdb": (
        *PARENTHESISED,
        "from customers select name where id = 5",
        "select $$a; 'b' - c d$$ as x",
        "select name from customers where note = $q$x - y z$q$",
    ),
    "postgres": (
        *PARENTHESISED,
        "select /* outer /* inner; */ where */ name from customers where id = 5",
        "select $$a; 'b' - c d$$ as x",
        "select name from customers where note = $q$x - y z$q$",
        "select E'it\\'s; -- so' as x",
        "select name from customers where note like '50\\%' escape '\\' and city = 'Paris'",
    ),
}

PUT_RIGHT = (
    (
        "select name from customers where city = ‘Rome’ order by id",
        "select name from customers where city = 'Rome' order by id",
        "‘ ’ as `'`",
    ),
    (
        "select “first name” from customers where id = 1",
        'select "first name" from customers where id = 1',
        '“ ” as `"`',
    ),
    (
        "select\u00a0name from\u202fcustomers\u2028where\u3000id = 5",
        "select name from customers where id = 5",
        "special spaces",
    ),
    (
        "select na\u200bme from customers where note = 'a — b “c”'",
        "select name from customers where note = 'a — b “c”'",
        "invisible",
    ),
    ("select name from customers where id = 6 – 1", "select name from customers where id = 6 - 1", "– as `-`"),
    ("select name from customers where id = 6 − 1", "select name from customers where id = 6 - 1", "− as `-`"),
    (
        "select name from customers — all of them\nwhere id = 5",
        "select name from customers where id = 5",
        "— as `--` (a comment)",
    ),
    (
        "— Report of Ana\nselect name from customers where id = 5",
        "select name from customers where id = 5",
        "(a comment)",
    ),
    ("select name from customers where id ＞ ５", "select name from customers where id > 5", "full-width"),
    (
        "select name from customers where id &gt; 5 and city &lt;&gt; &#39;Rome&#39;",
        "select name from customers where id > 5",
        "codes of HTML",
    ),
    ("select name<br>from customers<br/>where id = 5", "select name from customers where id = 5", "codes of HTML"),
    ("select name from customers where id = 5;\nGO", "select name from customers where id = 5", "`GO` as the end"),
    ("select name from customers where id = 5\n/\n", "select name from customers where id = 5", "`/` as the end"),
    ("select name from customers where id = 5\\G", "select name from customers where id = 5", "`\\G` as the end"),
    (
        "select name from customers where city = ‘Rome' and note <> 'x’ order by id",
        "select name from customers where city = 'Rome' and note <> 'x' order by id",
        "all curly quotes as straight ones",
    ),
    (
        'select “first name" from customers where id = 1',
        'select "first name" from customers where id = 1',
        "all curly quotes as straight ones",
    ),
    ("select name from customers where id ≥ 6", "select name from customers where id >= 6", "≥ as `>=`"),
)
"""What was typed, the same in plain signs, and what the card says of it."""

CUT_OUT = (
    ("please run select name from customers where id = 5, thanks", "select name from customers where id = 5"),
    ("Here is my query: select name from customers\n\nwhere id = 5", "select name from customers where id = 5"),
    (
        "Hi,\n\nthis is it:\n```sql\nselect name from customers\n\nwhere note = 'x - y z';\n```\nThanks!",
        "select name from customers where id = 2",
    ),
    (
        "could you run `select name from customers where note = 'a;b and c d'` for me?",
        "select name from customers where id = 1",
    ),
    ("Hello! select name from customers where id = 5", "select name from customers where id = 5"),
    ("Hi,\n\nselect name from customers\n\nThanks, Jo", "select name from customers"),
    (
        "I have this: \"SELECT name FROM customers WHERE city = 'Rome' ORDER BY id\" - can you run it",
        "select name from customers where city = 'Rome' order by id",
    ),
)

REFUSED = (
    ("select name from customers where id = 5 please", "cannot be read as SQL"),
    ("select name from customers where id = 5; thanks", "this text has 2"),
    ("select name from customers; select city from customers", "this text has 2"),
    ("select name from customers where id = 5;\nGO\nselect city from customers\nGO", "this text has 2"),
    ("select 1; drop table customers", "this text has 2"),
    ("please run select name from customers; and select city from customers", "this text has 2"),
    ("a: ```select 1``` and b: ```select 2```", "this text has 2"),
    ("select name from customers where id = 5 and hurry up", "cannot be read as SQL"),
    ("select name from customers where city = ‘Rome and id = 'x’", "cannot be read as SQL"),
    ("select name from customers where note = 'a;b and c", "cannot be read as SQL"),
    ("SELECT name FROM customers WHERE", "cannot be read as SQL"),
    ("explain select name from customers", "EXPLAIN cannot run"),
    ("EXPLAIN ANALYZE SELECT 1", "EXPLAIN cannot run"),
    ("/* all */ delete from customers", "would change data (DELETE)"),
    ("update customers set name = 'x'", "would change data (UPDATE)"),
    ("drop table customers", "DROP"),
    ("insert into customers (id) values (7)", "would change data (INSERT)"),
    ("select id — 1 from customers", "can be read either way"),
    ("select name from customers where id = ?", "placeholder"),
)


Place = Literal["first", "below rows", "second query"]
PLACES: tuple[Place, ...] = ("first", "below rows", "second query")
ENGINES: tuple[Name, ...] = ("sqlite", "duckdb", "postgres")


def no_model() -> Any:
    raise AssertionError("no model is asked")


@pytest.fixture(name="engine", params=ENGINES)
def _engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Name, Talk, Oracle]]:
    """A talk over one database, and the same database asked directly."""
    dialect: Name = request.param
    if dialect == "sqlite":
        raw: Any = sqlite3.connect(tmp_path / "notes.db")
        raw.executescript(NOTES)
        url = "sqlite:///notes.db"
    elif dialect == "duckdb":
        with duckdb.connect(str(tmp_path / "notes.db")) as made:
            made.execute(NOTES)
        raw, url = duckdb.connect(str(tmp_path / "notes.db"), read_only=True), "duckdb:///notes.db"
    else:
        database: PostgresDatabase = request.getfixturevalue("postgres")
        database.run(NOTES)
        raw, url = database.server.connect(database.name), database.reader_url
    block = f'[connections.notes]\nid = 1\nlabel = "Notes"\nurl = "{url}"\n'
    file = tmp_path / "connections.toml"
    file.write_text(block, encoding="utf-8")
    file.chmod(0o600)
    talk = Talk(tmp_path, no_model, ())
    with closing(raw):
        yield dialect, talk, lambda sql: raw.execute(sql).fetchall()
    talk.close()


def ran(talk: Talk) -> list[tuple[Any, ...]]:
    """Run the SQL that is shown, and return its rows."""
    talk.press("yes")
    return [tuple(row) for card in talk.replies[-1].cards if isinstance(card, Table) for row in card.rows]


def cells(rows: list[tuple[Any, ...]]) -> list[tuple[str | None, ...]]:
    """Return rows as they are shown."""
    return [tuple(None if cell is None else str(cell) for cell in row) for row in rows]


@pytest.fixture(
    name="everywhere", params=[False, pytest.param(True, marks=pytest.mark.thorough)], ids=["", "everywhere"]
)
def _everywhere(request: pytest.FixtureRequest) -> bool:
    """Whether each text is typed in all places on each database; else in each of them on another database."""
    return bool(request.param)


def places(number: int, dialect: Name, everywhere: bool) -> tuple[Place, ...]:
    """Return where the text of this number is typed."""
    return PLACES if everywhere else (PLACES[(number + ENGINES.index(dialect)) % len(PLACES)],)


def typed_at(talk: Talk, place: Place, typed: str, asked: Stage, compared: Stage) -> str:
    """Type a text in a place, and return what is shown."""
    talk.say("restart")
    if place != "first":
        talk.say("select id from customers order by id")
        assert [("1",), ("2",), ("3",), ("5",), ("6",)] == ran(talk)
    if place == "second query":
        talk.press("compare")
    shown = talk.say(typed)
    assert (compared if place == "second query" else asked) == talk.stage, shown
    return shown


def found(talk: Talk, place: Place, oracle: Oracle) -> list[tuple[Any, ...]]:
    """Return the rows of the SQL that stands: those of a second query are shown by a comparison alone."""
    return cells(oracle(talk.memory.draft.sql)) if place == "second query" else ran(talk)


def bare(typed: str) -> str:
    """Return what stands in a code fence or in quotes, as the database is to be sent it."""
    if typed[0] in '`"' and not typed.startswith("```"):
        return typed[1:-1]
    lines = typed.strip().splitlines()
    return "\n".join(lines[1:-1]) if typed.startswith(("```", "~~~")) else typed


def test_a_text_that_begins_as_sql_runs_whole(engine: tuple[Name, Talk, Oracle], everywhere: bool) -> None:
    """It gives the rows that the database gives for the text as it was typed, wherever it was typed."""
    dialect, talk, oracle = engine

    def fact(number: int, typed: str) -> None:
        expected = cells(oracle(bare(typed)))
        for place in places(number, dialect, everywhere):
            shown = typed_at(talk, place, typed, Stage.CONFIRM_USER_SQL, Stage.CONFIRM_SECOND_USER_SQL)
            assert "took this SQL out" not in shown
            assert "Put right" not in shown
            assert expected == found(talk, place, oracle)

    check_rows(enumerate((*TAKEN_WHOLE, *OF_DIALECT[dialect])), fact)


def test_signs_of_word_processors_are_put_right_and_said(engine: tuple[Name, Talk, Oracle], everywhere: bool) -> None:
    """Outside of strings, the signs of SQL stand again if others were put in their place, and the card says so."""
    dialect, talk, oracle = engine

    def fact(number: int, row: tuple[str, str, str]) -> None:
        typed, plain, said = row
        for place in places(number, dialect, everywhere):
            shown = typed_at(talk, place, typed, Stage.CONFIRM_USER_SQL, Stage.CONFIRM_SECOND_USER_SQL)
            assert "Put right outside of strings: " in shown
            assert said in shown
            assert cells(oracle(plain)) == found(talk, place, oracle)

    check_rows(enumerate(PUT_RIGHT), fact)


def test_sql_in_a_sentence_is_cut_out_and_the_card_says_so(engine: tuple[Name, Talk, Oracle], everywhere: bool) -> None:
    """Only where other words stand around it; what was taken is shown."""
    dialect, talk, oracle = engine

    def fact(number: int, row: tuple[str, str]) -> None:
        typed, plain = row
        for place in places(number, dialect, everywhere):
            shown = typed_at(talk, place, typed, Stage.CONFIRM_USER_SQL, Stage.CONFIRM_SECOND_USER_SQL)
            assert "I took this SQL out of your message; the other words of it are left out." in shown
            assert cells(oracle(plain)) == found(talk, place, oracle)

    check_rows(enumerate(CUT_OUT), fact)


def test_what_cannot_run_whole_does_not_run_and_the_reason_is_said(
    engine: tuple[Name, Talk, Oracle], everywhere: bool
) -> None:
    """Nothing is cut off to make it run."""
    dialect, talk, _ = engine

    def fact(number: int, row: tuple[str, str]) -> None:
        typed, reason = row
        for place in places(number, dialect, everywhere):
            assert reason in typed_at(talk, place, typed, Stage.NEED_USER_SQL, Stage.NEED_SECOND_USER_SQL)

    check_rows(enumerate(REFUSED), fact)


def test_what_may_be_either_is_a_question(tmp_path: Path) -> None:
    """A text that reads as SQL over no known table, and as a sentence, is asked; where SQL is asked for, it is that."""

    def model() -> Any:
        raise RuntimeError("no model is here")

    talk = Talk(tmp_path, model)
    talk.say("select customers from germany")
    assert "show customers from germany" == talk.memory.draft.question
    talk.press("provide")
    assert "germany is not among those" in talk.say("select customers from germany")
    talk.close()


def test_a_comparison_takes_the_sql_of_its_sentence_whole(engine: tuple[Name, Talk, Oracle]) -> None:
    """ "Compare this with SELECT …" compares with all of it, and the card says that it stood in a sentence."""
    _, talk, oracle = engine
    sql = "select id, name from customers where note <> 'to and with;\n\nfrom Notes' order by id"
    talk.say("select id, name from customers")
    ran(talk)
    shown = talk.say(f"compare this with: {sql}")
    assert Stage.CONFIRM_SECOND_USER_SQL == talk.stage, shown
    assert "I took this SQL out of your message" in shown
    assert oracle(sql) == oracle(talk.memory.draft.sql)
