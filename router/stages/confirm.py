"""The question that everything turns on: shall exactly this SQL run?"""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Code, Option, Text
from router.errors import Stale, Unclear
from router.intents.kinds import asks_clearly, is_sql
from router.jobs.audit import Entry
from router.jobs.read_sql import digest
from router.machine import Ask
from router.memory import Approval
from router.policy import demand_approve, may_approve
from router.stages.start import take
from router.turn import Pressed, Turn


class ConfirmSql(Ask):
    """Show somebody's own SQL; run it, or change it."""

    help = "Press Run to run exactly this SQL, Edit to change it, or Cancel. Only reading is possible."
    ways: tuple[Option, ...] = (Option("yes", "Run", "primary"), Option("no", "Edit"), Option("cancel", "Cancel"))
    ways_on: tuple[Option, ...] = (Option("no", "Edit", "primary"), Option("cancel", "Cancel"))
    """What is offered for SQL that cannot run."""

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        draft = turn.memory.draft
        asked = (Text(f"You asked: {draft.question}"),) if draft.question else ()
        problem = (Text(draft.problem, "problem"),) if draft.problem else ()
        notes = tuple(Text(note, "quiet") for note in draft.notes)
        explanation = (Text(draft.explanation),) if draft.explanation else ()
        where = turn.connection.label
        prompt = "This does not run as it is. How shall we go on?" if draft.problem else f"Run this on {where}?"
        ways = self.ways_on if draft.problem else self.ways
        return (*asked, *explanation, Code(draft.sql, where), *problem, *notes, Buttons(prompt, ways))

    def demand_right(self, turn: Turn) -> None:
        """Let the owner answer, and those whom the connection names as approvers."""
        presses = isinstance(turn.incoming.input, Pressed) and turn.incoming.input.answer in ("yes", "no")
        if presses and may_approve(turn.user, turn.connection, turn.owner):
            return
        super().demand_right(turn)

    def answer(self, turn: Turn) -> Literal["yes", "no", "question", "sql"]:
        return self._new(turn) or self._decide(turn, turn.pick("yes", "no"))

    def _new(self, turn: Turn) -> Literal["question", "sql"] | None:
        """Take a message that can only be a new question or another SQL text."""
        text = turn.text
        return take(turn) if is_sql(text, turn.tools.catalog.known_tables()) or asks_clearly(text) else None

    def _decide(self, turn: Turn, word: Literal["yes", "no"]) -> Literal["yes", "no"]:
        memory, now = turn.memory, turn.tools.clock()
        if word == "no":
            return word
        if memory.draft.problem:
            raise Unclear("This SQL cannot run as it is.")
        demand_approve(turn.user, turn.connection, turn.owner)
        if memory.asked and now - memory.asked > turn.tools.approval_time:
            raise Stale("This question has waited too long for an approval. Please look at the SQL again:")
        approved = digest(memory.draft.sql, memory.connection, turn.owner.id)
        memory.draft = replace(memory.draft, approval=Approval(approved, turn.user, now))
        turn.tools.audit.add(
            Entry(
                "approved",
                str(turn.incoming.key),
                turn.owner.id,
                turn.user.id,
                memory.connection,
                memory.draft.sql,
                approved,
            )
        )
        return word


class ConfirmGeneratedSql(ConfirmSql):
    """Show the SQL that was written; run it, edit it, or have another one written."""

    help = (
        "Press Run to run exactly this SQL, Edit to change it, Another try for different SQL. “No” lets you rephrase "
        "the question."
    )
    ways = (
        Option("yes", "Run", "primary"),
        Option("edit", "Edit"),
        Option("again", "Another try"),
        Option("cancel", "Cancel"),
    )
    ways_on = (
        Option("again", "Another try", "primary"),
        Option("no", "Rephrase"),
        Option("edit", "Edit"),
        Option("cancel", "Cancel"),
    )

    def answer(self, turn: Turn) -> Literal["yes", "no", "edit", "again", "question", "sql"]:  # type: ignore[override]
        word: Literal["edit", "again"] | None = turn.word("edit", "again")
        return word or super().answer(turn)
