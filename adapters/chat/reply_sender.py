"""Sends every answer, and puts away a question that was answered."""

import asyncio
import logging
from dataclasses import dataclass, replace

from adapters.chat.approvers import Approvers
from adapters.chat.progress import PROGRESS_PACE_SECONDS
from adapters.chat.shown_messages import ShownMessage, ShownMessages
from adapters.chat.surface import MessagePlace, Posted, Shape, Surface, Undelivered, decision_of
from adapters.in_order import in_order
from adapters.rendering.controls import asks_in
from router.engine import Router
from router.memory.draft import User
from router.turn import Incoming

log = logging.getLogger("icc_bot")

NEW_MESSAGE_AFTER_SECONDS = 15.0
"""Seconds after which the answer is posted as a message of its own, so that whoever went away is notified."""


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
    """Finds and tells those whom a card waits for; None where nobody is told."""

    async def settle(self, question: ShownMessage, incoming: Incoming) -> None:
        """Draw a question that was answered without its buttons, with who decided what, and when.

        Where that fails its buttons stay; whoever presses one is told that it is old.
        """
        asks = asks_in(question.reply)
        decision = decision_of(asks, incoming) if asks else None
        await in_order(self.shown.answer, question, decision)
        if decision is None:
            return
        try:
            await self.draw_again(replace(question, decision=decision), incoming.user)
        except Undelivered as error:
            log.warning("an answered question could not be drawn as answered: %s", error)

    async def draw_again(self, message: ShownMessage, by: User) -> None:
        """Draw a message for everybody as it stands; raises Undelivered."""
        shape = await self.shape_of(message, by)
        await self.surface.redraw(place_of(message), Posted(message.channel, message.id), shape)

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
