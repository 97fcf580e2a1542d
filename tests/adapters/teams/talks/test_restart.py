"""Talks that go on with another process."""

from pathlib import Path

from tests.adapters.teams.talks.site import founded
from tests.platforms.teams.looking import shown


def test_every_question_that_waits_is_answered_after_a_restart(tmp_path: Path) -> None:
    """Buttons, forms, pages and questions of one process are taken by the next; nothing is answered twice."""
    with founded(tmp_path / "site") as company:
        teams = company.teams
        with company.at_work() as site:
            approval = site.ask("revenue by region?")
            edit = site.ask("revenue by region, edited?", where="ana")
            group = site.ask("revenue by region?", where="board")
            need = site.ask("hello", where="sales")
            press = teams.press(site.shown(edit, "Run on"), "Edit", user="ana", dialogs=False).wait()
            teams.wait(lambda: "Input.Text" in str([m.card for m in teams.messages("ana")]))
            _, table = site.ran("SELECT id FROM measurements ORDER BY id", "lars", "sales")
            site.press(site.shown(need, "Write it for me"), "Write it for me")
            site.shown(need, "What would you like to know?")
            site.shown(approval, "Run on")
            site.shown(group, "Run on")
            teams.wait_posted()
            before = list(teams.posts)
        with company.at_work() as site:
            calls, prompts = len(teams.calls), len(site.model.history)
            for post in before:
                teams.redeliver(post)
            teams.redeliver(press, later=True)
            teams.wait_posted()
            assert not [c for c in teams.calls[calls:] if c.method in ("send", "reply", "update")]
            assert len(site.model.history) == prompts
            site.press(site.shown(approval, "Run on"), "Run")
            site.shown(approval, "CSV")
            site.press(site.shown(group, "Run on"), "Run")
            site.shown(group, "CSV")
            form = next(m for m in reversed(teams.messages("ana")) if "Input.Text" in str(m.card))
            field = next(each for each in form.card["body"] if each["type"] == "Input.Text")
            name = next(a["title"] for each in form.card["body"] for a in each.get("actions", []))
            site.press(form, name, fill={field["id"]: "SELECT name FROM regions"})
            site.shown(edit, "Run on")
            site.press(table, "Next", "lars")
            teams.wait(lambda: "rows 21 to" in shown(table))
            site.ask("revenue by region, at last?", where="sales", thread=need)
            site.shown(need, "Run on")
            site.require_sound()
