"""More than one person in a thread, and more than one thread at once."""

import re
from pathlib import Path
from threading import Event

import pytest

from tests.adapters.teams.talks.house import REVENUE, House, founded
from tests.adapters.teams.talks.stages import NUMBERS
from tests.platforms.ollama import Answer
from tests.platforms.teams import shown

SHARED = pytest.mark.parametrize("where", ["board", "General"])


@SHARED
def test_an_old_button_says_who_and_when(house: House, where: str) -> None:
    """A button that somebody still sees after the decision says who decided and when, and runs nothing."""
    asked = house.ask("revenue by region?", "otto", where)
    approval = house.offered(asked, "Run")
    before = approval.card
    house.press(approval, "Run", "carla")
    house.offered(asked, "CSV")
    runs = house.runs()
    said = {user: house.press(approval, "Run", user, card=before) for user in ("carla", "otto")}
    assert "I have heard that click already" in said["carla"]  # for so Teams repeats a click, too
    assert re.search(r"Carla answered that already, at \d\d:\d\d", said["otto"])
    assert house.runs() == runs


def test_somebody_elses_mention_in_the_thread(house: House) -> None:
    """Who mentions the bot in somebody else's thread is told, alone, whose talk it is; it goes on."""
    asked = house.ask("revenue by region?")
    approval = house.offered(asked, "Run")
    count = len(house.said(asked))
    again = house.ask("and the customers?", "bob", thread=asked)
    told = house.teams.wait_message("bob", "Ana started this conversation", after=again)
    assert told.conversation.kind == "personal"
    assert len(house.said(asked)) == count
    house.press(approval, "Run")
    house.offered(asked, "CSV")


def test_two_talks_in_a_group_chat(house: House) -> None:
    """In a group chat, which has no threads, each person has a talk of their own."""
    first = house.ask("revenue by region?", "ana", "board")
    second = house.ask(NUMBERS, "bob", "board")
    numbers = house.shown(second, "SELECT n FROM numbers")
    revenue = house.shown(first, "You asked: revenue by region?")
    assert "Ana started this conversation" in house.press(revenue, "Run", "bob")
    house.press(numbers, "Run", "bob")
    assert "rows 1 to 20 of 50" in shown(house.shown(second, "of 50"))
    house.press(revenue, "Run")
    house.shown(first, "North | 1235.75")


def test_chatter_is_not_heard(house: House) -> None:
    """What people write to each other, without the bot's name, it is not told of and does not answer."""
    asked = house.ask("revenue by region?")
    approval = house.offered(asked, "Run")
    count, posts = len(house.said(asked)), len(house.teams.posts)
    for words in ("yes", "stop", "SELECT 1"):
        house.teams.say("General", words, user="bob", thread=asked, mention=False)
    assert len(house.teams.posts) == posts
    house.press(approval, "Run")
    house.offered(asked, "CSV")
    assert len(house.said(asked)) == count + 1


def test_somebody_of_another_company(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """What comes from a tenant that is not served is turned away at the door, and does nothing."""
    house.teams.channel("partner", tenant="99999999-0000-0000-0000-000000000000")
    eve = house.teams.person("eve", "Eve", "ana@example.com", tenant="99999999-0000-0000-0000-000000000000")
    retries, house.teams.retries = house.teams.retries, ()
    prompts = len(house.model.history)
    asked = house.ask("revenue by region?", "eve", house.teams.conversation("partner").id)
    house.teams.wait_posted()
    house.teams.retries = retries
    (post,) = [each for each in house.teams.posts if each.activity["id"] == asked.id]
    assert (post.status, eve.tenant in str(post.activity)) == (403, True)
    assert house.said(asked) == []
    assert len(house.model.history) == prompts
    house.teams.posts.remove(post)


def test_ten_threads_that_wait_for_the_model_delay_nobody(house: House) -> None:
    """While ten threads wait for the model, another talk goes from SQL to its goodbye."""
    event = Event()
    house.slow["slowly"] = Answer(REVENUE, waits=event)
    try:
        waiting = [house.ask(f"revenue, slowly, number {n}?", "bob") for n in range(10)]
        for each in waiting:
            house.shown(each, "Writing the SQL")
        asked, table = house.ran("SELECT name FROM regions ORDER BY name")
        house.press(table, "Done")
        house.shown(asked, "Goodbye")
        assert not event.is_set()
    finally:
        event.set()
    for each in waiting:
        house.offered(each, "Run")


def test_an_approval_that_comes_too_late(tmp_path: Path) -> None:
    """SQL that waited longer than it may is shown again in place of being run."""
    with founded(tmp_path / "house") as town, town.at_work(ICC_BOT_APPROVAL_HOURS="0.000000001") as house:
        asked = house.ask("revenue by region?")
        assert "waited too long" in house.press(house.offered(asked, "Run"), "Run")
        assert house.runs() == 0
        assert "Run this on" in shown(house.offered(asked, "Run"))
