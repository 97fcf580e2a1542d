"""The queue in front of a model that answers few questions at a time: fair between people, not between questions."""

from dataclasses import dataclass
from threading import Condition


@dataclass(frozen=True, slots=True, eq=False)
class Ticket:
    """A place in the queue, later in a lane; `key` puts questions before work in the background, then by rounds."""

    asker: str
    key: tuple[bool, int, int]


class FairQueue:
    """Lets `lanes` questions through at once, or any number if None.

    Questions are numbered in rounds: a person's second waiting question belongs to the round after their first, and
    somebody new joins the current round. So nobody waits for more than one question of each other person.
    Work in the background passes only when no question waits or runs.
    """

    def __init__(self, lanes: int | None) -> None:
        self.lanes = lanes
        self._waiting: list[Ticket] = []
        self._inside: set[Ticket] = set()
        self._round = 0
        self._joined = 0
        self._changed = Condition()

    @property
    def busy(self) -> bool:
        """True while a question (not work in the background) waits or runs."""
        with self._changed:
            return any(not ticket.key[0] for ticket in (*self._waiting, *self._inside))

    def join(self, asker: str, *, background: bool = False) -> Ticket:
        """Return a new place in the queue."""
        with self._changed:
            mine = [ticket.key[1] for ticket in (*self._waiting, *self._inside) if ticket.asker == asker]
            self._joined += 1
            ticket = Ticket(asker, (background, max([self._round, *(number + 1 for number in mine)]), self._joined))
            self._waiting.append(ticket)
            self._admit()
            return ticket

    def wait(self, ticket: Ticket, seconds: float) -> int:
        """Return 0 as soon as it is this ticket's turn, after `seconds` its place among those who wait (1 is next)."""
        with self._changed:
            self._changed.wait_for(lambda: ticket in self._inside, seconds)
            return 0 if ticket in self._inside else 1 + sum(other.key < ticket.key for other in self._waiting)

    def leave(self, ticket: Ticket) -> None:
        """Free the lane or the place; harmless when repeated; any thread may call it."""
        with self._changed:
            self._inside.discard(ticket)
            if ticket in self._waiting:
                self._waiting.remove(ticket)
            self._admit()

    def _admit(self) -> None:
        """Let in those who may pass; the caller holds the lock."""
        self._waiting.sort(key=lambda ticket: ticket.key)
        while self._waiting and (self.lanes is None or len(self._inside) < self.lanes):
            background, number, _ = self._waiting[0].key
            if background and self._inside:
                break
            self._inside.add(self._waiting.pop(0))
            self._round = self._round if background else max(self._round, number)
        self._changed.notify_all()
