"""Words that may mean several values: who is asked, what the model is told then, and what is never offered."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from router.catalog.catalog import Catalog
from router.catalog.values import ValueIndex
from router.engine import Router
from router.memory.stage import Stage
from router.memory.thread import Meant
from tests.platforms.ollama import Ollama
from tests.support.talk import ANA, Talk, llm_at

QUESTION = "how many sacks did Miller take?"
SQL = "SELECT SUM(sacks) AS sacks FROM deliveries JOIN buyers ON buyers.id = buyer_id WHERE firm = 'Miller GmbH'"


@pytest.fixture(name="server", scope="module")
def _server() -> Iterator[Ollama]:
    with Ollama(script=lambda prompt: SQL) as server:
        yield server


@pytest.fixture(name="talk")
def _talk(tmp_path: Path, server: Ollama) -> Iterator[Talk]:
    talk = Talk(tmp_path, partial(llm_at, server.url), ("mill",), '[channels]\nprivate = ["*"]\n')
    yield talk
    talk.close()


def test_the_choice_is_a_hint_for_the_model(talk: Talk, server: Ollama) -> None:
    """The model is told what was chosen, and not of the other value; the thread remembers it."""
    talk.say(QUESTION)
    talk.press("value:Miller GmbH (buyers.firm)")

    assert talk.stage == Stage.CONFIRM_GENERATED_SQL
    assert [Meant("Miller", "mill", "main", "buyers", "firm", "Miller GmbH")] == talk.memory.meant
    assert "Hint: Miller means buyers.firm = 'Miller GmbH'\n" in server.prompts[-1]
    assert "Miller & Sons" not in server.prompts[-1]


def test_others_do_not_see_values_of_private_rows(talk: Talk) -> None:
    """Where rows are for the asker alone, so is the question which value is meant."""
    talk.shared = True
    talk.say(QUESTION)

    assert (talk.stage, talk.replies[-1].to) == (Stage.CHOOSE_VALUE, ANA.id)


def test_a_turn_waits_for_the_values_once(talk: Talk) -> None:
    """However often a turn asks what words mean, it asks for the index once: that may take a while."""

    class Counting(Catalog):
        asked = 0

        def values(self, name: str, schema: str = "") -> ValueIndex:
            self.asked += 1
            return super().values(name, schema)

    with closing(Counting(talk.services.connections)) as catalog:
        talk.router = Router(talk.store, replace(talk.services, catalog=catalog))
        talk.say(QUESTION)
        assert (Stage.CHOOSE_VALUE, 1) == (talk.stage, catalog.asked)
        talk.press("value:Miller GmbH (buyers.firm)")
        assert (Stage.CONFIRM_GENERATED_SQL, 2) == (talk.stage, catalog.asked)


@pytest.mark.parametrize("switch", ["samples = false", "samples = false\nvalues = true", "values = false"])
def test_nobody_is_asked_where_values_may_not_be_shown(talk: Talk, switch: str) -> None:
    """Where no model may see values, or none are remembered, no value is offered to people either."""
    file = talk.folder / "connections.toml"
    file.write_text(f"{file.read_text()}{switch}\n")
    with_switch = Talk(talk.folder, talk.services.sql_model, ("mill",))
    with_switch.say(QUESTION)

    assert with_switch.stage == Stage.CONFIRM_GENERATED_SQL
    with_switch.close()
