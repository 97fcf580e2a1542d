"""The entries of menus: fitted into Slack's options, and found by typing."""

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.rendering import controls
from adapters.rendering.text import label_of
from adapters.slack.drawing import Block
from router.cards import Choice

# Names of what can be pressed; the number of its question is in `adapters.rendering.controls`.


PRESS, CHOOSE, TAKE, FORM, STOP, FEEDBACK = "press", "choose", "take", "form", "stop", "feedback"
CHANGE = "change"
"""The beginning of the action_id of a field on which others of its form depend."""

REPEAT = "repeat"
"""The beginnings of an action_id: a button, a menu, the button beside a menu of several, a button that opens a modal,
Stop, the thumbs, and a button of the Home tab that stops or resumes what is repeated. A number follows where there
may be several in one message."""


# Slack's limits of an option and of a menu.
OPTION_MAX_CHARS = 75
MENU_OPTIONS_MAX = 100


def options_of(choice: Choice) -> list[Block]:
    """Return all entries of a menu, in their order, each with a value of its own."""
    given = zip(choice.options, controls.values_of(choice.options), strict=True)
    return [{"text": plain(option.label), "value": value} for option, value in given]


def chosen_of(choice: Choice) -> list[Block]:
    """Return the entries that are ticked already."""
    given = zip(choice.options, options_of(choice), strict=True)
    return [entry for option, entry in given if option.answer in choice.chosen][:MENU_OPTIONS_MAX]


def matching(choice: Choice, typed: str) -> list[Block]:
    """Return at most 100 entries for what was typed so far: those that begin so, then by words, then by any part."""
    entries = options_of(choice)
    return [entries[n] for n in controls.matching(choice.options, typed)[:MENU_OPTIONS_MAX]]


DRAWINGS_TOLD_APART = 9
"""Drawings of one message that have ids of their own, before they come again."""


def with_nothing_chosen(blocks: Sequence[Block], drawing: int) -> tuple[Block, ...]:
    """Return the blocks of a message that is drawn anew, in which menus show their names again.

    Slack keeps what was chosen as long as the block's id is the same, and sends nothing where it is chosen again.
    Zeros before the question's number tell the drawings apart: `asked_from` reads the same from all of them.
    """
    zeros = "0" * (drawing % DRAWINGS_TOLD_APART + 1)
    return tuple({**block, "block_id": f"{zeros}{block['block_id']}"} if _keeps(block) else block for block in blocks)


def _keeps(block: Block) -> bool:
    return block["type"] == "actions" and any(keeps_choice(each) for each in block["elements"])


def keeps_choice(element: Mapping[str, Any]) -> bool:
    """Tell whether an element, or what was done with it, is a menu that answers a question at once."""
    kind = str(element["action_id"]).partition(":")[0]
    return element["type"] in ("static_select", "external_select") and kind in (PRESS, CHOOSE)


def plain(label: str, most: int = OPTION_MAX_CHARS) -> Block:
    """Return a label as plain text; a blank one is a dash."""
    return {"type": "plain_text", "text": label_of(label, most), "emoji": False}
