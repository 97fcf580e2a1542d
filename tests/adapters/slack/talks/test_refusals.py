"""What Slack does not take: drawings, files, and whole channels."""

import pytest

from tests.adapters.slack.talks.site import REVENUE, SlackSite
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.troubles import Troubles
from tests.platforms.slack.world import Message


def kinds(message: Message) -> set[str]:
    """Return the types of a message's blocks."""
    return {block["type"] for block in message.blocks}


def test_words_in_place_of_blocks(site: SlackSite) -> None:
    """Where Slack refuses the blocks, the answer arrives as text that says what can be typed, and so do the rows."""
    site.refuse(1)
    root = site.ask("revenue by region?")
    asked = site.shown(root, "Run on")
    assert asked.blocks == []
    assert "".join(REVENUE.split()) in "".join(asked.text.split())
    assert "[Run on Shop / " in asked.text
    site.refuse(1)
    site.slack.say("C1", "run", user="UANA", thread=root, mention=True)
    assert "1235.75" in site.shown(root, "CSV").text


@pytest.mark.parametrize("word", ["msg_too_long", "invalid_blocks", "a_new_word_of_slack"])
def test_not_even_words(site: SlackSite, word: str) -> None:
    """Where Slack refuses an answer however it is drawn, the person alone is told so, once; nothing is tried again."""
    for method in ("chat.postMessage", "chat.update"):
        site.slack.fail(method, word, times=12)
    root = site.ask(f"revenue by region, {word}?")
    told = site.told("UANA", word, after=root)
    assert told.thread == root.ts
    site.idle(root, turns=1)
    site.slack.troubles = Troubles()
    site.slack.say("C1", "revenue by region, shorter?", user="UANA", thread=root, mention=True)
    site.shown(root, "Run on")
    sorry = [m for m in site.slack.messages("C1", root) if m.ephemeral_to and word in m.text]
    assert len(sorry) == 1


@pytest.mark.parametrize("word", ["not_in_channel", "is_archived"])
def test_a_channel_that_was_closed_meanwhile(site: SlackSite, word: str) -> None:
    """Where the bot cannot write any more, the person is told so in a direct message, once, with the answer."""
    site.explained |= {"not_in_channel", "is_archived"}
    root = site.ask("revenue by region?", channel="CSHUT")
    asked = site.shown(root, "Run on")
    site.idle(root, turns=1)
    if word == "not_in_channel":
        site.slack.kick("CSHUT")
    else:
        site.slack.fail("chat.update", word)
    site.slack.press(asked, "Run", user="UANA")
    told = site.slack.wait_message("UANA", "I cannot write to that channel", after=asked)
    assert "1235.75" in words_of(told.blocks)
    site.slack.invite("CSHUT")
    after = site.ask("SELECT name FROM regions", channel="CSHUT")
    site.shown(after, "Run on")
    homes = [m for m in site.slack.messages("UANA") if m.ts > asked.ts and "I cannot write" in words_of(m.blocks)]
    assert len(homes) == 1


@pytest.mark.parametrize("method", ["files.getUploadURLExternal", "files.completeUploadExternal"])
def test_a_file_that_slack_does_not_take(site: SlackSite, method: str) -> None:
    """Where a file cannot be uploaded, a sentence in the thread says so, and the result stays as it is."""
    root = site.ask("SELECT name FROM regions")
    site.slack.press(site.shown(root, "Run on"), "Run", user="UANA")
    table = site.shown(root, "CSV")
    site.idle(root, turns=2)
    site.slack.fail(method, "storage_limit_reached")
    site.download(table, "CSV")
    site.shown(root, "I could not upload")
    site.idle(root, turns=3)
    assert site.slack.files == [] or all(file.thread != root.ts for file in site.slack.files)
    site.download(table, "CSV")
    site.slack.wait(lambda: [file for file in site.slack.files if file.thread == root.ts])
