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
SACKS = "SELECT SUM(sacks) AS sacks FROM deliveries JOIN buyers ON buyers.id = buyer_id WHERE firm = 'Miller GmbH'"
ASKED_SACKS = "how many sacks did Miller take?"


@pytest.fixture(name="server", scope="module")
def _server() -> Iterator[Ollama]:
    with Ollama(script=lambda prompt: SACKS if "sacks" in prompt else BY_CITY) as server:
        yield server


@pytest.fixture(name="talk")
def _talk(tmp_path: Path, server: Ollama, request: pytest.FixtureRequest) -> Iterator[Talk]:
    database, more = getattr(request, "param", ("outlet", ""))
    file = write_connections(tmp_path, [database], '[channels]\nprivate = ["*"]\n')
    file.write_text(f"{file.read_text()}{more}")
    talk = Talk(tmp_path, partial(llm_at, server.url), (database,))
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


def test_the_way_to_a_column_tells_it_apart(talk: Talk) -> None:
    """The region of the customers is another one than that of the stores."""
    talk.say("revenue by region")
    assert ("region means regions.name, joined by customers.region_id",) == talk.memory.draft.readings


@pytest.mark.parametrize(
    "question", ["revenue by customer city", "revenue by region hint: region is that of the customer"]
)
def test_what_the_question_or_a_hint_says_is_sure(talk: Talk, question: str) -> None:
    """Who names the table, or explains the word, is offered nothing else."""
    talk.say(question)
    assert (Stage.CONFIRM_GENERATED_SQL, ()) == (talk.stage, talk.memory.draft.readings)


@pytest.mark.parametrize("talk", [("mill", "")], indirect=True)
def test_another_value_is_a_press_away(talk: Talk, server: Ollama) -> None:
    """The model is told which value is meant, and not of the one that was taken before."""
    talk.say(ASKED_SACKS)
    assert "I took it that Miller means buyers.firm = 'Miller GmbH'." in talk.memory.draft.notes

    talk.press("reading:Miller means buyers.firm = 'Miller & Sons'")
    assert "Hint: Miller means buyers.firm = 'Miller & Sons'\n" in server.prompts[-1]
    assert "Miller GmbH" not in server.prompts[-1]


@pytest.mark.parametrize("talk", [("mill", "")], indirect=True)
def test_others_do_not_see_values_of_private_rows(talk: Talk) -> None:
    """Where rows are for the asker alone, no value stands on a button that everybody sees."""
    talk.shared = True
    talk.say(ASKED_SACKS)
    assert (Stage.CONFIRM_GENERATED_SQL, ()) == (talk.stage, talk.memory.draft.readings)


@pytest.mark.parametrize(
    "talk",
    [("mill", more) for more in ("samples = false\n", "samples = false\nvalues = true\n", "values = false\n")],
    indirect=True,
)
def test_no_value_is_offered_where_none_may_be_shown(talk: Talk) -> None:
    """Where no model may see values, or none are remembered, people are offered none either."""
    talk.say(ASKED_SACKS)
    assert (Stage.CONFIRM_GENERATED_SQL, ()) == (talk.stage, talk.memory.draft.readings)
