"""Guests of the workspace: what is open to them, and what they are told where nothing is."""

import pytest

from tests.adapters.slack.talks.site import SlackSite

SENTENCE = "You're a guest here, and no database is open to guests. Please ask your administrator."


@pytest.fixture(name="gina", params=["single", "multi"])
def _gina(site: SlackSite, request: pytest.FixtureRequest) -> str:
    """Return a guest who is among the readers of Shop by her address, were she a member."""
    id = site.slack.world.new_id("U")
    site.slack.user(id, "Gina", "ana@example.com").guest = request.param
    site.slack.world.channels["C1"].members.add(id)
    return id


def test_a_question_of_a_guest(site: SlackSite, gina: str) -> None:
    """She is told, alone, that nothing is open to guests; no model is asked."""
    prompts = len(site.model.prompts)
    root = site.ask("revenue by region?", user=gina)
    assert SENTENCE == site.told(gina, "", after=root).text
    assert prompts == len(site.model.prompts)
    assert [m for m in site.slack.messages("C1", root) if m.bot_id and not m.ephemeral_to] == []


def test_the_home_tab_of_a_guest(site: SlackSite, gina: str) -> None:
    """Her Home tab says so, and names no database."""
    assert "Shop" not in site.home(gina, SENTENCE)


def test_a_database_that_is_open_to_guests(site: SlackSite, gina: str) -> None:
    """Where a connection says `guests = true`, she asks it like everybody on its lists, and nothing else."""
    file = site.folder / "connections.toml"
    before = file.read_text()
    file.write_text(before.replace('label = "Shop"', 'label = "Shop"\nguests = true'))
    try:
        site.slack.wait(lambda: site.running.bot.services.connections["shop"].guests)
        root = site.ask("revenue by region, for a guest?", user=gina)
        site.slack.press(site.shown(root, "Run on Shop"), "Run on Shop", user=gina)
        site.shown(root, "CSV")
    finally:
        file.write_text(before)
        site.slack.wait(lambda: not site.running.bot.services.connections["shop"].guests)
