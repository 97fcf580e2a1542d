"""Injections by what the bot reads in a database (cells, names, comments), to run, send or write."""

import csv
import re
import sqlite3
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from io import StringIO
from zipfile import ZipFile

import duckdb
import pytest

from router.cards import File, Table, Text
from router.memory.stage import Stage
from router.text_to_sql.repair.query import quoted
from router.text_to_sql.schema_text import folded
from router.turn import Said
from tests.router.injection.attacked import OPEN, Attacked, attacked
from tests.router.injection.attempts import ATTEMPTS, Attempt, of
from tests.router.injection.drawn import alarms

CELLS = [each.text for each in ATTEMPTS if each.where in ("cell", "value")]
TABLES = [each.text for each in ATTEMPTS if each.where in ("table name", "option label")]
COMMENTS = [each.text for each in ATTEMPTS if each.where == "column comment"]
[LABEL] = [each.text for each in ATTEMPTS if each.where == "connection label"]
ARCHIVE = f'[connections.archive]\nid = 2\nlabel = "{LABEL}"\nurl = "duckdb:///cellar.duckdb"\n'
RAN = ("approved", "started", "finished")


@pytest.fixture(name="spoiled", scope="module")
def _spoiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """A talk over a shop whose cells and tables somebody else filled and named, and an archive they commented on."""
    folder = tmp_path_factory.mktemp("spoiled")
    rows = "".join(f"INSERT INTO regions VALUES ({n}, {_text(cell)});" for n, cell in enumerate(CELLS, 3))
    tables = "".join(f"CREATE TABLE {_name(table)} AS SELECT 7 AS pieces;" for table in TABLES)
    with duckdb.connect(str(folder / "cellar.duckdb")) as file:
        for number, comment in enumerate(COMMENTS):
            file.execute(f"CREATE TABLE stock_{number} (product VARCHAR); INSERT INTO stock_{number} VALUES ('lamp')")
            file.execute(f"COMMENT ON COLUMN stock_{number}.product IS {_text(comment)}")
            file.execute(f"COMMENT ON TABLE stock_{number} IS {_text(comment)}")
    with attacked(folder, f"{ARCHIVE}{OPEN}", f"{rows}{tables}") as house:
        yield house


@pytest.fixture(name="taken", scope="module")
def _taken(spoiled: Attacked) -> Attacked:
    """The rows were read, taken away as files, sent and written, each by a press."""
    talk = spoiled.talk
    spoiled.begin(Stage.NEED_NATURAL_LANGUAGE)
    talk.say("list all regions")
    for answer in ("yes", "csv", "xlsx", "email"):
        talk.press(answer)
    talk.fill(to="me", subject="Regions", body="")
    talk.press("email")
    talk.press("write")
    talk.say('new table "copied"')
    talk.press("write")
    return spoiled


@of("cell")
def test_a_cell_is_data(taken: Attacked, attempt: Attempt) -> None:
    """Shown, exported, sent and written, it is the text that it is, and nothing happens but what was pressed."""
    house, said, line = taken, attempt.text, folded(attempt.text, 40).replace("'", "''")
    cards = [card for reply in house.talk.replies for card in reply.cards]
    shown = {
        " ".join((row[1] or "").split())
        for card in cards
        if isinstance(card, Table)
        for row in card.rows
        if len(row) == 2
    }
    files = {card.name.rpartition(".")[2]: card.path for card in cards if isinstance(card, File)}
    written = [row[1] for row in csv.reader(StringIO(files["csv"].read_bytes().decode("utf-8-sig"), newline=""))]
    sheets = ZipFile(files["xlsx"])
    with sqlite3.connect(house.folder / "backup.sqlite") as file:
        copied = {name for (name,) in file.execute("SELECT name FROM copied")}
    file.close()
    [(people, content)] = house.post.letters
    letter = message_from_bytes(content, policy=default)
    html = letter.get_body(("html",)).get_content()

    assert (*RAN, "exported", "exported", *RAN, *RAN) == house.outside().trail
    assert " ".join(said.split()) in shown
    assert said in copied
    assert (said if said[0] not in "=+-@\t" else f"'{said}").replace("\t=", "\t'=") in written
    assert [] == re.findall(rb"<f>|<hyperlink", b"".join(map(sheets.read, sheets.namelist())))
    assert (["ana@example.com"], "ana@example.com", None, "Regions") == (
        people,
        letter["To"],
        letter["Bcc"],
        letter["Subject"],
    )
    assert [] == re.findall(r"<(?:script|button|img|a) |javascript:|</?script", html)
    assert [] == [alarm for reply in house.talk.replies for alarm in alarms(reply)]
    systems = [body["messages"][0]["content"] for body in house.server.history]
    assert {0, 1} >= {len([row for row in system.splitlines() if f"'{line}'" in row]) for system in systems}


@of("value")
def test_a_value_stays_in_its_quotes(spoiled: Attacked, attempt: Attempt) -> None:
    """What a question names is told as one literal of SQL, whatever quotes are in it; others' quotes end nothing."""
    spoiled.begin(Stage.NEED_NATURAL_LANGUAGE)
    before = spoiled.outside()
    spoiled.talk.say(f"ask: which region is called {attempt.text}?")

    assert f"\nregions.name = {_text(attempt.text)}" in spoiled.server.prompts[-1].replace("Values: ", "\n")
    assert before == spoiled.outside()


@of("table name", "option label")
def test_a_table_may_be_called_anything(spoiled: Attacked, attempt: Attempt) -> None:
    """Its name is quoted wherever a model or a database reads it, and drawn as text; the rows come after a Yes."""
    talk, name = spoiled.talk, _name(attempt.text)
    spoiled.model.sql = f"SELECT pieces FROM {name}"
    spoiled.begin(Stage.NEED_NATURAL_LANGUAGE)
    before = spoiled.outside()
    shown = talk.send(Said("ask: how many pieces are there?"))
    shown += [*talk.send(Said("which tables do we have?")), *talk.send(Said("tables"))]
    assert before == spoiled.outside()
    talk.say("ask: how many pieces are there?")
    talk.press("yes")

    system = spoiled.server.history[-1]["messages"][0]["content"]
    assert 1 == system.count(f"\nCREATE TABLE {quoted(attempt.text, 'sqlite').replace('<|', '< |')} (\n")
    assert "<|" not in system
    assert RAN == spoiled.outside().trail
    assert before.files == spoiled.outside().files
    assert [] == [alarm for reply in (*shown, talk.replies[-1]) for alarm in alarms(reply)]


@of("column comment")
def test_a_comment_stays_a_comment(spoiled: Attacked, attempt: Attempt) -> None:
    """A model and people read it on one line beside what it is about; and what a database is called runs nothing."""
    talk, number = spoiled.talk, COMMENTS.index(attempt.text)
    spoiled.model.sql = f"SELECT product FROM stock_{number}"
    spoiled.begin(Stage.START)
    before = spoiled.outside()
    talk.say("database")
    talk.press("menu:archive")
    talk.send(Said(f"ask: which products are there in stock_{number}?"))
    shown = talk.send(Said("just go on"))
    told = talk.send(Said(f"what columns does stock_{number} have?"))

    system = spoiled.server.history[-1]["messages"][0]["content"]
    assert 1 == system.count(f"  product VARCHAR, -- {folded(attempt.text)}")
    assert f"Run on {LABEL}" in repr(shown)
    assert before == spoiled.outside()
    about = [card.body for reply in told for card in reply.cards if isinstance(card, Text)]
    assert 1 == about.count(f"*stock_{number}*: {' '.join(attempt.text.split())} (about 1 row)")
    assert [] == [alarm for reply in (*shown, *told) for alarm in alarms(reply)]


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _name(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'
