"""Whole replies as messages."""

import re

import pytest
from hypothesis import HealthCheck, given, settings

from adapters.rendering.attachment import Attached
from adapters.rendering.controls import QuestionRef, asked_from
from adapters.slack.blocks import MESSAGE_BLOCKS_MAX, MESSAGE_MAX_CHARS, draw
from adapters.slack.drawing import Block, words_in
from adapters.slack.menus import CHOOSE, FORM, PRESS, TAKE
from adapters.slack.mrkdwn import JOINER
from router.cards import Buttons, Choice, Code, Field, Form, Option, Progress, Reply, Text
from tests.platforms.slack.kit.payload import message_problems
from tests.support.hypothesis_examples import examples
from tests.support.replies import KEY, QUICK, replies

WAYS = (Option("yes", "Run", "primary"), Option("no", "Edit"), Option("cancel", "Cancel"))
SQL = "SELECT name FROM customers WHERE a < 5"
CONFIRM = Reply((Text("Shows *name*."), Code(SQL, "Shop"), Buttons("Run this on Shop?", WAYS)), turn=3)
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


def test_a_form_is_opened_by_a_button_unless_slack_would_cut_its_text() -> None:
    """Then it is attached, and the person is told to send the changed text."""
    (opener,) = elements(draw(Reply((Form("Edit the SQL", (Field("sql", "SQL"),)),), turn=1), KEY).blocks)
    assert (opener["action_id"], opener["text"]["text"]) == (f"{FORM}:0", "Edit the SQL")
    long = draw(Reply((Form("Edit", (Field("sql", "SQL", "code", "x" * 4_000),)),), turn=1), KEY)
    assert elements(long.blocks) == []
    assert long.files == (Attached("query.sql", "x" * 4_000),)


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
