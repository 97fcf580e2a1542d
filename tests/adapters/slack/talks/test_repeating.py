"""What is repeated comes by itself: into the thread, or to its owner alone."""

import json
from threading import Event

import pytest

from tests.adapters.slack.talks.site import REVENUE, SlackSite
from tests.platforms.ollama import Answer
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.world import Message
from tests.support.due_schedules import make_due

REGIONS = "SELECT id, name FROM regions ORDER BY id"


def repeated(site: SlackSite, channel: str = "C1", words: str = "repeat this every hour") -> Message:
    """Run a query, have it repeated, and return the root of its thread."""
    root = site.ask(REGIONS, channel=channel)
    site.slack.press(site.shown(root, "Run on"), "Run", user="UANA")
    where = "UANA" if channel == "CSECRET" else channel
    result = site.slack.wait_message(where, "2 rows", after=root)
    site.idle(root, turns=2)
    site.slack.say(channel, words, user="UANA", thread=root, mention=True)
    card = site.slack.wait_message(where, "I run this on", after=result)
    site.slack.press(card, "Start", user="UANA")
    site.slack.wait_message(where, "This is repeated", after=result)
    return root


SALES = "C0SALES01"
"""A channel with an id as long as Slack's own."""


def has_sales(site: SlackSite, bot: bool) -> None:
    """Have a channel with the bot in it, or without."""
    if SALES not in site.slack.world.channels:
        site.slack.channel(SALES)
        site.slack.world.channels[SALES].members.add("UANA")
    (site.slack.invite if bot else site.slack.kick)(SALES)


def run_now(site: SlackSite) -> None:
    """Have what is repeated be due now."""
    make_due(site.folder / "home")
    assert site.running.bot.timer
    site.running.bot.timer.wake()


@pytest.fixture(autouse=True)
def _nothing_else(site: SlackSite) -> None:
    """Stop what other talks have repeated."""
    schedules = site.running.bot.services.schedules
    assert schedules
    for each in schedules.every():
        schedules.stop(each.id)


def test_rows_come_into_the_thread(site: SlackSite) -> None:
    """The owner may stop them by a press, and nobody else may."""
    root = repeated(site)
    run_now(site)
    rows = site.shown(root, "· every hour")
    assert "data_table" in [block["type"] for block in rows.blocks]
    site.slack.press(rows, "Stop repeating", user="UBOB")
    site.told("UBOB", "you may not stop")
    site.slack.press(rows, "Stop repeating", user="UANA")
    site.told("UANA", "You stopped this", after=rows)


def test_private_rows_come_to_their_owner(site: SlackSite) -> None:
    """In a channel where rows are private, they go into the owner's own messages, and nothing of them to the thread."""
    root = repeated(site, "CSECRET")
    before = site.slack.messages("CSECRET", root)
    run_now(site)
    rows = site.slack.wait_message("UANA", "· every hour", after=root)
    assert "North" in json.dumps(rows.blocks)
    assert before == site.slack.messages("CSECRET", root)
    site.slack.press(rows, "Stop repeating", user="UANA")
    site.slack.wait_message("UANA", "You stopped this", after=rows)


def test_rows_wait_for_their_turn(site: SlackSite) -> None:
    """While the bot works on a question in the thread, nothing comes between it and its answer."""
    root = repeated(site)
    event = Event()
    site.slow["slowly"] = Answer(REVENUE, waits=event)
    site.slack.say("C1", "slowly, the revenue by region?", user="UANA", thread=root, mention=True)
    site.shown(root, "Writing the SQL")
    run_now(site)
    schedules = site.running.bot.services.schedules
    assert schedules
    site.slack.wait(lambda: any(each.phase == "telling" for each in schedules.every()))
    assert not [m for m in site.slack.messages("C1", root) if "· every hour" in words_of(m.blocks)]
    event.set()
    rows = site.shown(root, "· every hour")
    question = site.shown(root, "Run on")
    assert "SUM" in json.dumps(question.blocks)
    site.slack.press(question, "Run", user="UANA")
    site.slack.wait(lambda: "1235.75" in words_of(question.blocks))
    assert rows.ts != question.ts
    site.slow.clear()


def test_the_home_tab_lists_and_stops(site: SlackSite) -> None:
    """What is repeated for a person stands in their Home tab, and a button there ends it."""
    repeated(site)
    assert "every hour" in site.home("UANA", "What I repeat for you")
    home = site.slack.home("UANA")
    assert home
    site.slack.press(home, "Stop", user="UANA")
    site.slack.wait(lambda: "You stopped this" in at_home(site))
    assert "Shop · next" not in at_home(site)


def at_home(site: SlackSite) -> str:
    """Return the words of Ana's Home tab."""
    drawn = site.slack.home("UANA")
    return words_of(drawn.blocks) if drawn else ""


def test_a_channel_is_picked(site: SlackSite) -> None:
    """In the form it is picked from Slack's own list; where the bot is not in it, the field says so."""
    site.explained.add("not_in_channel")
    has_sales(site, False)
    root = site.ask(REGIONS)
    site.slack.press(site.shown(root, "Run on"), "Run", user="UANA")
    table = site.shown(root, "2 rows")
    site.slack.press(table, "Repeat this", user="UANA")
    view = site.slack.wait_view()
    site.slack.choose(view, "Where to", "Another channel", user="UANA")
    answer = site.slack.submit(view, {"channel": SALES}, user="UANA")
    assert answer is not None
    assert "I'm not in that channel" in answer["errors"]["channel"]
    has_sales(site, True)
    assert site.slack.submit(view, {"channel": SALES}, user="UANA") is None
    card = site.shown(root, "I run this on")
    assert f"<#{SALES}>" in str(card.blocks)
