"""Menus: databases, schemas, and more tables than a menu holds."""

from tests.adapters.slack.talks.site import SlackSite, table_in
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.world import Message


def chosen(site: SlackSite, root: Message, words: str, entry: str) -> None:
    """Choose from the menu that stands below these words."""
    menu = site.shown(root, words)
    site.slack.choose(menu, "Choose", entry, user="UMIA")


def test_a_database_and_a_schema_are_chosen_from_menus(site: SlackSite) -> None:
    """Who may read several databases is asked which, and then which schema; the SQL and its rows take their place."""
    site.model.enqueue("SELECT product, pieces FROM stock")
    root = site.ask("How many stools are there?", user="UMIA")
    chosen(site, root, "Which database is it about?", "Archive")
    chosen(site, root, "Which schema is it about?", "archive")
    site.slack.press(site.shown(root, "schema archive"), "Run", user="UMIA")
    table = site.shown(root, "CSV")
    assert [[cell["text"] for cell in row] for row in table_in(table)][1:] == [["stool", "1"]]
    assert "Archive" in words_of(table.blocks[:1])
    said = [m for m in site.slack.messages("C1", root) if m.bot_id and not m.ephemeral_to]
    assert [table] == said


def test_tables_are_found_by_typing(site: SlackSite) -> None:
    """Of 400 tables, those that fit what is typed are offered; several are chosen, and taken with OK."""
    root = site.ask("How many did we sell in May?", user="UMIA")
    chosen(site, root, "Which database is it about?", "Wide")
    menu = site.shown(root, "There are 400 tables")
    block = next(b for b in menu.blocks if b.get("accessory", {}).get("type") == "multi_external_select")
    where = block["accessory"]["action_id"]
    offered = site.slack.suggest(menu, where, "", user="UMIA")
    assert offered[0]["text"]["text"] == "invoices"
    assert len(offered) == 100
    assert [o["text"]["text"] for o in site.slack.suggest(menu, where, "thing_39", user="UMIA")] == [
        f"thing_{n}" for n in range(390, 399)
    ]
    site.model.enqueue("SELECT amount FROM invoices")
    site.slack.choose(menu, where, ["invoices", "thing_398"], user="UMIA")
    site.slack.press(menu, "OK", user="UMIA")
    asked = site.shown(root, "Run on")
    assert "invoices" in site.model.prompts[-1] or "invoices" in str(site.model.history[-1])
    site.slack.press(asked, "Run", user="UMIA")
    table = site.shown(root, "CSV")
    assert [row[0]["text"] for row in table_in(table)] == ["amount", "5"]
    assert table.ts == menu.ts
    assert "multi_external_select" not in str(table.blocks)


def test_ok_without_a_choice(site: SlackSite) -> None:
    """OK before anything is chosen is answered to that person alone, and the menu stays."""
    root = site.ask("How many did we sell in May?", user="UMIA")
    chosen(site, root, "Which database is it about?", "Wide")
    menu = site.shown(root, "There are 400 tables")
    site.slack.press(menu, "OK", user="UMIA")
    site.told("UMIA", "Choose at least one entry", after=menu)
    site.model.enqueue("SELECT amount FROM invoices")
    site.slack.press(menu, "The likely ones", user="UMIA")
    site.shown(root, "Run on")
