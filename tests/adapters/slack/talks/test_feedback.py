"""Thumbs, and forgetting a workspace."""

from pathlib import Path

from tests.adapters.slack.talks.site import REVENUE, SlackSite, opened


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
