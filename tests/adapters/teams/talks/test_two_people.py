"""More than one person in a thread, and more than one thread at once."""

import re
import time
from pathlib import Path
from threading import Event

import pytest

from adapters.chat.statuses import PRESS_SHOWS_ITSELF_SECONDS
from tests.adapters.slack.talks.site import REVENUE
from tests.adapters.teams.talks.site import TeamsSite, founded
from tests.adapters.teams.talks.stages import NUMBERS
from tests.platforms.ollama import Answer
from tests.platforms.teams.looking import shown

SHARED = pytest.mark.parametrize("where", ["board", "General"])


@SHARED
def test_an_old_button_says_who_and_when(site: TeamsSite, where: str) -> None:
    """A button that somebody still sees after the decision says who decided and when, and runs nothing."""
    asked = site.ask("revenue by region?", "otto", where)
    approval = site.shown(asked, "Waiting for")
    before = approval.card
    site.press(approval, "Run", "carla")
    site.offered(asked, "CSV")
    runs = site.runs()
    said = {user: site.press(approval, "Run", user, card=before) for user in ("carla", "otto")}
    assert "Working on it" in said["carla"]  # for so Teams repeats a click, too
    assert re.search(r"Carla answered that already, at \d\d:\d\d", said["otto"])
    assert site.runs() == runs


def test_somebody_elses_mention_in_the_thread(site: TeamsSite) -> None:
    """Who mentions the bot in somebody else's thread is told, alone, whose talk it is; it goes on."""
    asked = site.ask("revenue by region?")
    approval = site.offered(asked, "Run")
    count = len(site.said(asked))
    again = site.ask("and the customers?", "bob", thread=asked)
    told = site.teams.wait_message("bob", "Ana started this conversation", after=again)
    assert told.conversation.kind == "personal"
    assert len(site.said(asked)) == count
    site.press(approval, "Run")
    site.offered(asked, "CSV")


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


def test_ten_threads_that_wait_for_the_model_delay_nobody(site: TeamsSite) -> None:
    """While ten threads wait for the model, another talk goes from SQL to its goodbye."""
    event = Event()
    site.slow["slowly"] = Answer(REVENUE, waits=event)
    try:
        waiting = [site.ask(f"revenue, slowly, number {n}?", "bob") for n in range(10)]
        for each in waiting:
            site.shown(each, "Writing the SQL")
        asked, table = site.ran("SELECT name FROM regions ORDER BY name")
        site.press(table, "Done")
        site.shown(asked, "Mention me for")
        assert not event.is_set()
    finally:
        event.set()
    for each in waiting:
        site.offered(each, "Run")


def test_an_approval_that_comes_too_late(tmp_path: Path) -> None:
    """SQL that waited longer than it may is shown again in place of being run."""
    with founded(tmp_path / "site") as company, company.at_work(ICC_BOT_APPROVAL_HOURS="0.000000001") as site:
        asked = site.ask("revenue by region?")
        assert "waited too long" in site.press(site.offered(asked, "Run"), "Run")
        assert site.runs() == 0
        assert "Run on" in shown(site.offered(asked, "Run"))


def test_somebody_who_may_not_press(site: TeamsSite) -> None:
    """Their click is answered in a sentence to them alone, and nobody sees the bot write."""
    asked = site.ask("SELECT name FROM regions")
    card = site.shown(asked, "Run on")
    said, typing = len(site.teams.messages(asked.conversation, asked.root or None, "bot")), len(site.teams.typing)
    assert "started this conversation" in site.press(card, "Run", "bob")
    time.sleep(2 * PRESS_SHOWS_ITSELF_SECONDS)
    assert typing == len(site.teams.typing)
    assert said == len(site.teams.messages(asked.conversation, asked.root or None, "bot"))
