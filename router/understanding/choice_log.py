"""The log of what people chose when the bot asked what they meant, for somebody to review; it names nobody."""

from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, delete, insert, select, update

from router.errors import JobFailed
from router.knowledge.embeddings import VectorTable
from router.storage.clock import Clock
from router.storage.database import Database
from router.storage.ids import new_id
from router.storage.tables import intent_choices
from router.understanding.categories import Category

CHOICES_MAX = 1000
"""Choices that are kept; the oldest go."""

CHOICE_MAX_CHARS = 300
"""Characters of a sentence that are kept."""


class Review(StrEnum):
    """The state of a choice's review; the values are stored."""

    WAITING = "WAITING"
    ACCEPTED = "ACCEPTED"
    DISMISSED = "DISMISSED"


@dataclass(frozen=True, slots=True)
class RecordedChoice:
    """A sentence, what was offered for it, and what was chosen; `chosen` is None for something else."""

    id: str
    text: str
    offered: tuple[Category, ...]
    chosen: Category | None
    at: datetime
    state: Review = Review.WAITING


class ChoiceLog(VectorTable):
    """Choices in the bot's database, with the vectors of examples; thread-safe, and several processes may use it."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, "intents")
        self._clock = clock

    def keep(self, text: str, offered: tuple[Category, ...], chosen: Category | None) -> RecordedChoice:
        """Keep what was chosen, and let go of the oldest choices if there are too many."""
        choice = RecordedChoice(
            new_id("intent"), " ".join(text.split())[:CHOICE_MAX_CHARS], offered, chosen, self._clock()
        )
        latest = select(intent_choices.c.number).order_by(intent_choices.c.at.desc(), intent_choices.c.number.desc())
        with self._database.transaction(durable=True) as connection:
            connection.execute(insert(intent_choices), {**asdict(choice), "chosen": chosen or ""})
            connection.execute(delete(intent_choices).where(intent_choices.c.number.not_in(latest.limit(CHOICES_MAX))))
        return choice

    def waiting(self) -> tuple[RecordedChoice, ...]:
        """Return those that nobody has looked at, the oldest first."""
        query = select(intent_choices).where(intent_choices.c.state == Review.WAITING)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(intent_choices.c.at, intent_choices.c.number))
            return tuple(map(_choice, rows))

    def get(self, id: str) -> RecordedChoice:
        """Return a choice; raises JobFailed if there is none of this id (any more)."""
        with self._database.reading() as connection:
            row = connection.execute(select(intent_choices).where(intent_choices.c.id == id.upper())).first()
        if row is None:
            raise JobFailed(f"There is no choice {id}; `icc-bot intents review` shows those that wait.")
        return _choice(row)

    def review(self, id: str, state: Review) -> None:
        """Keep what became of a choice."""
        with self._database.transaction(durable=True) as connection:
            connection.execute(update(intent_choices).where(intent_choices.c.id == id.upper()).values(state=state))


def _choice(row: Row[Any]) -> RecordedChoice:
    offered = tuple(map(Category, row.offered))
    return RecordedChoice(
        row.id, row.text, offered, Category(row.chosen) if row.chosen else None, row.at, Review(row.state)
    )
