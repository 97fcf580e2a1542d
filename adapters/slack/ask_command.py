"""Questions that come by the command, by the shortcut on a message, and by the modal that both open."""

import asyncio
import logging
from typing import Any

from adapters.chat.conversation_service import ConversationService
from adapters.chat.surface import Heard
from adapters.slack.clients import FAILED, Clients, word_of
from adapters.slack.ephemeral import TELL_AFTER_SECONDS, admitted, open_modal
from adapters.slack.inbound import actor_of, is_direct, team_of
from adapters.slack.modals import ask_modal, values_of
from adapters.slack.mrkdwn import typed
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

ABOUT = (
    f"Type `{COMMAND}` and your question in your own words, such as `{COMMAND} revenue by region last quarter`. "
    "I write the SQL and show it to you; it runs when you press *Run*. "
    f"`{COMMAND}` alone opens a form. "
    "In the thread of a talk you can type `help`, `back`, `restart`, `stop` or `cancel`; here they do nothing."
)

EMPTY = "Please write a question."

Body = dict[str, Any]


class Asking:
    """The listeners of one conversation service for such questions; each parameter's name is one that Bolt knows."""

    def __init__(self, service: ConversationService, surface: SlackSurface) -> None:
        self.service, self.surface = service, surface

    async def command(self, ack: Any, body: Body) -> None:
        """Take a question, ask for one where none was typed, and answer the words of a talk to the person alone."""
        text = typed(body.get("text") or "").strip()
        if not text:
            await ack()
            await self._ask(body, "", f"{body['channel_id']}:")
            return
        if button_words.word_of(text, TALK_WORDS):
            await ack(text=ABOUT, response_type="ephemeral")
            return
        key = ThreadKey("slack", team_of(body), body["channel_id"], "")
        event = f"{key.team}:command:{body['trigger_id']}"
        heard = Heard(key, actor_of(body), Said(text), event, shared=not is_direct(key.channel))
        self.service.take(heard, respond=body.get("response_url", ""))
        await ack()

    async def shortcut(self, ack: Any, body: Body) -> None:
        """Ask what the person wants to know about a message."""
        await ack()
        message, channel = body["message"], body["channel"]["id"]
        where = f"{channel}:{message.get('thread_ts') or message['ts']}"
        await self._ask(body, typed(message.get("text") or "")[:MODAL_MESSAGE_MAX_CHARS], where)

    async def _ask(self, body: Body, text: str, where: str) -> None:
        if await admitted(self.surface, body):
            await open_modal(self.surface, body, ask_modal(text, where))

    async def asked(self, ack: Any, body: Body) -> None:
        """Take the question of a modal, in the thread that it was opened for where the bot may talk there."""
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
        event = f"{key.team}:{view['id']}:{body.get('trigger_id', '')}"
        shared = bool(key.channel) and not is_direct(key.channel)
        self.service.take(Heard(key, user, Said(question), event, shared=shared))

    async def _is_free(self, key: ThreadKey, user: User) -> bool:
        """Tell whether the bot is in a thread's channel, and nobody else talks with it in the thread."""
        memory = await asyncio.to_thread(self.service.reply_sender.router.memory, key)
        if memory and memory.owner and memory.owner.id != user.id:
            return False
        return await _reads(self.surface.clients, key)


async def _reads(clients: Clients, key: ThreadKey) -> bool:
    """Tell whether the bot can read a thread, as it can in those channels alone that it is in."""
    try:
        async with asyncio.timeout(TELL_AFTER_SECONDS):
            client = await clients.of(key.team)
            await client.conversations_replies(channel=key.channel, ts=key.thread, limit=1)
    except FAILED as error:
        log.info("%s cannot be read: %s", key, word_of(error))
        return False
    return True
