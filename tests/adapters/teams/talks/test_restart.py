"""Talks that go on with another process."""

from pathlib import Path

from tests.adapters.teams.talks.house import founded
from tests.platforms.teams import shown


def test_every_question_that_waits_is_answered_after_a_restart(tmp_path: Path) -> None:
    """Buttons, forms, pages and questions of one process are taken by the next; nothing is answered twice."""
    with founded(tmp_path / "house") as town:
        teams = town.teams
        with town.at_work() as house:
            approval = house.ask("revenue by region?")
            edit = house.ask("revenue by region, edited?", where="ana")
            group = house.ask("revenue by region?", where="board")
            need = house.ask("hello", where="sales")
            press = teams.press(house.shown(edit, "Run this on"), "Edit", user="ana").wait()
            teams.wait(lambda: "Input.Text" in str([m.card for m in teams.messages("ana")]))
            _, table = house.ran("SELECT id FROM measurements ORDER BY id", "lars", "sales")
            house.press(house.shown(need, "Write it for me"), "Write it for me")
            house.shown(need, "What would you like to know?")
            house.shown(approval, "Run this on")
            house.shown(group, "Run this on")
            teams.wait_posted()
            before = list(teams.posts)
        with town.at_work() as house:
            calls, prompts = len(teams.calls), len(house.model.history)
            for post in before:
                teams.redeliver(post)
            teams.redeliver(press, later=True)
            teams.wait_posted()
            assert not [c for c in teams.calls[calls:] if c.method in ("send", "reply", "update")]
            assert len(house.model.history) == prompts
            house.press(house.shown(approval, "Run this on"), "Run")
            house.shown(approval, "CSV")
            house.press(house.shown(group, "Run this on"), "Run")
            house.shown(group, "CSV")
            form = next(m for m in reversed(teams.messages("ana")) if "Input.Text" in str(m.card))
            field = next(each for each in form.card["body"] if each["type"] == "Input.Text")
            name = next(a["title"] for each in form.card["body"] for a in each.get("actions", []))
            house.press(form, name, fill={field["id"]: "SELECT name FROM regions"})
            house.shown(edit, "Run this on")
            house.press(table, "Next", "lars")
            teams.wait(lambda: "rows 21 to" in shown(table))
            house.ask("revenue by region, at last?", where="sales", thread=need)
            house.shown(need, "Run this on")
            house.demand_sound()
