"""The queue in front of a model that answers few questions at a time: fair between people, not between questions.

It is also the gate of a server that refuses: shut for a while, and then open for fewer questions at once (additive
increase, multiplicative decrease), so that several processes together send no more than their server takes.
"""

import random
from dataclasses import dataclass
from threading import Condition
from time import monotonic
from typing import Final

from router.llm.refusals import ServerRefusal
from router.observing.tallies import MODELS_AWAY

AWAY_TRIES: Final = 24
"""Tries, at least, before a server that is away is given up: by one question, while the others wait behind it."""

AWAY_FORGOTTEN_SECONDS: Final = 60.0
"""Seconds without a try after which a server that was away is waited for as long as at first."""

LANES_MANY: Final = 64
"""Questions at once from which on a gate without a limit has none again."""

RETRY_JITTER: Final = 0.25
"""The share of a wait that chance adds or takes off: processes that were refused together come back one by one."""

_CHANCE = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds between two tries, which double from `first` to `longest`; and in all, for a server that is `away`."""

    first: float = 1.0
    longest: float = 30.0
    away: float = 120.0


@dataclass(frozen=True, slots=True, eq=False)
class Ticket:
    """A place in the queue, later in a lane; `key` puts questions before work in the background, then by rounds."""

    asker: str
    key: tuple[bool, int, int]


@dataclass(frozen=True, slots=True)
class Shut:
    """A gate that lets nobody through before `until`, by the monotonic clock; `hopeless` after too long a wait."""

    refusal: ServerRefusal
    until: float
    hopeless: bool = False


class FairQueue:
    """Lets `lanes` questions through at once, or any number if None; fewer, and later, where the server refuses some.

    Questions are numbered in rounds: a person's second waiting question belongs to the round after their first, and
    somebody new joins the current round. So nobody waits for more than one question of each other person.
    Work in the background passes only when no question waits or runs.
    """

    def __init__(self, lanes: int | None, patience: Patience | None = None) -> None:
        self._lanes, self._patience = lanes, patience or Patience()
        self._waiting: list[Ticket] = []
        self._inside: dict[Ticket, float] = {}
        """When each was let in."""
        self._round = 0
        self._joined = 0
        self._allowed: float | None = None
        """The questions at once that the server seems to take; None as long as it refused none."""
        self._shrunk = 0.0
        self._shut: Shut | None = None
        self._refused_in_a_row = 0
        self._away: tuple[float, float] | None = None
        """When the server was first and last found to be away."""
        self._counted_away = False
        self._changed = Condition()

    @property
    def busy(self) -> bool:
        """True while a question (not work in the background) waits or runs."""
        with self._changed:
            return self._is_asked()

    @property
    def lanes(self) -> int | None:
        """The questions that are let through at once now; None for any number."""
        with self._changed:
            return self._lanes_now()

    @property
    def shut(self) -> Shut | None:
        """Why nobody is let through now, and until when; None while the gate is open."""
        with self._changed:
            return self._shut if self._shut and self._shut.until > monotonic() else None

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
            self._admit()  # the gate opens by itself, and nobody tells: here, and while it is waited for
            self._changed.wait_for(lambda: ticket in self._inside, seconds)
            self._admit()
            if ticket in self._inside:
                return 0
            return 1 + sum(other.key < ticket.key for other in self._waiting)

    def leave(self, ticket: Ticket, *, answered: bool = False, reached: bool = False) -> None:
        """Free the lane or the place; harmless when repeated; any thread may call it.

        Where the server `answered`, more questions may pass at once than before, and those who waited for it go on. It
        was `reached` where it said what is wrong with this question.
        """
        with self._changed:
            if reached and ticket in self._inside:
                self._away = None
            if answered and ticket in self._inside:
                self._grow()
            self._inside.pop(ticket, None)
            if ticket in self._waiting:
                self._waiting.remove(ticket)
            self._admit()

    def refuse(self, ticket: Ticket, refusal: ServerRefusal) -> None:
        """Put a question that the server refused back to its place, and shut the gate; harmless once it has left."""
        with self._changed:
            let_in = self._inside.get(ticket)
            if let_in is None:
                return
            now = monotonic()
            # What was let in before the last refusal tells nothing about the gate as it is since then.
            if let_in >= self._shrunk:
                self._shrunk = now
                self._refused_in_a_row += 1
                if refusal.why == "busy":
                    self._allowed = max(1.0, min(self._allowed or len(self._inside), len(self._inside)) / 2)
            del self._inside[ticket]
            self._waiting.append(ticket)
            self._close(refusal, now)
            self._admit()

    def _close(self, refusal: ServerRefusal, now: float) -> None:
        patience, spread = self._patience, _CHANCE.uniform(0.0, RETRY_JITTER)
        pause = min(patience.first * 2.0 ** min(self._refused_in_a_row - 1, 16), patience.longest)
        hopeless = False
        if refusal.why == "away":
            first, last = self._away or (now, now)
            first = now if now - last > AWAY_FORGOTTEN_SECONDS else first
            self._away = (first, now)
            pause = min(pause, patience.away / AWAY_TRIES)
            hopeless = now + pause * (1 - spread) - first > patience.away
        # Never before a server says that it may be asked again.
        wait = refusal.seconds * (1 + spread) if refusal.seconds else pause * (1 - spread)
        until = now + wait
        if self._shut is None or until > self._shut.until or hopeless:
            self._shut = Shut(refusal, until, hopeless)

    def _grow(self) -> None:
        self._refused_in_a_row = 0
        if self._shut and not self._shut.refusal.seconds:
            self._shut = None
        if self._allowed is not None:
            self._allowed += 1 / self._allowed
            if self._allowed >= (self._lanes or LANES_MANY):
                self._allowed = None

    def _lanes_now(self) -> int | None:
        if self._away:
            return 1
        return self._lanes if self._allowed is None else int(self._allowed)

    def _admit(self) -> None:
        """Let in whoever may pass; the caller holds the lock."""
        self._waiting.sort(key=lambda ticket: ticket.key)
        now, lanes = monotonic(), self._lanes_now()
        shut = self._shut is not None and self._shut.until > now
        while self._waiting and not shut and (lanes is None or len(self._inside) < lanes):
            first = self._waiting[0]
            background, number, _ = first.key
            if background and self._inside:
                break
            self._inside[self._waiting.pop(0)] = now
            self._round = self._round if background else max(self._round, number)
        self._count_away()
        self._changed.notify_all()

    def _is_asked(self) -> bool:
        return any(not ticket.key[0] for ticket in (*self._waiting, *self._inside))

    def _count_away(self) -> None:
        """Count the server among those that are away for as long as a question waits for it."""
        away = self._away is not None and self._is_asked()
        MODELS_AWAY.change(away - self._counted_away)
        self._counted_away = away
