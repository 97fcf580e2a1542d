"""How a comparison begins and ends: nothing that is typed for it is lost, and nothing is taken for something else."""

import pytest

from router.memory.stage import Stage
from tests.router.stages.compare.test_form import ORDERS
from tests.support.talk import Talk


@pytest.mark.parametrize("steps", [(), ("provide",), ("same", "menu:shop"), ("same", "menu:shop", "yes")])
def test_cancel_leads_back_to_the_result(talk: Talk, steps: tuple[str, ...]) -> None:
    """A comparison that is left leaves the result that it began with, which is asked about as before."""
    talk.say(ORDERS)
    for pressed in ("menu:shop", "yes", "compare", *steps):
        talk.press(pressed)
    assert "Cancelled." in talk.press("cancel")
    assert (Stage.SHOW_RESULTS, None, "shop") == (talk.stage, talk.memory.tasks.comparing, talk.memory.place.connection)
    assert "(8 rows" in talk.say("sort by total")


def test_a_sentence_after_the_button(talk: Talk) -> None:
    """Who presses the button first may say both sides all the same."""
    talk.say("compare")
    assert "SELECT * FROM orders" in talk.say("compare orders in shop and places in backup")
    assert "SELECT * FROM places" in talk.press("yes")


def test_a_database_that_is_not_there(talk: Talk) -> None:
    """Nothing is guessed: what to compare is asked for."""
    talk.say("SELECT id FROM orders")
    talk.press("menu:shop")
    talk.press("yes")
    said = talk.say("compare orders in shop and orders in bakcup")
    assert "Is it: [Compare two queries" in said
    assert "I did not read from your words what to compare" in talk.say("1")
    assert Stage.ASK_SECOND_SQL_METHOD == talk.stage


def test_back_keeps_what_was_typed(talk: Talk) -> None:
    """SQL that was typed is in the box again, where the menu of databases came next."""
    talk.say("compare")
    talk.press("provide")
    talk.fill(sql="SELECT id FROM orders WHERE id < 3")
    assert "SELECT id FROM orders WHERE id < 3" in talk.press("back")


def test_a_task_is_left_for_a_comparison(talk: Talk) -> None:
    """Where a time or a table is asked for, a wish to compare is not lost: it goes first, and `back` leads here."""
    talk.say("SELECT id FROM orders")
    talk.press("menu:shop")
    talk.press("yes")
    for task in ("repeat", "write"):
        talk.press(task)
        assert "is not among those" in talk.say("compare it with Backup")
        talk.press("cancel")


def test_a_task_of_a_report_is_left_for_another_comparison(talk: Talk) -> None:
    """Below a comparison, both queries of the next one are asked for, wherever it is wished for."""
    for said in ("compare orders in shop and orders in shop", "yes", "yes", "run", "repeat", "compare with backup"):
        shown = talk.say(said)
    assert "The rows above are a comparison already, so I ask for both queries." in shown
    assert Stage.ASK_FIRST_SQL_METHOD == talk.stage
