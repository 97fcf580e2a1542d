"""Questions that come by `/ask` and by the shortcut on a message."""

from pathlib import Path

import pytest

from adapters.chat.admission import STRANGER
from adapters.chat.inbox import Inbox
from adapters.slack.app import NO_WORDS
from adapters.slack.asking import ABOUT, EMPTY
from adapters.slack.scopes import COMMAND, GLOBAL_SHORTCUT, SHORTCUT
from router.turn import Said
from tests.adapters.slack.talks.site import ON_BOTH, SlackSite, opened
from tests.adapters.slack.talks.test_strangers import stranger
from tests.platforms.slack.looking import words_of


@ON_BOTH
def test_ask_with_words(site: SlackSite) -> None:
    """`/ask` with a question begins a thread in its channel, under the words as they were typed."""
    before = site.slack.say("C2", "good morning", user="UANA")
    site.slack.command(COMMAND, "which regions have revenue < 5 & > 1?", user="UANA", channel="C2")
    root = site.slack.wait_message("C2", "asks:", after=before)
    assert root.blocks[0]["text"]["text"] == "<@UANA> asks: which regions have revenue &lt; 5 &amp; &gt; 1?"
    asked = site.slack.wait_message("C2", "Run on", thread=root)
    assert asked.thread == root.ts
    site.slack.press(asked, "Run", user="UANA")
    site.slack.wait_message("C2", "CSV", thread=root)


@ON_BOTH
def test_ask_without_words(site: SlackSite) -> None:
    """`/ask` alone opens a form, and its question begins a thread in the channel."""
    before = site.slack.say("C2", "good morning", user="UANA")
    site.slack.command(COMMAND, "", user="UANA", channel="C2")
    view = site.slack.wait_view("Ask a question")
    assert site.slack.submit(view, {"question": "revenue by region?"}) is None
    root = site.slack.wait_message("C2", "asks: revenue by region?", after=before)
    site.slack.wait_message("C2", "Run on", thread=root)


@pytest.mark.parametrize("word", ["help", "Cancel!", "stop", "start over", "back", "done"])
@pytest.mark.parametrize("channel", ["C2", "COUTSIDE"])
def test_ask_with_a_word_of_a_talk(site: SlackSite, word: str, channel: str) -> None:
    """`/ask help` tells the person alone how to ask, also where the bot is not; nothing is posted for others."""
    before = site.slack.say(channel, "good morning", user="UANA")
    site.slack.command(COMMAND, word, user="UANA", channel=channel)
    assert ABOUT == site.told("UANA", "Type `/ask`", after=before).text
    later = [m for m in site.slack.messages(channel) if m.ts > before.ts and not m.ephemeral_to]
    assert [] == later


def test_ask_with_blanks_only(site: SlackSite) -> None:
    """The form of `/ask` demands a question: blanks are told on the field, and the form stays."""
    before = site.slack.say("C2", "good morning", user="UANA")
    site.slack.command(COMMAND, " ", user="UANA", channel="C2")
    view = site.slack.wait_view("Ask a question")
    answer = site.slack.submit(view, {"question": " \n "})
    assert answer is not None
    assert {"question": EMPTY} == answer["errors"]
    assert site.slack.submit(view, {"question": "revenue by region?"}) is None
    site.slack.wait_message("C2", "asks: revenue by region?", after=before)


def test_a_file_without_words(site: SlackSite) -> None:
    """A file alone is declined to the person alone, once, where the bot was meant; with words, the words count."""
    root = site.ask("revenue by region?")
    asked = site.shown(root, "Run on")
    site.slack.say("C1", "", user="UBOB", thread=root, file="cat.png")
    picture = site.slack.say("C1", "", user="UANA", thread=root, file="plan.png")
    assert NO_WORDS == site.told("UANA", "", after=picture).text
    named = site.slack.say("C1", "", user="UBOB", mention=True, file="cat.png")
    assert NO_WORDS == site.told("UBOB", "", after=named).text
    direct = site.slack.dm("UANA", "", file="plan.png")
    assert NO_WORDS == site.told("UANA", "", after=direct).text
    worded = site.slack.dm("UANA", "revenue by region?", file="plan.png")
    site.slack.wait_message("UANA", "Run on", thread=worded)
    site.slack.wait_delivered()
    told = [m for c in site.slack.world.channels.values() for m in c.messages.values() if m.text == NO_WORDS]
    assert ["UANA", "UANA", "UBOB"] == sorted(m.ephemeral_to for m in told if m.ts > asked.ts)
    assert [] == [m for m in site.slack.messages("C1", named) if m.bot_id and not m.ephemeral_to]


def test_ask_where_the_bot_is_not(site: SlackSite) -> None:
    """Where the bot is not in the channel, the answer comes in a direct message, and the channel is told so."""
    site.explained.add("not_in_channel")
    site.slack.command(COMMAND, "revenue by region?", user="UBOB", channel="COUTSIDE")
    root = site.slack.wait_message("UBOB", "asks: revenue by region?")
    site.slack.wait_message("UBOB", "Run on", thread=root)
    told = site.slack.wait(lambda: site.slack.messages("COUTSIDE"))[-1]
    assert told.ephemeral_to == "UBOB"
    assert "direct messages" in told.text


@pytest.mark.parametrize(
    "word", ["is_archived", "restricted_action", "restricted_action_read_only_channel", "channel_not_found"]
)
def test_ask_where_the_bot_may_not_write(site: SlackSite, word: str) -> None:
    """Whatever keeps the bot from writing there, the answer comes in a direct message, and the person is told why."""
    before = site.slack.say("C2", "good morning", user="UBOB")
    site.slack.fail("chat.postMessage", word)
    site.slack.command(COMMAND, f"revenue by region, {word}?", user="UBOB", channel="C2")
    root = site.slack.wait_message("UBOB", f"asks: revenue by region, {word}?")
    site.slack.wait_message("UBOB", "Run on", thread=root)
    told = site.told("UBOB", "direct messages", after=before)
    assert ("/invite" if word == "channel_not_found" else word) in told.text


@pytest.mark.parametrize("form", [False, True], ids=["typed", "in its form"])
def test_ask_where_nothing_is_answered(site: SlackSite, form: bool) -> None:
    """Outside the channels of the bot, which it is not in, its refusal arrives, with the question to be sent again."""
    site.explained |= {"not_in_channel", "channel_not_found"}
    site.slack.channel("CFAR", bot=False)
    before = site.slack.say("CFAR", "good morning", user="UANA")
    question = f"revenue by region, as {'a form' if form else 'words'}?"
    site.slack.command(COMMAND, "" if form else question, user="UANA", channel="CFAR")
    if form:
        assert site.slack.submit(site.slack.wait_view("Ask a question"), {"question": question}) is None
        told = site.slack.wait_message("UANA", "I don't answer in this channel", after=before)
    else:
        told = site.told("UANA", "I don't answer in this channel", after=before)
    assert question in told.text


@pytest.mark.parametrize("text", ["", "revenue by region?"], ids=["its form", "typed"])
def test_ask_of_a_stranger_where_the_bot_is_not(site: SlackSite, text: str) -> None:
    """Whoever is not answered hears it, also where the bot is not."""
    site.explained |= {"not_in_channel", "user_not_found"}
    eve = stranger(site, "user_not_found")
    site.slack.command(COMMAND, text, user=eve, channel="COUTSIDE")
    assert site.told(eve, STRANGER).text.endswith(text)


@pytest.mark.parametrize("word", ["missing_scope", "account_inactive", "messages_tab_disabled", "user_not_found"])
def test_ask_where_nothing_can_be_written(tmp_path: Path, word: str) -> None:
    """Where the bot can write neither there nor to the person, they are told so, and the question is kept."""
    with opened(tmp_path / "site", "socket") as site:
        before = site.slack.say("C2", "good morning", user="UANA")
        site.slack.fail("chat.postMessage", word, times=2)
        site.slack.command(COMMAND, "revenue by region?", user="UANA", channel="C2")
        told = site.told("UANA", word, after=before)
        assert "You asked: revenue by region?" in told.text
        site.slack.wait_delivered()
        assert [each.input for each in Inbox(site.running.bot.database, "slack").left()] == [Said("revenue by region?")]


def test_ask_in_a_direct_message(site: SlackSite) -> None:
    """`/ask` in the talk with the bot begins its thread there."""
    before = site.slack.dm("UANA", "hello")
    site.slack.wait_message("UANA", "What would you like to know?", thread=before)
    site.slack.command(COMMAND, "revenue by region?", user="UANA", channel=before.channel)
    root = site.slack.wait_message("UANA", "asks: revenue by region?", after=before)
    site.slack.wait_message("UANA", "Run on", thread=root)


def test_the_shortcut_on_a_message(site: SlackSite) -> None:
    """The shortcut opens a form with the message in it, and the answer comes in the thread of the message."""
    message = site.slack.say("C2", "I wonder about revenue & regions", user="UBOB")
    site.slack.shortcut(SHORTCUT, message, user="UANA")
    view = site.slack.wait_view("Ask a question")
    assert view.blocks[0]["element"]["initial_value"] == "I wonder about revenue & regions"
    site.slack.submit(view, {"question": "revenue by region?"})
    asked = site.slack.wait_message("C2", "Run on", thread=message)
    site.slack.press(asked, "Run", user="UANA")
    site.slack.wait_message("C2", "CSV", thread=message)


def test_the_shortcut_that_stands_everywhere(site: SlackSite) -> None:
    """It opens an empty form, wherever the person is, and its question is answered in direct messages."""
    before = site.slack.dm("UBOB", "goodbye")
    site.slack.shortcut(GLOBAL_SHORTCUT, user="UBOB")
    view = site.slack.wait_view("Ask a question")
    assert not view.blocks[0]["element"].get("initial_value")
    site.slack.submit(view, {"question": "revenue of each region?"})
    root = site.slack.wait_message("UBOB", "asks: revenue of each region?", after=before)
    site.slack.wait_message("UBOB", "Run on Shop", thread=root)


def test_the_shortcut_in_somebody_elses_talk(site: SlackSite) -> None:
    """Where somebody else talks with the bot, a question by the shortcut goes to direct messages."""
    root = site.ask("revenue by region?", user="UBOB")
    asked = site.shown(root, "Run on")
    site.slack.shortcut(SHORTCUT, asked, user="UANA")
    site.slack.submit(site.slack.wait_view("Ask a question"), {"question": "regions by revenue, please?"})
    mine = site.slack.wait_message("UANA", "asks: regions by revenue, please?")
    site.slack.wait_message("UANA", "Run on", thread=mine)
    assert not any("regions by revenue" in words_of(m.blocks) for m in site.slack.messages("C1", root))


def test_the_shortcut_where_the_bot_is_not(site: SlackSite) -> None:
    """In a channel without the bot, a question by the shortcut goes to direct messages, and shows nothing there."""
    site.explained |= {"not_in_channel", "channel_not_found"}
    message = site.slack.say("COUTSIDE", "what about the regions?", user="UANA")
    site.slack.shortcut(SHORTCUT, message, user="UANA")
    site.slack.submit(site.slack.wait_view("Ask a question"), {"question": "which region is outside?"})
    answer = site.slack.wait_message("UANA", "which region is outside?")
    site.slack.wait_message("UANA", "Run on", thread=answer)
    statuses = site.slack.asked("agents.sessions.setStatus")
    assert [] == [call for call in statuses if call.arguments["channel_id"] == "COUTSIDE"]
