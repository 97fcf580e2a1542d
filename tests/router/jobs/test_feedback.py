"""Thumbs: kept with the question, the SQL and what came of it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from router.jobs.feedback import UNRATED_LIFETIME, AnsweredQuestion, Feedback
from router.storage.database import Database
from tests.support.databases import KINDS, database_of
from tests.support.talk import Clock

FIRST = AnsweredQuestion(
    "r1", "slack/T1/C1/1", "slack:U1", "shop", "Which regions?", "SELECT name FROM regions", "2 rows"
)
SECOND = AnsweredQuestion(
    "r2", "slack/T1/C1/2", "slack:U1", "shop", "How many orders?", "SELECT count(*) FROM orders", "1 row"
)


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """The database, in a file and on a server."""
    with database_of(request, tmp_path) as opened:
        yield opened


@pytest.fixture(name="feedback")
def _feedback(database: Database) -> Feedback:
    now = [datetime(2026, 3, 1, tzinfo=UTC)]

    def clock() -> datetime:
        now[0] += timedelta(seconds=1)
        return now[0]

    feedback = Feedback(database, clock)
    feedback.note(FIRST)
    feedback.note(SECOND)
    return feedback


def test_a_rating_is_kept_with_the_question_and_the_sql(feedback: Feedback) -> None:
    """What is read back says what was asked, what ran, what came of it, and who thought what."""
    feedback.rate("slack:U2", "r1", good=True)
    feedback.rate("slack:U1", "r1", good=False)

    assert [(FIRST, "slack:U2", True), (FIRST, "slack:U1", False)] == feedback.ratings()


def test_a_thread_is_forgotten(feedback: Feedback) -> None:
    """Nothing of a thread is left, and the results that belonged to it are named."""
    feedback.rate("slack:U2", "r1", good=True)

    assert feedback.results("slack/T1/C1/1") == ["r1"]
    feedback.forget("slack/T1/C1/1")
    assert feedback.ratings() == []
    assert [SECOND] == feedback.asked("slack:U1", 5)


def test_answers_that_nobody_rated_expire(database: Database) -> None:
    """After their time, answers go with their question and SQL; those that were rated stay."""
    clock = Clock()
    feedback = Feedback(database, clock)
    feedback.note(FIRST)
    feedback.note(SECOND)
    feedback.rate("slack:U2", "r1", good=False)
    clock.now += UNRATED_LIFETIME - timedelta(seconds=1)
    feedback.expire()
    before = feedback.asked("slack:U1", 5)
    clock.now += timedelta(seconds=1)
    feedback.expire()

    assert [SECOND, FIRST] == before
    assert [FIRST] == feedback.asked("slack:U1", 5)
    assert [(FIRST, "slack:U2", False)] == feedback.ratings()
    assert feedback.rate("slack:U2", "r2", good=True) == "This answer is too old to be rated."


def test_what_expired_meanwhile_is_gone_at_the_start(database: Database) -> None:
    """A bot that was away keeps nothing for longer than one that was at work."""
    clock = Clock()
    feedback = Feedback(database, clock)
    feedback.note(FIRST)
    clock.now += UNRATED_LIFETIME
    feedback = Feedback(database, clock)

    assert [] == feedback.asked("slack:U1", 5)
