"""Menus: databases, schemas, and more tables than a menu holds."""

from typing import Any

import pytest

from tests.adapters.teams.talks.site import TeamsSite, has_button
from tests.platforms.teams.cards.filling import Impossible, inputs_of
from tests.platforms.teams.looking import shown
from tests.platforms.teams.world import Message

WHERE = pytest.mark.parametrize("where", ["", "General"], ids=["personal", "channel"])


def menu_in(message: Message) -> dict[str, Any]:
    """Return the menu of a message."""
    assert message.card is not None
    (menu,) = [each for each in inputs_of(message.card) if each["type"] == "Input.ChoiceSet"]
    return menu


def choose(site: TeamsSite, message: Message, *entries: str, user: str = "mia") -> str:
    """Choose from a menu and press OK, or press the one button, and return what the person alone is told."""
    if len(entries) == 1 and has_button(message, entries[0]):
        return site.press(message, entries[0], user)
    return site.press(message, "OK", user, fill={menu_in(message)["id"]: list(entries)})


def wide(site: TeamsSite, where: str, user: str = "mia") -> tuple[Message, Message]:
    """Ask about the database with 400 tables, and return what was asked and the menu of tables.

    A talk goes on with the database that it was about: where the thread lasts, each test is somebody else's.
    """
    asked = site.ask("How many did we sell in May?", user, where or user)
    choose(site, site.shown(asked, "Which database is it about?"), "Wide", user=user)
    return asked, site.shown(asked, "There are 400 tables")


@WHERE
def test_tables_are_found_by_typing(site: TeamsSite, where: str) -> None:
    """Of 400 tables, those that fit what is typed are offered; several are chosen, and the model sees these alone."""
    asked, tables = wide(site, where, "max")
    menu = menu_in(tables)
    assert (menu["choices.data"]["type"], menu["choices"][0]["title"]) == ("Data.Query", "invoices")
    offered = site.teams.search(tables, menu["id"], "thing_39", user="max")
    assert [each["title"] for each in offered] == [f"thing_{n}" for n in range(390, 399)]
    assert site.teams.search(tables, menu["id"], "nothing of this name", user="max") == []
    site.model.enqueue("SELECT amount FROM invoices")
    choose(site, tables, "invoices", "thing_398", user="max")
    approval = site.shown(asked, "Run on")
    prompt = str(site.model.history[-1])
    assert [name in prompt for name in ("invoices", "thing_398", "thing_397")] == [True, True, False]
    site.press(approval, "Run", "max")
    rows = site.shown(asked, "CSV")
    assert "amount\n5" in shown(rows)
    assert tables.id == rows.id
    assert "Input.ChoiceSet" not in str(rows.card)


def test_a_menu_is_for_whoever_asked(site: TeamsSite) -> None:
    """Somebody else's choice is refused to them alone; what was never offered cannot be chosen."""
    asked, tables = wide(site, "General")
    menu = menu_in(tables)
    assert "Mia started this conversation" in site.press(tables, "OK", "ana", fill={menu["id"]: "invoices"})
    with pytest.raises(Impossible):
        choose(site, tables, "thing_398")
    site.model.enqueue("SELECT amount FROM invoices")
    choose(site, tables, "invoices")
    site.shown(asked, "Run on")
