"""What is repeated comes by itself: into the thread, or to its owner alone."""

import pytest

from router.interactions.commands import SCHEDULES_PRIVATELY
from tests.adapters.teams.talks.site import TeamsSite
from tests.platforms.teams.world import Message

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


@pytest.fixture(autouse=True)
def _nothing_else(site: TeamsSite) -> None:
    """Stop what other talks have repeated."""
    schedules = site.bot.services.schedules
    assert schedules
    for each in schedules.every():
        schedules.stop(each.id)


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
