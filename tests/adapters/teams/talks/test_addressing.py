"""How people speak to the bot, and what is no part of what they say."""

from tests.adapters.teams.talks.site import TeamsSite
from tests.adapters.teams.talks.test_clicks import forged
from tests.platforms.teams.looking import shown


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
