"""Whole replies as messages."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from adapters.rendering.attachment import Attached
from adapters.rendering.controls import QuestionRef, asked_from
from adapters.slack.blocks import MESSAGE_BLOCKS_MAX, MESSAGE_MAX_CHARS, draw
from adapters.slack.drawing import Block, words_in
from adapters.slack.menus import CHOOSE, FEEDBACK, FORM, PRESS, STOP, TAKE
from adapters.slack.mrkdwn import JOINER
from router.cards import Buttons, Choice, Code, Field, File, Form, Head, Option, Progress, Reply, Table, Text
from tests.platforms.slack.kit.payload import message_problems
from tests.support.hypothesis_examples import examples
from tests.support.replies import KEY, QUICK, replies

WAYS = (Option("yes", "Run", "primary"), Option("no", "Edit"), Option("cancel", "Cancel"))
SQL = "SELECT name FROM customers WHERE a < 5"
CONFIRM = Reply((Text("Shows *name*."), Code(SQL, "Shop"), Buttons("Run this on Shop?", WAYS)), turn=3)
ROWS = Table((Head("name"), Head("revenue", "number")), (("Barbara Liskov", "990.25"),), 1, seconds=0.1, result="r")
RESULT = Reply((ROWS, Buttons("Ask the next question, or:", (Option("csv", "CSV"), Option("done", "Done")))), turn=4)
MENU = Choice("Which tables?", tuple(Option(f"menu:{n}", f"t{n}") for n in range(120)), True, ("menu:1",))


def elements(blocks: tuple[Block, ...]) -> list[Block]:
    """Return everything in a message that can be pressed or chosen."""
    found = [each for block in blocks for each in block.get("elements", []) if "action_id" in each]
    return [*found, *(block["accessory"] for block in blocks if "accessory" in block)]


def kinds(blocks: tuple[Block, ...]) -> list[str]:
    """Return the types of blocks."""
    return [block["type"] for block in blocks]


def test_a_question_shows_its_sql_open_and_a_button_for_each_answer() -> None:
    """Each button carries its answer, and its block the thread and the number of the question; no SQL."""
    drawn = draw(CONFIRM, KEY)
    assert kinds(drawn.blocks) == ["section", "container", "section", "actions"]
    assert drawn.blocks[1]["default_collapsed"] is False
    assert "a &lt; 5" in str(drawn.blocks[1])
    assert asked_from(drawn.blocks[3]["block_id"]) == QuestionRef(KEY, 3, 2)
    buttons = [(each["action_id"], each["value"], each.get("style")) for each in elements(drawn.blocks)]
    assert buttons == [
        (f"{PRESS}:2:0", "yes", "primary"),
        (f"{PRESS}:2:1", "no", None),
        (f"{PRESS}:2:2", "cancel", None),
    ]


def test_sql_stays_open_while_it_waits_for_a_yes_however_long_it_is() -> None:
    """A person must see what they approve; decided, it folds."""
    long = Reply((Code("SELECT 1\n" * 40), Buttons("Run?", WAYS)), turn=1)
    assert draw(long, KEY).blocks[0]["default_collapsed"] is False
    assert draw(long, KEY, decision="✓ Run").blocks[0]["default_collapsed"] is True
    assert draw(Reply((Code("SELECT 1\n" * 40),)), KEY).blocks[0]["default_collapsed"] is True
    assert draw(Reply((Code("SELECT 1"),)), KEY).blocks[0]["default_collapsed"] is False


@pytest.mark.parametrize("rich", [True, False])
def test_sql_that_does_not_fit_is_attached_whole(rich: bool) -> None:
    """The message says so, and the file has every character."""
    sql = "SELECT\n" + ",\n".join(f"  column_{n} AS c{n}" for n in range(900))
    drawn = draw(Reply((Code(sql, "Shop"), Buttons("Run this on Shop?", WAYS)), turn=1), KEY, rich)
    assert sql.splitlines()[-1].strip() in str(drawn.files[0].content)
    assert drawn.files[0].name in f"{drawn.blocks}{drawn.text}"


def test_nothing_hides_in_the_sql_that_is_approved() -> None:
    """Characters that cannot be seen, or that turn the reading order around, are written out."""
    drawn = draw(Reply((Code("SELECT 1 \u202e-- \u200bx"), Buttons("Run?", WAYS)), turn=1), KEY)
    assert "\\u202e-- \\u200bx" in drawn.blocks[0]["child_blocks"][0]["text"]["text"]


def test_sql_with_a_fence_in_it_stays_in_its_block() -> None:
    """Nothing in it can end the block of code."""
    drawn = draw(Reply((Code("SELECT '```' AS x"), Buttons("Run?", WAYS)), turn=1), KEY)
    shown = drawn.blocks[0]["child_blocks"][0]["text"]["text"]
    assert shown.count("```") == 2
    assert "SELECT '```' AS x" in shown.replace(JOINER, "")


@pytest.mark.parametrize("rich", [True, False])
def test_a_decided_question_cannot_be_pressed(rich: bool) -> None:
    """What stood there stays, and who decided is said."""
    cards = (*CONFIRM.cards, MENU, Form("Edit", (Field("sql", "SQL"),)), Progress("Running…"))
    drawn = draw(Reply(cards, turn=3), KEY, rich, decision="✓ Run — Ana, 14:03")
    assert elements(drawn.blocks) == []
    assert "✓ Run — Ana, 14:03" in drawn.text
    assert not rich or "✓ Run — Ana, 14:03" in str(drawn.blocks)


def test_a_notification_says_what_the_message_says() -> None:
    """Questions and the number of rows are in it, no cell of them, and the SQL only in short."""
    assert draw(RESULT, KEY).text == "1 row.\nAsk the next question, or: [CSV / Done]"
    assert len(draw(Reply((Code("SELECT 1, " * 900),)), KEY).text) < 300
    assert draw(Reply(), KEY).text == "Done."


def test_thumbs_stand_below_an_answer() -> None:
    """They know their result."""
    drawn = draw(RESULT, KEY, rate="r1")
    (thumbs,) = [each for each in elements(drawn.blocks) if each["action_id"] == FEEDBACK]
    assert (thumbs["positive_button"]["value"], thumbs["negative_button"]["value"]) == ("up:r1", "down:r1")


def test_a_menu_of_several_has_a_button_that_sends_them() -> None:
    """Both blocks have ids of their own, which name the same card; over a hundred entries are found by typing."""
    drawn = draw(Reply((MENU,), turn=5), KEY)
    menu, ok = drawn.blocks[-2:]
    assert menu["accessory"]["type"] == "multi_external_select"
    assert menu["accessory"]["action_id"] == f"{CHOOSE}:0"
    assert [each["value"] for each in menu["accessory"]["initial_options"]] == ["menu:1"]
    assert ok["elements"][0]["action_id"] == f"{TAKE}:0"
    assert menu["block_id"] != ok["block_id"]
    assert asked_from(menu["block_id"]) == asked_from(ok["block_id"]) == QuestionRef(KEY, 5, 0)


def test_a_menu_of_one_ticks_nothing() -> None:
    """Slack sends nothing when the ticked entry is chosen; what holds now is said instead."""
    choice = Choice("Which?", (Option("menu:a", "Shop"), Option("menu:b", "Archive")), chosen=("menu:a",))
    (menu,) = elements(draw(Reply((choice,), turn=1), KEY).blocks)
    assert menu["type"] == "static_select"
    assert "initial_option" not in menu
    assert menu["placeholder"]["text"] == "Now: Shop"


def test_a_form_is_opened_by_a_button_unless_slack_would_cut_its_text() -> None:
    """Then it is attached, and the person is told to send the changed text."""
    (opener,) = elements(draw(Reply((Form("Edit the SQL", (Field("sql", "SQL"),)),), turn=1), KEY).blocks)
    assert (opener["action_id"], opener["text"]["text"]) == (f"{FORM}:0", "Edit the SQL")
    long = draw(Reply((Form("Edit", (Field("sql", "SQL", "code", "x" * 4_000),)),), turn=1), KEY)
    assert elements(long.blocks) == []
    assert long.files == (Attached("query.sql", "x" * 4_000),)


def test_progress_alone_is_one_block_with_a_stop_button() -> None:
    """It is changed in place every few seconds."""
    (block,) = draw(Reply((Progress("Writing the SQL…"),), working=True), KEY).blocks
    assert block["accessory"]["action_id"] == STOP
    assert asked_from(block["block_id"]).key == KEY
    assert elements(draw(Reply((Progress("Reading…", stoppable=False),)), KEY).blocks) == []


def test_a_file_is_attached_with_blocks_and_without() -> None:
    """It needs no block."""
    file = File("result.csv", Path("/tmp/result.csv"), "text/csv")
    for rich in (True, False):
        drawn = draw(Reply((file,)), KEY, rich)
        assert drawn.files == (Attached("result.csv", file.path),)
        assert "result.csv" in drawn.text


def test_without_blocks_it_is_said_what_can_be_typed() -> None:
    """Everything can be answered in words."""
    said = draw(CONFIRM, KEY, rich=False).text
    assert "Run this on Shop? [Run / Edit / Cancel]" in said
    assert "You can type what you choose." in said
    assert "a &lt; 5" in said


LINK = re.compile(r"<https://chat\.example/[^|<>]*\|[^|<>]*>")
"""What opens an address that the bot made itself."""


@pytest.mark.thorough
@settings(max_examples=examples(6), deadline=None, phases=QUICK, suppress_health_check=list(HealthCheck))
@given(replies)
def test_slack_takes_every_reply(reply: Reply) -> None:
    """Whatever is in a reply, it fits into Slack's limits with blocks and without, and can be answered."""
    for rich in (True, False):
        for decision in ("", "✓ Run — Ana, 14:03"):
            drawn = draw(reply, KEY, rich, decision=decision, rate="r1")
            problems = message_problems(list(drawn.blocks))
            assert problems == ("", [])
            assert len(drawn.blocks) <= MESSAGE_BLOCKS_MAX
            assert words_in(drawn.blocks) <= MESSAGE_MAX_CHARS
            assert 0 < len(drawn.text.strip()) <= len(drawn.text) <= 3_000
            assert "<" not in LINK.sub("", drawn.text)
