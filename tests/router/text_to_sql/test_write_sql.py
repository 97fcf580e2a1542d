"""A question becomes SQL that runs; a scripted model stands in for the real one, the database is real."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from router.errors import AgentFailed, AnswerCut, DatabaseAway, Stopped
from router.llm.call import Requester
from router.sql.databases.session import Estimate, PooledDatabase
from router.sql.dialect import DIALECTS
from router.sql.opening import open_database
from router.text_to_sql.question import DEFAULT_OPTIONS, Options, Question
from router.text_to_sql.repair.group_order import LARGEST_FIRST_NOTE
from router.text_to_sql.write_sql import WrittenSql, write_sql
from tests.router.text_to_sql.scripted import Scripted, sql_task
from tests.support.trade import build_trade

QUESTION = Question("How many orders?", date(2026, 11, 21))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[PooledDatabase]:
    path = build_trade(tmp_path / "trade.sqlite")
    opened = open_database(f"sqlite:///{path}", DIALECTS["sqlite"], 10.0)
    yield opened
    opened.close()


def written(
    database: PooledDatabase,
    *answers: str | Exception,
    question: Question = QUESTION,
    options: Options = DEFAULT_OPTIONS,
) -> tuple[WrittenSql, Scripted]:
    def dry_run(sql: str) -> Estimate:
        with database.session() as session:
            return session.check(sql)

    model = Scripted(list(answers))
    told: list[str] = []
    found = write_sql(
        sql_task(question, None, model, dry_run, Requester("u1", lambda text, step=0: told.append(text)), options)
    )
    assert told == ["Correcting the SQL…"] * (len(model.history) - 1)
    return found, model


def test_what_the_schema_can_repair_needs_no_second_call(database: PooledDatabase) -> None:
    """The person is told what was repaired."""
    question = Question("Orders by region?", date(2026, 11, 21))
    found, model = written(database, "SELECT region, COUNT(*) FROM orders GROUP BY region", question=question)
    assert found.problem is None
    assert found.notes == ("`region` was taken from `regions`, joined through `customers`.", LARGEST_FIRST_NOTE)
    assert len(model.history) == 1


def test_the_model_is_told_in_words_what_is_wrong(database: PooledDatabase) -> None:
    """The same beginning, so that it stays cached; then the failed query, its fault, and a higher temperature."""
    found, model = written(database, "SELECT colour FROM products", "SELECT category FROM products")
    assert (found.sql, found.attempts, found.problem) == ("SELECT category FROM products", 2, None)
    (system, _, cold), (same, second, warm) = model.history
    assert (system == same, cold) == (True, 0.0)
    assert warm is not None
    assert warm > 0
    assert "SELECT colour FROM products\nThe tables of the query have no column colour." in second


def test_after_three_attempts_the_last_query_comes_back_with_its_problem(database: PooledDatabase) -> None:
    """The person may edit it; no exception."""
    found, model = written(database, "I do not know.", "SELECT a FROM orders", "SELECT b FROM orders")
    assert (found.sql, found.attempts, found.estimate) == ("SELECT b FROM orders", 3, None)
    assert found.problem == "The tables of the query have no column b."
    assert found.status == "max_retries"
    assert len(model.history) == 3


def test_a_query_that_was_tried_before_is_not_given_again(database: PooledDatabase) -> None:
    """Another try means another query; the first call is warmer already, and sees what was tried."""
    tried = "SELECT COUNT(*) FROM orders"
    question = Question("How many orders?", date(2026, 11, 21), avoid=(tried,))
    found, model = written(database, tried, "SELECT COUNT(id) FROM orders", question=question)
    assert (found.sql, found.attempts) == ("SELECT COUNT(id) FROM orders", 2)
    assert tried in model.history[0][1]
    assert model.history[0][2]


ONE_EACH, COUNTED = (
    "SELECT id, COUNT(*) FROM customers GROUP BY id ORDER BY id",
    "SELECT customer_id, COUNT(*) FROM orders GROUP BY customer_id ORDER BY customer_id",
)


def test_counts_that_are_always_1_are_doubted(database: PooledDatabase) -> None:
    """The model is told once; what it says then is taken."""
    question = Question("Orders per customer?", date(2026, 11, 21))
    found, model = written(database, ONE_EACH, COUNTED, question=question)
    assert (" ".join(found.sql.split()), found.attempts, found.problem) == (COUNTED, 2, None)
    assert "Each count is 1" in model.history[1][1]
    found, _ = written(database, ONE_EACH, ONE_EACH, question=question)
    assert (" ".join(found.sql.split()), found.attempts) == (ONE_EACH, 2)


def test_a_query_that_writes_never_comes_back_as_sound(database: PooledDatabase) -> None:
    """The guard's reason is the problem."""
    found, _ = written(database, *["WITH x AS (DELETE FROM orders RETURNING id) SELECT id FROM x"] * 3)
    assert found.problem
    assert found.estimate is None


@pytest.mark.parametrize("error", [AgentFailed("The model is away."), Stopped("Stopped, as you asked.")])
def test_errors_of_the_model_go_to_the_person(database: PooledDatabase, error: Exception) -> None:
    """No further attempt is made."""
    with pytest.raises(type(error), match=str(error)):
        written(database, error)


def test_a_database_that_nobody_opens_says_nothing_of_the_sql() -> None:
    """The model is not asked to correct what may be right."""

    def dry_run(sql: str) -> Estimate:
        raise DatabaseAway("Shop is away.")

    model = Scripted(["SELECT COUNT(*) FROM orders"] * 3)
    with pytest.raises(DatabaseAway):
        write_sql(sql_task(QUESTION, None, model, dry_run, Requester("u1", lambda text, step=0: None), DEFAULT_OPTIONS))
    assert len(model.history) == 1


def test_an_answer_without_an_end_is_asked_for_once_more(database: PooledDatabase) -> None:
    """A small model may repeat itself for ever; what it says the second time counts, also that this has no end."""
    cut = AnswerCut("The answer was cut off.")
    found, model = written(database, cut, "SELECT name FROM customers")
    assert (found.sql, found.problem) == ("SELECT name FROM customers", None)
    assert [temperature for _, _, temperature in model.history] == [0.0, 0.2]
    faulty, _ = written(database, "SELECT a FROM orders", cut, cut)
    assert faulty.sql == "SELECT a FROM orders"
    with pytest.raises(AnswerCut):
        written(database, cut, cut)


def test_the_same_query_again_still_runs(database: PooledDatabase) -> None:
    """A model that knows only one query gives it again: it may run, and the person is told that it is the same."""
    once = "SELECT COUNT(*) FROM orders"
    question = replace(QUESTION, avoid=(once,))
    found, _ = written(database, once, once, once, question=question)
    assert (found.sql, found.problem) == (once, None)
    assert found.notes == ("The model has no other idea: this is a query that you saw before.",)
