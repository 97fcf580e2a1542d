"""Inputs that a platform was told are taken: each is kept until it is worked on, and known again for days after."""

import logging
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json
from sqlalchemy import bindparam, delete, select, true, update

from adapters.chat.surface import Heard
from router.storage.clock import Clock, now
from router.storage.database import Database, insert_new
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


class Inbox:
    """The inputs of one platform; thread-safe, about 0.1 ms a call."""

    def __init__(self, database: Database, platform: str, clock: Clock = now) -> None:
        self._database, self._platform, self._clock = database, platform, clock
        self._mine = inbox.c.platform == platform

    def take(self, heard: Heard) -> bool:
        """Keep an input until `done`; returns False where its event was taken before, also by an earlier process."""
        key = {"platform": self._platform, "event": heard.event}
        place = {"team": heard.key.team, "channel": heard.key.channel}
        with self._database.transaction() as connection:
            return insert_new(connection, inbox, {**key, **place, "heard": _json(heard), "at": self._clock()})

    def knows(self, event: str) -> bool:
        """Tell whether an event was taken."""
        with self._database.reading() as connection:
            return connection.execute(_KNOWN, self._is(event)).first() is not None

    def move(self, heard: Heard) -> None:
        """Keep the input as it is now, since its thread was only begun for it."""
        values = {"heard": _json(heard), "channel": heard.key.channel}
        with self._database.transaction() as connection:
            connection.execute(_MOVE, self._is(heard.event) | values)

    def done(self, event: str) -> None:
        """Forget what the input was, and go on knowing its event."""
        with self._database.transaction() as connection:
            connection.execute(_DONE, self._is(event))

    def left(self) -> list[Heard]:
        """Return the inputs that were not finished, the oldest first; what is too old or cannot be read is left."""
        query = select(inbox.c.event, inbox.c.heard, inbox.c.at).where(self._mine, inbox.c.heard.is_not(None))
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(inbox.c.at, inbox.c.number)).all()
        found = []
        for event, text, at in rows:
            try:
                heard = _heard(text)
            except (ValueError, KeyError, TypeError):
                log.exception("the input %s cannot be read, and is given up", event)
                self.done(event)
                continue
            if at < self._clock() - INPUT_LIFETIME:
                log.error("the input %s could not be answered for a day, and is given up", event)
                self.done(event)
            else:
                found.append(heard)
        return found

    def expire(self) -> None:
        """Forget events that nobody repeats any more."""
        old = (inbox.c.at < self._clock() - EVENT_LIFETIME) & inbox.c.heard.is_(None)
        with self._database.transaction() as connection:
            connection.execute(delete(inbox).where(self._mine, old))

    def forget(self, team: str, channel: str = "") -> None:
        """Delete what came from a team, or is left of one channel of it."""
        left = (inbox.c.channel == channel) & inbox.c.heard.is_not(None) if channel else true()
        with self._database.transaction() as connection:
            connection.execute(delete(inbox).where(self._mine, inbox.c.team == team, left))

    def _is(self, event: str) -> dict[str, Any]:
        return {"of_platform": self._platform, "of_event": event}


# Built once: that takes longer than to execute them.
_IS_EVENT = (inbox.c.platform == bindparam("of_platform")) & (inbox.c.event == bindparam("of_event"))
_MOVE = (
    update(inbox)
    .where(_IS_EVENT, inbox.c.heard.is_not(None))
    .values(heard=bindparam("heard"), channel=bindparam("channel"))
)
_KNOWN = select(inbox.c.number).where(_IS_EVENT)
_DONE = update(inbox).where(_IS_EVENT).values(heard=None)


def _json(heard: Heard) -> str:
    kind = type(heard.input).__name__
    return to_json({"kind": kind, "heard": _HEARD.dump_python(heard, mode="json")}).decode()


def _heard(text: str) -> Heard:
    stored = from_json(text)
    fields = stored["heard"]
    # A plain union would be told apart by its fields, and several inputs share theirs.
    return replace(_HEARD.validate_python(fields), input=_INPUTS[stored["kind"]].validate_python(fields["input"]))
