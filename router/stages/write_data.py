"""Writing a result into a table: what becomes of the rows there, and a person's Yes to exactly this."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Field, Form, Head, Option, Table, Text
from router.catalog.connection import Connection
from router.catalog.targets import demand_target
from router.errors import NotAllowed
from router.jobs.payloads import WRITE_DATA
from router.jobs.results.pages import CUT_CELLS
from router.jobs.write_data import WriteData
from router.language.wording import counted
from router.machine import Work
from router.memory.thread import Mode, Step, Writing, WrittenTable
from router.policy import demand_approve_write, demand_write, may_approve_write
from router.sql.writing.column_types import kept_as_texts, texts_sentence
from router.stages.approvals import (
    Approvable,
    approval_of,
    awaited,
    demand_in_time,
    demand_owner_or_approver,
    key_of_job,
    note_done,
    only_approvers,
    was_done,
)
from router.stages.shown import answer_of, demand_seen
from router.stages.tasks import LEAVE, WAYS_OF_WRITING, DestinationAsk, finish, left, refused, set_writing, writing_of
from router.stages.typed_names import NO_JOB_NAME, typed_job
from router.stages.write_columns import columns_of
from router.stages.write_patch import change_write
from router.turn import Filled, Said, Turn, keep
from router.understanding.choices import place_named

WHAT_TO_CHANGE = (
    "Nothing was written. What should I change? Type it, such as `append instead`, `table orders_2026` or `amount = "
    "total`, or press a button."
)

WRITTEN_ALREADY = "Exactly these rows were written there already. Write them again?"

DELETING = ("truncate", "drop")
"""Modes that take rows away: the person types the table's name."""


def name_of(turn: Turn, writing: Writing) -> str:
    """Return the name that was given, or else the table's with the day."""
    return writing.name or f"{writing.table} {turn.services.clock():%Y-%m-%d}"


MODES: tuple[Mode, ...] = ("append", "truncate", "drop")


MODE_SPARE_WORDS = 2
"""Words that an answer may have besides a mode: rows that would be deleted are confirmed by the table's name."""


class ChooseMode(DestinationAsk):
    """Ask what becomes of the rows that are in the table."""

    card = "write_mode"
    accepts = frozenset(["append", "truncate", "drop", "name"])
    fields = frozenset(["mode"])
    help = "`append` keeps the rows that are there, `truncate` deletes them first, `drop` makes the table anew."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        writing = writing_of(turn)
        ways = (
            *WAYS_OF_WRITING,
            Option("table", "Another table", overflow=True),
            LEAVE,
        )
        return (
            Buttons(f"{where(writing)} is there, with {rows_there(writing)}. How should the new rows go in?", ways),
        )

    def answer(self, turn: Turn) -> Literal["chosen", "table", "cancel", "unclear"]:
        if left(turn):
            return "cancel"
        writing = writing_of(turn)
        if turn.word("table"):
            set_writing(turn, Writing(writing.connection, writing.schema))
            return "table"
        mode: Mode | None = turn.word("append", "truncate", "drop")
        given = turn.incoming.input
        if isinstance(given, Filled):
            mode = next((each for each in MODES if each == given.values.get("mode")), None)
        if mode is None and isinstance(given, Said):
            place = place_named(given.text, len(MODES))
            mode = None if place is None else MODES[place]
        if mode is None:
            return "table" if change_write(turn, spare=MODE_SPARE_WORDS) else turn.unclear()
        set_writing(turn, replace(writing, mode=mode, pairs=None))
        return "chosen"


class ConfirmWrite(DestinationAsk):
    """Show what is written where; a person who may approves it, and types the table's name where rows are deleted."""

    card = "write_confirm"
    accepts = frozenset(["append", "truncate", "drop", "name", "job", "columns"])
    approves = True
    help = "Check the table and its columns, then press Write. Nothing is written before that."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        writing, result = writing_of(turn), answer_of(turn).result
        if turn.memory.choosing == "job":
            field = Field("name", "Name", value=name_of(turn, writing))
            return (Form("What should the job be called?", (field,)), Buttons("", (LEAVE,)))
        connection = turn.services.connections.demand(writing.connection)
        label = connection.label
        columns = columns_of(turn, writing)
        new = writing.mode in ("create", "drop")
        texts = kept_as_texts([field for _, field in columns], connection.dialect.name) if new else ()
        types = {column.name: column.type for column in writing.columns or ()} | dict.fromkeys(texts, "text")
        rows = tuple(
            (result.columns[place].name, field.name, types.get(field.name) or field.kind) for place, field in columns
        )
        count = counted(result.total, "row")
        cut = " There were more rows than were kept: only these are written." if result.capped else ""
        cut += f" {CUT_CELLS}" if result.shortened else ""
        cut += f" {texts_sentence(texts, connection.dialect.label)}" if texts else ""
        about = f"Write {count} to {where(writing)}"
        said = Text(f"{about} in {label}. {_fate(writing)}{cut}")
        heads = (Head("Column of the result"), Head("Column of the table"), Head("Type"))
        write = Option("write", "Write", "primary")
        ways = (
            Option("columns", "Change columns"),
            Option("table", "Another table", overflow=True),
            Option("name", "Name the job", overflow=True),
            LEAVE,
        )
        look: tuple[Card, ...] = (
            said,
            Table(heads, rows, len(rows)),
            Text(f"Job: {name_of(turn, writing)}", "quiet"),
            *awaited(turn, connection, lambda: Approvable(_job(turn, writing).digest, about), may_approve_write),
        )
        if writing.mode in DELETING:
            field = Field("table", f"Type the table's name, {writing.table}, to confirm")
            return (*look, Form("Rows are deleted", (field,), "Write"), Buttons("", ways))
        asks = WRITTEN_ALREADY if was_done(turn, _job(turn, writing).digest) else "Write this?"
        return (*look, Buttons(asks, (only_approvers(turn, write, connection, may=may_approve_write), *ways)))

    def asks_anew(self, turn: Turn, before: Step) -> bool:
        return turn.memory.choosing == "job"

    def demand_right(self, turn: Turn) -> None:
        """Let the owner answer, and those whom the connection names as approvers."""
        connection = turn.services.connections.demand(writing_of(turn).connection)
        filled = isinstance(turn.incoming.input, Filled) and turn.memory.choosing != "job"
        presses = filled or turn.pressed("write")
        demand_owner_or_approver(turn, presses, connection, may=may_approve_write)

    def answer(self, turn: Turn) -> Literal["yes", "columns", "name", "table", "cancel", "unclear"]:
        if left(turn):
            turn.memory.choosing = ""
            return "cancel"
        if turn.memory.choosing == "job":
            return self._name(turn)
        writing = writing_of(turn)
        word: Literal["columns", "name", "table"] | None = turn.word("columns", "name", "table")
        match word:
            case "table":
                set_writing(turn, Writing(writing.connection, writing.schema))
            case "columns" | "name":
                turn.memory.choosing = "columns" if word == "columns" else "job"
        return word or self._decide(turn, writing)

    def _decide(self, turn: Turn, writing: Writing) -> Literal["yes", "table", "unclear"]:
        """Take a Yes, or what a sentence changes."""
        deletes = writing.mode in DELETING
        typed = turn.typed if isinstance(turn.incoming.input, Said) else turn.text
        if typed.strip().casefold() == writing.table.casefold() if deletes else turn.word("write", "yes"):
            self._approve(turn, writing)
            return "yes"
        if deletes and isinstance(turn.incoming.input, Filled):  # before anything is said of what was filled in
            self._demand_approver(turn, writing)
        if change_write(turn):
            return "table"
        if refused(turn):
            return turn.unclear(WHAT_TO_CHANGE)
        if deletes:
            said = f"To delete rows of it, type the table's name: {writing.table}. Nothing was written."
            return turn.unclear(said)
        return turn.unclear()

    def _name(self, turn: Turn) -> Literal["table", "unclear"]:
        """Take another name for the job; a sentence that changes something else is taken as well."""
        name = typed_job(turn)
        if name:
            set_writing(turn, replace(writing_of(turn), name=name))
        elif not change_write(turn, pairs=False):
            return turn.unclear(turn.refusal or NO_JOB_NAME)
        turn.memory.choosing = ""
        return "table"

    def _demand_approver(self, turn: Turn, writing: Writing) -> Connection:
        connection = turn.services.connections.demand(writing.connection)
        demand_write(turn.owner, connection)
        demand_approve_write(turn.user, connection, turn.owner)
        return connection

    def _approve(self, turn: Turn, writing: Writing) -> None:
        connection = self._demand_approver(turn, writing)
        demand_target(connection, turn.services.catalog.schemas(connection.name), writing.schema, writing.table)
        demand_in_time(turn)
        approved = _job(turn, writing).digest
        key = key_of_job(turn, writing.key, approved, turn.user)
        set_writing(turn, replace(writing, approval=approval_of(turn, approved), key=key))
        turn.record("approved", approver=turn.user.id, digest=approved, target=f"{where(writing)} ({writing.mode})")


class WriteRows(Work):
    """Have the rows written, and say where they are."""

    doing = "Writing the rows…"
    durable = True

    def work(self, turn: Turn) -> Literal["written"]:
        memory, writing = turn.memory, writing_of(turn)
        approval, connection = writing.approval, turn.services.connections.demand(writing.connection)
        if approval is None or not writing.mode:
            raise NotAllowed("This was not approved, so nothing was written.")
        demand_seen(turn)
        demand_write(turn.owner, connection)
        demand_approve_write(approval.by, connection, turn.owner)
        job = replace(_job(turn, writing), approver=approval.by.id, approval=approval.digest)
        done = turn.does(WRITE_DATA.request(job, writing.key), approval.by, undone="Nothing was written.")
        turn.services.catalog.refresh(writing.connection)
        memory.written = WrittenTable(writing.connection, writing.schema, writing.table, done.rows)
        turn.note(_written(turn, writing, done.rows))
        keep(turn)
        note_done(turn, approval.digest)
        finish(turn)
        return "written"

    def failed(self, turn: Turn) -> Literal["failed"]:
        keep(turn)
        set_writing(turn, replace(writing_of(turn), approval=None, columns=None))
        return "failed"


def where(writing: Writing) -> str:
    """Name the table."""
    return f"`{writing.schema}.{writing.table}`" if writing.schema else f"`{writing.table}`"


def rows_there(writing: Writing) -> str:
    """Say how many rows are in the table."""
    count = writing.present or 0
    return f"{'more than ' if writing.more else ''}{counted(count, 'row')}"


def _written(turn: Turn, writing: Writing, written: int) -> str:
    """Say what was written, and how many rows the table has by now."""
    connection = turn.services.connections.demand(writing.connection)
    table, rows = f"{where(writing)} in {connection.label}", counted(written, "row")
    match writing.mode:
        case "create":
            return f"✓ Created {table} with {rows}."
        case "append":
            return f"✓ Added {rows} to {table}."
        case "truncate":
            return f"✓ Emptied {table} and added {rows}."
        case _:
            return f"✓ Replaced {table}; it now has {rows}."


def _fate(writing: Writing) -> str:
    there = "the row that is there" if writing.present == 1 else f"the {rows_there(writing)} that are there"
    match writing.mode:
        case "create":
            return "The table is new."
        case "append":
            return f"They are added to {there}."
        case "truncate":
            return f"⚠️ First, {there} will be deleted."
        case "drop":
            return f"⚠️ The table and {there} are deleted first, then it is created again."
    return ""


def _job(turn: Turn, writing: Writing) -> WriteData:
    """Return the job as it is approved."""
    assert writing.mode
    return WriteData(
        writing.connection,
        writing.schema,
        writing.table,
        writing.mode,
        columns_of(turn, writing),
        answer_of(turn).result.id,
        name_of(turn, writing),
        asker=turn.owner.id,
        approver="",
        approval="",
        thread=str(turn.incoming.key),
        # The rows that the card says will be deleted.
        seen=(writing.present or 0) + writing.more if writing.mode in DELETING else -1,
    )
