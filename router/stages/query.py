"""From a question, or somebody's own SQL, to a query that a person approves."""

from dataclasses import replace
from functools import partial
from typing import Literal

from router.agents.sql import Question, write_sql
from router.cards import Buttons, Card, Code, Field, Form, Option, Text
from router.catalog.schema import Schema
from router.errors import Stale, Unclear
from router.intents.kinds import asks_clearly, is_sql, unfenced
from router.jobs.audit import Entry
from router.jobs.read_sql import digest
from router.machine import Ask, Work
from router.memory import Approval
from router.policy import demand_approve, demand_read, may_approve
from router.sql.databases import Estimate
from router.sql.explain import explain
from router.sql.guard import Scope, check
from router.stages.start import take
from router.turn import Filled, Pressed, Turn


class NeedQuestion(Ask):
    """Ask for the question in the person's own words."""

    help = "Type your question as you would ask a colleague: “Which five customers brought the most revenue this year?”"

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        draft = turn.memory.draft
        if not draft.question:
            return (Text("What would you like to know?"),)
        ways = (
            Option("again", "Ask it again", "primary"),
            Option("tables", "Pick the tables"),
            Option("provide", "I have SQL"),
            Option("cancel", "Cancel"),
        )
        return (
            Text(f"Your question was: {draft.question}"),
            Buttons("Put it in other words, or:", ways),
        )

    def answer(self, turn: Turn) -> Literal["question", "sql", "provide", "tables"]:
        if turn.memory.draft.question and turn.word("again", "yes"):
            return "question"
        if turn.word("tables"):
            turn.memory.choosing = "tables"
            return "tables"
        if turn.word("provide"):
            return "provide"
        taken = take(turn)
        if taken is None:
            raise Unclear("That does not look like a question.")
        return taken


class NeedSql(Ask):
    """Ask for the person's own SQL, or let them edit the SQL at hand."""

    help = "Paste or edit one SELECT statement. It is checked first, and shown to you again before it runs."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        draft = turn.memory.draft
        problem = (Text(draft.problem, "problem"),) if draft.problem and not turn.notes else ()
        form = Form(
            "Edit the SQL" if draft.sql else "Your SQL",
            (Field("sql", "SQL (one SELECT)", "code", draft.sql),),
            "Check it",
        )
        return (*problem, form, Buttons("", (Option("generate", "Ask in words instead"), Option("cancel", "Cancel"))))

    def answer(self, turn: Turn) -> Literal["sql", "generate"]:
        if turn.word("generate"):
            return "generate"
        filled = isinstance(turn.incoming.input, Filled)
        if not turn.text or not (filled or is_sql(turn.text, turn.tools.catalog.known_tables())):
            raise Unclear("I need one SQL query here, such as SELECT … FROM …")
        turn.memory.draft = replace(turn.memory.draft, method="provide", sql=unfenced(turn.text), problem="", notes=())
        return "sql"


class WriteSql(Work):
    """Have the model write the SQL; what a person sees has passed the guard and a dry run, or says why not."""

    doing = "Writing the SQL…"

    def work(self, turn: Turn) -> Literal["written"]:
        memory, tools = turn.memory, turn.tools
        demand_read(turn.user, turn.connection)
        schema = _schema(turn)
        draft = memory.draft
        tried = (*draft.tried, draft.sql) if draft.sql else draft.tried
        written = write_sql(
            tools.sql_model(),
            Question(draft.question, today=tools.clock().date(), avoid=tried),
            schema,
            dry_run=partial(_dry_run, turn, schema.scope),
            asker=turn.user.id,
            progress=turn.progress,
            stopped=turn.stopped,
        )
        memory.draft = replace(
            draft,
            method="generate",
            sql=written.sql,
            explanation="" if written.problem else explain(written.sql, schema.dialect),
            notes=(*written.notes, *_expectation(written.estimate)),
            problem=written.problem or "",
            tried=tried,
            approval=None,
        )
        tools.audit.add(Entry("generated", str(turn.incoming.key), turn.user.id, "", memory.connection, written.sql))
        return "written"


class CheckSql(Work):
    """Check somebody's own SQL against the guard and the database, before it is shown for approval."""

    doing = "Checking the SQL…"

    def work(self, turn: Turn) -> Literal["sound", "failed"]:
        demand_read(turn.user, turn.connection)
        memory, schema = turn.memory, _schema(turn)
        verdict = check(memory.draft.sql, schema.dialect, schema.scope)
        if not verdict.allowed:
            memory.draft = replace(memory.draft, problem=verdict.reason)
            return "failed"
        estimate = _dry_run(turn, schema.scope, verdict.sql)
        memory.draft = replace(
            memory.draft,
            sql=verdict.sql,
            explanation=explain(verdict.sql, schema.dialect),
            notes=_expectation(estimate),
            problem="",
            approval=None,
        )
        return "sound"


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


def _schema(turn: Turn) -> Schema:
    schema = turn.tools.catalog.schema(turn.memory.connection, turn.memory.schema)
    return schema.only(turn.memory.tables) if turn.memory.draft.method == "generate" else schema


def _dry_run(turn: Turn, scope: Scope, sql: str) -> Estimate:
    with turn.tools.catalog.database(turn.memory.connection).session(scope) as session:
        turn.runs(session)
        return session.check(sql)


def _expectation(estimate: Estimate | None) -> tuple[str, ...]:
    """Return the planner's estimate as a sentence, where there is one."""
    if estimate is None:
        return ()
    several = "" if estimate.rows == 1 else "s"
    rows = "" if estimate.rows is None else f"The database expects about {estimate.rows:,} row{several}."
    sentence = " ".join(part for part in (rows, estimate.note) if part)
    return (sentence,) if sentence else ()
