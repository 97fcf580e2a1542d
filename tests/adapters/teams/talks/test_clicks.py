"""Clicks of others, repeated ones, and ones that were made up."""

import copy
import uuid
from typing import Any

import pytest

from tests.adapters.teams.talks.house import House, told
from tests.platforms.teams import Message, shown


def test_somebody_else_may_not_run(house: House) -> None:
    """Run, pressed by somebody else, is refused to them alone; the question stands for its asker."""
    asked = house.ask("revenue by region?")
    approval, runs = house.shown(asked, "Run this on"), house.runs()
    count = len(house.teams.messages("bob"))
    assert "Ana started this conversation" in house.press(approval, "Run", "bob")
    assert house.runs() == runs
    assert len(house.teams.messages("bob")) == count
    house.press(approval, "Run")
    house.shown(asked, "CSV")
    assert house.runs() == runs + 1


def test_an_approver_by_address(house: House) -> None:
    """Whom connections.toml names by e-mail approves somebody else's question; the asker alone may not."""
    asked = house.ask("revenue by region?", "otto")
    approval = house.shown(asked, "Run this on Payroll")
    assert "You may not approve" in house.press(approval, "Run", "otto")
    house.press(approval, "Run", "carla")
    house.shown(asked, "CSV")
    assert "Run · Carla" in shown(approval)


def test_two_at_once(house: House) -> None:
    """Of two clicks at once, the query runs once."""
    asked = house.ask("revenue by region?", "otto")
    approval, runs = house.shown(asked, "Run this on Payroll"), house.runs()
    posts = [house.teams.press(approval, "Run", user=user) for user in ("carla", "otto", "carla")]
    for post in posts:
        post.wait()
    house.shown(asked, "CSV")
    assert house.runs() == runs + 1


@pytest.mark.parametrize("later", [False, True])
def test_a_click_that_comes_again(house: House, later: bool) -> None:
    """A click that Teams delivers again counts once, also with a new timestamp and another id."""
    asked = house.ask("revenue by region?")
    approval, runs = house.shown(asked, "Run this on"), house.runs()
    post = house.teams.press(approval, "Run", user="ana").wait()
    again = house.teams.redeliver(post, later=later).wait()
    other = house.teams.send(post.activity | {"id": str(uuid.uuid4())}).wait()
    house.shown(asked, "CSV")
    assert (again.status, other.status) == (200, 200)
    assert house.runs() == runs + 1
    assert sum("CSV" in each for each in house.said(asked)) == 1


def test_the_same_button_again_after_another(house: House) -> None:
    """Next, back and Next again are three clicks, however soon they follow one another."""
    _, table = house.ran("SELECT id FROM measurements ORDER BY id", "lars")
    for name, words in (("Next", "rows 21 to"), ("Previous", "rows 1 to"), ("Next", "rows 21 to")):
        house.press(table, name, "lars")
        house.teams.wait(lambda words=words: words in shown(table))


def test_a_click_again_after_it_could_not_be_taken(house: House) -> None:
    """Whoever could not be recognised is told so alone; the same click again is not taken for work under way."""
    teams = house.teams
    dora = teams.person("dora", "Dora", "dora@example.com")
    teams.conversation("General").members.append(dora)
    asked = house.ask("revenue by region?", "otto")
    approval = house.shown(asked, "Run this on Payroll")
    teams.fail("member", "404", times=2, code="MemberNotFoundInConversation")
    house.press(approval, "Run", "dora")
    teams.wait_message("dora", "could not make sure who you are")
    assert "press again in a minute" in house.press(approval, "Run", "dora")


def forged(house: House, approval: Message, data: Any, user: str = "ana", verb: str = "press") -> str:
    """Click with this data in place of the button's own."""
    post = house.teams.press(approval, "Edit", user="bob").wait()
    activity = copy.deepcopy(post.activity)
    person = house.teams.person(user)
    activity |= {"id": str(uuid.uuid4()), "from": {"id": person.id, "name": person.name, "aadObjectId": person.aad}}
    activity["value"]["action"] |= {"data": data, "verb": verb}
    return told(house.teams.send(activity).wait())


def test_made_up_data(house: House) -> None:
    """What no card of the bot carries is refused to whoever sent it, and does nothing."""
    asked = house.ask("revenue by region?")
    other = house.ask("revenue by region?", "bob", "sales")
    approval, runs = house.shown(asked, "Run this on"), house.runs()
    house.shown(other, "Run this on")
    actions = [a for each in approval.card["body"] for a in each.get("actions", [])]
    right = next(a["data"] for a in actions if a["title"] == "Run")
    elsewhere = right["k"].replace(house.teams.tenant, str(uuid.uuid4()))
    foreign = right["k"].replace("19:general", "19:sales").replace(asked.root, other.root)
    assert elsewhere != right["k"] != foreign
    for data in (
        right | {"k": elsewhere},
        right | {"k": elsewhere, "v": "stop"},
        right | {"k": foreign},
        right | {"v": "delete"},
        right | {"k": "garbage"},
        right | {"k": None},
        right | {"c": -1000},
        right | {"c": 1000},
        right | {"c": -1000, "v": "fill"},
        right | {"v": "fill"},
        right | {"a": "everything"},
        right | {"a": {"x": 1}},
        right | {"t": "1"},
        {},
        [],
        "garbage",
        None,
    ):
        assert "I do not know any more" in forged(house, approval, data), data
    assert house.runs() == runs
    house.press(approval, "Run")
    house.shown(asked, "CSV")
