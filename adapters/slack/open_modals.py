"""The modals that people have open with something wrong in them: which question each answers by now."""

from datetime import timedelta
from typing import Final

from sqlalchemy import delete, select

from router.storage.clock import Clock, now
from router.storage.database import Database, upsert
from router.storage.tables import slack_modals

MODAL_LIFETIME: Final = timedelta(days=1)
"""After which nobody is believed to have a modal open."""


class OpenModals:
    """Modals by their ids, known to all processes: Slack sends what is done in one to any of them."""

    def __init__(self, database: Database, clock: Clock = now) -> None:
        self._database, self._clock = database, clock

    def move(self, id: str, turn: int) -> None:
        """Note the number of the question that a modal answers from now on, since it was sent with something wrong."""
        with self._database.writing() as connection:
            upsert(connection, slack_modals, {"id": id, "form": "", "turn": turn, "at": self._clock()})

    def turn(self, id: str) -> int | None:
        """Return that number; None if the modal answers the question for which it was opened."""
        with self._database.reading() as connection:
            return connection.execute(select(slack_modals.c.turn).where(slack_modals.c.id == id)).scalar() or None

    def close(self, id: str) -> None:
        """Forget a modal."""
        with self._database.writing() as connection:
            connection.execute(delete(slack_modals).where(slack_modals.c.id == id))

    def expire(self) -> None:
        """Forget modals that were opened long ago."""
        with self._database.writing() as connection:
            connection.execute(delete(slack_modals).where(slack_modals.c.at < self._clock() - MODAL_LIFETIME))
