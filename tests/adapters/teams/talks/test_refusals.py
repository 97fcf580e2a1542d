"""Messages that Teams refuses for good: the answer stands elsewhere, or nobody waits for it."""

import sqlite3

from tests.adapters.teams.talks.house import House
from tests.platforms.ollama import Answer
from tests.platforms.teams import shown


def left(house: House) -> int:
    """Return how many inputs are not answered."""
    with sqlite3.connect(house.folder / "home" / "teams-inbox.sqlite") as file:
        return int(file.execute("SELECT count(*) FROM events WHERE heard IS NOT NULL").fetchone()[0])


def test_progress_that_cannot_be_changed(house: House) -> None:
    """The answer is posted below progress that Teams does not let be changed, and the progress is taken away."""
    house.slow["how many refused"] = Answer("SELECT name FROM regions", pace=0.3)
    asked = house.ask("how many refused updates?")
    progress = house.shown(asked, "Stop")
    house.teams.fail("update", "400", times=50)
    answer = house.shown(asked, "Run this on")
    house.teams.wait(lambda: progress.deleted)
    assert answer.id != progress.id


def test_an_answer_that_is_refused_for_good(house: House) -> None:
    """It is not tried for a day: nothing waits for it, and what is asked next is answered."""
    asked = house.ask("revenue by region?")
    house.shown(asked, "Run this on")
    house.teams.fail("*", "400", times=50, where=f"{asked.conversation.id};messageid={asked.root}")
    refused = house.teams.say("General", "SELECT name FROM regions", thread=asked)
    house.teams.wait(lambda: any(call.status == 400 for call in house.teams.calls[-20:]))
    house.teams.wait(lambda: left(house) == 0)
    assert [
        shown(each) for each in house.teams.messages("General", asked.root, "bot") if int(each.id) > int(refused.id)
    ] == []
    assert "Run this on" in shown(house.shown(house.ask("SELECT 1"), "Run this on"))
