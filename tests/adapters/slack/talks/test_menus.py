"""Menus: databases, schemas, and more tables than a menu holds."""

from tests.adapters.slack.talks.house import House
from tests.platforms.slack import Message, words_of


def chosen(house: House, root: Message, words: str, entry: str) -> None:
    """Choose from the menu that stands below these words."""
    menu = house.shown(root, words)
    house.slack.choose(menu, "Choose", entry, user="UMIA")


def test_a_database_and_a_schema_are_chosen_from_menus(house: House) -> None:
    """Who may read several databases is asked which, and then which schema, before the SQL is shown."""
    house.model.enqueue("SELECT product, pieces FROM stock")
    root = house.ask("How many stools are there?", user="UMIA")
    chosen(house, root, "Which database is it about?", "Archive")
    chosen(house, root, "Which schema is it about?", "archive")
    house.slack.press(house.shown(root, "schema archive"), "Run", user="UMIA")
    table = house.shown(root, "CSV")
    assert [[cell["text"] for cell in row] for row in table.blocks[0]["rows"]][1:] == [["stool", "1"]]
    asked = next(m for m in house.slack.messages("C1", root) if "Which database" in words_of(m.blocks))
    assert "Archive · <@UMIA>" in words_of(asked.blocks)
    assert not [block for block in asked.blocks if block["type"] == "actions"]


def test_tables_are_found_by_typing(house: House) -> None:
    """Of 400 tables, those that fit what is typed are offered; several are chosen, and taken with OK."""
    root = house.ask("How much is invoiced?", user="UMIA")
    chosen(house, root, "Which database is it about?", "Wide")
    menu = house.shown(root, "There are 400 tables")
    block = next(b for b in menu.blocks if b.get("accessory", {}).get("type") == "multi_external_select")
    where = block["accessory"]["action_id"]
    offered = house.slack.suggest(menu, where, "", user="UMIA")
    assert offered[0]["text"]["text"] == "invoices"
    assert len(offered) == 100
    assert [o["text"]["text"] for o in house.slack.suggest(menu, where, "thing_39", user="UMIA")] == [
        f"thing_{n}" for n in range(390, 399)
    ]
    house.model.enqueue("SELECT amount FROM invoices")
    house.slack.choose(menu, where, ["invoices", "thing_398"], user="UMIA")
    house.slack.press(menu, "OK", user="UMIA")
    asked = house.shown(root, "Run this on")
    assert "invoices" in house.model.prompts[-1] or "invoices" in str(house.model.history[-1])
    house.slack.press(asked, "Run", user="UMIA")
    table = house.shown(root, "CSV")
    assert [row[0]["text"] for row in table.blocks[0]["rows"]] == ["amount", "5"]
    decided = house.shown(root, "There are 400 tables")
    assert "invoices, thing_398 · <@UMIA>" in words_of(decided.blocks)


def test_ok_without_a_choice(house: House) -> None:
    """OK before anything is chosen is answered to that person alone, and the menu stays."""
    root = house.ask("How much is invoiced?", user="UMIA")
    chosen(house, root, "Which database is it about?", "Wide")
    menu = house.shown(root, "There are 400 tables")
    house.slack.press(menu, "OK", user="UMIA")
    house.told("UMIA", "Choose at least one entry", after=menu)
    house.model.enqueue("SELECT amount FROM invoices")
    house.slack.press(menu, "The likely ones", user="UMIA")
    house.shown(root, "Run this on")
