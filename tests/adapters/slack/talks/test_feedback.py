"""Thumbs, and forgetting a workspace."""

from pathlib import Path

from tests.adapters.slack.talks.house import REVENUE, House, opened


def test_thumbs_are_kept_with_what_they_are_about(house: House) -> None:
    """Anybody's thumb is kept with the question, the SQL and the outcome; each is thanked alone."""
    root = house.ask("revenue by region, thumbs?")
    house.slack.press(house.shown(root, "Run this on"), "Run", user="UANA")
    table = house.shown(root, "CSV")
    house.slack.press(table, "Good answer", user="UANA")
    house.told("UANA", "Thank you. It is noted that this answer was right", after=table)
    house.slack.press(table, "Bad answer", user="UBOB")
    house.told("UBOB", "It is noted that this answer was not right", after=table)
    ratings = [r for r in house.running.bot.tools.feedback.ratings() if r[0].question == "revenue by region, thumbs?"]
    assert [(who, good) for _, who, good in ratings] == [("slack:UANA", True), ("slack:UBOB", False)]
    answered = ratings[0][0]
    assert " ".join(answered.sql.split()) == " ".join(REVENUE.split())
    assert answered.outcome == "2 rows"
    assert root.ts in answered.thread


def test_a_good_answer_is_kept_as_an_example(house: House) -> None:
    """Whoever may teach the bot is offered it alone, sees what will be kept, and saves it; anybody else is not."""
    root = house.ask("revenue by region, to be kept?")
    house.slack.press(house.shown(root, "Run this on"), "Run", user="UANA")
    table = house.shown(root, "CSV")
    house.slack.press(table, "Good answer", user="UANA")
    house.told("UANA", "Thank you", after=table)
    house.slack.press(table, "Good answer", user="UBOB")
    bobs = house.slack.wait_message("UBOB", "Shall “revenue by region, to be kept?” help")
    house.slack.press(bobs, "Keep as example", user="UBOB")
    house.slack.press(house.slack.wait_message("UBOB", "Whoever asks Shop"), "Save", user="UBOB")
    house.slack.wait(lambda: [each for each in house.trail(root) if each["who"] == "slack:UBOB"])
    (kept,) = house.running.bot.tools.examples.store.every("shop")
    assert ("revenue by region, to be kept?", "slack:UBOB") == (kept.question, kept.by)
    assert " ".join(REVENUE.split()) == " ".join(kept.sql.split())
    assert ["kept"] == [each["event"] for each in house.trail(root) if each["who"] == "slack:UBOB"]


def test_a_workspace_that_takes_the_app_away_is_forgotten(tmp_path: Path) -> None:
    """After the app is uninstalled, no file of the bot holds anything of its talks, but the audit trail."""
    with opened(tmp_path / "house", "socket") as house:
        root = house.ask("how many zebras per region?")
        house.slack.press(house.shown(root, "Run this on"), "Run", user="UANA")
        house.slack.press(house.shown(root, "CSV"), "Good answer", user="UANA")
        house.told("UANA", "Thank you")
        house.idle(root, turns=2)
        house.slack.uninstall()
        house.slack.wait_delivered()
        house.slack.wait(lambda: not house.running.bot.tools.feedback.ratings())
        home = house.folder / "home"
    held = [path for path in home.rglob("*") if path.is_file() and path.name != "audit.jsonl"]
    assert held != []
    assert [path.name for path in held if b"zebras" in path.read_bytes() or b"1235.75" in path.read_bytes()] == []
