"""A question becomes SQL: the model writes, the schema repairs, the guard and the database judge."""

from collections.abc import Callable
from dataclasses import dataclass

from router.agents.matches import fits, suggest_tables
from router.agents.options import SHIPPED, Options
from router.agents.prompt import asked, prefix
from router.agents.question import Model, Question
from router.agents.tree.generator import REPEATED
from router.agents.tree.node import Node, State, Try
from router.agents.tree.orchestrator import Orchestrator
from router.catalog.schema import Schema
from router.sql.databases import Estimate

__all__ = ["Model", "Question", "Written", "asked", "fits", "prefix", "suggest_tables", "write_sql"]


@dataclass(frozen=True, slots=True)
class Written:
    """The query, a sentence for each repair, and what the database expects; `problem` says why it cannot run.

    `status` is the state in which the question was left, `attempts` the number of statements that were judged for it.
    """

    sql: str
    notes: tuple[str, ...] = ()
    estimate: Estimate | None = None
    attempts: int = 1
    problem: str | None = None
    status: State = State.NO_SQL


def write_sql(
    model: Model,
    question: Question,
    schema: Schema,
    *,
    dry_run: Callable[[str], Estimate],
    asker: str,
    progress: Callable[[str], None],
    stopped: Callable[[], bool],
    options: Options = SHIPPED,
) -> Written:
    """Return a query that passed the guard and the dry run; after three attempts the last one, with its problem.

    A query that runs but cannot be the answer is doubted once, and returned if nothing better comes.
    """
    orchestrator = Orchestrator(model, schema, dry_run, asker, progress, stopped, options)
    return _written(orchestrator.solve(question).root)


def _written(root: Node) -> Written:
    """Return what is shown of a question that is done."""
    best = _best(root.tries)
    problem, notes = best.problem or None, best.notes
    if problem == REPEATED:
        problem, notes = None, (*notes, "The model has no other idea: this is a query that you saw before.")
    state = root.state if best.sql else State.NO_SQL
    return Written(best.sql, notes, best.estimate, len(root.tries), problem, state)


def _best(tries: tuple[Try, ...]) -> Try:
    """Return the last query, unless it cannot run and an earlier one could, whatever speaks against that."""
    last = next((each for each in reversed(tries) if each.sql), tries[-1])
    if last.good or last.problem == REPEATED:
        return last
    return next((each for each in reversed(tries) if each.sql and not each.problem), last)
