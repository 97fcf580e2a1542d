"""What is repeated comes by itself: into the thread, or to its owner alone."""

import pytest

from router.interactions.commands import SCHEDULES_PRIVATELY
from tests.adapters.teams.talks.site import TeamsSite
from tests.platforms.teams.looking import shown
from tests.platforms.teams.world import Message
from tests.support.due_schedules import make_due

REGIONS = "SELECT id, name FROM regions ORDER BY id"


def repeated(site: TeamsSite, where: str = "General") -> Message:
    """Run a query, have it repeated, and return what was asked."""
    asked = site.ask(REGIONS, where=where)
    site.press(site.shown(asked, "Run on"), "Run")
    place = "ana" if where == "secret" else where
    result = site.teams.wait_message(place, "CSV", after=asked)
    site.teams.wait_posted()
    site.ask("repeat this every hour", where=where, thread=asked)
    card = site.teams.wait_message(place, "I run this on", after=result)
    site.press(card, "Start")
    site.teams.wait_message(place, "This is repeated", after=result)  # in place of the card
    return asked


def run_now(site: TeamsSite) -> None:
    """Have what is repeated be due now."""
    make_due(site.folder / "home")
    assert site.bot.timer
    site.bot.timer.wake()


@pytest.fixture(autouse=True)
def _nothing_else(site: TeamsSite) -> None:
    """Stop what other talks have repeated."""
    schedules = site.bot.services.schedules
    assert schedules
    for each in schedules.every():
        schedules.stop(each.id)


@pytest.mark.parametrize("where", ["General", "ana"])
def test_rows_come_into_the_thread(site: TeamsSite, where: str) -> None:
    """In a channel and in one's own chat; the owner may stop them by a press, and nobody else may."""
    asked = repeated(site, where)
    run_now(site)
    rows = site.shown(asked, "· every hour")
    assert "1 | North\n2 | South" in shown(rows)
    if where == "General":
        assert "you may not stop" in site.press(rows, "Stop repeating", "bob")
        assert "You stopped this" in site.press(rows, "Stop repeating")
    else:
        site.press(rows, "Stop repeating")
        site.shown(asked, "You stopped this")


def test_the_list_is_for_oneself(site: TeamsSite) -> None:
    """Where others read along, it comes into one's own chat, where it can be stopped."""
    asked = repeated(site)
    site.ask("schedules", thread=asked)
    listed = site.teams.wait_message("ana", "Which one should I stop", after=asked)
    site.shown(asked, SCHEDULES_PRIVATELY)
    assert "Which one" not in "".join(site.said(asked))
    schedules = site.bot.services.schedules
    assert schedules
    (schedule,) = schedules.every()
    site.press(listed, f"Stop {schedule.id}: Id and name of regions")
    site.teams.wait(lambda: not schedules.every())
