"""What is repeated comes by itself: into the thread, or to its owner alone."""

import pytest

from tests.adapters.teams.talks.house import House
from tests.due import make_due
from tests.platforms.teams import Message, shown

REGIONS = "SELECT id, name FROM regions ORDER BY id"


def repeated(house: House, where: str = "General") -> Message:
    """Run a query, have it repeated, and return what was asked."""
    asked = house.ask(REGIONS, where=where)
    house.press(house.shown(asked, "Run this on"), "Run")
    place = "ana" if where == "secret" else where
    result = house.teams.wait_message(place, "CSV", after=asked)
    house.teams.wait_posted()
    house.ask("repeat this every hour", where=where, thread=asked)
    card = house.teams.wait_message(place, "I run this on", after=result)
    house.press(card, "Start")
    house.teams.wait_message(place, "This is repeated", after=card)
    return asked


def run_now(house: House) -> None:
    """Have what is repeated be due now."""
    make_due(house.folder / "home")
    assert house.bot.timer
    house.bot.timer.wake()


@pytest.fixture(autouse=True)
def _nothing_else(house: House) -> None:
    """Stop what other talks have repeated."""
    schedules = house.bot.tools.schedules
    assert schedules
    for each in schedules.every():
        schedules.stop(each.id)


@pytest.mark.parametrize("where", ["General", "ana"])
def test_rows_come_into_the_thread(house: House, where: str) -> None:
    """In a channel and in one's own chat; the owner may stop them by a press, and nobody else may."""
    asked = repeated(house, where)
    run_now(house)
    rows = house.shown(asked, "· every hour")
    assert "1 | North\n2 | South" in shown(rows)
    if where == "General":
        assert "you may not stop" in house.press(rows, "Stop repeating", "bob")
        assert "You stopped this" in house.press(rows, "Stop repeating")
    else:
        house.press(rows, "Stop repeating")
        house.shown(asked, "You stopped this")


def test_private_rows_come_to_their_owner(house: House) -> None:
    """In a channel where rows are private, they go into the owner's own chat, and nothing of them to the thread."""
    asked = repeated(house, "secret")
    before = house.said(asked)
    run_now(house)
    rows = house.teams.wait_message("ana", "· every hour", after=asked)
    assert "1 | North\n2 | South" in shown(rows)
    assert before == house.said(asked)
    assert "You stopped this" in house.press(rows, "Stop repeating")


def test_the_list_is_for_oneself(house: House) -> None:
    """Where others read along, it comes into one's own chat, where it can be stopped."""
    asked = repeated(house)
    house.ask("schedules", thread=asked)
    listed = house.teams.wait_message("ana", "Which one shall I stop", after=asked)
    house.shown(asked, "stands in your own messages with me")
    assert "Which one" not in "".join(house.said(asked))
    schedules = house.bot.tools.schedules
    assert schedules
    (schedule,) = schedules.every()
    house.press(listed, "OK", fill={"menu:1": f"repeat:stop:{schedule.id}"})
    house.teams.wait(lambda: not schedules.every())
