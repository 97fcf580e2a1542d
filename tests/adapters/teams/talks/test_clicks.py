"""Clicks of others, repeated ones, and ones that were made up."""

import copy
import uuid
from typing import Any

import pytest

from adapters.chat.gate import UNKNOWN
from adapters.teams.clicks import COMING
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
    """Of several clicks at once the query runs once; whoever came too late is told so, and all see who decided."""
    asked = house.ask("revenue by region?", "otto")
    approval, runs = house.shown(asked, "Run this on Payroll"), house.runs()
    posts = [house.teams.press(approval, "Run", user=user) for user in ("carla", "otto", "carla")]
    first, second, third = [told(post.wait()) for post in posts]
    house.shown(asked, "CSV")
    assert house.runs() == runs + 1
    house.teams.wait(lambda: all("✓ Run · Carla" in shown(approval, who) for who in ("", "carla", "otto")))
    assert "✓ Run · Carla" in first
    assert "✓" not in second
    assert "heard that click" in third


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
    """Whoever could not be recognised hears so in the answer to the click, and is recognised when they press again."""
    teams = house.teams
    dora = teams.person("dora", "Dora", "dora@example.com")
    teams.conversation("General").members.append(dora)
    asked = house.ask("revenue by region?", "otto")
    approval = house.shown(asked, "Run this on Payroll")
    teams.fail("member", "404", times=2, code="MemberNotFoundInConversation")
    assert UNKNOWN == house.press(approval, "Run", "dora")
    for _ in range(2):
        assert "Otto started this conversation" in house.press(approval, "Run", "dora")
    assert teams.messages("dora") == []


def test_a_click_on_what_is_only_just_arriving(house: House) -> None:
    """Nobody is told that a click is taken which is not kept; it counts once the message is known."""
    house.teams.fail("send", "slow", seconds=2, times=2)  # the typing sign, and the question
    asked = house.ask("revenue by region?")
    assert COMING == house.press(house.shown(asked, "Run this on"), "Run")
    house.shown(asked, "CSV")


def test_a_lookup_that_is_refused(house: House) -> None:
    """Where the bot may not look up who pressed, they hear so, and the conversation goes on."""
    teams = house.teams
    erin = teams.person("erin", "Erin", "erin@example.com")
    teams.conversation("General").members.append(erin)
    asked = house.ask("revenue by region?")
    approval = house.shown(asked, "Run this on")
    teams.fail("member", "403")
    assert "could not make sure who you are" in house.press(approval, "Run", "erin")
    house.press(approval, "Run")
    house.shown(asked, "CSV")


def forged(
    house: House, message: Message, data: Any, user: str = "ana", verb: str = "press", button: str = "Edit"
) -> str:
    """Click with this data in place of the button's own."""
    post = house.teams.press(message, button, user="bob").wait()
    activity = copy.deepcopy(post.activity)
    person = house.teams.person(user)
    activity |= {"id": str(uuid.uuid4()), "from": {"id": person.id, "name": person.name, "aadObjectId": person.aad}}
    activity["value"]["action"] |= {"data": data, "verb": verb}
    return told(house.teams.send(activity).wait())


def test_half_a_character(house: House) -> None:
    """What cannot be stored as text is refused like anything else that is made up."""
    approval = house.shown(house.ask("revenue by region?"), "Run this on")
    post = house.teams.press(approval, "Edit", user="bob").wait()
    data = post.activity["value"]["action"]["data"]
    for value in ({"action": {"data": data | {"k": data["k"] + chr(0xD800)}}}, {"action": "x"}, {}, [], "x", None):
        status, body = house.teams.post_raw(post.activity | {"id": str(uuid.uuid4()), "value": value})
        assert (status, body["statusCode"]) == (200, 200)
        assert "I do not know any more" in body["value"]


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
        right | {"t": 10**30, "a": "nothing"},
        right | {"t": -1},
        right | {"k": right["k"] + "x" * 300_000},
        right | {"a": "x" * 300_000},
        {},
        [],
        "garbage",
        None,
    ):
        assert "I do not know any more" in forged(house, approval, data), data
    assert house.runs() == runs
    house.press(approval, "Run")
    house.shown(asked, "CSV")
