"""Words that may mean several columns: answers, what is told of them, and how often they are asked about."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from router.memory.stage import Stage
from router.memory.thread import Meant
from router.stages.query import choice
from tests.platforms.ollama import Ollama
from tests.support.talk import ANA, KEY, Talk, llm_at

SQL = (
    "SELECT s.city, SUM(o.total) AS revenue FROM orders AS o JOIN stores AS s ON s.id = o.store_id"
    " JOIN regions AS r ON r.id = s.region_id GROUP BY s.city ORDER BY s.city"
)


@pytest.fixture(name="server", scope="module")
def _server() -> Iterator[Ollama]:
    with Ollama(script=lambda prompt: SQL) as server:
        yield server


@pytest.fixture(name="talk")
def _talk(tmp_path: Path, server: Ollama) -> Iterator[Talk]:
    talk = Talk(tmp_path, partial(llm_at, server.url), ("outlet",), '[channels]\nprivate = ["*"]\n')
    yield talk
    talk.close()


def meant(words: str, *home: str, owner: str = "", through: str = "") -> Meant:
    """Return what was chosen for words on these tables."""
    return Meant(words, "outlet", "main", *home, owner=owner, through=through)


def test_a_choice_is_typed_in_many_ways(talk: Talk) -> None:
    """Its place in the row, its label, or its table's name do."""
    for typed in (
        "2",
        "The other one.",
        "second",
        "Store",
        "stores.city",
        "stores: city",
        "the stores' city",
        "stores: city (such as Turin)",
    ):
        talk.say("What is the revenue by city?")
        talk.say(typed)
        memory = talk.memory
        assert (Stage.CONFIRM_GENERATED_SQL, [meant("city", "stores", "city")]) == (memory.stage, memory.meant), typed
        memory.meant = []
        talk.store.save(KEY, memory)


def test_a_question_with_a_word_of_a_choice_is_no_choice(talk: Talk) -> None:
    """Another question is asked in place of the one that was asked back about, and nothing is chosen."""
    talk.say("What is the revenue by city?")
    talk.say("How many stores are there?")
    assert ("How many stores are there?", []) == (talk.memory.draft.question, talk.memory.meant)


def test_the_model_and_the_approver_are_told(talk: Talk, server: Ollama) -> None:
    """What was chosen is a hint for the model, with the way there, and stands below the SQL."""
    talk.say("revenue by region")
    talk.say("stores")

    assert "Hint: region means regions.name, joined by stores.region_id\n" in server.prompts[-1]
    assert "“region” is taken as `regions.name` by `stores.region_id`, as you chose." in talk.memory.draft.notes


def test_sql_that_does_not_use_the_choice_says_so(talk: Talk) -> None:
    """Whoever approves is not told that a choice was followed where it was not."""
    talk.say("revenue by city")
    talk.say("customers")

    assert talk.memory.draft.notes[0] == (
        "You chose `customers.city` for “city”, and this SQL does not use it. Try again, or edit it."
    )


@pytest.mark.parametrize(
    ("sql", "used"),
    [
        ("SELECT city FROM stores", True),
        ("SELECT x.city FROM stores AS x", True),
        ("SELECT * FROM stores", True),
        ("SELECT s.* FROM stores AS s", True),
        ("SELECT 1 FROM customers JOIN stores USING (city)", True),
        ("no SQL", True),
        ("SELECT city FROM customers", False),
        ("SELECT c.city FROM customers AS c JOIN stores AS s ON s.id = c.id", False),
    ],
)
def test_what_sql_uses(sql: str, used: bool) -> None:
    """A column is used under the table's own name or another, alone, behind a star, and in a join by name."""
    assert used == choice(meant("city", "stores", "city"), sql, "sqlite").endswith("as you chose.")


def test_two_questions_back_are_enough(talk: Talk) -> None:
    """Of three words that are not clear, two are asked about; the model decides the third."""
    talk.say("revenue by region, size and city")
    talk.say("1")
    talk.say("1")

    assert Stage.CONFIRM_GENERATED_SQL == talk.stage
    assert ("region", "size") == talk.memory.draft.asked_back


def test_no_word_is_asked_about_twice_in_a_thread(talk: Talk, server: Ollama) -> None:
    """What was chosen is kept for the word in both numbers, and what was left to the model is left to it again."""
    talk.say("revenue by city")
    talk.say("stores")
    talk.say("which cities brought the most revenue?")
    assert Stage.CONFIRM_GENERATED_SQL == talk.stage
    assert "Hint: city means stores.city\n" in server.prompts[-1]

    talk.say("what is the revenue by size?")
    talk.say("just go on")
    talk.say("what is the number of orders by size?")
    assert Stage.CONFIRM_GENERATED_SQL == talk.stage
    assert "Hint" not in server.prompts[-1]


def test_a_choice_does_not_hold_where_the_question_says_otherwise(talk: Talk, server: Ollama) -> None:
    """Whoever names a table means that one."""
    talk.say("revenue by city")
    talk.say("stores")
    talk.say("what is the revenue by customer city?")

    assert Stage.CONFIRM_GENERATED_SQL == talk.stage
    assert "Hint" not in server.prompts[-1]


def test_what_the_glossary_or_a_hint_says_is_not_asked(talk: Talk) -> None:
    """Whoever explained the word, for everybody or for this question, is not asked for it."""
    talk.say("revenue by region hint: region is that of the customer")
    assert Stage.CONFIRM_GENERATED_SQL == talk.stage

    (talk.folder / "glossary.toml").write_text('[outlet.city]\nmeaning = "the city of the store"\n')
    talk.say("what is the revenue by city?")
    assert Stage.CONFIRM_GENERATED_SQL == talk.stage


def test_others_do_not_see_examples_of_private_values(talk: Talk) -> None:
    """Where rows are for the asker alone, so is the question which column is meant."""
    talk.shared = True
    talk.say("revenue by city")

    assert (talk.stage, talk.replies[-1].to) == (Stage.CHOOSE_VALUE, ANA.id)


def test_columns_are_offered_without_values_that_may_not_be_shown(talk: Talk) -> None:
    """Where no model may see values, columns are asked about by their names alone."""
    file = talk.folder / "connections.toml"
    file.write_text(f"{file.read_text()}samples = false\n")
    bare = Talk(talk.folder, talk.services.sql_model, ("outlet",))

    said = bare.say("revenue by city")
    assert "What do you mean by “city”?" in said
    assert said.endswith("[customers: city / stores: city / None of these]")
    bare.close()
