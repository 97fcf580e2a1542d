"""From a question to its rows, wherever the bot can be spoken to."""

from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest

from tests.adapters.slack.talks.site import REVENUE
from tests.adapters.teams.talks.site import TeamsSite
from tests.platforms.ollama import Answer
from tests.platforms.teams.looking import shown

WHERE = pytest.mark.parametrize("where", ["ana", "board", "General"])
REGIONS = "SELECT name FROM regions ORDER BY name"


@WHERE
def test_edit_is_a_form_in_the_card_of_an_old_client(site: TeamsSite, where: str) -> None:
    """Where no dialog opens, a fault in edited SQL is told in the card, with what was typed; what is mended runs."""
    asked = site.ask("revenue by region?", where=where)
    site.press(site.shown(asked, "Run on"), "Edit", dialogs=False)
    form = site.teams.wait(lambda: _form(site, asked))
    field = next(each for each in form.card["body"] if each["type"] == "Input.Text")
    assert "SUM(o.total)" in field["value"]
    name = next(a["title"] for each in form.card["body"] for a in each.get("actions", []))
    broken = "SELECT name FROM nowhere"
    site.press(form, name, fill={field["id"]: broken})
    wrong = site.teams.wait(lambda: (now := _form(site, asked)) and "nowhere" in str(now.card) and now)
    again = next(each for each in wrong.card["body"] if each["type"] == "Input.Text")
    assert again["value"] == broken
    assert "⚠️" in shown(wrong)
    site.press(wrong, name, fill={again["id"]: REGIONS})
    site.press(site.offered(asked, "Run"), "Run")
    assert "North\nSouth" in shown(site.shown(asked, "CSV"))


def _form(site: TeamsSite, asked):  # type: ignore[no-untyped-def]
    held = site.teams.messages(asked.conversation, asked.root or None, "bot")
    return next((m for m in reversed(held) if int(m.id) > int(asked.id) and "Input.Text" in str(m.card)), None)


@pytest.fixture
def slowly(site: TeamsSite) -> Iterator[Event]:
    """A model that does not answer what is asked slowly before the event is set."""
    event = Event()
    site.slow["slowly"] = Answer(REVENUE, waits=event)
    yield event
    event.set()


@pytest.mark.parametrize("where", ["board", "General"])
def test_stop_while_the_model_writes(site: TeamsSite, slowly: Event, where: str) -> None:
    """Stop ends the wait; somebody else's Stop does not, and is told so alone. A 1:1 chat has Teams' own button."""
    asked = site.ask("revenue by region, slowly?", where=where)
    progress = site.shown(asked, "Writing the SQL")
    assert "Only the person who started" in site.press(progress, "Stop", "bob")
    site.press(progress, "Stop")
    site.shown(asked, "Stopped.")
    assert not slowly.is_set()


def test_what_is_worked_on_cannot_be_pressed_again(site: TeamsSite) -> None:
    """While the answer to a click is on its way, it is said in place of its card, whose buttons are gone."""
    event = Event()
    try:
        asked = site.ask("revenue by region, the second time slowly?")
        sql = site.shown(asked, "Run on")
        site.slow["the second time slowly"] = Answer(REVENUE, waits=event)
        site.press(sql, "Rewrite")
        site.shown(asked, "Writing the SQL")
        assert "Writing the SQL" in shown(sql)  # in place of the card that was pressed
        # In the form for old clients, too.
        assert {action["title"] for action in actions_in(sql.card)} == {"Stop"}
    finally:
        event.set()


def actions_in(value: Any) -> list[dict[str, Any]]:
    """Return everything in a card that can be pressed."""
    if isinstance(value, list):
        return [action for each in value for action in actions_in(each)]
    if not isinstance(value, dict):
        return []
    inner = [action for each in value.values() for action in actions_in(each)]
    return [value, *inner] if str(value.get("type", "")).startswith("Action.") else inner
