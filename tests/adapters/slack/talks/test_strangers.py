"""People whom the workspace does not vouch for: they get a sentence and nothing else."""

from collections.abc import Callable

import pytest

from adapters.chat.gate import STRANGER, UNKNOWN
from adapters.slack.uses import COMMAND, SHORTCUT
from tests.adapters.slack.talks.house import House
from tests.platforms.slack import words_of

REASONS = pytest.mark.parametrize(("word", "sentence"), [("user_not_found", STRANGER), ("fatal_error", UNKNOWN)])


def stranger(house: House, word: str) -> str:
    """Return somebody new, of whom Slack says this, as often as it is asked."""
    house.slack.fail("users.info", word, times=50)
    id = house.slack.world.new_id("U")
    house.slack.user(id, "Eve", "ana@example.com")
    house.slack.world.channels["C1"].members.add(id)
    return id


@REASONS
def test_a_question(house: House, word: str, sentence: str) -> None:
    """A question of a stranger, or of somebody who may be one, is not asked."""
    eve, prompts = stranger(house, word), len(house.model.prompts)
    root = house.ask("revenue by region?", user=eve)
    told = house.told(eve, "", after=root)
    assert sentence == told.text
    assert prompts == len(house.model.prompts)
    assert [m for m in house.slack.messages("C1", root) if m.bot_id and not m.ephemeral_to] == []


@REASONS
def test_the_home_tab(house: House, word: str, sentence: str) -> None:
    """The Home tab of a stranger has the sentence, and no database."""
    eve = stranger(house, word)
    house.home(eve, sentence.partition(".")[0])
    home = house.slack.home(eve)
    assert home is not None
    assert [sentence] == [words_of([block]) for block in home.blocks]


@REASONS
def test_the_messages_tab(house: House, word: str, sentence: str) -> None:
    """The Messages tab suggests no questions to a stranger."""
    eve, prompts = stranger(house, word), len(house.slack.prompts)
    house.slack.open_messages_tab(eve)
    assert sentence == house.told(eve, "").text
    assert prompts == len(house.slack.prompts)


@REASONS
def test_thumbs(house: House, word: str, sentence: str) -> None:
    """The thumb of a stranger is not kept."""
    root = house.ask("revenue by region, rated?")
    house.slack.press(house.shown(root, "Run this on"), "Run", user="UANA")
    table = house.shown(root, "CSV")
    eve = stranger(house, word)
    house.slack.press(table, "Good answer", user=eve)
    assert sentence == house.told(eve, "", after=table).text
    rated = house.running.bot.tools.feedback.ratings()
    assert [who for _, who, _ in rated if who == f"slack:{eve}"] == []


@REASONS
def test_forms(house: House, word: str, sentence: str) -> None:
    """No form opens for a stranger: not the command's, not the shortcut's, not the one to edit SQL."""
    root = house.ask("revenue by region?")
    asked = house.shown(root, "Run this on")
    house.slack.press(asked, "Edit", user="UANA")
    form = house.shown(root, "Edit the SQL")
    eve = stranger(house, word)
    acts: list[Callable[[], object]] = [
        lambda: house.slack.command(COMMAND, "", user=eve, channel="C1"),
        lambda: house.slack.shortcut(SHORTCUT, asked, user=eve),
        lambda: house.slack.press(form, "Edit the SQL", user=eve),
    ]
    last = form
    for act in acts:
        act()
        last = house.told(eve, "", after=last)
        assert sentence == last.text
    assert [] == [view for view in house.slack.views if view.user == eve]


@REASONS
def test_a_stop(house: House, word: str, sentence: str) -> None:
    """Slack's own Stop, pressed by a stranger, is answered by the sentence."""
    root = house.ask("revenue by region?")
    asked = house.shown(root, "Run this on")
    eve = stranger(house, word)
    house.slack.stop_session("C1", root, user=eve)
    assert sentence == house.told(eve, "", after=asked).text
    house.shown(root, "Run this on")


def test_the_entries_of_a_long_menu(house: House) -> None:
    """What a stranger types into a menu finds nothing; who asked finds all of it."""
    root = house.ask("How much is invoiced?", user="UMIA")
    house.slack.choose(house.shown(root, "Which database is it about?"), "Choose", "Wide", user="UMIA")
    menu = house.shown(root, "There are 400 tables")
    block = next(b for b in menu.blocks if b.get("accessory", {}).get("type") == "multi_external_select")
    where, eve = block["accessory"]["action_id"], stranger(house, "user_not_found")
    assert (0, 100) == tuple(len(house.slack.suggest(menu, where, "", user=user)) for user in (eve, "UMIA"))


def test_what_comes_from_another_workspace(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """What happens in another workspace is acknowledged, and that is all."""
    if "T9" not in house.slack.world.teams:
        house.slack.team("T9", "Partner")
    house.slack.user("UPAT", "Pat", "ana@example.com", team="T9")
    calls = len(house.slack.calls)
    house.slack.dm("UPAT", "revenue by region?")
    house.slack.open_home("UPAT")
    house.slack.command(COMMAND, "revenue by region?", user="UPAT", channel="C1")
    house.slack.wait_delivered()
    assert calls == len(house.slack.calls)
    assert "what came from workspace T9 was refused" in caplog.text
