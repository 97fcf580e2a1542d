"""Several wishes in one sentence: what was confirmed for one result is done with no other one."""

import pytest

from router.cards import Chart
from router.memory import Stage
from tests.platforms.ollama import Ollama
from tests.talk import Talk

ASKED = "List the first customers, then draw it as a chart"
PLANNED = "SELECT name, id FROM customers WHERE id < 4"


def drawn(talk: Talk) -> int:
    """Return how many charts were shown."""
    return sum(isinstance(card, Chart) for reply in talk.replies for card in reply.cards)


def planned(talk: Talk, server: Ollama) -> None:
    """Confirm a plan, up to the SQL."""
    server.enqueue(PLANNED)
    talk.say(ASKED)
    assert Stage.CONFIRM_PLAN == talk.stage
    talk.press("yes")
    assert Stage.CONFIRM_GENERATED_SQL == talk.stage


def test_a_plan_is_done_with_its_own_rows(talk: Talk, server: Ollama) -> None:
    """Once the query ran, the chart is drawn without another word."""
    planned(talk, server)
    talk.press("yes")
    assert 1 == drawn(talk)
    assert Stage.SHOW_RESULTS == talk.stage


def test_other_sql_has_no_part_in_a_plan(talk: Talk, server: Ollama) -> None:
    """What is pasted in place of the SQL runs, and nothing more."""
    planned(talk, server)
    talk.say("SELECT id, total FROM orders")
    talk.press("yes")
    assert 0 == drawn(talk)
    assert Stage.SHOW_RESULTS == talk.stage


def test_a_plan_is_not_done_with_older_rows(talk: Talk, server: Ollama) -> None:
    """Who goes back to the result before, and takes it as a file, gets the file alone."""
    server.enqueue("SELECT id, total FROM orders")
    talk.say("all orders with their totals")
    talk.press("yes")
    planned(talk, server)
    talk.say("back")
    assert Stage.SHOW_RESULTS == talk.stage
    talk.press("csv")
    assert 0 == drawn(talk)


def test_back_does_not_lead_to_what_is_answered(talk: Talk, server: Ollama) -> None:
    """From the SQL of a plan, it leads to where the sentence was typed, not to an empty plan."""
    planned(talk, server)
    shown = talk.say("back")
    assert "several wishes" not in shown
    assert Stage.CONFIRM_PLAN != talk.stage


def test_what_follows_keeps_the_plan(talk: Talk, server: Ollama) -> None:
    """The question is changed before it runs; the chart is of the changed one."""
    planned(talk, server)
    server.enqueue("SELECT name, id FROM customers WHERE id < 3")
    talk.say("top 2 only")
    assert Stage.CONFIRM_GENERATED_SQL == talk.stage
    talk.press("yes")
    assert 1 == drawn(talk)


def test_the_wish_for_a_person_is_sent_by_its_word_alone(talk: Talk) -> None:
    """A sentence that sounds like it is answered with how to do that."""
    shown = talk.say("I would rather talk to somebody who knows the data")
    assert "asked" not in shown
    assert not talk.memory.struggle.handed


@pytest.mark.parametrize("text", ["show" + " " * 50_000 + "x", "why is it so " + "." * 50_000 + "x", "word " * 11_000])
def test_a_long_message_is_told_to_be_too_long(talk: Talk, text: str) -> None:
    """It is looked at in no time, and nothing is asked with it."""
    assert "too long" in talk.say(text)
