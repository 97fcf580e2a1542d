"""The modals that people have open: their forms, and which question each answers by now."""

from datetime import timedelta
from typing import Final

from sqlalchemy import delete, select, update

from adapters.chat.bounded_cache import BoundedCache
from adapters.rendering.card_json import reply_from_json, reply_json
from router.cards import Form, Reply
from router.storage.clock import Clock, now
from router.storage.database import Database, upsert
from router.storage.tables import slack_modals

MODAL_LIFETIME: Final = timedelta(days=1)
"""After which nobody is believed to have a modal open."""


class OpenModals:
    """Modals by their ids: of this process, or, with a database, of all processes that share it.

    Slack sends what is done in a modal to any of them, whichever opened it.
    """

    def __init__(self, database: Database | None = None, clock: Clock = now) -> None:
        self._database, self._clock = database, clock
        self._forms: BoundedCache[str, Form] = BoundedCache()
        self._turns: BoundedCache[str, int] = BoundedCache()

    def add(self, id: str, form: Form) -> None:
        """Note that a form was opened."""
        if self._database is None:
            self._forms[id] = form
            return
        row = {"id": id, "form": reply_json(Reply((form,))), "turn": 0, "at": self._clock()}
        with self._database.writing() as connection:
            upsert(connection, slack_modals, row)

    def form(self, id: str) -> Form | None:
        """Return the form of a modal; None where it is not known (any more)."""
        if self._database is None:
            return self._forms.get(id)
        with self._database.reading() as connection:
            text = connection.execute(select(slack_modals.c.form).where(slack_modals.c.id == id)).scalar()
        cards = reply_from_json(text).cards if text else ()
        return next((card for card in cards if isinstance(card, Form)), None)

    def move(self, id: str, turn: int) -> None:
        """Note the number of the question that a modal answers from now on, since it was sent with something wrong."""
        if self._database is None:
            self._turns[id] = turn
            return
        with self._database.writing() as connection:
            moved = update(slack_modals).where(slack_modals.c.id == id).values(turn=turn)
            if not connection.execute(moved).rowcount:
                upsert(connection, slack_modals, {"id": id, "form": "", "turn": turn, "at": self._clock()})

    def turn(self, id: str) -> int | None:
        """Return that number; None where the modal answers the question for which it was opened."""
        if self._database is None:
            return self._turns.get(id)
        with self._database.reading() as connection:
            return connection.execute(select(slack_modals.c.turn).where(slack_modals.c.id == id)).scalar() or None

    def close(self, id: str) -> None:
        """Forget a modal."""
        if self._database is None:
            self._turns.pop(id, None)
            return
        with self._database.writing() as connection:
            connection.execute(delete(slack_modals).where(slack_modals.c.id == id))

    def expire(self) -> None:
        """Forget modals that were opened long ago."""
        if self._database:
            with self._database.writing() as connection:
                connection.execute(delete(slack_modals).where(slack_modals.c.at < self._clock() - MODAL_LIFETIME))
