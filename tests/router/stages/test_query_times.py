"""The times of a question on the card of its SQL, in the asker's time zone."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.support.talk import ANA, Talk

SQL = "SELECT COUNT(*) FROM orders WHERE ordered_at >= '2026-03-15'"


@pytest.mark.parametrize(("zone", "day"), [("", 15), ("Pacific/Auckland", 16), ("Nowhere/Town", 15)])
def test_today_is_the_day_where_the_person_is(talk: Talk, zone: str, day: int) -> None:
    """At ten in the evening in London, it is tomorrow in Auckland; an unknown zone is not taken."""
    talk.user, talk.clock.now = replace(ANA, zone=zone), datetime(2026, 3, 15, 22, 0, tzinfo=UTC)
    assert f"today = {day} March 2026" in talk.say("How many orders came in today?")


def test_a_time_in_another_language_is_told(talk: Talk) -> None:
    """The model is told the dates, and so is the approver of the SQL."""
    assert "KW 10 = 2 to 8 March 2026" in talk.say("Wie viele Bestellungen in KW 10?")
