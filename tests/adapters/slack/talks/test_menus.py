"""Menus: databases, schemas, and more tables than a menu holds."""

from tests.adapters.slack.talks.site import SlackSite, table_in
from tests.platforms.slack.world import Message


def chosen(site: SlackSite, root: Message, words: str, entry: str) -> None:
    """Choose from the menu that stands below these words."""
    menu = site.shown(root, words)
    site.slack.choose(menu, "Choose", entry, user="UMIA")


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
