"""Questions that come by `/ask` and by the shortcut on a message."""

import pytest

from adapters.slack.app import NO_FILES
from adapters.slack.asking import ABOUT, EMPTY
from adapters.slack.uses import COMMAND, SHORTCUT
from tests.adapters.slack.talks.house import House
from tests.platforms.slack import words_of


def test_ask_with_words(house: House) -> None:
    """`/ask` with a question begins a thread in its channel, under the words as they were typed."""
    before = house.slack.say("C2", "good morning", user="UANA")
    house.slack.command(COMMAND, "which regions have revenue < 5 & > 1?", user="UANA", channel="C2")
    root = house.slack.wait_message("C2", "asks:", after=before)
    assert root.blocks[0]["text"]["text"] == "<@UANA> asks: which regions have revenue &lt; 5 &amp; &gt; 1?"
    asked = house.slack.wait_message("C2", "Run this on", thread=root)
    assert asked.thread == root.ts
    house.slack.press(asked, "Run", user="UANA")
    house.slack.wait_message("C2", "CSV", thread=root)


def test_ask_without_words(house: House) -> None:
    """`/ask` alone opens a form, and its question begins a thread in the channel."""
    before = house.slack.say("C2", "good morning", user="UANA")
    house.slack.command(COMMAND, "", user="UANA", channel="C2")
    view = house.slack.wait_view("Ask a question")
    assert house.slack.submit(view, {"question": "revenue by region?"}) is None
    root = house.slack.wait_message("C2", "asks: revenue by region?", after=before)
    house.slack.wait_message("C2", "Run this on", thread=root)


@pytest.mark.parametrize("word", ["help", "Cancel!", "stop", "start over", "back", "done"])
@pytest.mark.parametrize("channel", ["C2", "COUTSIDE"])
def test_ask_with_a_word_of_a_talk(house: House, word: str, channel: str) -> None:
    """`/ask help` tells the person alone how to ask, also where the bot is not; nothing is posted for others."""
    before = house.slack.say(channel, "good morning", user="UANA")
    house.slack.command(COMMAND, word, user="UANA", channel=channel)
    assert ABOUT == house.told("UANA", "Type `/ask`", after=before).text
    later = [m for m in house.slack.messages(channel) if m.ts > before.ts and not m.ephemeral_to]
    assert [] == later


def test_ask_with_blanks_only(house: House) -> None:
    """The form of `/ask` demands a question: blanks are told on the field, and the form stays."""
    before = house.slack.say("C2", "good morning", user="UANA")
    house.slack.command(COMMAND, " ", user="UANA", channel="C2")
    view = house.slack.wait_view("Ask a question")
    answer = house.slack.submit(view, {"question": " \n "})
    assert answer is not None
    assert {"question": EMPTY} == answer["errors"]
    assert house.slack.submit(view, {"question": "revenue by region?"}) is None
    house.slack.wait_message("C2", "asks: revenue by region?", after=before)


def test_a_file_without_words(house: House) -> None:
    """A file alone is declined to the person alone, once, where the bot was meant; with words, the words count."""
    root = house.ask("revenue by region?")
    asked = house.shown(root, "Run this on")
    house.slack.say("C1", "", user="UBOB", thread=root, file="cat.png")
    picture = house.slack.say("C1", "", user="UANA", thread=root, file="plan.png")
    assert NO_FILES == house.told("UANA", "", after=picture).text
    named = house.slack.say("C1", "", user="UBOB", mention=True, file="cat.png")
    assert NO_FILES == house.told("UBOB", "", after=named).text
    direct = house.slack.dm("UANA", "", file="plan.png")
    assert NO_FILES == house.told("UANA", "", after=direct).text
    worded = house.slack.dm("UANA", "revenue by region?", file="plan.png")
    house.slack.wait_message("UANA", "Run this on", thread=worded)
    house.slack.wait_delivered()
    told = [m for c in house.slack.world.channels.values() for m in c.messages.values() if m.text == NO_FILES]
    assert ["UANA", "UANA", "UBOB"] == sorted(m.ephemeral_to for m in told if m.ts > asked.ts)
    assert [] == [m for m in house.slack.messages("C1", named) if m.bot_id and not m.ephemeral_to]


def test_ask_where_the_bot_is_not(house: House) -> None:
    """Where the bot is not in the channel, the answer comes in a direct message, and the channel is told so."""
    house.explained.add("not_in_channel")
    house.slack.command(COMMAND, "revenue by region?", user="UBOB", channel="COUTSIDE")
    root = house.slack.wait_message("UBOB", "asks: revenue by region?")
    house.slack.wait_message("UBOB", "Run this on", thread=root)
    told = house.slack.wait(lambda: house.slack.messages("COUTSIDE"))[-1]
    assert told.ephemeral_to == "UBOB"
    assert "direct messages" in told.text


def test_ask_in_a_direct_message(house: House) -> None:
    """`/ask` in the talk with the bot begins its thread there."""
    before = house.slack.dm("UANA", "hello")
    house.slack.wait_message("UANA", "Shall I write the SQL", thread=before)
    house.slack.command(COMMAND, "revenue by region?", user="UANA", channel=before.channel)
    root = house.slack.wait_message("UANA", "asks: revenue by region?", after=before)
    house.slack.wait_message("UANA", "Run this on", thread=root)


def test_the_shortcut_on_a_message(house: House) -> None:
    """The shortcut opens a form with the message in it, and the answer comes in the thread of the message."""
    message = house.slack.say("C2", "I wonder about revenue & regions", user="UBOB")
    house.slack.shortcut(SHORTCUT, message, user="UANA")
    view = house.slack.wait_view("Ask a question")
    assert view.blocks[0]["element"]["initial_value"] == "I wonder about revenue & regions"
    house.slack.submit(view, {"question": "revenue by region?"})
    asked = house.slack.wait_message("C2", "Run this on", thread=message)
    house.slack.press(asked, "Run", user="UANA")
    house.slack.wait_message("C2", "CSV", thread=message)


def test_the_shortcut_in_somebody_elses_talk(house: House) -> None:
    """Where somebody else talks with the bot, a question by the shortcut goes to direct messages."""
    root = house.ask("revenue by region?", user="UBOB")
    asked = house.shown(root, "Run this on")
    house.slack.shortcut(SHORTCUT, asked, user="UANA")
    house.slack.submit(house.slack.wait_view("Ask a question"), {"question": "regions by revenue, please?"})
    mine = house.slack.wait_message("UANA", "asks: regions by revenue, please?")
    house.slack.wait_message("UANA", "Run this on", thread=mine)
    assert not any("regions by revenue" in words_of(m.blocks) for m in house.slack.messages("C1", root))


def test_the_shortcut_where_the_bot_is_not(house: House) -> None:
    """In a channel without the bot, a question by the shortcut goes to direct messages, and shows nothing there."""
    house.explained |= {"not_in_channel", "channel_not_found"}
    message = house.slack.say("COUTSIDE", "what about the regions?", user="UANA")
    house.slack.shortcut(SHORTCUT, message, user="UANA")
    house.slack.submit(house.slack.wait_view("Ask a question"), {"question": "which region is outside?"})
    answer = house.slack.wait_message("UANA", "which region is outside?")
    house.slack.wait_message("UANA", "Run this on", thread=answer)
    statuses = house.slack.asked("agents.sessions.setStatus")
    assert [] == [call for call in statuses if call.arguments["channel_id"] == "COUTSIDE"]
