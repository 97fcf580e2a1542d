"""Words that may mean several things: what the card says of them, what a press does, and what is never offered."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from router.memory.stage import Stage
from tests.platforms.ollama import Ollama
from tests.support.shop import write_connections
from tests.support.talk import Talk, llm_at

BY_CITY = (
    "SELECT s.city, SUM(o.total) AS revenue FROM orders AS o JOIN stores AS s ON s.id = o.store_id"
    " JOIN regions AS r ON r.id = s.region_id GROUP BY s.city ORDER BY s.city"
)


@pytest.fixture(name="server", scope="module")
def _server() -> Iterator[Ollama]:
    with Ollama(script=lambda prompt: BY_CITY) as server:
        yield server


@pytest.fixture(name="talk")
def _talk(tmp_path: Path, server: Ollama) -> Iterator[Talk]:
    write_connections(tmp_path, ["outlet"], '[channels]\nprivate = ["*"]\n')
    talk = Talk(tmp_path, partial(llm_at, server.url), ("outlet",))
    yield talk
    talk.close()


def test_the_column_that_was_used_is_named_and_a_press_changes_it(talk: Talk, server: Ollama) -> None:
    """The other meaning is a hint for the model, and stands as one below the SQL that is written then."""
    talk.say("What is the revenue by city?")
    assert Stage.CONFIRM_GENERATED_SQL == talk.stage
    assert "I took it that city means stores.city." in talk.memory.draft.notes
    assert ("city means customers.city",) == talk.memory.draft.readings

    talk.press("reading:city means customers.city")
    assert (Stage.CONFIRM_GENERATED_SQL, ()) == (talk.stage, talk.memory.draft.readings)
    assert "Hint: city means customers.city\n" in server.prompts[-1]
    assert "city means customers.city" == talk.memory.draft.evidence


@pytest.mark.parametrize("question", ["revenue by customer city", "revenue by city hint: city is that of the customer"])
def test_what_the_question_or_a_hint_says_is_sure(talk: Talk, question: str) -> None:
    """Who names the table, or explains the word, is offered nothing else."""
    talk.say(question)
    assert (Stage.CONFIRM_GENERATED_SQL, ()) == (talk.stage, talk.memory.draft.readings)
