"""Messages that Teams refuses for good: the answer stands elsewhere, or nobody waits for it."""

import sqlite3

from router.storage.database import DATABASE_FILE
from tests.adapters.teams.talks.site import TeamsSite
from tests.platforms.ollama import Answer
from tests.platforms.teams.looking import shown


def left(site: TeamsSite) -> int:
    """Return how many inputs are not answered."""
    with sqlite3.connect(site.folder / "home" / DATABASE_FILE) as file:
        return int(file.execute("SELECT count(*) FROM inbox WHERE heard IS NOT NULL").fetchone()[0])


def test_progress_that_cannot_be_changed(site: TeamsSite) -> None:
    """The answer is posted below progress that Teams does not let be changed, and the progress is taken away."""
    site.slow["how many refused"] = Answer("SELECT name FROM regions", pace=0.3)
    asked = site.ask("how many refused updates?")
    progress = site.shown(asked, "Stop")
    site.teams.fail("update", "400", times=50)
    answer = site.shown(asked, "Run on")
    site.teams.wait(lambda: progress.deleted)
    assert answer.id != progress.id


def test_an_answer_that_is_refused_for_good(site: TeamsSite) -> None:
    """It is not tried for a day: nothing waits for it, and what is asked next is answered."""
    asked = site.ask("revenue by region?")
    site.shown(asked, "Run on")
    site.teams.fail("*", "400", times=50, where=f"{asked.conversation.id};messageid={asked.root}")
    refused = site.teams.say("General", "SELECT name FROM regions", thread=asked)
    site.teams.wait(lambda: any(call.status == 400 for call in site.teams.calls[-20:]))
    site.teams.wait(lambda: left(site) == 0)
    assert [
        shown(each) for each in site.teams.messages("General", asked.root, "bot") if int(each.id) > int(refused.id)
    ] == []
    assert "Run on" in shown(site.shown(site.ask("SELECT 1"), "Run on"))
