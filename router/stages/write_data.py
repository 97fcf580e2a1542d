"""Writing a result into a table: what becomes of the rows there, and a person's Yes to exactly this."""

from dataclasses import replace
from typing import Literal

from router.cards import Field, Form, Head, Option, Table, Text
from router.catalog.connection import Connection
from router.catalog.targets import require_target
from router.errors import NotAllowed
from router.jobs.approval import job_digest
from router.jobs.payloads import WRITE_DATA
from router.jobs.results.pages import CUT_CELLS
from router.jobs.write_data import WriteData
from router.language.wording import counted
from router.machine import Work
from router.memory.thread import Writing, WrittenTable
from router.policy import may_approve_write, require_approve_write, require_write
from router.sql.writing.column_types import kept_as_texts, texts_sentence
from router.stages.approvals import Approvable, Right, approve_job, note_done, was_done
from router.stages.shown import answer_of, require_seen
from router.stages.task_cards import Preview, TaskConfirm
from router.stages.tasks import finish, is_declined, set_writing, writing_of
from router.stages.write_columns import columns_of
from router.stages.write_patch import change_write
from router.turn import Filled, Said, Turn, remember_notes

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


class ConfirmWrite(TaskConfirm):
    """Show what is written where; if rows are deleted, the person types the table's name."""

    card = "write_confirm"
    accepts = frozenset(["append", "truncate", "drop", "name", "job", "columns"])
    yes = ("write", "yes")
    what_to_change = WHAT_TO_CHANGE
    help = "Check the table and its columns, then press Write. Nothing is written before that."

    @property
    def may(self) -> Right:
        """Return the right that a Yes needs."""
        return may_approve_write

    def connection(self, turn: Turn) -> Connection:
        """Return the connection that is written to."""
        return turn.services.connections.require(writing_of(turn).connection)

    def preview(self, turn: Turn) -> Preview:
        """Return what is written, its columns, and what becomes of the rows that are there."""
        writing, result, connection = writing_of(turn), answer_of(turn).result, self.connection(turn)
        columns, deletes = columns_of(turn, writing), writing.mode in DELETING
        new = writing.mode in ("create", "drop")
        texts = kept_as_texts([field for _, field in columns], connection.dialect.name) if new else ()
        types = {column.name: column.type for column in writing.columns or ()} | dict.fromkeys(texts, "text")
        rows = tuple(
            (result.columns[place].name, field.name, types.get(field.name) or field.kind) for place, field in columns
        )
        about = f"Write {counted(result.total, 'row')} to {where(writing)}"
        said = (
            f"{about} in {connection.label}. {_fate(writing)}",
            "There were more rows than were kept: only these are written." if result.capped else "",
            CUT_CELLS if result.shortened else "",
            texts_sentence(texts, connection.dialect.label) if texts else "",
        )
        heads = (Head("Column of the result"), Head("Column of the table"), Head("Type"))
        name = Field("table", f"Type the table's name, {writing.table}, to confirm")
        cards = (
            Text(" ".join(filter(None, said))),
            Table(heads, rows, len(rows)),
            Text(f"Job: {name_of(turn, writing)}", "quiet"),
            *((Form("Rows are deleted", (name,), "Write"),) if deletes else ()),
        )
        digest = job_digest(_job(turn, writing))
        asks = "" if deletes else WRITTEN_ALREADY if was_done(turn, digest) else "Write this?"
        yes = None if deletes else Option("write", "Write", "primary")
        return Preview(cards, Approvable(digest, about), asks, yes, (Option("columns", "Change columns"),))

    def is_yes(self, turn: Turn) -> bool:
        """Return whether Write was pressed, or the name of the table typed if rows are deleted."""
        writing = writing_of(turn)
        if writing.mode not in DELETING:
            return super().is_yes(turn)
        typed = turn.typed if isinstance(turn.incoming.input, Said) else turn.text
        return typed.strip().casefold() == writing.table.casefold()

    def change(self, turn: Turn) -> bool:
        """Take what is changed of the write; who fills in a wrong name is told so if they may approve it."""
        writing, deletes = writing_of(turn), writing_of(turn).mode in DELETING
        if turn.word("columns"):
            turn.memory.choosing = "columns"
            return True
        if deletes and isinstance(turn.incoming.input, Filled):
            _require_approver(turn, writing)
        if change_write(turn):
            return True
        if deletes and not is_declined(turn):
            turn.unclear(f"To delete rows of it, type the table's name: {writing.table}. Nothing was written.")
        return False

    def approve(self, turn: Turn) -> None:
        """Keep the Yes; raises NotAllowed, or Stale if it comes too late."""
        writing, connection = writing_of(turn), self.connection(turn)
        _require_approver(turn, writing)
        require_target(connection, turn.services.catalog.schemas(connection.name), writing.schema, writing.table)
        target = f"{where(writing)} ({writing.mode})"
        approval, key = approve_job(turn, writing.key, job_digest(_job(turn, writing)), target)
        set_writing(turn, replace(writing, approval=approval, key=key))


def _require_approver(turn: Turn, writing: Writing) -> None:
    connection = turn.services.connections.require(writing.connection)
    require_write(turn.owner, connection)
    require_approve_write(turn.user, connection, turn.owner)


class WriteRows(Work):
    """Have the rows written, and say where they are."""

    doing = "Writing the rows…"
    durable = True

    def work(self, turn: Turn) -> Literal["written"]:
        memory, writing = turn.memory, writing_of(turn)
        approval, connection = writing.approval, turn.services.connections.require(writing.connection)
        if approval is None or not writing.mode:
            raise NotAllowed("This was not approved, so nothing was written.")
        require_seen(turn)
        require_write(turn.owner, connection)
        require_approve_write(approval.by, connection, turn.owner)
        job = replace(_job(turn, writing), approver=approval.by.id, approval=approval.digest)
        done = turn.does(WRITE_DATA.request(job, writing.key), approval.by, undone="Nothing was written.")
        turn.services.catalog.refresh(writing.connection)
        memory.written = WrittenTable(writing.connection, writing.schema, writing.table, done.rows)
        turn.note(_written(turn, writing, done.rows))
        remember_notes(turn)
        note_done(turn, approval.digest)
        finish(turn)
        return "written"

    def failed(self, turn: Turn) -> Literal["failed"]:
        remember_notes(turn)
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
    connection = turn.services.connections.require(writing.connection)
    table, rows = f"{where(writing)} in {connection.label}", counted(written, "row")
    done = {
        "create": f"Created {table} with {rows}.",
        "append": f"Added {rows} to {table}.",
        "truncate": f"Emptied {table} and added {rows}.",
        "drop": f"Replaced {table}; it now has {rows}.",
    }
    return f"✓ {done[writing.mode]}"


def _fate(writing: Writing) -> str:
    """Say what becomes of the rows that are in the table."""
    there = "the row that is there" if writing.present == 1 else f"the {rows_there(writing)} that are there"
    fates = {
        "create": "The table is new.",
        "append": f"They are added to {there}.",
        "truncate": f"⚠️ First, {there} will be deleted.",
        "drop": f"⚠️ The table and {there} are deleted first, then it is created again.",
    }
    return fates[writing.mode]


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
