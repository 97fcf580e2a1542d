"""The listeners of questions that come by the command, by shortcuts, by a modal, and by pressing an example."""

import asyncio
import logging
from time import monotonic
from typing import Any

from adapters.chat.bounded_cache import BoundedCache
from adapters.chat.conversation_service import ConversationService
from adapters.chat.surface import Heard
from adapters.ordered_calls import call_in_order
from adapters.slack.clients import FAILED, word_of
from adapters.slack.ephemeral import TELL_AFTER_SECONDS, admit_actor, open_modal
from adapters.slack.home import press_example
from adapters.slack.inbound import actor_of, is_direct, place_in, pressed_in, team_of
from adapters.slack.modals import ask_modal, values_of
from adapters.slack.mrkdwn import read_typed
from adapters.slack.scopes import COMMAND
from adapters.slack.surface import SlackSurface
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.turn import Said
from router.understanding import button_words

log = logging.getLogger("icc_bot")

MODAL_MESSAGE_MAX_CHARS = 2_900
"""Characters of a message that its modal begins with."""

TALK_WORDS = ("help", "cancel", "stop", "restart", "back", "done")
"""Words that belong into a talk, and are no question."""

HOW_TO_ASK = (
    f"Type `{COMMAND}` and your question in your own words, such as `{COMMAND} revenue by region last quarter`. "
    "I write the SQL and show it to you; it runs when you press *Run*. "
    f"`{COMMAND}` alone opens a form. "
    "In the thread of a talk you can type `help`, `back`, `restart`, `stop` or `cancel`; here they do nothing."
)

EMPTY = "Please write a question."

TWICE_SECONDS = 10.0
"""Seconds in which the same press is a double click."""

Body = dict[str, Any]


class AskListeners:
    """The listeners of one conversation service; each parameter's name is one that Bolt knows."""

    def __init__(self, service: ConversationService, surface: SlackSurface) -> None:
        self.service, self.surface = service, surface
        self._pressed: BoundedCache[tuple[str, str, str], float] = BoundedCache()

    async def command(self, ack: Any, body: Body) -> None:
        """Take a question, ask for one if none was typed, and answer the words of a talk to the person alone."""
        text, team, user = body.get("text") or "", team_of(body), actor_of(body)
        text = read_typed(text).strip()
        if not text:
            await ack()
            await self._ask(body, "", f"{body['channel_id']}:")
        elif button_words.word_of(text, TALK_WORDS):
            await ack(text=HOW_TO_ASK, response_type="ephemeral")
        else:
            heard = _question(ThreadKey("slack", team, body["channel_id"], ""), user, text, body, "command")
            await self.service.take(heard, respond=body.get("response_url", ""))
            await ack()

    async def about_message(self, ack: Any, body: Body) -> None:
        """Ask what the person wants to know about a message."""
        await ack()
        message, channel = body["message"], body["channel"]["id"]
        where = f"{channel}:{message.get('thread_ts') or message['ts']}"
        await self._ask(body, read_typed(message.get("text") or "")[:MODAL_MESSAGE_MAX_CHARS], where)

    async def anywhere(self, ack: Any, body: Body) -> None:
        """Ask for a question that is about no message; it is answered in direct messages."""
        await ack()
        await self._ask(body, "", ":")

    async def _ask(self, body: Body, text: str, where: str) -> None:
        if await admit_actor(self.surface, body):
            await open_modal(self.surface, body, ask_modal(text, where))

    async def asked(self, ack: Any, body: Body) -> None:
        """Take the question of a modal, in the thread that it was opened for, if the bot may talk there."""
        view = body["view"]
        channel, _, thread = view["private_metadata"].partition(":")
        question = values_of(view["state"]["values"]).get("question", "").strip()
        if not question:
            await ack(response_action="errors", errors={"question": EMPTY})
            return
        await ack()
        key, user = ThreadKey("slack", team_of(body), channel, thread), actor_of(body)
        if thread and not await self._is_free(key, user):
            key = ThreadKey("slack", key.team, "", "")  # this goes to direct messages
        await self.service.take(_question(key, user, question, body, view["id"]))

    async def _is_free(self, key: ThreadKey, user: User) -> bool:
        """Return whether the bot can read a thread, as in its own channels, and nobody else talks with it there."""
        memory = await asyncio.to_thread(self.service.reply_sender.router.memory, key)
        if memory and memory.owner and memory.owner.id != user.id:
            return False
        try:
            async with asyncio.timeout(TELL_AFTER_SECONDS):
                client = await self.surface.clients.of(key.team)
                await client.conversations_replies(channel=key.channel, ts=key.thread, limit=1)
        except FAILED as error:
            log.info("%s cannot be read: %s", key, word_of(error))
            return False
        return True

    async def example(self, ack: Any, body: Body) -> None:
        """Take an example as if it were typed there, once; from Home, it is answered in direct messages."""
        await ack()
        action, user, team = body["actions"][0], actor_of(body), team_of(body)
        question = str((action.get("selected_option") or action).get("value") or "")
        which, now = (team, user.id, question), monotonic()
        before, self._pressed[which] = self._pressed.get(which, -TWICE_SECONDS), now
        if not question or now - before < TWICE_SECONDS:
            return
        key = await call_in_order(self._talk_of, body)
        await self.service.take(_question(key, user, question, body, user.id))
        if body.get("view"):
            await press_example(self.service, self.surface, body, question)

    def _talk_of(self, body: Body) -> ThreadKey:
        """Return the talk that a message of the bot belongs to; outside of any, one is begun in direct messages."""
        at, message = place_in(body), pressed_in(body)
        shown = self.service.reply_sender.shown.message(message.channel, message.id) if message.id else None
        if shown and shown.key.team == at.team:
            return shown.key
        return ThreadKey("slack", at.team, at.channel if at.thread else "", at.thread)


def _question(key: ThreadKey, user: User, text: str, body: Body, by: str) -> Heard:
    event = f"{key.team}:{by}:{body.get('trigger_id', '')}"
    return Heard(key, user, Said(text), event, shared=bool(key.channel) and not is_direct(key.channel))
