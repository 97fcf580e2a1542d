"""Tables of hundreds of columns: a small model is shown the keys, and the columns that the question is about."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from router.catalog.schema import Column, ForeignKey, Schema, SchemaTable
from router.text_to_sql.agents import link
from router.text_to_sql.question import Question, Try
from router.text_to_sql.schema_linking import (
    TABLE_MAX_CHARS,
    cut_to_fit,
    names_tables,
)
from tests.platforms.ollama import Ollama
from tests.router.text_to_sql.scripted import sql_task, trade
from tests.support.talk import Talk, llm_at

SQL = "SELECT COUNT(*) FROM machines WHERE hall = 'Halle Nord' AND oil_pressure > 4"


def export(fillers: int = 300) -> SchemaTable:
    """Return a table whose columns of interest come last."""
    columns = (
        *(Column(f"attribute_{n:03}", "TEXT", comment=f"free text {n} of the form") for n in range(fillers)),
        Column("export_id", "INTEGER"),
        Column("customer_id", "INTEGER"),
        Column("carrier_id", "INTEGER"),
        Column("sender_name", "TEXT"),
        Column("freight_cost", "NUMERIC"),
        Column("tx_9", "TEXT", comment="how urgent the parcel is"),
        Column("depot", "TEXT", samples=("Leipzig", "Graz")),
    )
    keys = (
        ForeignKey(("customer_id",), "customers", ("id",)),
        ForeignKey(("carrier_id", "attribute_299"), "orders", ("id", "order_date")),
    )
    return SchemaTable("export", "main", columns, ("export_id",), keys)


def schema(*more: SchemaTable) -> Schema:
    return replace(trade(), tables=(*trade().tables, export(), *more))


def shown(question: str, of: Schema) -> list[str]:
    table = cut_to_fit(question, of).table("export")
    assert table
    return [column.name for column in table.columns]


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("names of the senders", "sender_name"),
        ("what did freight cost last week?", "freight_cost"),
        ("costs of the freights", "freight_cost"),
        ("how many urgent parcels are there?", "tx_9"),
        ("everything from Graz", "depot"),
        ("how often is attribute_217 empty?", "attribute_217"),
        ("the longest attribute 7", "attribute_007"),
    ],
)
def test_what_the_question_names(question: str, column: str) -> None:
    """By the name of a column, other forms of it, its comment, its values, and a number in its name."""
    assert column in shown(question, schema())


def test_what_the_question_does_not_name() -> None:
    """Keys stay, and what comes first, in the order of the table."""
    cut = cut_to_fit("Anything?", schema()).table("export")
    names = shown("Anything?", schema())
    assert cut
    assert cut.foreign_keys == export().foreign_keys
    assert {"export_id", "customer_id", "attribute_000", "attribute_020"} <= set(names)
    assert not {"attribute_298", "freight_cost"} & set(names)
    assert names == [column.name for column in export().columns if column.name in names]


def test_after_a_failure() -> None:
    """The columns that the failed statement and its problem name are shown, too."""
    task = sql_task(Question("freight cost by region", date(2026, 3, 15)), schema())
    tried = Try("SELECT attribute_250 FROM export", "There is no column attribute_260 in export.")
    table = link(task, (tried,)).table("export")
    assert table
    assert {"attribute_250", "attribute_260", "freight_cost"} <= {column.name for column in table.columns}


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("parcels by depot", True),
        ("freight costs of Graz by sender", True),
        ("How many did we sell in May?", False),
        ("what of the depot?", False),
        ("which ids are there?", False),
        ("Anything?", False),
        ("", False),
    ],
)
def test_whether_a_question_names_a_table(question: str, *, named: bool) -> None:
    """A word of a table's name or comment, or two of its columns; a column that many have says nothing."""
    others = tuple(replace(export(), name=f"stock_{n}", columns=export().columns[:302]) for n in range(9))
    assert names_tables(question, schema(replace(export(), name="parcels"), *others)) is named


@pytest.fixture(name="server")
def _server() -> Iterator[Ollama]:
    with Ollama(script=lambda prompt: SQL) as server:
        yield server


@pytest.fixture(name="talk")
def _talk(tmp_path: Path, server: Ollama) -> Iterator[Talk]:
    columns = ", ".join(f"reading_of_sensor_{n:03} REAL" for n in range(600))
    with closing(sqlite3.connect(tmp_path / "plant.sqlite")) as plant, plant:
        plant.execute(f"CREATE TABLE machines (id INTEGER PRIMARY KEY, {columns}, hall TEXT, oil_pressure REAL)")
        plant.execute("INSERT INTO machines (hall, oil_pressure) VALUES ('Halle Nord', 5), ('Halle Süd', 6)")
    (tmp_path / "connections.toml").write_text(
        '[connections.plant]\nid = 1\nlabel = "Plant"\nurl = "sqlite:///plant.sqlite"\n'
    )
    talk = Talk(tmp_path, partial(llm_at, server.url))
    yield talk
    talk.close()


def test_a_question_about_one(talk: Talk, server: Ollama) -> None:
    """Nobody is asked which of one table is meant, and a model with little room is enough."""
    proposed = talk.say("How many in Halle Nord have an oil pressure above 4?")

    assert "oil_pressure > 4" in proposed
    [asked] = server.history
    system = asked["messages"][0]["content"]
    assert len(system) < TABLE_MAX_CHARS + 2_000
    assert "oil_pressure REAL" in system
    assert "reading_of_sensor_000" in system
    assert "reading_of_sensor_599" not in system
    assert "(1 row)" in talk.press("yes")
