"""The thumbs that people give to answers, stored with the question, the SQL and what came of it; and, for a while,
what was answered and not rated yet.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Select, delete, exists, func, select

from router.storage.clock import Clock
from router.storage.database import Database, upsert
from router.storage.server import repeated_if_cut
from router.storage.tables import answers, ratings

UNRATED_LIFETIME = timedelta(days=30)
"""The time that an unrated answer is stored: until then it can be rated, and its question be asked again."""


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question that was answered: `result` is the stored rows' id, `outcome` a word on them, such as "5 rows"."""

    result: str
    thread: str
    asker: str
    connection: str
    question: str
    sql: str
    outcome: str
    schema: str = ""


class Feedback:
    """Answers and their ratings; thread-safe. Answers that nobody rates are kept for `unrated`."""

    def __init__(self, database: Database, clock: Clock, unrated: timedelta = UNRATED_LIFETIME) -> None:
        self._database, self._clock, self._unrated = database, clock, unrated
        self.expire()

    @repeated_if_cut
    def note(self, answered: AnsweredQuestion) -> None:
        """Keep what a later rating is about."""
        with self._database.writing() as connection:
            upsert(connection, answers, {**asdict(answered), "at": self._clock()}, key=("result",))

    def answer(self, result: str) -> AnsweredQuestion | None:
        """Return what was answered with these rows; None if it is too old."""
        found = self._rows(select(*_ANSWER).where(answers.c.result == result))
        return AnsweredQuestion(*found[0]) if found else None

    @repeated_if_cut
    def rate(self, who: str, result: str, good: bool, comment: str = "") -> str:
        """Keep the person's opinion, and what they wrote with it, in place of an earlier one; returns a sentence."""
        with self._database.transaction() as connection:
            if not connection.execute(select(answers.c.number).where(answers.c.result == result)).first():
                return "This answer is too old to be rated."
            rating = {"result": result, "who": who, "good": good, "at": self._clock(), "comment": comment}
            upsert(connection, ratings, rating, key=("result", "who"))
        if good:
            return "Thanks, good to know."
        return "Thanks for telling me. Type what you'd like instead, and I'll try again."

    def asked(self, asker: str, most: int) -> list[AnsweredQuestion]:
        """Return the person's last answered questions, each once, the latest first."""
        latest = (answers.c.at.desc(), answers.c.number.desc())
        place = func.row_number().over(partition_by=answers.c.question, order_by=latest).label("place")
        asked = select(answers, place).where(answers.c.asker == asker, answers.c.question != "").subquery()
        columns = [asked.c[column.name] for column in _ANSWER]
        query = select(*columns).where(asked.c.place == 1).order_by(asked.c.at.desc(), asked.c.number.desc())
        return [AnsweredQuestion(*row) for row in self._rows(query.limit(most))]

    def threads(self) -> list[str]:
        """Return the threads that have answers."""
        return [thread for (thread,) in self._rows(select(answers.c.thread).distinct())]

    def results(self, thread: str) -> list[str]:
        """Return the ids of the results of the thread's answers."""
        return [result for (result,) in self._rows(select(answers.c.result).where(answers.c.thread == thread))]

    def _rows(self, query: Select[Any]) -> Sequence[Any]:
        with self._database.reading() as connection:
            return connection.execute(query).all()

    def forget(self, thread: str) -> None:
        """Delete the thread's answers and their ratings."""
        of_thread = select(answers.c.result).where(answers.c.thread == thread)
        with self._database.transaction() as connection:
            connection.execute(delete(ratings).where(ratings.c.result.in_(of_thread)))
            connection.execute(delete(answers).where(answers.c.thread == thread))

    def expire(self) -> None:
        """Delete the answers past their time that nobody rated; called at start and now and then."""
        rated = exists().where(ratings.c.result == answers.c.result)
        with self._database.transaction() as connection:
            connection.execute(delete(answers).where(answers.c.at <= self._clock() - self._unrated, ~rated))


_ANSWER = [answers.c[field] for field in AnsweredQuestion.__dataclass_fields__]
