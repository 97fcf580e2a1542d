"""Two approved queries are compared: what exactly is shown before, and becomes a result like any other."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Code, Head, Option, Reply, Table, Text
from router.jobs.payloads import COMPARE_SQL, ref_of, report_of
from router.machine import Ask, Work
from router.memory.draft import Draft
from router.memory.thread import Answer, Writing
from router.policy import writable_connections
from router.sql.comparing.plan import ComparePlan
from router.sql.comparing.report import Report
from router.sql.comparing.wording import report_sentences, tolerated
from router.stages.approvals import key_of_job, require_in_time
from router.stages.compare.fields import REPORTS
from router.stages.compare.form import Changed, change_form, changed
from router.stages.compare.plan import columns_of, job_for, job_of, key_sentence, left_over_sentences, quote_names
from router.stages.compare.sides import (
    REOPENING,
    SIDES,
    Reopened,
    approve_sides,
    reopen_if_asked,
    reopen_unapproved,
    title_of,
)
from router.stages.confirm import CANCEL, where_of
from router.stages.shown import only_for
from router.stages.tasks import comparing_of, forget, set_comparing, set_writing, side_of
from router.turn import Turn

COMPARE = Option("compare", "Compare", "primary")
CHANGES_SHOWN_MAX = 10
NO_TARGET = "There's no database that you can write to. Your administrator can add you to its writers."


class ConfirmCompare(Ask):
    """Show what is compared with what, and how; run it, or change it."""

    card = "compare_confirm"
    accepts = frozenset(["report", "tolerance", "key", "into"])
    approves = True
    help = (
        "Press Compare to compare exactly this. Change has all of it in one form: the report, what tells rows apart, "
        "what doesn't count as a difference, a table for the rows, and the pairs of columns. Nothing but the first "
        "rows is read before."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        comparing = comparing_of(turn)
        found, sides = columns_of(comparing), [side_of(turn, side) for side in SIDES]
        lines = [
            f"Columns: {quote_names(found.names)}.",
            *left_over_sentences(turn, found),
            key_sentence(found),
            f"Report: {REPORTS[comparing.report]}.",
        ]
        if comparing.table:
            lines.append(f"Its rows go to a table `{comparing.table}`, once you approve where.")
        return (
            Text(f"Compare *{title_of(turn, 'left')}* with *{title_of(turn, 'right')}*."),
            *(
                Code(each.draft.sql, where_of(turn, each.place), folded=True, connection=each.place.connection)
                for each in sides
            ),
            Text("\n".join(lines)),
            Text(f"{tolerated(comparing.tolerances)} Job: {job_of(turn)}", "quiet"),
            Buttons("", (COMPARE, Option("change", "Change", form=change_form(turn)), *REOPENING, CANCEL)),
        )

    def answer(self, turn: Turn) -> Changed | Reopened | Literal["yes", "reporting", "into", "unclear"]:
        if which := reopen_if_asked(turn):
            return which
        if turn.word("reporting"):
            turn.memory.choosing = "reporting"
            return "reporting"
        if turn.word("into"):
            return "into" if writable_connections(turn.services.connections, turn.owner) else turn.unclear(NO_TARGET)
        return self._approve(turn) if turn.word("yes", "compare") else changed(turn)

    def _approve(self, turn: Turn) -> Literal["yes"] | Reopened:
        """Take the person's Yes for what they may approve; a query of which that is not enough is confirmed again."""
        require_in_time(turn)
        approve_sides(turn)
        if which := reopen_unapproved(turn):
            return which
        job = job_for(turn)
        turn.record("approved", approver=turn.user.id, digest=job.approval, target="comparison")
        mark = f"{job.approval} {job.left.approver.id} {job.right.approver.id}"
        key = key_of_job(turn, comparing_of(turn).key, mark, job.left.approver)
        set_comparing(turn, replace(comparing_of(turn), key=key))
        return "yes"


class ExecuteCompare(Work):
    """Have the queries compared, and show what came of it."""

    doing = "Comparing…"
    durable = True

    def work(self, turn: Turn) -> Literal["done", "write"]:
        memory, comparing = turn.memory, comparing_of(turn)
        left, right = (side_of(turn, side) for side in SIDES)
        first, second = (title_of(turn, side) for side in SIDES)
        job, here = job_for(turn), left.place.connection
        done = turn.does(COMPARE_SQL.request(job, comparing.key), job.left.approver, undone="No report was made.")
        report = report_of(done)
        how = f"{report_sentences(report)} {key_sentence(columns_of(comparing))} {tolerated(comparing.tolerances)}"
        texts = f"-- {first}\n{left.draft.sql};\n\n-- {second}\n{right.draft.sql};"
        about = Draft(f"{first} compared with {second}", sql=texts, steps=(how,))
        # An approval is for one run: to compare again needs a new Yes.
        over = replace(comparing, left=replace(left, spent=True), right=replace(right, spent=True), key="")
        others = tuple({right.place.connection} - {here})
        memory.answer = Answer(about, here, ref_of(done), others=others, comparison=over)
        memory.draft, memory.place = Draft(), left.place
        set_comparing(turn, None)
        said = Text(f"*{first}* and *{second}*\n{report_sentences(report)}", connection=here)
        turn.post(Reply((said, *_first_changes(report, job.plan, here)), working=True, to=only_for(turn)))
        forget(turn)
        if not comparing.table:
            return "done"
        set_writing(turn, Writing(comparing.database, table=comparing.table, name=comparing.name))
        return "write"


def _first_changes(report: Report, plan: ComparePlan, connection: str) -> tuple[Card, ...]:
    """Return the first values that differ, written so that a person sees by what."""
    heads = (*(plan.names[key] for key in plan.keys), "Column", report.left, report.right)
    lines = [
        (*(each.left[key] for key in plan.keys), plan.names[place], each.left[place], each.right[place])
        for each in report.first
        if each.left is not None and each.right is not None
        for place in each.places
    ][:CHANGES_SHOWN_MAX]
    table = Table(tuple(map(Head, heads)), tuple(lines), len(lines), connection=connection)
    return (Text("The first values that differ:"), table) if lines else ()
