"""How people speak to the bot, and what is no part of what they say."""

import pytest

from tests.adapters.teams.talks.site import TeamsSite
from tests.adapters.teams.talks.test_clicks import forged
from tests.platforms.teams.looking import shown


@pytest.mark.parametrize("words", [", hello!", ": hi", " - hello", "; good morning", " hi"])
def test_what_follows_a_name(site: TeamsSite, words: str) -> None:
    """A comma or a colon after the bot's name is no part of the question: greetings are understood."""
    prompts = len(site.model.prompts)
    asked = site.teams.say("General", words, user="ana", mention=False)
    name = f"<at>{site.teams.bot_name}</at>"
    mention = {"type": "mention", "text": name, "mentioned": {"id": site.teams.bot_id}}
    site.teams.send(asked.activity | {"text": name + words, "entities": [mention]}).wait()
    site.shown(asked, "like to know?")
    assert prompts == len(site.model.prompts)


@pytest.mark.parametrize("year", [2021, 2022, 2023, 2024])
def test_a_question_that_is_changed_five_times(site: TeamsSite, year: int) -> None:
    """Each change takes the card before it back, and the last one is what is asked, however soon they come."""
    asked = site.ask("revenue by region?", "ana", "ana")
    site.offered(asked, "Run on Shop")
    for number in range(5):
        site.teams.edit(asked, f"revenue by month {number} of {year}?").wait()

    def prompts() -> list[str]:
        return [prompt for prompt in site.model.prompts if f"of {year}?" in prompt]

    site.teams.wait(lambda: [prompt for prompt in prompts() if "revenue by month 4" in prompt])
    site.teams.wait(lambda: len([text for text in site.said(asked) if "Run on Shop" in text]) == 1)
    assert "revenue by month 4" in prompts()[-1]


def test_a_form_that_was_drawn_anew(site: TeamsSite) -> None:
    """Who sends the form from before hears that it was answered, and it runs nothing."""
    asked = site.ask("revenue by region?")
    approval = site.shown(asked, "Run on")
    site.press(approval, "Edit", dialogs=False)
    form = site.teams.wait(
        lambda: next(
            (m for m in site.teams.messages(asked.conversation, asked.root, "bot") if "Input.Text" in str(m.card)),
            None,
        )
    )
    field = next(each for each in form.card["body"] if each["type"] == "Input.Text")
    name = next(a["title"] for each in form.card["body"] for a in each.get("actions", []))
    before = form.card
    site.press(form, name, fill={field["id"]: "SELECT name FROM nowhere"})
    site.teams.wait(lambda: "⚠️" in shown(form))
    stale = next(action for each in before["body"] for action in each.get("actions", []) if action.get("title") == name)
    runs = site.runs()
    assert "You answered that already" in forged(
        site, form, stale["data"] | {field["id"]: "SELECT 1"}, verb="fill", button="Cancel"
    )
    assert runs == site.runs()
