"""Questions that are asked by pressing them: on Home, in the welcome, and the next ones under a result."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any, Final

from adapters.chat.bounded_cache import BoundedCache
from adapters.chat.conversation_service import ConversationService
from adapters.chat.surface import Heard
from adapters.in_order import in_order
from adapters.slack.controls import BUTTONS_IN_SIGHT_MAX, button
from adapters.slack.drawing import Block, SlackMessage
from adapters.slack.inbound import actor_of, is_direct, team_of
from adapters.slack.menus import OPTION_MAX_CHARS, plain
from router.cards import Buttons, Chart, Reply, Table
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.turn import Said

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

TWICE_SECONDS: Final = 10.0
"""Seconds in which the same press is a double click."""


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


class ExamplePresses:
    """The listener of such presses; each parameter's name is one that Bolt knows."""

    def __init__(self, service: ConversationService) -> None:
        self._service = service
        self._pressed: BoundedCache[tuple[str, str, str], float] = BoundedCache()

    async def pressed(self, ack: Any, body: Mapping[str, Any]) -> str:
        """Take the question as if it were typed there, once; from Home, it is answered in direct messages."""
        await ack()
        action, user, team = body["actions"][0], actor_of(body), team_of(body)
        question = str((action.get("selected_option") or action).get("value") or "")
        if not question or self._twice(team, user, question):
            return ""
        key = await in_order(self._key, body, team)
        event = f"{team}:{user.id}:{body.get('trigger_id') or action.get('action_ts')}"
        shared = bool(key.channel) and not is_direct(key.channel)
        await self._service.take(Heard(key, user, Said(question), event, shared=shared))
        return question

    def _key(self, body: Mapping[str, Any], team: str) -> ThreadKey:
        """Return the talk that a message of the bot belongs to; outside of any, one is begun in direct messages."""
        place, message = body.get("container") or {}, body.get("message") or {}
        channel, ts = place.get("channel_id", ""), place.get("message_ts", "")
        shown = self._service.reply_sender.shown.message(channel, ts) if ts else None
        if shown and shown.key.team == team:
            return shown.key
        thread = message.get("thread_ts", "")
        return ThreadKey("slack", team, channel, thread) if thread else ThreadKey("slack", team, "", "")

    def _twice(self, team: str, user: User, question: str) -> bool:
        """Tell whether the person pressed this a moment ago."""
        which, now = (team, user.id, question), monotonic()
        before = self._pressed.get(which)
        self._pressed[which] = now
        return before is not None and now - before < TWICE_SECONDS
