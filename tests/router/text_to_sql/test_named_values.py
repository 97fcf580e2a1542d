"""Values of a database that the words of a question mean."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from router.catalog.schema import Column, Schema, SchemaTable
from router.catalog.values import ValueIndex
from router.text_to_sql.named_values import TOLD_VALUES_MAX, named_in, told
from router.text_to_sql.prompt import asked
from router.text_to_sql.question import Node, Question, Try
from router.text_to_sql.write_sql import discreet
from tests.router.text_to_sql.scripted import sql_task


def column(name: str, *values: str, shown: bool = True, samples: tuple[str, ...] = ()) -> Column:
    return Column(name, "TEXT", samples=samples, values=frozenset(values), shown=shown)


def schema(*tables: SchemaTable) -> Schema:
    return Schema("c", "sqlite", "main", tables, datetime(2026, 1, 1, tzinfo=UTC))


FIRMS = schema(
    SchemaTable("buyers", "main", (column("firm", "Miller & Sons", "Miller GmbH", "Müller AG", "JetBlue Airways"),)),
    SchemaTable("people", "main", (column("full_name", "Ada Lovelace", "Grace Hopper", shown=False),)),
    SchemaTable(
        "places", "main", (column("town", "Köln", "Saint-Denis", "New York", "York"), column("code", "US", "7001"))
    ),
    SchemaTable("regions", "main", (column("region", "North", "South", samples=("North", "South")),)),
    SchemaTable("rivers", "main", (column("river", "Red River", "Rhine", "name", "total"),)),
)
INDEX = ValueIndex(FIRMS)


def found(text: str) -> list[tuple[str, list[str]]]:
    return [(each.words, [value.text for value in each.values]) for each in named_in(text, INDEX)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Orders in new york?", [("new york", ["New York"])]),
        ("Orders in York", [("York", ["York"])]),
        ("What flows into the red river", [("red river", ["Red River"])]),
        ("buyers in Koln or köln", [("Koln", ["Köln"]), ("köln", ["Köln"])]),
        ("who lives in saint denis", [("saint denis", ["Saint-Denis"])]),
        ("who lives in saintdenis", [("saintdenis", ["Saint-Denis"])]),
        ("sales in the Nort", []),
        ("flights of jetblue", []),
        ("what is the total by name", []),
        ("rivers longer than 7001", []),
        ("orders of ada lovelace", [("ada lovelace", ["Ada Lovelace"])]),
        ("orders of Lovelace or Ada Lovelac", []),
        ("how far I ran in the an na", []),
        ("", []),
    ],
)
def test_what_is_found(question: str, expected: list[tuple[str, list[str]]]) -> None:
    """A value that is typed whole is found, in any case and without its accents; common words name nothing."""
    assert expected == found(question)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=12), max_size=8), st.text(max_size=80))
def test_any_text_can_be_looked_up(values: list[str], question: str) -> None:
    """Whatever stands in a database or a question, what is found stands in the database."""
    index = ValueIndex(schema(SchemaTable("t", "main", (column("c", *values),))))

    for each in named_in(f"{question} {' '.join(values)}", index):
        assert {value.text for value in each.values} <= set(values)


def test_the_prompt_tells_what_was_found() -> None:
    """What stands in the samples comes first, as ever; then the others, the longest first."""
    text = "sacks from the North to JetBlue Airways in Koln"
    question = Question(text, date(2026, 1, 1), named=named_in(text, INDEX))

    assert asked(sql_task(question, FIRMS)).splitlines()[0] == (
        "Values: regions.region = 'North', buyers.firm = 'JetBlue Airways', places.town = 'Köln'"
    )


def test_tables_that_were_not_chosen_tell_nothing() -> None:
    """Where the person narrowed the tables down, only their values are told; and a few at most."""
    asked = "sacks for Müller AG in Köln"
    named = named_in(asked, INDEX)

    assert told(named, asked, FIRMS.only(("places",)), ()) == (("places", "town", "Köln"),)
    assert told(named, asked, FIRMS, (("places", "town", "Köln"),)) == (("buyers", "firm", "Müller AG"),)
    assert told(named, asked, FIRMS, (("t", "c", "v"),) * TOLD_VALUES_MAX) == ()


@pytest.mark.parametrize(("typed", "told"), [("Ada Lovelac", False), ("ada lovelace", True)])
def test_a_repaired_value_that_nobody_typed_is_not_told_to_the_model(typed: str, told: bool) -> None:
    """When it is to try again, the model sees its query without values of columns that are not shown."""
    sql = "SELECT 1 FROM people WHERE full_name = 'Ada Lovelace' AND full_name <> 'Bob'"
    question = Question(f"orders of {typed}", date(2026, 1, 1), avoid=(sql,))
    seen = discreet(Node(question, tries=(Try(sql, "“Ada Lovelace” is wrong."),)), FIRMS)
    held = sql if told else sql.replace("Ada Lovelace", "…")

    assert (held, f"“{'Ada Lovelace' if told else '…'}” is wrong.") == (seen.tries[0].sql, seen.tries[0].problem)
    assert (held,) == seen.question.avoid


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("annual orders", False),
        ("orders by Ann's friends", True),
        ("orders of AN N", True),
        ("orders in Annapolis", False),
    ],
)
def test_a_value_is_typed_as_words_of_its_own(typed: str, told: bool) -> None:
    """A part of another word does not say a hidden value; and a sentence loses it only if it is quoted."""
    sql = "SELECT annual FROM people WHERE full_name = 'Ann'"
    hidden = schema(SchemaTable("people", "main", (column("full_name", "Ann", shown=False), column("annual"))))
    problem = "no such column: annual; 'Ann' is no number; Annual"
    seen = discreet(Node(Question(typed, date(2026, 1, 1)), tries=(Try(sql, problem),)), hidden).tries[0]

    expected = [text if told else text.replace("'Ann'", "'…'") for text in (sql, problem)]
    assert expected == [seen.sql, seen.problem]


def test_a_hidden_value_with_a_backslash_is_not_told() -> None:
    """However a database writes a value in its SQL, it is held back."""
    value = "C:\\Ann's"
    hidden = replace(schema(SchemaTable("people", "main", (column("home", value, shown=False),))), dialect="mysql")
    sql = "SELECT 1 FROM people WHERE home = 'C:\\\\Ann\\'s' OR home = \"C:\\\\Ann's\""
    seen = discreet(Node(Question("whose home", date(2026, 1, 1)), tries=(Try(sql, f"wrong: '{value}'"),)), hidden)

    assert "SELECT 1 FROM people WHERE home = '…' OR home = '…'" == seen.tries[0].sql
    assert "wrong: '…'" == seen.tries[0].problem
