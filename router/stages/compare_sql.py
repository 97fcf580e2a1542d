"""Two approved queries are compared: what exactly is shown before, and becomes a result like any other."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Code, Option, Reply, Text
from router.errors import Stale
from router.jobs.payloads import COMPARE_SQL, ref_of, report_of
from router.machine import Ask, Work
from router.memory import Answer, Draft, Writing
from router.policy import demand_approve, demand_read, may_approve, who_approves, writable
from router.sql.comparing.saying import says, tolerated
from router.stages.compare_approval import SIDES, approve, mark, stands
from router.stages.compare_form import forget_filled
from router.stages.compare_plan import columns_of, job_for, keyed, left_over, quoted
from router.stages.compare_report import REPORTS
from router.stages.compare_shown import report_cards
from router.stages.compare_sides import Side, comparing_of, label_of, side_of, title_of
from router.stages.compare_target import job_of
from router.stages.compare_ways import edited, leaving, left_comparison, queries
from router.stages.confirm import where_of
from router.stages.errand import forget
from router.stages.shown import only_for
from router.turn import Pressed, Turn


class ConfirmCompare(Ask):
    """Show what is compared with what, and how; run it, or change it."""

    help = (
        "Press Run to compare exactly this. Match columns, Report and Tolerances change how; nothing but the first "
        "rows is read before you press Run."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        comparing, found = comparing_of(turn), columns_of(turn)
        left, right = label_of(turn, "left"), label_of(turn, "right")
        label, tells = REPORTS[comparing.reporting or "summary"]
        target = comparing.target
        where = f"`{target.schema}.{target.table}`" if target.schema else f"`{target.table}`"
        if target.table:
            where = f"{where} in {turn.tools.connections.demand(target.connection).label}"
        lines = (
            f"Columns: {quoted(found.names)}.",
            *left_over(found, left, right),
            keyed(found),
            f"Report: {label} ({tells}).",
            *((f"Its rows go to {where}, once you approve that.",) if target.table else ()),
        )
        ways = (
            Option("yes", "Run", "primary"),
            Option("map", "Match columns"),
            Option("reporting", "Report"),
            Option("tolerances", "Tolerances"),
            *((Option("into", "Into a table", aside=True),) if writable(turn.tools.connections, turn.owner) else ()),
            *(queries() if comparing.failed else ()),
            leaving(turn),
        )
        return (
            Text(f"Compare *{title_of(turn, 'left')}* with *{title_of(turn, 'right')}*."),
            *(self._query(turn, side) for side in SIDES),
            Text("\n".join(lines)),
            Text(f"{tolerated(comparing.tolerances)} Job: {job_of(turn)}", "quiet"),
            *self._approvers(turn),
            Buttons("Compare this?", ways),
        )

    def demand_right(self, turn: Turn) -> None:
        """Let the owner answer, and those whom one of the connections names as approvers press Run."""
        presses = isinstance(turn.incoming.input, Pressed) and turn.incoming.input.answer == "yes"
        connections = [turn.tools.connections.demand(side_of(turn, side).place.connection) for side in SIDES]
        if not presses or not any(may_approve(turn.user, each, turn.owner) for each in connections):
            super().demand_right(turn)

    def answer(
        self, turn: Turn
    ) -> Literal["yes", "more", "map", "reporting", "tolerances", "into", "first", "second", "cancel", "over"]:
        if left := left_comparison(turn):
            return left
        if word := edited(turn):
            return word
        change: Literal["map", "reporting", "tolerances", "into"] | None = turn.word(
            "map", "reporting", "tolerances", "into"
        )
        if change:
            forget_filled(turn)
            turn.memory.choosing = "reporting" if change == "reporting" else ""
            return change
        turn.pick("yes")
        return self._approve(turn)

    def _approve(self, turn: Turn) -> Literal["yes", "more"]:
        """Take the person's Yes for each side that they may approve; tell whether both sides have one."""
        memory, now, tools = turn.memory, turn.tools.clock(), turn.tools
        if memory.asked and now - memory.asked > tools.approval_time:
            raise Stale("This has waited too long for an approval. Please look at it again:")
        for side in SIDES:
            demand_read(turn.owner, tools.connections.demand(side_of(turn, side).place.connection))
        before = [side for side in SIDES if not stands(turn, side)]
        allowed = [
            side
            for side in SIDES
            if may_approve(turn.user, tools.connections.demand(side_of(turn, side).place.connection), turn.owner)
        ]
        for side in allowed:
            approve(turn, side)
        missing = [side for side in SIDES if not stands(turn, side)]
        if missing and missing == before:
            for side in missing:
                demand_approve(turn.user, tools.connections.demand(side_of(turn, side).place.connection), turn.owner)
        job, comparing = job_for(turn), comparing_of(turn)
        if allowed:
            turn.record("approved", approver=turn.user.id, digest=job.approval, target="comparison")
        if missing:
            wanting = " and ".join(dict.fromkeys(self._label(turn, side) for side in missing))
            turn.note(f"Your Yes is taken. What is read of {wanting} needs one, too.", "quiet")
            return "more"
        # What was tried with the same approvers is tried again under its own number, so that it finds what it did.
        same = comparing.key.endswith(mark(job))
        key = comparing.key if same else f"{turn.incoming.key} {memory.turn} {mark(job)}"
        tools.jobs.again(key, (turn.owner, job.left.approver))
        memory.comparing = replace(comparing, key=key)
        return "yes"

    def _label(self, turn: Turn, side: Side) -> str:
        return turn.tools.connections.demand(side_of(turn, side).place.connection).label

    def _query(self, turn: Turn, side: Side) -> Code:
        found = side_of(turn, side)
        return Code(found.draft.sql, where_of(turn, found.place), connection=found.place.connection)

    def _approvers(self, turn: Turn) -> tuple[Text, ...]:
        """Return who has to press Run, where that is not the person who asked."""
        names = {side_of(turn, side).place.connection for side in SIDES if not stands(turn, side)}
        waiting = [
            connection
            for connection in map(turn.tools.connections.demand, sorted(names))
            if not may_approve(turn.owner, connection, turn.owner)
        ]
        return tuple(
            Text(f"Somebody else has to approve what is read of {each.label}. {who_approves(each)}.", "quiet")
            for each in waiting
        )


class ExecuteCompare(Work):
    """Have the queries compared, and show what came of it."""

    doing = "Comparing…"
    durable = True

    def work(self, turn: Turn) -> Literal["done", "write"]:
        memory, comparing = turn.memory, comparing_of(turn)
        left, right = (side_of(turn, side) for side in SIDES)
        for side in (left, right):
            connection = turn.tools.connections.demand(side.place.connection)
            demand_read(turn.owner, connection)
            if side.draft.approval:
                demand_approve(side.draft.approval.by, connection, turn.owner)
        job = job_for(turn)
        done = turn.does(COMPARE_SQL.request(job, comparing.key), job.left.approver, undone="No report was made.")
        result, report = ref_of(done), report_of(done)
        others = tuple({right.place.connection} - {left.place.connection})
        first, second = (title_of(turn, side) for side in SIDES)
        how = f"{says(report)} {keyed(columns_of(turn))} {tolerated(comparing.tolerances)}"
        texts = "\n\n".join(f"-- {title}\n{side.draft.sql};" for title, side in ((first, left), (second, right)))
        about = Draft(question=f"{first} compared with {second}", sql=texts, explanation=how)
        # An approval is for one run: to compare again needs a new Yes.
        spent = (replace(left, spent=True), replace(right, spent=True))
        over = replace(comparing, left=spent[0], right=spent[1], key="", failed=False)
        memory.answer = Answer(about, left.place.connection, result, others=others, comparison=over)
        memory.draft, memory.place, memory.comparing = Draft(), left.place, None
        target = comparing.target
        shown = report_cards(report, job.plan, f"*{first}* and *{second}*", left.place.connection)
        turn.post(Reply(shown, working=True, to=only_for(turn)))
        forget(turn)
        if not target.table:
            return "done"
        memory.writing = Writing(target.connection, target.schema, target.table, name=comparing.name)
        return "write"

    def failed(self, turn: Turn) -> Literal["failed"]:
        turn.memory.comparing = replace(comparing_of(turn), failed=True)
        return "failed"
