"""What is typed or sent about a comparison: nothing of it is lost, and nothing is taken for something else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from router.memory.comparing import Tolerances
from router.memory.stage import Stage
from tests.router.stages.compare.test_columns import columns_of, fields, keys_of, looked
from tests.support.talk import Talk


def model() -> Any:
    raise AssertionError("no model is asked")


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Iterator[Talk]:
    talk = Talk(tmp_path, model, ("shop", "backup"))
    yield talk
    talk.close()


ORDERS = "SELECT id, status, total FROM orders"


def planned(talk: Talk) -> str:
    """Get as far as the card of a comparison."""
    looked(talk, ORDERS, ORDERS)
    talk.press("accept")
    return talk.press("summary")


def tolerances_of(talk: Talk) -> Tolerances:
    """Return what does not count."""
    comparing = talk.memory.tasks.comparing
    assert comparing
    return comparing.tolerances


@pytest.mark.parametrize("amount", ["1,000", "101%", "much", "1.000.000", "-1", "1 or 2"])
def test_an_amount_that_may_mean_something_else(talk: Talk, amount: str) -> None:
    """It is refused in its field, and the other fields stay as they were sent."""
    planned(talk)
    talk.press("tolerances")
    talk.fill(apart=amount, blanks="around")
    form = fields(talk)
    assert (Stage.CHOOSE_TOLERANCES, amount, "around") == (
        talk.stage,
        *(form[name].value for name in ("apart", "blanks")),
    )
    assert form["apart"].problem
    talk.fill(apart="0,5 or 1%", blanks="around")
    assert Tolerances(0.5, 0.01, "around") == tolerances_of(talk)
    talk.press("tolerances")
    assert ("0.5 or 1 %", "") == (fields(talk)["apart"].value, fields(talk)["apart"].problem)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("0.01, 0.5 %, blanks around, case, seconds", Tolerances(0.01, 0.005, "around", True, "second")),
        ("numbers 0,5", Tolerances(0.5)),
        ("2%; empty is no value", Tolerances(relative=0.02, empty=True)),
        ("blanks count\nto the minute", Tolerances(blanks="count", precision="minute")),
    ],
)
def test_tolerances_that_are_typed(talk: Talk, typed: str, expected: Tolerances) -> None:
    """Where there is no form, a line says the same."""
    planned(talk)
    talk.press("tolerances")
    assert "or type it, such as" in talk.say("everything")
    talk.say(typed)
    assert (Stage.CONFIRM_COMPARE_SQL, expected) == (talk.stage, tolerances_of(talk))


def test_columns_that_are_typed(talk: Talk) -> None:
    """Pairs, what is left out, and keys; by the names that the form has."""
    planned(talk)
    talk.press("map")
    talk.say("status = total, leave out Total, by status and `id`")
    found = columns_of(talk)
    assert [(0, 0), (1, 2)] == [(each.left, each.right) for each in found.matched]
    assert [1, 0] == keys_of(talk)
    talk.press("map")
    talk.say("by nothing")
    assert [] == keys_of(talk)


def test_back_keeps_what_was_chosen(talk: Talk) -> None:
    """Of the same two queries: the columns, what is tolerated, and the table for the rows."""
    planned(talk)
    talk.press("tolerances")
    talk.fill(apart="5")
    talk.press("into")
    talk.fill(schema="backup main", table="kept", name="A name")
    for _ in range(2):
        talk.press("back")
    comparing = talk.memory.tasks.comparing
    assert comparing
    assert (5.0, "kept", "A name") == (comparing.tolerances.absolute, comparing.target.table, comparing.name)


@pytest.mark.parametrize("steps", [(), ("provide",), ("same", "menu:shop")])
def test_cancel_leads_back_to_the_result(talk: Talk, steps: tuple[str, ...]) -> None:
    """A comparison that is left leaves the result that it began with, which is asked about as before."""
    talk.say(ORDERS)
    for pressed in ("menu:shop", "yes", "compare", *steps):
        talk.press(pressed)
    assert "Cancelled." == talk.press("cancel")
    assert (Stage.SHOW_RESULTS, None, "shop") == (talk.stage, talk.memory.tasks.comparing, talk.memory.place.connection)
    assert "(8 rows" in talk.say("sort by total")
    talk.say("cancel")
    assert Stage.DONE == talk.stage


def test_a_sentence_after_the_button(talk: Talk) -> None:
    """Whoever presses the button first may say both sides all the same."""
    talk.say("compare")
    asked = talk.say("compare orders in shop and places in backup")
    assert "SELECT * FROM orders" in asked
    assert "SELECT * FROM places" in talk.press("yes")


def test_a_database_that_is_not_there(talk: Talk) -> None:
    """It is said, with those that are there; it is no question."""
    talk.say("SELECT id FROM orders")
    talk.press("menu:shop")
    talk.press("yes")
    said = talk.say("compare orders in shop and orders in bakcup")
    assert "I know no database “bakcup” that you may read. There are: Shop, Backup." in said
    assert Stage.SHOW_RESULTS == talk.stage


def test_back_keeps_what_was_typed(talk: Talk) -> None:
    """SQL that was typed is in the box again, where the menu of databases came next."""
    talk.say("compare")
    talk.press("provide")
    talk.fill(sql="SELECT id FROM orders WHERE id < 3")
    assert "SELECT id FROM orders WHERE id < 3" in talk.press("back")
