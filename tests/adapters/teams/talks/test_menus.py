"""Menus: databases, schemas, and more tables than a menu holds."""

from typing import Any

import pytest

from tests.adapters.teams.talks.house import House
from tests.platforms.teams import Impossible, Message, shown
from tests.platforms.teams.cards.filling import inputs_of

WHERE = pytest.mark.parametrize("where", ["", "board", "General"], ids=["personal", "group", "channel"])


def menu_in(message: Message) -> dict[str, Any]:
    """Return the menu of a message."""
    assert message.card is not None
    (menu,) = [each for each in inputs_of(message.card) if each["type"] == "Input.ChoiceSet"]
    return menu


def choose(house: House, message: Message, *entries: str, user: str = "mia") -> str:
    """Choose from a menu, press OK, and return what the person alone is told."""
    return house.press(message, "OK", user, fill={menu_in(message)["id"]: list(entries)})


def wide(house: House, where: str, user: str = "mia") -> tuple[Message, Message]:
    """Ask about the database with 400 tables, and return what was asked and the menu of tables.

    A talk goes on with the database that it was about: where the thread lasts, each test is somebody else's.
    """
    asked = house.ask("How much is invoiced?", user, where or user)
    choose(house, house.shown(asked, "Which database is it about?"), "Wide", user=user)
    return asked, house.shown(asked, "There are 400 tables")


@WHERE
def test_a_database_and_a_schema_are_chosen_from_menus(house: House, where: str) -> None:
    """Who may read several databases is asked which, and then which schema, before the SQL is shown."""
    house.model.enqueue("SELECT product, pieces FROM stock")
    asked = house.ask("How many stools are there?", "mia", where or "mia")
    databases = house.shown(asked, "Which database is it about?")
    choose(house, databases, "Archive")
    schemas = house.shown(asked, "Which schema is it about?")
    assert [each["title"] for each in menu_in(schemas)["choices"]] == ["main", "archive"]
    choose(house, schemas, "archive")
    house.press(house.shown(asked, "schema archive"), "Run", "mia")
    assert "product | pieces\nstool | 1" in shown(house.shown(asked, "CSV"))
    assert "Archive · Mia" in shown(databases)
    assert "Input.ChoiceSet" not in str([databases.card, schemas.card])


@WHERE
def test_tables_are_found_by_typing(house: House, where: str) -> None:
    """Of 400 tables, those that fit what is typed are offered; several are chosen, and the model sees these alone."""
    asked, tables = wide(house, where, "max")
    menu = menu_in(tables)
    assert (menu["choices.data"]["type"], menu["choices"][0]["title"]) == ("Data.Query", "invoices")
    offered = house.teams.search(tables, menu["id"], "thing_39", user="max")
    assert [each["title"] for each in offered] == [f"thing_{n}" for n in range(390, 399)]
    assert house.teams.search(tables, menu["id"], "nothing of this name", user="max") == []
    house.model.enqueue("SELECT amount FROM invoices")
    choose(house, tables, "invoices", "thing_398", user="max")
    approval = house.shown(asked, "Run this on")
    prompt = str(house.model.history[-1])
    assert [name in prompt for name in ("invoices", "thing_398", "thing_397")] == [True, True, False]
    house.press(approval, "Run", "max")
    assert "amount\n5" in shown(house.shown(asked, "CSV"))
    assert "invoices, thing_398 · Max" in shown(tables)


def test_ok_without_a_choice(house: House) -> None:
    """OK before anything is chosen is answered to that person alone, and the menu stays."""
    asked, tables = wide(house, "General")
    assert "Choose at least one entry" in house.press(tables, "OK", "mia")
    house.model.enqueue("SELECT amount FROM invoices")
    house.press(tables, "The likely ones", "mia")
    house.shown(asked, "Run this on")


def test_a_menu_is_for_whoever_asked(house: House) -> None:
    """Somebody else's choice is refused to them alone; what was never offered cannot be chosen."""
    asked, tables = wide(house, "General")
    menu = menu_in(tables)
    assert "Mia started this conversation" in house.press(tables, "OK", "ana", fill={menu["id"]: "invoices"})
    with pytest.raises(Impossible):
        choose(house, tables, "thing_398")
    house.model.enqueue("SELECT amount FROM invoices")
    choose(house, tables, "invoices")
    house.shown(asked, "Run this on")


def test_another_database(house: House) -> None:
    """From a result, the next question goes to another database by a button and a menu."""
    house.model.enqueue("SELECT amount FROM invoices")
    asked, tables = wide(house, "board", "moa")
    choose(house, tables, "invoices", user="moa")
    house.press(house.shown(asked, "Run this on"), "Run", "moa")
    house.press(house.shown(asked, "CSV"), "Other database", "moa")
    databases = house.offered(asked, "OK")
    assert "Which database is it about?" in shown(databases)
    assert menu_in(databases)["value"] == next(
        each["value"] for each in menu_in(databases)["choices"] if each["title"] == "Wide"
    )
    choose(house, databases, "Archive", user="moa")
    choose(house, house.shown(asked, "Which schema is it about?"), "main", user="moa")
    house.shown(asked, "Shall I write the SQL")
