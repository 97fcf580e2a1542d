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
from pathlib import Path
from time import monotonic

from adapters.chat.database import opened
from adapters.chat.recent import Recent
from adapters.chat.surface import Posted
from adapters.teams.drawn import Element

FLIGHT = 0.5
"""Seconds that an answer may take to the person's client: a drawing for all waits as long, to come after it."""

_TABLES = """
CREATE TABLE IF NOT EXISTS handed (
    channel TEXT NOT NULL, message TEXT NOT NULL, shown_channel TEXT NOT NULL, shown TEXT NOT NULL,
    PRIMARY KEY (channel, message)
);
"""


@dataclass(slots=True)
class Drawing:
    """What a message is drawn as for everybody since a click on it came in: nothing yet, or the newest card."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    card: Element | None = None
    number: int = 0


class Handed:
    """The drawings of clicked messages; for the event loop's thread alone."""

    def __init__(self, path: Path) -> None:
        self._file = opened(path, _TABLES)
        self._count = 0
        self._awaited: dict[Posted, list[Drawing]] = {}
        self._given: Recent[Posted, tuple[int, float]] = Recent()
        self._drawn: Recent[Posted, int] = Recent()

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
        if (wait := at + FLIGHT - monotonic()) > 0:
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
        """Note that somebody is handed a card: that of a drawing for everybody, or one of their own."""
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
        values = (message.channel, message.id, shown.channel, shown.id)
        self._file.execute("INSERT OR REPLACE INTO handed VALUES (?, ?, ?, ?)", values)

    def strike(self, message: Posted) -> None:
        """Forget what was noted."""
        self._file.execute("DELETE FROM handed WHERE channel = ? AND message = ?", (message.channel, message.id))

    def noted(self) -> list[tuple[Posted, Posted]]:
        """Return what is noted: where something was handed out, and what that message is known as."""
        rows = self._file.execute("SELECT channel, message, shown_channel, shown FROM handed").fetchall()
        return [(Posted(channel, id), Posted(*shown)) for channel, id, *shown in rows]

    def close(self) -> None:
        """Close the file."""
        self._file.close()
