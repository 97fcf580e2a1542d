"""What Slack does not take: drawings, files, and whole channels."""

import pytest

from tests.adapters.slack.talks.house import REVENUE, House
from tests.platforms.slack import Message, words_of

RICH = {"container", "data_table", "context_actions"}


def kinds(message: Message) -> set[str]:
    """Return the types of a message's blocks."""
    return {block["type"] for block in message.blocks}


def test_a_simpler_drawing(house: House) -> None:
    """Where Slack refuses the richest drawing, a simpler one arrives, with the same SQL and the same buttons."""
    house.refuse(1)
    root = house.ask("revenue by region?")
    asked = house.shown(root, "Run this on")
    assert kinds(asked).isdisjoint(RICH)
    assert "".join(REVENUE.split()) in "".join(words_of(asked.blocks).split())
    house.refuse(2)
    house.slack.press(asked, "Run", user="UANA")
    table = house.shown(root, "CSV")
    assert kinds(table) <= {"section", "context", "actions", "divider"}
    assert "1235.75" in words_of(table.blocks)


def test_no_drawing_at_all(house: House) -> None:
    """Where Slack refuses every block, the answer arrives as text that says what can be typed."""
    house.refuse(3)
    root = house.ask("revenue by region?")
    asked = house.shown(root, "Run this on")
    assert asked.blocks == []
    assert "“Run”" in asked.text
    house.slack.say("C1", "run", user="UANA", thread=root, mention=True)
    house.shown(root, "CSV")


@pytest.mark.parametrize("word", ["not_in_channel", "is_archived"])
def test_a_channel_that_was_closed_meanwhile(house: House, word: str) -> None:
    """Where the bot cannot write any more, the person is told so in a direct message, once, with the answer."""
    house.explained |= {"not_in_channel", "is_archived"}
    root = house.ask("revenue by region?", channel="CSHUT")
    asked = house.shown(root, "Run this on")
    house.idle(root, turns=1)
    if word == "not_in_channel":
        house.slack.kick("CSHUT")
    else:
        house.slack.fail("chat.postMessage", word)
    house.slack.press(asked, "Run", user="UANA")
    told = house.slack.wait_message("UANA", "I cannot write to that channel", after=asked)
    assert "1235.75" in words_of(told.blocks)
    house.slack.invite("CSHUT")
    after = house.ask("SELECT name FROM regions", channel="CSHUT")
    house.shown(after, "Run this on")
    homes = [m for m in house.slack.messages("UANA") if m.ts > asked.ts and "I cannot write" in words_of(m.blocks)]
    assert len(homes) == 1


@pytest.mark.parametrize("method", ["files.getUploadURLExternal", "files.completeUploadExternal"])
def test_a_file_that_slack_does_not_take(house: House, method: str) -> None:
    """Where a file cannot be uploaded, a sentence in the thread says so, and the result stays as it is."""
    root = house.ask("SELECT name FROM regions")
    house.slack.press(house.shown(root, "Run this on"), "Run", user="UANA")
    table = house.shown(root, "CSV")
    house.idle(root, turns=2)
    house.slack.fail(method, "storage_limit_reached")
    house.slack.press(table, "CSV", user="UANA")
    house.shown(root, "I could not upload")
    house.idle(root, turns=3)
    assert house.slack.files == [] or all(file.thread != root.ts for file in house.slack.files)
    house.slack.press(table, "CSV", user="UANA")
    house.slack.wait(lambda: [file for file in house.slack.files if file.thread == root.ts])
