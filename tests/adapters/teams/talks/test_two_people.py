"""More than one person in a thread, and more than one thread at once."""

import time

import pytest

from adapters.chat.statuses import PRESS_SHOWS_ITSELF_SECONDS
from tests.adapters.teams.talks.site import TeamsSite
from tests.adapters.teams.talks.stages import NUMBERS
from tests.platforms.teams.looking import shown


def test_two_talks_in_a_group_chat(site: TeamsSite) -> None:
    """In a group chat, which has no threads, each person has a talk of their own."""
    first = site.ask("revenue by region?", "ana", "board")
    second = site.ask(NUMBERS, "bob", "board")
    numbers = site.shown(second, "SELECT n FROM numbers")
    revenue = site.shown(first, "by region name")
    assert "Ana started this conversation" in site.press(revenue, "Run", "bob")
    site.press(numbers, "Run", "bob")
    assert "rows 1 to 20 of 50" in shown(site.shown(second, "of 50"))
    site.press(revenue, "Run")
    site.shown(first, "North | 1235.75")


def test_chatter_is_not_heard(site: TeamsSite) -> None:
    """What people write to each other, without the bot's name, it is not told of and does not answer."""
    asked = site.ask("revenue by region?")
    approval = site.offered(asked, "Run")
    count, posts = len(site.said(asked)), len(site.teams.posts)
    for words in ("yes", "stop", "SELECT 1"):
        site.teams.say("General", words, user="bob", thread=asked, mention=False)
    assert len(site.teams.posts) == posts
    site.press(approval, "Run")
    site.offered(asked, "CSV")
    assert len(site.said(asked)) == count  # the rows take the place of their SQL


def test_somebody_of_another_company(site: TeamsSite, caplog: pytest.LogCaptureFixture) -> None:
    """What comes from a tenant that is not served is turned away at the door, and does nothing."""
    site.teams.channel("partner", tenant="99999999-0000-0000-0000-000000000000")
    eve = site.teams.person("eve", "Eve", "ana@example.com", tenant="99999999-0000-0000-0000-000000000000")
    retries, site.teams.retries = site.teams.retries, ()
    prompts = len(site.model.history)
    asked = site.ask("revenue by region?", "eve", site.teams.conversation("partner").id)
    site.teams.wait_posted()
    site.teams.retries = retries
    (post,) = [each for each in site.teams.posts if each.activity["id"] == asked.id]
    assert (post.status, eve.tenant in str(post.activity)) == (403, True)
    assert site.said(asked) == []
    assert len(site.model.history) == prompts
    site.teams.posts.remove(post)


def test_somebody_who_may_not_press(site: TeamsSite) -> None:
    """Their click is answered in a sentence to them alone, and nobody sees the bot write."""
    asked = site.ask("SELECT name FROM regions")
    card = site.shown(asked, "Run on")
    said, typing = len(site.teams.messages(asked.conversation, asked.root or None, "bot")), len(site.teams.typing)
    assert "started this conversation" in site.press(card, "Run", "bob")
    time.sleep(2 * PRESS_SHOWS_ITSELF_SECONDS)
    assert typing == len(site.teams.typing)
    assert said == len(site.teams.messages(asked.conversation, asked.root or None, "bot"))
