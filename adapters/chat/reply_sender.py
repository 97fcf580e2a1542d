"""Sends every answer, and puts away a question that was answered."""

import asyncio
import logging
from dataclasses import dataclass, replace

from adapters.chat.approvers import Approvers
from adapters.chat.progress import PROGRESS_PACE_SECONDS
from adapters.chat.shown_messages import ShownMessage, ShownMessages
from adapters.chat.surface import MessagePlace, Posted, Shape, Surface, Undelivered, decision_of
from adapters.ordered_calls import call_in_order
from adapters.rendering.controls import asks_in
from router.cards import Reply, Text
from router.engine import Router
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.turn import Incoming

log = logging.getLogger("icc_bot")

NEW_MESSAGE_AFTER_SECONDS = 15.0
"""Seconds after which the answer is posted as a message of its own, so that a person who went away is notified."""


COPY_ANSWERED = "This card stood here twice, as a post got no reply. It was answered already, so this copy is closed."


@dataclass(frozen=True, slots=True)
class ReplySender:
    """One platform's way out."""

    surface: Surface
    shown: ShownMessages
    router: Router
    patient: float = NEW_MESSAGE_AFTER_SECONDS
    """Seconds after which an answer is a message of its own."""
    pace: float = PROGRESS_PACE_SECONDS
    """Seconds between two changes of a progress message."""
    approvers: Approvers | None = None
    """Finds and tells those whom a card waits for; None if nobody is told."""

    async def draw_answered(self, question: ShownMessage, incoming: Incoming) -> None:
        """Draw a question that was answered without its buttons, with who decided what, and when.

        If that fails its buttons stay; a person who presses one is told that it is old.
        """
        asks = asks_in(question.reply)
        decision = decision_of(asks, incoming) if asks else None
        await call_in_order(self.shown.answer, question, decision)
        if decision is None:
            return
        try:
            await self.draw_again(replace(question, decision=decision), incoming.user)
        except Undelivered as error:
            log.warning("an answered question could not be drawn as answered: %s", error)

    async def draw_again(self, message: ShownMessage, by: User, at: Posted | None = None) -> None:
        """Draw a message for everybody as it stands; `at` is where else it is shown; raises Undelivered."""
        shape = await self.shape_of(message, by)
        await self.surface.redraw(place_of(message), at or Posted(message.channel, message.id), shape)

    async def close_copy(self, at: Posted, key: ThreadKey, turn: int, by: User) -> bool:
        """Draw the second copy of a card that was answered as that card stands; return whether it is such a copy.

        If what came of the card has taken its place, a sentence stands in the copy.
        """
        if not await call_in_order(self.shown.is_answered_copy, at.channel, at.id, key, turn):
            return False
        decided = await call_in_order(self.shown.decided, key)
        try:
            if decided and (decided.channel, decided.turn) == (at.channel, turn):
                await self.draw_again(decided, by, at)
            else:
                said = Shape(Reply((Text(COPY_ANSWERED, "quiet"),)), key)
                await self.surface.redraw(MessagePlace(key.team, key.channel, key.thread), at, said)
        except Undelivered as error:
            log.warning("a second copy of a card could not be closed: %s", error)
        return True

    async def shape_of(self, message: ShownMessage, by: User) -> Shape:
        """Return a message as it stands, with the rows that its asker may see; without an asker, this person."""
        memory = await asyncio.to_thread(self.router.memory, message.key)
        owner = memory.owner if memory and memory.owner else by
        cards = [await asyncio.to_thread(self.router.history.redraw, owner, card) for card in message.reply.cards]
        reply = replace(message.reply, cards=tuple(cards), refused="", refused_field="")
        return Shape(reply, message.key, message.decision, owner.id)


def place_of(message: ShownMessage) -> MessagePlace:
    """Return where a message is: in its talk's thread, or by itself in a direct message."""
    key = message.key
    return MessagePlace(key.team, message.channel, key.thread if message.channel == key.channel else "")
