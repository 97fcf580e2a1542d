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


def test_a_task_is_left_for_a_comparison(talk: Talk) -> None:
    """Where a time or a table is asked for, a wish to compare is not lost: it goes first, and `back` leads here."""
    talk.say("SELECT id FROM orders")
    talk.press("menu:shop")
    talk.press("yes")
    for task in ("repeat", "write"):
        talk.press(task)
        assert "is not among those" in talk.say("compare it with Backup")
        talk.press("cancel")
