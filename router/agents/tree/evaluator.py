"""The SQL evaluator: what is wrong with a statement, said by the schema, the guard and the database."""

from collections.abc import Callable

from router.agents.doubts import doubt
from router.agents.options import SHIPPED, Options
from router.agents.periods import periods
from router.agents.question import Question
from router.agents.repair import Repaired, repair
from router.agents.tree.generator import REPEATED
from router.agents.tree.node import Try
from router.agents.tree.view import View
from router.catalog.schema import Schema
from router.errors import JobFailed
from router.sql.databases import Estimate
from router.sql.guard import check

DryRun = Callable[[str], Estimate]
"""Has the database look at a statement without running it; raises JobFailed with its reason."""

SILENT = "The model wrote no SQL for this. Only what can be read can be asked here."


def evaluate(
    draft: str,
    question: Question,
    schema: Schema,
    dry_run: DryRun,
    tries: tuple[Try, ...] = (),
    view: View | None = None,
    options: Options = SHIPPED,
) -> Try:
    """Return the statement after its repair, with what speaks against it; one that runs is doubted once a question."""
    if not draft:
        return Try("", SILENT, view=view)
    times = periods(question.text, question.today)
    asked = question.text if options.meaning else ""
    repaired = repair(draft, schema, times, asked, question.hints) if options.repair else Repaired(draft)
    sql, problem, estimate = judge(repaired.sql, schema, dry_run)
    faults = " ".join(fault[0].upper() + fault[1:] for fault in repaired.problems)
    if problem:
        again = any(each.sql == sql and each.problem for each in tries)
        return Try(sql, faults or problem, notes=repaired.notes, view=view, again=again)
    if sql in question.avoid:
        return Try(sql, REPEATED, notes=repaired.notes, estimate=estimate, view=view, again=True)
    once = options.doubts and not any(each.doubt for each in tries)
    against = doubt(question.text, sql, schema) if once else ""
    return Try(sql, "", against, repaired.notes, estimate, view)


def judge(sql: str, schema: Schema, dry_run: DryRun) -> tuple[str, str, Estimate | None]:
    """Return the statement as it would run, what guard or database have against it ("": nothing), and the estimate."""
    verdict = check(sql, schema.dialect, schema.scope)
    if not verdict.allowed:
        return sql, verdict.reason, None
    try:
        return verdict.sql, "", dry_run(verdict.sql)
    except JobFailed as error:
        return verdict.sql, str(error), None
