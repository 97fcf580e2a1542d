"""Drawings that the answer to a click showed to whoever pressed, and to nobody else: each is a debt to everybody.

Teams shows the card of such an answer to one person, until the message is changed for all. So every card that is handed
out is noted, and the note is crossed out by a drawing for everybody that came after it. What is left when the work on
the click is over is drawn anew. Notes are on the disk, for a process that was killed meanwhile: the inbox has struck
the click out by then, and never knew which message it was pressed in.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic

from sqlalchemy import bindparam, delete, select

from adapters.chat.bounded_cache import BoundedCache
from adapters.chat.surface import Posted
from adapters.teams.drawing import Element
from router.storage.database import Database, upsert
from router.storage.tables import private_drawings

ANSWER_FLIGHT_SECONDS = 0.5
"""Seconds that an answer may take to the person's client: a drawing for all waits as long, to come after it."""


@dataclass(slots=True)
class Drawing:
    """The card that a message shows to everybody since a click on it came in: none yet, or the newest."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    card: Element | None = None
    number: int = 0


class PrivateCards:
    """The drawings of clicked messages, for the event loop alone; what is on the disk is asked for by any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._count = 0
        self._awaited: dict[Posted, list[Drawing]] = {}
        self._given: BoundedCache[Posted, tuple[int, float]] = BoundedCache()
        self._drawn: BoundedCache[Posted, int] = BoundedCache()

    @contextmanager
    def awaited(self, message: Posted) -> Iterator[Drawing]:
        """Give what the message is drawn as for everybody until the end of the block."""
        drawing = Drawing()
        self._awaited.setdefault(message, []).append(drawing)
        try:
            yield drawing
        finally:
            self._awaited[message].remove(drawing)
            if not self._awaited[message]:
                del self._awaited[message]

    async def begin(self, message: Posted, card: Element | None, *, tells: bool) -> int:
        """Return the number of a drawing for everybody, once what was handed out before it must have come through.

        `tells`: whether it is what became of a click, so that whoever pressed may have it at once.
        """
        _, at = self._given.get(message, (0, 0.0))
        if (wait := at + ANSWER_FLIGHT_SECONDS - monotonic()) > 0:
            await asyncio.sleep(wait)
        self._count += 1
        for drawing in self._awaited.get(message, ()) if tells and card else ():
            drawing.card, drawing.number = card, self._count
            drawing.begun.set()
        return self._count

    def drawn(self, message: Posted, number: int) -> None:
        """Note that everybody has this drawing."""
        self._drawn[message] = max(number, self._drawn.get(message, 0))

    def give(self, message: Posted, number: int = 0) -> None:
        """Note that somebody is given a card: that of a drawing for everybody, or one of their own."""
        if not number:
            self._count += 1
            number = self._count
        before, _ = self._given.get(message, (0, 0.0))
        self._given[message] = (max(before, number), monotonic())

    def owes(self, message: Posted) -> bool:
        """Tell whether somebody may see another card than everybody."""
        number, _ = self._given.get(message, (0, 0.0))
        return number > self._drawn.get(message, 0)

    def note(self, message: Posted, shown: Posted) -> None:
        """Keep on the disk that a message has to be drawn for everybody, as the one that is known as `shown`."""
        row = {"channel": message.channel, "message": message.id}
        with self._database.writing() as connection:
            upsert(connection, private_drawings, row | {"shown_channel": shown.channel, "shown_message": shown.id})

    def strike(self, message: Posted) -> None:
        """Forget what was noted."""
        with self._database.writing() as connection:
            connection.execute(_STRIKE, {"of_channel": message.channel, "of_message": message.id})

    def noted(self) -> list[tuple[Posted, Posted]]:
        """Return what is noted: where something was handed out, and what that message is known as."""
        with self._database.reading() as connection:
            rows = connection.execute(select(private_drawings)).all()
        return [(Posted(row.channel, row.message), Posted(row.shown_channel, row.shown_message)) for row in rows]


_STRIKE = delete(private_drawings).where(
    private_drawings.c.channel == bindparam("of_channel"), private_drawings.c.message == bindparam("of_message")
)
