"""Thumbs, and forgetting a workspace."""

from functools import partial
from pathlib import Path

from tests.adapters.slack.talks.site import REVENUE, SlackSite, opened
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.world import Message


def test_thumbs_are_kept_with_what_they_are_about(site: SlackSite) -> None:
    """Anybody's thumb is kept with the question, the SQL and the outcome; each is thanked alone."""
    root = site.ask("revenue by region, thumbs?")
    site.slack.press(site.shown(root, "Run on"), "Run", user="UANA")
    table = site.shown(root, "CSV")
    site.slack.press(table, "Good answer", user="UANA")
    site.told("UANA", "Thanks, good to know.", after=table)
    site.slack.press(table, "Bad answer", user="UBOB")
    site.told("UBOB", "Thanks for telling me. Type what you'd like instead", after=table)
    ratings = [r for r in site.running.bot.services.feedback.ratings() if r[0].question == "revenue by region, thumbs?"]
    assert [(who, good) for _, who, good in ratings] == [("slack:UANA", True), ("slack:UBOB", False)]
    answered = ratings[0][0]
    assert " ".join(answered.sql.split()) == " ".join(REVENUE.split())
    assert answered.outcome == "2 rows"
    assert root.ts in answered.thread


def test_a_good_answer_is_kept_as_an_example(site: SlackSite) -> None:
    """Whoever may teach the bot is offered it alone, sees what will be kept, and saves it; anybody else is not."""
    root = site.ask("revenue by region, to be kept?")
    site.slack.press(site.shown(root, "Run on"), "Run", user="UANA")
    table = site.shown(root, "CSV")
    site.slack.press(table, "Good answer", user="UANA")
    site.told("UANA", "Thanks, good to know.", after=table)
    site.slack.press(table, "Good answer", user="UBOB")
    site.slack.press(site.slack.wait_message("UBOB", "Whoever asks Shop"), "Save", user="UBOB")
    site.slack.wait(lambda: [each for each in site.trail(root) if each["who"] == "slack:UBOB"])
    (kept,) = site.running.bot.services.examples.store.every("shop")
    assert ("revenue by region, to be kept?", "slack:UBOB") == (kept.question, kept.by)
    assert " ".join(REVENUE.split()) == " ".join(kept.sql.split())
    assert ["kept"] == [each["event"] for each in site.trail(root) if each["who"] == "slack:UBOB"]


def test_a_workspace_that_takes_the_app_away_is_forgotten(tmp_path: Path) -> None:
    """After the app is uninstalled, no file of the bot holds anything of its talks, but the audit trail."""
    with opened(tmp_path / "site", "socket") as site:
        root = site.ask("how many zebras per region?")
        site.slack.press(site.shown(root, "Run on"), "Run", user="UANA")
        site.slack.press(site.shown(root, "CSV"), "Good answer", user="UANA")
        site.told("UANA", "Thanks, good to know.")
        site.idle(root, turns=2)
        site.slack.uninstall()
        site.slack.wait_delivered()
        site.slack.wait(lambda: not site.running.bot.services.feedback.ratings())
        home = site.folder / "home"
    held = [path for path in home.rglob("*") if path.is_file() and path.name != "audit.jsonl"]
    assert held != []
    assert [path.name for path in held if b"zebras" in path.read_bytes() or b"1235.75" in path.read_bytes()] == []


def test_a_card_of_the_glossary_is_closed_once_it_is_answered(site: SlackSite) -> None:
    """Its buttons go and who decided is said, by a press and by a word; all else in the thread stays."""
    root = site.ask("SELECT name FROM regions", user="UBOB")
    site.slack.press(site.shown(root, "Run on"), "Run", user="UBOB")
    table = site.shown(root, "CSV")
    for name, decide in (("zork", "press"), ("blorb", "say")):
        site.slack.say("C1", f"define {name} as a region without orders", user="UBOB", thread=root, mention=True)
        card = site.shown(root, f"“{name}” is new in the glossary")
        if decide == "press":
            site.slack.press(card, "Don't save", user="UBOB")
        else:
            site.slack.say("C1", "don't save", user="UBOB", thread=root, mention=True)
        site.shown(root, f"“{name}” is unchanged")
        site.slack.wait(partial(closed, card))
        assert ("Don't save" if decide == "press" else "Answered") in words_of(card.blocks)
        assert f"“{name}” is new in the glossary" in words_of(card.blocks)
    assert any(block["type"] == "actions" for block in table.blocks)


def closed(card: Message) -> bool:
    """Tell whether nothing can be pressed in a message."""
    return not any(block["type"] == "actions" for block in card.blocks)
