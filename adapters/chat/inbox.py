"""Inputs that a platform was told are taken: each is kept until it is worked on, and known again for days after."""

import logging
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from time import time
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json
from sqlalchemy import Connection, bindparam, delete, select, true, update

from adapters.chat.surface import MODAL_MAX_SECONDS, Heard
from adapters.tasks import AndThen, nothing_more
from router.memory.thread import ThreadKey
from router.storage.clock import Clock, now
from router.storage.database import Database, insert_new
from router.storage.server import repeated_if_cut
from router.storage.tables import inbox
from router.turn import Changed, Filled, Opened, Pressed, Said

EVENT_LIFETIME = timedelta(days=7)
"""The time for which an event is known again; platforms repeat theirs within minutes."""

INPUT_LIFETIME = timedelta(days=1)
"""After which time an input that could not be answered is left."""

log = logging.getLogger("icc_bot")

_KINDS = (Said, Pressed, Filled, Opened, Changed)
_INPUTS: dict[str, TypeAdapter[Any]] = {kind.__name__: TypeAdapter(kind) for kind in _KINDS}
_HEARD = TypeAdapter(Heard)


@dataclass(frozen=True, slots=True)
class Extras:
    """Values that came with an input, and are of use for moments only.

    `trigger` opens a modal, `respond` is where a command is answered. `quiet`: nobody waits for words, as when a form
    was closed. `waits`: the seconds for which somebody waits for what is wrong with it. `at`: when it came, in seconds
    since 1970. `trace`: the id of the trace it was taken in.
    """

    trigger: str = ""
    respond: str = ""
    quiet: bool = False
    waits: float = 0.0
    at: float = field(default_factory=time)
    trace: str = ""

    @property
    def fresh(self) -> bool:
        """Return whether the trigger may still be good."""
        return time() - self.at < MODAL_MAX_SECONDS


_EXTRAS = TypeAdapter(Extras)


class Inbox:
    """The inputs of one platform; thread-safe, about 0.1 ms a call."""

    def __init__(self, database: Database, platform: str, clock: Clock = now) -> None:
        self._database, self.platform, self._clock = database, platform, clock
        self._mine = inbox.c.platform == platform

    def take(self, heard: Heard, extras: Extras | None = None, and_then: AndThen = nothing_more) -> bool:
        """Keep an input until `done`; returns False if its event was taken before, also by another process."""
        key = {"platform": self.platform, "event": heard.event}
        place = {"team": heard.key.team, "channel": _channel(heard.key)}
        row = {**key, **place, "heard": _json(heard, extras), "at": self._clock()}
        with self.writing() as connection:
            taken = insert_new(connection, inbox, row)
            if taken:
                and_then(connection)
            return taken

    def note(self, heard: Heard) -> bool:
        """Know an input's event from now on, though nothing is to be worked on; returns False if it was known."""
        fresh = self.take(heard)
        if fresh:
            self.done(heard.event)
        return fresh

    def writing(self) -> AbstractContextManager[Connection]:
        """Commit what is done in the block, or nothing of it."""
        return self._database.writing()

    def find(self, event: str) -> tuple[Heard, Extras] | None:
        """Return an input that is not done; None if it is, or cannot be read."""
        with self._database.reading() as connection:
            text = connection.execute(_FIND, self._is(event)).scalar()
        return None if text is None else self._read(event, text)

    def knows(self, event: str) -> bool:
        """Return whether an event was taken."""
        with self._database.reading() as connection:
            return connection.execute(_KNOWN, self._is(event)).first() is not None

    def waits(self, key: ThreadKey) -> bool:
        """Return whether a thread has inputs that are not done."""
        return bool(self.of_thread(key))

    def of_thread(self, key: ThreadKey) -> list[Heard]:
        """Return the inputs of a thread that are not done, in the order in which they came."""
        with self._database.reading() as connection:
            found = connection.execute(_OF_CHANNEL, {"of_platform": self.platform, "of_channel": _channel(key)}).all()
        every = [kept[0] for row in found if (kept := self._read(row.event, row.heard))]
        return [heard for heard in every if heard.key == key]

    def move(self, heard: Heard, and_then: AndThen = nothing_more) -> None:
        """Keep the input as it is now, since its thread was only begun for it."""
        values = {"heard": _json(heard), "channel": _channel(heard.key)}
        with self.writing() as connection:
            connection.execute(_MOVE, self._is(heard.event) | values)
            and_then(connection)

    @repeated_if_cut
    def done(self, event: str, and_then: AndThen = nothing_more) -> None:
        """Forget what the input was, and go on knowing its event."""
        with self.writing() as connection:
            connection.execute(_DONE, self._is(event))
            and_then(connection)

    def left(self, age: timedelta = timedelta(0)) -> list[Heard]:
        """Return the inputs of this age that are not done, the oldest first; what is too old or unreadable is left."""
        query = select(inbox.c.event, inbox.c.heard, inbox.c.at).where(self._mine, inbox.c.heard.is_not(None))
        query = query.where(inbox.c.at <= self._clock() - age)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(inbox.c.at, inbox.c.number)).all()
        found = []
        for event, text, at in rows:
            kept = self._read(event, text)
            if kept and at < self._clock() - INPUT_LIFETIME:
                log.error("the input %s could not be answered for a day, and is given up", event)
                self.done(event)
            elif kept:
                found.append(kept[0])
        return found

    def _read(self, event: str, text: str) -> tuple[Heard, Extras] | None:
        """Return an input from what is kept of it; None, and it is given up, if that cannot be read."""
        try:
            return _heard(text), _EXTRAS.validate_python(from_json(text).get("extras") or {})
        except (ValueError, KeyError, TypeError):
            log.exception("the input %s cannot be read, and is given up", event)
            self.done(event)
            return None

    def expire(self) -> None:
        """Forget events that nobody repeats any more."""
        old = (inbox.c.at < self._clock() - EVENT_LIFETIME) & inbox.c.heard.is_(None)
        with self.writing() as connection:
            connection.execute(delete(inbox).where(self._mine, old))

    def forget(self, team: str, channel: str = "") -> None:
        """Delete what came from a team, or is left of one channel of it."""
        left = (inbox.c.channel == channel) & inbox.c.heard.is_not(None) if channel else true()
        with self.writing() as connection:
            connection.execute(delete(inbox).where(self._mine, inbox.c.team == team, left))

    def _is(self, event: str) -> dict[str, Any]:
        return {"of_platform": self.platform, "of_event": event}


def _channel(key: ThreadKey) -> str:
    """Return by what the inputs of a thread are found: its channel, or itself if there are no channels."""
    return key.channel or key.thread


# Built once: that takes longer than to execute them.
_IS_EVENT = (inbox.c.platform == bindparam("of_platform")) & (inbox.c.event == bindparam("of_event"))
_MOVE = (
    update(inbox)
    .where(_IS_EVENT, inbox.c.heard.is_not(None))
    .values(heard=bindparam("heard"), channel=bindparam("channel"))
)
_KNOWN = select(inbox.c.number).where(_IS_EVENT)
_OF_CHANNEL = (
    select(inbox.c.event, inbox.c.heard)
    .where(
        inbox.c.platform == bindparam("of_platform"),
        inbox.c.channel == bindparam("of_channel"),
        inbox.c.heard.is_not(None),
    )
    .order_by(inbox.c.at, inbox.c.number)
)
_FIND = select(inbox.c.heard).where(_IS_EVENT)
_DONE = update(inbox).where(_IS_EVENT).values(heard=None)


def _json(heard: Heard, extras: Extras | None = None) -> str:
    kept: dict[str, Any] = {"kind": type(heard.input).__name__, "heard": _HEARD.dump_python(heard, mode="json")}
    if extras:
        kept["extras"] = _EXTRAS.dump_python(extras, exclude_defaults=True)
    return to_json(kept).decode()


def _heard(text: str) -> Heard:
    stored = from_json(text)
    fields = stored["heard"]
    # A plain union would be told apart by its fields, and several inputs share theirs.
    return replace(_HEARD.validate_python(fields), input=_INPUTS[stored["kind"]].validate_python(fields["input"]))
