"""Clicks of others, repeated ones, and ones that were made up."""

import copy
import re
import uuid
from typing import Any

import pytest

from adapters.chat.admission import UNKNOWN_PERSON
from adapters.teams.clicks import ALREADY_RUNNING, MESSAGE_ARRIVING, UNKNOWN_BUTTON
from tests.adapters.teams.talks.site import TeamsSite, told
from tests.platforms.teams.looking import shown
from tests.platforms.teams.world import Message


def test_two_at_once(site: TeamsSite) -> None:
    """Of several clicks at once the query runs once; those who came too late are told so, and all see who decided."""
    asked = site.ask("revenue by region?", "otto")
    approval, runs = site.shown(asked, "Payroll"), site.runs()
    posts = [site.teams.press(approval, "Run", user=user) for user in ("carla", "otto", "carla")]
    first, second, third = [told(post.wait()) for post in posts]
    site.shown(asked, "CSV")
    assert site.runs() == runs + 1
    site.teams.wait(lambda: "✓ Run on Payroll · Carla" in shown(approval))
    assert first == ALREADY_RUNNING
    assert re.match(r"Carla answered that already|You can't approve SQL for Payroll\. Nothing was run", second)
    assert third == ALREADY_RUNNING


def test_whoever_may_not_run_holds_nobody_up(site: TeamsSite) -> None:
    """An approver's press counts also while the press of somebody is refused who may not approve."""
    asked = site.ask("revenue by region?", "otto")
    approval, runs = site.shown(asked, "Payroll"), site.runs()
    refused, approved = [site.teams.press(approval, "Run", user=user) for user in ("otto", "carla")]
    assert re.match(r"You can't approve SQL for Payroll|Carla answered that already", told(refused.wait()))
    assert "answered that already" not in told(approved.wait())
    site.shown(asked, "CSV")
    assert site.runs() == runs + 1


@pytest.mark.parametrize("later", [False, True])
def test_a_click_that_comes_again(site: TeamsSite, later: bool) -> None:
    """A click that Teams delivers again counts once, also with a new timestamp and another id."""
    asked = site.ask("revenue by region?")
    approval, runs = site.shown(asked, "Run on"), site.runs()
    post = site.teams.press(approval, "Run", user="ana").wait()
    again = site.teams.redeliver(post, later=later).wait()
    other = site.teams.send(post.activity | {"id": str(uuid.uuid4())}).wait()
    site.shown(asked, "CSV")
    assert (again.status, other.status) == (200, 200)
    assert site.runs() == runs + 1
    assert sum("CSV" in each for each in site.said(asked)) == 1


def test_a_page_is_turned_once(site: TeamsSite) -> None:
    """Next that Teams delivers again, once the page was turned, turns no other one."""
    _, table = site.ran("SELECT id FROM measurements ORDER BY id", "lars")
    post = site.teams.press(table, "Next", user="lars").wait()
    site.teams.wait(lambda: "rows 21 to" in shown(table))
    site.teams.redeliver(post, later=True).wait()
    site.teams.send(post.activity | {"id": str(uuid.uuid4())}).wait()
    site.press(table, "Next", "lars")
    site.teams.wait(lambda: "rows 41 to" in shown(table))


def test_a_click_again_after_it_could_not_be_taken(site: TeamsSite) -> None:
    """A person who is not recognised hears so in the answer to the click, and is recognised at their next press."""
    teams = site.teams
    dora = teams.person("dora", "Dora", "dora@example.com")
    teams.conversation("General").members.append(dora)
    asked = site.ask("revenue by region?", "otto")
    approval = site.shown(asked, "Payroll")
    teams.fail("member", "404", times=2, code="MemberNotFoundInConversation")
    assert UNKNOWN_PERSON == site.press(approval, "Run", "dora")
    for _ in range(2):
        assert "Otto started this conversation" in site.press(approval, "Run", "dora")
    assert teams.messages("dora") == []


def test_a_click_on_what_is_only_just_arriving(site: TeamsSite) -> None:
    """Nobody is told that a click is taken which is not kept: they press again."""
    site.teams.fail("send", "slow", seconds=3, times=2)  # the typing sign, and the question
    asked = site.ask("revenue by region?")
    approval = site.shown(asked, "Run on")
    while (said := site.press(approval, "Run")) == MESSAGE_ARRIVING:
        pass
    assert said == ALREADY_RUNNING
    site.shown(asked, "CSV")


def forged(
    site: TeamsSite, message: Message, data: Any, user: str = "ana", verb: str = "press", button: str = "Cancel"
) -> str:
    """Click with this data in place of the button's own."""
    post = site.teams.press(message, button, user="bob").wait()
    activity = copy.deepcopy(post.activity)
    person = site.teams.person(user)
    activity |= {"id": str(uuid.uuid4()), "from": {"id": person.id, "name": person.name, "aadObjectId": person.aad}}
    activity["value"]["action"] |= {"data": data, "verb": verb}
    return told(site.teams.send(activity).wait())


def test_half_a_character(site: TeamsSite) -> None:
    """What cannot be stored as text is refused like anything else that is made up."""
    approval = site.shown(site.ask("revenue by region?"), "Run on")
    post = site.teams.press(approval, "Cancel", user="bob").wait()
    data = post.activity["value"]["action"]["data"]
    for value in ({"action": {"data": data | {"k": data["k"] + chr(0xD800)}}}, {"action": "x"}, {}, [], "x", None):
        status, body = site.teams.post_raw(post.activity | {"id": str(uuid.uuid4()), "value": value})
        assert (status, body["statusCode"]) == (200, 200)
        assert body["value"] == UNKNOWN_BUTTON


def test_made_up_data(site: TeamsSite) -> None:
    """What no card of the bot carries is refused to its sender, and does nothing."""
    asked = site.ask("revenue by region?")
    other = site.ask("revenue by region?", "bob", "sales")
    approval, runs = site.shown(asked, "Run on"), site.runs()
    site.shown(other, "Run on")
    actions = [a for each in approval.card["body"] for a in each.get("actions", [])]
    right = next(a["data"] for a in actions if a["title"] == "Run on Shop")
    elsewhere = right["k"].replace(site.teams.tenant, str(uuid.uuid4()))
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
        assert forged(site, approval, data) == UNKNOWN_BUTTON, data
    assert site.runs() == runs
    site.press(approval, "Run")
    site.shown(asked, "CSV")
