"""The guard has a budget of its own time; `tests/bench/bench_guard.py` measures what it takes."""

import pytest
from sqlglot.errors import SqlglotError

from router.sql import guard, parsing, step_limit
from router.sql.guard import check

CHAIN = "SELECT a" + "[1]" * 30
ENTANGLED = "This SQL is too entangled to be judged, so it does not run; please write it more simply."


def test_what_takes_longer_than_the_budget_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is a refusal in a sentence, whatever step the time ran out in."""
    monkeypatch.setattr(guard, "GUARD_SECONDS", 0.0)
    assert check(CHAIN, "postgres").reason == ENTANGLED


def test_a_budget_holds_for_its_block_alone() -> None:
    """What is judged afterwards, by the same thread, has the whole time again; an inner block has no more."""
    with step_limit.budget(0.0), pytest.raises(SqlglotError), step_limit.budget(100.0):
        parsing.statement(CHAIN, "postgres")
    assert not isinstance(parsing.statement(CHAIN, "postgres"), str)


def test_a_long_ordinary_statement_is_allowed() -> None:
    """A hundred thousand characters of values are nothing unusual."""
    values = ", ".join(f"'customer number {number}'" for number in range(4_000))
    verdict = check(f"SELECT id FROM customers WHERE name IN ({values})", "postgres")
    assert verdict.reason == "This only reads."
    assert len(verdict.sql) > 90_000
