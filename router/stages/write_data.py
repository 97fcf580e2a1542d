"""Writing a result into a table: what becomes of the rows there, and a person's Yes to exactly this."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Field, Form, Head, Option, Table, Text
from router.catalog.targets import demand_schema
from router.errors import NotAllowed, Stale, Unclear
from router.jobs.kept import CUT_CELLS
from router.jobs.payloads import WRITE_DATA
from router.jobs.write_data import WriteData, digest
from router.machine import Work
from router.memory import Approval, Mode, Writing, Written
from router.news import keep
from router.policy import demand_approve_write, demand_write, may_approve_write, who_approves
from router.stages.columns import columns_of
from router.stages.errand import LEAVE, Errand, forget, left
from router.stages.job_name import name_of
from router.stages.shown import answer_of, demand_seen
from router.stages.target import writing_of
from router.turn import Filled, Pressed, Turn

DELETING = ("truncate", "drop")
"""Modes that take rows away: the person types the table's name."""


class ChooseMode(Errand):
    """Ask what becomes of the rows that are in the table."""

    help = "`append` keeps the rows that are there, `truncate` deletes them first, `drop` makes the table anew."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        writing = writing_of(turn)
        ways = (
            Option("append", "Add to them", "primary"),
            Option("truncate", "Empty it first", "danger"),
            Option("drop", "Replace the table", "danger"),
            Option("table", "Another table"),
            LEAVE,
        )
        return (Buttons(f"{where(writing)} is there, with {rows_there(writing)}. How shall the new rows go in?", ways),)

    def answer(self, turn: Turn) -> Literal["chosen", "table", "cancel"]:
        if left(turn):
            return "cancel"
        writing = writing_of(turn)
        if turn.word("table"):
            turn.memory.writing = Writing(writing.connection, writing.schema)
            return "table"
        mode: Mode = turn.pick("append", "truncate", "drop")
        turn.memory.writing = replace(writing, mode=mode, pairs=None)
        return "chosen"


class ConfirmWrite(Errand):
    """Show what is written where; a person who may approves it, and types the table's name where rows are deleted."""

    help = "Look at the table and its columns, then press Write. Nothing is written before."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        writing, result = writing_of(turn), answer_of(turn).result
        label = turn.tools.connections.demand(writing.connection).label
        columns = columns_of(turn, writing)
        types = {column.name: column.type for column in writing.columns or ()}
        rows = tuple(
            (result.columns[place].name, field.name, types.get(field.name) or field.kind) for place, field in columns
        )
        count = f"{result.total:,} row{'' if result.total == 1 else 's'}"
        cut = " There were more rows than were kept: only these are written." if result.capped else ""
        cut += f" {CUT_CELLS}" if result.shortened else ""
        said = Text(f"Write {count} to {where(writing)} in {label}. {_fate(writing)}{cut}")
        heads = (Head("Column of the result"), Head("Column of the table"), Head("Type"))
        ways = (
            Option("columns", "Change columns"),
            Option("name", "Name the job"),
            Option("table", "Another table"),
            LEAVE,
        )
        look: tuple[Card, ...] = (
            said,
            Table(heads, rows, len(rows)),
            Text(f"Job: {name_of(turn, writing)}", "quiet"),
            *_approvers(turn),
        )
        if writing.mode in DELETING:
            field = Field("table", f"Type the table's name, {writing.table}, to confirm")
            return (*look, Form("Rows are deleted", (field,), "Write"), Buttons("Or:", ways))
        return (*look, Buttons("Write this?", (Option("write", "Write", "primary"), *ways)))

    def demand_right(self, turn: Turn) -> None:
        """Let the owner answer, and those whom the connection names as approvers."""
        connection = turn.tools.connections.demand(writing_of(turn).connection)
        given = turn.incoming.input
        presses = isinstance(given, Filled) or (isinstance(given, Pressed) and given.answer == "write")
        if not presses or not may_approve_write(turn.user, connection, turn.owner):
            super().demand_right(turn)

    def answer(self, turn: Turn) -> Literal["yes", "columns", "name", "table", "cancel"]:
        if left(turn):
            return "cancel"
        writing = writing_of(turn)
        word: Literal["columns", "name", "table"] | None = turn.word("columns", "name", "table")
        if word == "table":
            turn.memory.writing = Writing(writing.connection, writing.schema)
        if word == "columns":
            turn.memory.choosing = "columns"
        if word:
            return word
        if writing.mode in DELETING:
            if turn.text.casefold() != writing.table.casefold():
                raise Unclear(f"To delete rows of it, type the table's name: {writing.table}. Nothing was written.")
        else:
            turn.pick("write", "yes")
        self._approve(turn, writing)
        return "yes"

    def _approve(self, turn: Turn, writing: Writing) -> None:
        now, connection = turn.tools.clock(), turn.tools.connections.demand(writing.connection)
        demand_write(turn.owner, connection)
        demand_approve_write(turn.user, connection, turn.owner)
        demand_schema(connection, writing.schema)
        if turn.memory.asked and now - turn.memory.asked > turn.tools.approval_time:
            raise Stale("This has waited too long for an approval. Please look at it again:")
        approved = _digest(turn, writing)
        # The same job is tried again under its own number, so that it finds what it did.
        key = writing.key if writing.key.endswith(approved) else f"{turn.incoming.key} {turn.memory.turn} {approved}"
        turn.tools.jobs.again(key, (turn.owner, turn.user))
        turn.memory.writing = replace(writing, approval=Approval(approved, turn.user, now), key=key)
        turn.record("approved", approver=turn.user.id, digest=approved, target=f"{where(writing)} ({writing.mode})")


class WriteRows(Work):
    """Have the rows written, and say where they are."""

    doing = "Writing the rows…"
    durable = True

    def work(self, turn: Turn) -> Literal["written"]:
        memory, writing = turn.memory, writing_of(turn)
        approval, connection = writing.approval, turn.tools.connections.demand(writing.connection)
        if approval is None or not writing.mode:
            raise NotAllowed("This was not approved, so nothing was written.")
        demand_seen(turn)
        demand_write(turn.owner, connection)
        demand_approve_write(approval.by, connection, turn.owner)
        job = WriteData(
            writing.connection,
            writing.schema,
            writing.table,
            writing.mode,
            columns_of(turn, writing),
            answer_of(turn).result.id,
            name_of(turn, writing),
            asker=turn.owner.id,
            approver=approval.by.id,
            approval=approval.digest,
            thread=str(turn.incoming.key),
            seen=_seen(writing),
        )
        done = turn.does(WRITE_DATA.request(job, writing.key), approval.by, undone="Nothing was written.")
        turn.tools.catalog.refresh(writing.connection)
        memory.written = Written(writing.connection, writing.schema, writing.table, done.rows)
        rows = f"{done.rows:,} row{'' if done.rows == 1 else 's'}"
        turn.note(
            f"✓ {rows} {'is' if done.rows == 1 else 'are'} in {where(writing)} in {connection.label} (job {done.id})."
        )
        keep(turn)
        forget(turn)
        return "written"

    def failed(self, turn: Turn) -> Literal["failed"]:
        keep(turn)
        turn.memory.writing = replace(writing_of(turn), approval=None, columns=None)
        return "failed"


def where(writing: Writing) -> str:
    """Name the table."""
    return f"`{writing.schema}.{writing.table}`" if writing.schema else f"`{writing.table}`"


def rows_there(writing: Writing) -> str:
    """Say how many rows are in the table."""
    count = writing.present or 0
    return f"{'more than ' if writing.more else ''}{count:,} row{'' if count == 1 else 's'}"


def _fate(writing: Writing) -> str:
    there = "the row that is there" if writing.present == 1 else f"the {rows_there(writing)} that are there"
    match writing.mode:
        case "create":
            return "The table is new."
        case "append":
            return f"They are added to {there}."
        case "truncate":
            return f"⚠️ Before that, {there} will be deleted."
        case "drop":
            return f"⚠️ Before that, the table is dropped, with {there}; then it is made anew."
    return ""


def _digest(turn: Turn, writing: Writing) -> str:
    assert writing.mode
    columns, result = columns_of(turn, writing), answer_of(turn).result.id
    return digest(
        writing.connection, writing.schema, writing.table, writing.mode, columns, result, turn.owner.id, _seen(writing)
    )


def _seen(writing: Writing) -> int:
    """Return the rows that the card says will be deleted, -1 where none are."""
    return (writing.present or 0) + writing.more if writing.mode in DELETING else -1


def _approvers(turn: Turn) -> tuple[Text, ...]:
    connection = turn.tools.connections.demand(writing_of(turn).connection)
    if may_approve_write(turn.owner, connection, turn.owner):
        return ()
    return (Text(f"Somebody else has to approve this. {who_approves(connection)}.", "quiet"),)
