"""A question becomes SQL: the model writes, the schema repairs, the guard and the database judge."""

from dataclasses import dataclass

from router.sql.databases.session import Estimate
from router.text_to_sql.question import SqlTask
from router.text_to_sql.tree.generator import REPEATED_PROBLEM
from router.text_to_sql.tree.node import NodeState, Try
from router.text_to_sql.tree.orchestrator import solve


@dataclass(frozen=True, slots=True)
class WrittenSql:
    """The query, a sentence for each repair, and what the database expects; `problem` says why it cannot run.

    `status` is the state in which the question was left, `attempts` the number of statements that were judged for it.
    """

    sql: str
    notes: tuple[str, ...] = ()
    estimate: Estimate | None = None
    attempts: int = 1
    problem: str | None = None
    status: NodeState = NodeState.NO_SQL


def write_sql(task: SqlTask) -> WrittenSql:
    """Return a query that passed the guard and the dry run; after three attempts the last one, with its problem.

    A query that runs but cannot be the answer is doubted once, and returned if nothing better comes.
    """
    root = solve(task).root
    best = _best(root.tries)
    problem, notes = best.problem or None, best.notes
    if problem == REPEATED_PROBLEM:
        problem, notes = None, (*notes, "The model has no other idea: this is a query that you saw before.")
    state = root.state if best.sql else NodeState.NO_SQL
    return WrittenSql(best.sql, notes, best.estimate, len(root.tries), problem, state)


def _best(tries: tuple[Try, ...]) -> Try:
    """Return the last query, unless it cannot run and an earlier one could, whatever speaks against that."""
    last = next((each for each in reversed(tries) if each.sql), tries[-1])
    if last.good or last.problem == REPEATED_PROBLEM:
        return last
    return next((each for each in reversed(tries) if each.sql and not each.problem), last)
