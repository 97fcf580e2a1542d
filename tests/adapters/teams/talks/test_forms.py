"""Forms in dialogs, which open at the first press."""

from tests.adapters.teams.talks.site import TeamsSite
from tests.platforms.teams.cards.words import words_of


def test_a_form_opens_at_the_first_press(site: TeamsSite) -> None:
    """What is wrong is said in the dialog, where everything typed still stands; what is right closes it."""
    asked = site.ask("revenue by region?")
    approval = site.shown(asked, "Run on")
    count = len(site.teams.messages(asked.conversation, asked, "bot"))
    site.teams.press(approval, "Edit", user="ana").wait()
    dialog = site.teams.dialogs["ana"]
    assert dialog.title == "Edit the SQL"
    assert len(site.teams.messages(asked.conversation, asked, "bot")) == count

    wrong = "DELETE FROM regions"
    site.teams.submit("ana", {"SQL (one SELECT)": wrong}).wait()
    dialog = site.teams.dialogs["ana"]
    assert "⚠️" in words_of(dialog.card)
    assert wrong in str(dialog.card)

    site.teams.submit("ana", {"SQL (one SELECT)": "SELECT name FROM regions ORDER BY name"}).wait()
    assert "ana" not in site.teams.dialogs
    site.shown(asked, "SELECT name FROM regions")
    assert site.teams.faults == []


def test_a_closed_dialog_leaves_nothing_behind(site: TeamsSite) -> None:
    """The card stands as it did, and can be pressed."""
    asked = site.ask("revenue by region?")
    approval = site.shown(asked, "Run on")
    site.teams.press(approval, "Edit", user="ana").wait()
    site.teams.close("ana")
    site.press(approval, "Run")
    site.shown(asked, "CSV")


def test_a_dialog_of_a_made_up_card_opens_nothing(site: TeamsSite) -> None:
    """Whatever data it sends: the form comes from what the bot showed."""
    asked = site.ask("revenue by region?")
    approval = site.shown(asked, "Run on")
    post = site.teams.press(approval, "Edit", user="ana").wait()
    site.teams.close("ana")
    data = post.activity["value"]["data"]
    for change in ({"a": "no such"}, {"c": 99}, {"k": "teams/other/19:x/19:x"}, {"v": 5}):
        value = {"data": data | change, "context": {"theme": "default"}}
        site.teams.send(post.activity | {"value": value, "id": str(change)}, post.then).wait()
        assert "ana" not in site.teams.dialogs
