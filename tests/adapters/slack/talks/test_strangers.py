"""People whom the workspace does not vouch for: they get a sentence and nothing else."""

from collections.abc import Callable

import pytest

from adapters.chat.admission import STRANGER, UNKNOWN_PERSON
from adapters.slack.scopes import COMMAND, SHORTCUT
from tests.adapters.slack.talks.site import SlackSite
from tests.platforms.slack.looking import words_of

REASONS = pytest.mark.parametrize(("word", "sentence"), [("user_not_found", STRANGER), ("fatal_error", UNKNOWN_PERSON)])


def stranger(site: SlackSite, word: str) -> str:
    """Return somebody new, of whom Slack says this, as often as it is asked."""
    site.slack.fail("users.info", word, times=50)
    id = site.slack.world.new_id("U")
    site.slack.user(id, "Eve", "ana@example.com")
    site.slack.world.channels["C1"].members.add(id)
    return id


@REASONS
def test_a_question(site: SlackSite, word: str, sentence: str) -> None:
    """A question of a stranger, or of somebody who may be one, is not asked."""
    eve, prompts = stranger(site, word), len(site.model.prompts)
    root = site.ask("revenue by region?", user=eve)
    told = site.told(eve, "", after=root)
    assert sentence == told.text
    assert prompts == len(site.model.prompts)
    assert [m for m in site.slack.messages("C1", root) if m.bot_id and not m.ephemeral_to] == []


@REASONS
def test_the_home_tab(site: SlackSite, word: str, sentence: str) -> None:
    """The Home tab of a stranger has the sentence, and no database."""
    eve = stranger(site, word)
    site.home(eve, sentence.partition(".")[0])
    home = site.slack.home(eve)
    assert home is not None
    assert [sentence] == [words_of([block]) for block in home.blocks]


@REASONS
def test_forms(site: SlackSite, word: str, sentence: str) -> None:
    """No form opens for a stranger: not the command's, not the shortcut's, not the one to edit SQL."""
    root = site.ask("revenue by region?")
    asked = site.shown(root, "Run on")
    site.slack.say("C1", "edit", user="UANA", thread=root)
    form = site.shown(root, "Edit the SQL")
    other = site.ask("revenue by region, edited?")
    opening = site.shown(other, "Run on")
    eve = stranger(site, word)
    acts: list[Callable[[], object]] = [
        lambda: site.slack.command(COMMAND, "", user=eve, channel="C1"),
        lambda: site.slack.shortcut(SHORTCUT, asked, user=eve),
        lambda: site.slack.press(form, "Edit the SQL", user=eve),
        lambda: site.slack.press(opening, "Edit", user=eve),
    ]
    last = opening
    for act in acts:
        act()
        last = site.told(eve, "", after=last)
        assert sentence == last.text
    assert [] == [view for view in site.slack.views if view.user == eve]


@REASONS
def test_a_press(site: SlackSite, word: str, sentence: str) -> None:
    """A press of a stranger raises no sign of work, and leaves the sentence to them alone."""
    root = site.ask("revenue by region?")
    asked = site.shown(root, "Run on")
    site.idle(root, turns=1)
    eve = stranger(site, word)
    said, statuses = site.slack.messages("C1", root), len(site.slack.statuses)
    site.slack.press(asked, "Run", user=eve)
    assert sentence == site.told(eve, "", after=asked).text
    site.slack.wait_delivered()
    assert said == [m for m in site.slack.messages("C1", root) if not m.ephemeral_to]
    assert statuses == len(site.slack.statuses)


@REASONS
def test_a_stop(site: SlackSite, word: str, sentence: str) -> None:
    """Slack's own Stop, pressed by a stranger, is answered by the sentence."""
    root = site.ask("revenue by region?")
    asked = site.shown(root, "Run on")
    eve = stranger(site, word)
    site.slack.stop_session("C1", root, user=eve)
    assert sentence == site.told(eve, "", after=asked).text
    site.shown(root, "Run on")


def test_the_entries_of_a_long_menu(site: SlackSite) -> None:
    """What a stranger types into a menu finds nothing; who asked finds all of it."""
    root = site.ask("How many did we sell in May?", user="UMIA")
    site.slack.choose(site.shown(root, "Which database is it about?"), "Choose", "Wide", user="UMIA")
    menu = site.shown(root, "There are 400 tables")
    block = next(b for b in menu.blocks if b.get("accessory", {}).get("type") == "multi_external_select")
    where, eve = block["accessory"]["action_id"], stranger(site, "user_not_found")
    assert (0, 100) == tuple(len(site.slack.suggest(menu, where, "", user=user)) for user in (eve, "UMIA"))


def test_what_comes_from_another_workspace(site: SlackSite, caplog: pytest.LogCaptureFixture) -> None:
    """What happens in another workspace is acknowledged, and that is all."""
    if "T9" not in site.slack.world.teams:
        site.slack.team("T9", "Partner")
    site.slack.user("UPAT", "Pat", "ana@example.com", team="T9")
    calls = len(site.slack.calls)
    site.slack.dm("UPAT", "revenue by region?")
    site.slack.open_home("UPAT")
    site.slack.command(COMMAND, "revenue by region?", user="UPAT", channel="C1")
    site.slack.wait_delivered()
    assert calls == len(site.slack.calls)
    assert "what came from workspace T9 was refused" in caplog.text
