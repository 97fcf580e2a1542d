"""What every answer goes out through, and how an answered question is put away."""

import asyncio
import logging
from dataclasses import dataclass, replace

from adapters.chat.replies import asks_in, decision_of
from adapters.chat.shown import Message, Shown
from adapters.chat.surface import Place, Posted, Shape, Surface, Undelivered
from adapters.chat.ticker import PACE
from router.engine import Router
from router.memory import User
from router.turn import Incoming

log = logging.getLogger("icc_bot")

PATIENT = 15.0
"""Seconds after which the answer is posted as a message of its own, so that whoever went away is notified."""


@dataclass(frozen=True, slots=True)
class Outlet:
    """One platform's way out."""

    surface: Surface
    shown: Shown
    router: Router
    patient: float = PATIENT
    """Seconds after which an answer is a message of its own."""
    pace: float = PACE
    """Seconds between two changes of a progress message."""

    async def settle(self, question: Message, incoming: Incoming) -> None:
        """Draw a question that was answered without its buttons, with who decided what, and when.

        Where that fails its buttons stay; whoever presses one is told that it is old.
        """
        asks = asks_in(question.reply)
        decision = decision_of(asks, incoming) if asks else None
        self.shown.answer(question, decision)
        if decision is None:
            return
        try:
            await self.draw_again(replace(question, decision=decision), incoming.user)
        except Undelivered as error:
            log.warning("an answered question could not be drawn as answered: %s", error)

    async def draw_again(self, message: Message, by: User, at: Posted | None = None) -> None:
        """Draw a message for everybody as it stands; `at` is where else it is shown; raises Undelivered."""
        shape = await self.shape_of(message, by)
        await self.surface.redraw(place_of(message), at or Posted(message.channel, message.id), shape)

    async def shape_of(self, message: Message, by: User) -> Shape:
        """Return a message as it stands, with the rows that its asker may see; without an asker, this person."""
        memory = await asyncio.to_thread(self.router.memory, message.key)
        owner = memory.owner if memory and memory.owner else by
        cards = [await asyncio.to_thread(self.router.past.redraw, owner, card) for card in message.reply.cards]
        return Shape(replace(message.reply, cards=tuple(cards), refused=""), message.key, message.decision, owner.id)


def place_of(message: Message) -> Place:
    """Return where a message is: in its talk's thread, or by itself in a direct message."""
    key = message.key
    return Place(key.team, message.channel, key.thread if message.channel == key.channel else "")
