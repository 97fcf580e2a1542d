"""Questions that come by `/ask` and by the shortcut on a message."""

import pytest

from adapters.slack.app import NO_WORDS
from adapters.slack.scopes import COMMAND, SHORTCUT
from tests.adapters.slack.talks.site import ON_BOTH, SlackSite


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


def test_a_file_without_words(site: SlackSite) -> None:
    """A file alone is declined to the person alone, once, if the bot was meant; with words, the words count."""
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
