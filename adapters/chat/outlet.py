"""What every answer goes out through, and how an answered question is put away."""

import asyncio
import logging
from dataclasses import dataclass

from adapters.chat.replies import asks_in, decision_of
from adapters.chat.shown import Message, Shown
from adapters.chat.surface import Place, Posted, Shape, Surface, Undelivered
from adapters.chat.ticker import PACE
from router.cards import Reply
from router.engine import Router
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
        self.shown.answer(question)
        if not (asks := asks_in(question.reply)):
            return
        memory = await asyncio.to_thread(self.router.memory, question.key)
        owner = memory.owner if memory and memory.owner else incoming.user
        cards = [await asyncio.to_thread(self.router.past.redraw, owner, card) for card in question.reply.cards]
        past = Reply(tuple(cards), turn=question.turn)
        shape = Shape(past, question.key, decision_of(asks, incoming))
        try:
            await self.surface.redraw(place_of(question), Posted(question.channel, question.id), shape)
        except Undelivered as error:
            log.warning("an answered question could not be drawn as answered: %s", error)


def place_of(message: Message) -> Place:
    """Return where a message is: in its talk's thread, or by itself in a direct message."""
    key = message.key
    return Place(key.team, message.channel, key.thread if message.channel == key.channel else "")
