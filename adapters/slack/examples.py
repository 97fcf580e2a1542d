"""Questions that are asked by pressing them: on Home, in the welcome, and the next ones under a result."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from adapters.slack.controls import BUTTONS_IN_SIGHT_MAX, button
from adapters.slack.drawing import Block, SlackMessage
from adapters.slack.menus import OPTION_MAX_CHARS, plain
from router.cards import Buttons, Chart, Reply, Table

EXAMPLE: Final = "example"
"""The beginning of an action_id of an example; a number follows."""

NEXT: Final = f"{EXAMPLE}:next"
"""The action_id of the menu of further questions under a result."""

EXAMPLES_MAX: Final = 3
"""Examples in sight; more are read by nobody."""

VALUE_MAX_CHARS: Final = 150
"""Characters of an option's value, and so of a question in a menu; Slack takes no more."""

BLOCKS_MAX: Final = 50
"""Blocks of a message."""


def example_buttons(questions: Sequence[str], place: str) -> Block:
    """Return a row of buttons that ask these questions; `place` tells the rows of one message or tab apart."""
    buttons = [button(question, f"{EXAMPLE}:{place}:{n}", question) for n, question in enumerate(questions)]
    return {"type": "actions", "elements": buttons[:EXAMPLES_MAX]}


def with_suggestions(drawn: SlackMessage, reply: Reply) -> SlackMessage:
    """Return a drawn message with what may be asked next: a menu under a result, else a few examples to press."""
    if not drawn.blocks or len(drawn.blocks) >= BLOCKS_MAX:
        return drawn
    result = any(isinstance(card, Table | Chart) for card in reply.cards)
    asked = sum(not way.overflow for card in reply.cards if isinstance(card, Buttons) for way in card.options)
    room = 0 if result else BUTTONS_IN_SIGHT_MAX - asked
    offered = reply.suggestions
    row = example_buttons(offered[:room], "begin") if room > 0 else _next_menu(offered)
    return replace(drawn, blocks=(*drawn.blocks, row)) if row["elements"] else drawn


def _next_menu(questions: Sequence[str]) -> Block:
    short = [each for each in dict.fromkeys(questions) if len(each) <= VALUE_MAX_CHARS]
    options = [{"text": plain(each, OPTION_MAX_CHARS), "value": each} for each in short]
    menu = {"type": "static_select", "action_id": NEXT, "placeholder": plain("Ask next"), "options": options}
    return {"type": "actions", "elements": [menu] if options else []}
