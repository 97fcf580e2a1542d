"""How people speak to the bot, and what is no part of what they say."""

import pytest

from tests.adapters.teams.talks.house import House
from tests.adapters.teams.talks.test_clicks import forged
from tests.platforms.teams import shown


@pytest.mark.parametrize("words", [", hello!", ": hi", " - hello", "; good morning", " hi"])
def test_what_follows_a_name(house: House, words: str) -> None:
    """A comma or a colon after the bot's name is no part of the question: greetings are understood."""
    prompts = len(house.model.prompts)
    asked = house.teams.say("General", words, user="ana", mention=False)
    name = f"<at>{house.teams.bot_name}</at>"
    mention = {"type": "mention", "text": name, "mentioned": {"id": house.teams.bot_id}}
    house.teams.send(asked.activity | {"text": name + words, "entities": [mention]}).wait()
    house.shown(asked, "you ask in your own words")
    assert prompts == len(house.model.prompts)


def test_a_question_that_is_changed_five_times(house: House) -> None:
    """Its author hears once that it is too late."""
    asked = house.ask("revenue by region?", "ana", "ana")
    house.shown(asked, "Run this on")
    for number in range(5):
        house.teams.edit(asked, f"revenue by month {number}?").wait()
    house.shown(asked, "Please send it as a new message")
    last = house.ask("help", "ana", "ana")
    house.shown(last, "Anywhere:")
    said = [text for text in house.said(asked) if "Please send it as a new message" in text]
    assert 1 == len(said)


def test_a_form_that_was_drawn_anew(house: House) -> None:
    """Who sends the form from before hears that it was answered, and it runs nothing."""
    asked = house.ask("revenue by region?")
    approval = house.shown(asked, "Run this on")
    house.press(approval, "Edit")
    form = house.teams.wait(
        lambda: next(
            (m for m in house.teams.messages(asked.conversation, asked.root, "bot") if "Input.Text" in str(m.card)),
            None,
        )
    )
    field = next(each for each in form.card["body"] if each["type"] == "Input.Text")
    name = next(a["title"] for each in form.card["body"] for a in each.get("actions", []))
    before = form.card
    house.press(form, name, fill={field["id"]: "SELECT name FROM nowhere"})
    house.teams.wait(lambda: "⚠️" in shown(form))
    stale = next(action for each in before["body"] for action in each.get("actions", []) if action.get("title") == name)
    runs = house.runs()
    assert "You answered that already" in forged(
        house, form, stale["data"] | {field["id"]: "SELECT 1"}, verb="fill", button="Cancel"
    )
    assert runs == house.runs()
