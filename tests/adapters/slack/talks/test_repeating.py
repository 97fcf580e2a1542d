"""What is repeated comes by itself: into the thread, or to its owner alone."""

import json
import sqlite3
from contextlib import closing
from threading import Event

import pytest

from tests.adapters.slack.talks.house import REVENUE, House
from tests.due import make_due
from tests.platforms.ollama import Answer
from tests.platforms.slack import Message, words_of

REGIONS = "SELECT id, name FROM regions ORDER BY id"


def repeated(house: House, channel: str = "C1", words: str = "repeat this every hour") -> Message:
    """Run a query, have it repeated, and return the root of its thread."""
    root = house.ask(REGIONS, channel=channel)
    house.slack.press(house.shown(root, "Run this on"), "Run", user="UANA")
    where = "UANA" if channel == "CSECRET" else channel
    result = house.slack.wait_message(where, "2 rows", after=root)
    house.idle(root, turns=2)
    house.slack.say(channel, words, user="UANA", thread=root, mention=True)
    card = house.slack.wait_message(where, "I run this on", after=result)
    house.slack.press(card, "Start", user="UANA")
    house.slack.wait_message(where, "This is repeated", after=card)
    return root


def run_now(house: House) -> None:
    """Have what is repeated be due now."""
    make_due(house.folder / "home")
    assert house.running.bot.timer
    house.running.bot.timer.wake()


@pytest.fixture(autouse=True)
def _nothing_else(house: House) -> None:
    """Stop what other talks have repeated."""
    schedules = house.running.bot.tools.schedules
    assert schedules
    for each in schedules.every():
        schedules.stop(each.id)


def test_rows_come_into_the_thread(house: House) -> None:
    """The owner may stop them by a press, and nobody else may."""
    root = repeated(house)
    run_now(house)
    rows = house.shown(root, "· every hour")
    assert "data_table" in [block["type"] for block in rows.blocks]
    house.slack.press(rows, "Stop repeating", user="UBOB")
    house.told("UBOB", "you may not stop")
    house.slack.press(rows, "Stop repeating", user="UANA")
    house.told("UANA", "You stopped this", after=rows)


def test_private_rows_come_to_their_owner(house: House) -> None:
    """In a channel where rows are private, they go into the owner's own messages, and nothing of them to the thread."""
    root = repeated(house, "CSECRET")
    before = house.slack.messages("CSECRET", root)
    run_now(house)
    rows = house.slack.wait_message("UANA", "· every hour", after=root)
    assert "North" in json.dumps(rows.blocks)
    assert before == house.slack.messages("CSECRET", root)
    house.slack.press(rows, "Stop repeating", user="UANA")
    house.slack.wait_message("UANA", "You stopped this", after=rows)


def test_rows_wait_for_their_turn(house: House) -> None:
    """While the bot works on a question in the thread, nothing comes between it and its answer."""
    root = repeated(house)
    event = Event()
    house.slow["slowly"] = Answer(REVENUE, waits=event)
    house.slack.say("C1", "slowly, the revenue by region?", user="UANA", thread=root, mention=True)
    house.shown(root, "Writing the SQL")
    run_now(house)
    schedules = house.running.bot.tools.schedules
    assert schedules
    house.slack.wait(lambda: any(each.phase == "telling" for each in schedules.every()))
    assert not [m for m in house.slack.messages("C1", root) if "· every hour" in words_of(m.blocks)]
    event.set()
    rows = house.shown(root, "· every hour")
    question = house.shown(root, "Run this on")
    assert "SUM" in json.dumps(question.blocks)
    house.slack.press(question, "Run", user="UANA")
    house.slack.wait_message("C1", "revenue", thread=root, after=rows)
    house.slow.clear()


def test_the_home_tab_lists_and_stops(house: House) -> None:
    """What is repeated for a person stands in their Home tab, and a button there ends it."""
    repeated(house)
    assert "every hour" in house.home("UANA", "What I repeat for you")
    home = house.slack.home("UANA")
    assert home
    house.slack.press(home, "Stop", user="UANA")
    house.slack.wait(lambda: "You stopped this" in at_home(house))
    assert "Shop · next" not in at_home(house)


def at_home(house: House) -> str:
    """Return the words of Ana's Home tab."""
    drawn = house.slack.home("UANA")
    return words_of(drawn.blocks) if drawn else ""


def test_the_home_tab_where_nothing_can_be_read(house: House) -> None:
    """Whoever presses there is told so, and finds everything again afterwards."""
    repeated(house)
    house.home("UANA", "Shop · next")
    home = house.slack.home("UANA")
    assert home
    rename(house, "schedules", "away")
    try:
        house.slack.press(home, "Stop", user="UANA")
        house.slack.wait(lambda: "cannot be read or written" in at_home(house))
    finally:
        rename(house, "away", "schedules")
    assert "every hour" in house.home("UANA", "Shop · next")


def rename(house: House, table: str, to: str) -> None:
    """Give a table of the jobs' database another name."""
    with closing(sqlite3.connect(house.folder / "home" / "jobs.sqlite", timeout=10)) as file, file:
        file.execute(f"ALTER TABLE {table} RENAME TO {to}")
