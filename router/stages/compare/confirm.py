"""Two approved queries are compared: what exactly is shown before, and becomes a result like any other."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from router.cards import Buttons, Card, Chart, Code, Head, Option, Reply, Series, Table, Text
from router.catalog.connection import Connection
from router.jobs.payloads import COMPARE_SQL, ref_of, report_of
from router.machine import Ask, Work
from router.memory.draft import Draft
from router.memory.thread import Answer, Writing
from router.policy import demand_approve, demand_read, may_approve, writable
from router.sql.comparing.plan import ComparePlan
from router.sql.comparing.report import Report, ShownDifference, told_apart
from router.sql.comparing.wording import report_sentences, tolerated
from router.stages.approvals import (
    Approvable,
    awaited,
    demand_in_time,
    demand_owner_or_approver,
    key_of_job,
    only_approvers,
)
from router.stages.compare.fields import REPORTS, job_of
from router.stages.compare.form import NOT_READ, change_form, take_form
from router.stages.compare.plan import (
    approve,
    columns_of,
    job_for,
    keyed,
    left_over,
    mark,
    quoted,
    stands,
    terms_of,
)
from router.stages.compare.queries import Edited, connection_of, edited, edits
from router.stages.compare.sentences import changed
from router.stages.compare.titles import SIDES, both_titles, label_of, title_of
from router.stages.confirm import CANCEL, where_of
from router.stages.shown import only_for
from router.stages.tasks import Side, comparing_of, forget, set_comparing, set_writing, side_of
from router.turn import Turn

DIFFERENCES_SHOWN_MAX = 10
"""Lines of the table of first differences."""

ROW_VALUES_MAX = 4
"""Values that a row is told by, where it has no key, or is on one side alone."""

# The report of a comparison as cards: a sentence, a small chart, and the first differences with both values.


Line = tuple[str | None, ...]


def report_cards(report: Report, plan: ComparePlan, about: str, connection: str) -> tuple[Card, ...]:
    """Return a report as it is shown above its rows; `about` says what was compared."""
    said = Text(f"{about}\n{report_sentences(report)}", connection=connection)
    return (said, *_chart(report, connection), *_table(report, plan, connection))


def _chart(report: Report, connection: str) -> tuple[Chart, ...]:
    """Return the counts as bars, where there is anything to count."""
    duplicates = report.duplicate_left + report.duplicate_right
    counts = {
        "Identical": report.identical,
        "Changed": report.changed,
        f"Only in {report.left}": report.only_left,
        f"Only in {report.right}": report.only_right,
    } | ({"Key not unique": duplicates} if duplicates else {})
    if not any(counts.values()):
        return ()
    series = Series("Rows", tuple(float(count) for count in counts.values()))
    return (Chart("Rows compared", "bar", tuple(counts), (series,), connection=connection),)


def _table(report: Report, plan: ComparePlan, connection: str) -> tuple[Card, ...]:
    """Return the first differences, a line for each value that differs."""
    if not report.first:
        return ()
    heads = (*(plan.names[key] for key in plan.keys), "Column", report.left, report.right)
    lines: list[Line] = [line for each in report.first for line in _lines(each, plan)]
    shown = tuple(lines[:DIFFERENCES_SHOWN_MAX])
    table = Table(tuple(map(Head, heads)), shown, len(shown), connection=connection)
    return (Text("The first differences:"), table)


def _lines(each: ShownDifference, plan: ComparePlan) -> list[Line]:
    told = each.left or each.right or ()
    keys = tuple(told[key] for key in plan.keys)
    if each.left is not None and each.right is not None:
        return [(*keys, plan.names[place], *told_apart(each.left[place], each.right[place])) for place in each.places]
    brief = _brief(told, plan)
    duplicate = each.status.startswith("duplicate")
    other, what = ("no equal one", "(key not unique)") if duplicate else ("missing", "(row)")
    return [(*keys, what, other, brief) if each.left is None else (*keys, what, brief, other)]


def _brief(row: tuple[str | None, ...], plan: ComparePlan) -> str:
    """Return a row by its first values that are no key."""
    others = [value for place, value in enumerate(row) if place not in plan.keys] or list(row)
    more = ", …" if len(others) > ROW_VALUES_MAX else ""
    return ", ".join("NULL" if value is None else value for value in others[:ROW_VALUES_MAX]) + more


CHANGE = Option("change", "Change")
NO_TARGET = "There's no database that you can write to. Your administrator can add you to its writers."

Changed = Literal["map", "reporting", "into"]
"""The parts of a comparison that can be changed before it runs."""


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
        comparing, found = comparing_of(turn), columns_of(turn)
        left, right = label_of(turn, "left"), label_of(turn, "right")
        label, tells = REPORTS[comparing.reporting or "summary"]
        target, plan, waited = comparing.target, turn.memory.draft.plan, _waited(turn)
        where = f"`{target.schema}.{target.table}`" if target.schema else f"`{target.table}`"
        if target.table:
            where = f"{where} in {turn.services.connections.demand(target.connection).label}"
        lines = (
            f"Columns: {quoted(found.names)}.",
            *left_over(found, left, right),
            keyed(found),
            f"Report: {label} ({tells}).",
            *((f"Its rows go to {where}, once you approve that.",) if target.table else ()),
            *((f"Then: {'; '.join(wish.text for wish in plan)}.",) if plan else ()),
        )
        ways = (
            only_approvers(turn, Option("compare", "Compare", "primary"), *waited),
            replace(CHANGE, form=change_form(turn)),
            *edits(),
            CANCEL,
        )
        return (
            Text(f"Compare *{title_of(turn, 'left')}* with *{title_of(turn, 'right')}*."),
            *(self._query(turn, side) for side in SIDES),
            Text("\n".join(lines)),
            Text(f"{tolerated(comparing.tolerances)} Job: {job_of(turn)}", "quiet"),
            *self._approvers(turn, waited),
            Buttons("", ways),
        )

    def demand_right(self, turn: Turn) -> None:
        """Let the owner answer, and those whom one of the connections names as approvers press Run."""
        demand_owner_or_approver(turn, turn.pressed("yes", "compare"), *(connection_of(turn, side) for side in SIDES))

    def answer(self, turn: Turn) -> Changed | Edited | Literal["yes", "more", "unclear"]:
        if word := edited(turn):
            return word
        if turn.word("change", "map", "tolerances", "no"):
            take_form(turn)
            return "map"
        if turn.word("reporting"):
            turn.memory.choosing = "reporting"
            return "reporting"
        if turn.word("into"):
            return "into" if writable(turn.services.connections, turn.owner) else turn.unclear(NO_TARGET)
        if turn.word("yes", "compare"):
            return self._approve(turn)
        return "more" if changed(turn) else turn.unclear(NOT_READ)

    def _approve(self, turn: Turn) -> Literal["yes", "more"]:
        """Take the person's Yes for each side that they may approve, and return whether both sides have one."""
        for side in SIDES:
            demand_read(turn.owner, connection_of(turn, side))
        before = [side for side in SIDES if not stands(turn, side)]
        allowed = [side for side in SIDES if may_approve(turn.user, connection_of(turn, side), turn.owner)]
        if allowed:
            demand_in_time(turn)
        for side in allowed:
            approve(turn, side)
        missing = [side for side in SIDES if not stands(turn, side)]
        if missing and missing == before:
            for side in missing:
                demand_approve(turn.user, connection_of(turn, side), turn.owner)
        job, comparing = job_for(turn), comparing_of(turn)
        if allowed:
            turn.record("approved", approver=turn.user.id, digest=job.approval, target="comparison")
        if missing:
            wanting = " and ".join(dict.fromkeys(connection_of(turn, side).label for side in missing))
            turn.note(f"Your Yes is taken. What is read of {wanting} needs one, too.", "quiet")
            return "more"
        key = key_of_job(turn, comparing.key, mark(job), job.left.approver)
        set_comparing(turn, replace(comparing, key=key))
        return "yes"

    def _query(self, turn: Turn, side: Side) -> Code:
        found = side_of(turn, side)
        return Code(found.draft.sql, where_of(turn, found.place), folded=True, connection=found.place.connection)

    def _approvers(self, turn: Turn, waited: Sequence[Connection]) -> tuple[Card, ...]:
        """Return who has to press Compare, where that is not the person who asked."""
        about = f"Compare {title_of(turn, 'left')} with {title_of(turn, 'right')}"
        cards = (
            card
            for each in waited
            for card in awaited(
                turn, each, partial(_asked, turn, each.name, about), what=f"what is read of {each.label}"
            )
        )
        return tuple(dict.fromkeys(cards))


def _asked(turn: Turn, connection: str, about: str) -> Approvable:
    return Approvable(f"{terms_of(turn)} {connection}", about)


def _waited(turn: Turn) -> list[Connection]:
    """Return the connections whose query has no Yes yet, each once."""
    waiting = {each.name: each for side in SIDES if not stands(turn, side) for each in (connection_of(turn, side),)}
    return [each for _, each in sorted(waiting.items())]


class ExecuteCompare(Work):
    """Have the queries compared, and show what came of it."""

    doing = "Comparing…"
    durable = True

    def work(self, turn: Turn) -> Literal["done", "write"]:
        memory, comparing = turn.memory, comparing_of(turn)
        left, right = (side_of(turn, side) for side in SIDES)
        for side in (left, right):
            connection = turn.services.connections.demand(side.place.connection)
            demand_read(turn.owner, connection)
            if side.draft.approval:
                demand_approve(side.draft.approval.by, connection, turn.owner)
        job = job_for(turn)
        done = turn.does(COMPARE_SQL.request(job, comparing.key), job.left.approver, undone="No report was made.")
        result, report = ref_of(done), report_of(done)
        others = tuple({right.place.connection} - {left.place.connection})
        first, second = (title_of(turn, side) for side in SIDES)
        how = f"{report_sentences(report)} {keyed(columns_of(turn))} {tolerated(comparing.tolerances)}"
        texts = "\n\n".join(f"-- {title}\n{side.draft.sql};" for title, side in ((first, left), (second, right)))
        about = Draft(both_titles(turn, "compared with"), sql=texts, steps=(how,), plan=memory.draft.plan)
        # An approval is for one run: to compare again needs a new Yes.
        spent = (replace(left, spent=True), replace(right, spent=True))
        over = replace(comparing, left=spent[0], right=spent[1], key="", failed=False)
        memory.answer = Answer(about, left.place.connection, result, others=others, comparison=over)
        memory.draft, memory.place = Draft(), left.place
        set_comparing(turn, None)
        target = comparing.target
        shown = report_cards(report, job.plan, f"*{first}* and *{second}*", left.place.connection)
        turn.post(Reply(shown, working=True, to=only_for(turn)))
        forget(turn)
        if not target.table:
            return "done"
        set_writing(turn, Writing(target.connection, target.schema, target.table, name=comparing.name))
        return "write"

    def failed(self, turn: Turn) -> Literal["failed"]:
        set_comparing(turn, replace(comparing_of(turn), failed=True))
        return "failed"
