"""The form of a write: the database, the table and its mode; and what is looked up there before it is confirmed."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from router.cards import Card, Field, Form, Option, Text
from router.catalog.targets import takes_rows
from router.errors import BotError, JobFailed, NotAllowed
from router.language.wording import truncate
from router.machine import Work
from router.memory.thread import Mode, TargetColumn, Writing
from router.policy import require_write, writable_connections
from router.sql.writing.names import require_table
from router.stages.task_cards import TaskForm
from router.stages.tasks import WAYS_OF_WRITING, forget, set_writing, writing_of
from router.stages.typed_names import (
    JOB_NAME_MAX_CHARS,
    NO_JOB_NAME,
    NO_TABLE_NAME,
    TABLE_NAME_MAX_CHARS,
    is_name,
    typed_table,
)
from router.stages.write_patch import NEW_TABLE, change_write, tables_of
from router.turn import Turn
from router.understanding.values.sentence import unquoted

NO_NEW_TABLE = "I know no such table. To make a new one, type for example: new table orders_2026"
MODES: tuple[Mode, ...] = ("append", "truncate", "drop")
"""Ways to write to a table that is there; only buttons and their words choose one."""
TABLES_SHOWN_MAX_CHARS = 300
"""Characters of the names of tables that are shown above the form."""


class ChooseTarget(TaskForm):
    """Ask where the rows go: the database, a table, and what becomes of the rows that are in it."""

    card = "write_table"
    accepts = frozenset(["name", "database"])
    takes_any_text = True
    fields = frozenset(["database", "schema", "table", "mode", "name"])
    help = (
        "Fill in where the rows go, or type it, such as `append it to orders_2026`. A table that is not there is made."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        """Return the form, below the tables that are there."""
        names = ", ".join(_tables(turn))
        there = (Text(f"Tables: {truncate(names, TABLES_SHOWN_MAX_CHARS)}", "quiet"),) if names else ()
        return (*there, *super().ask(turn))

    def form(self, turn: Turn) -> Form:
        """Return the form, with what is known of the write."""
        return write_form(turn, writing_of(turn))

    def fill(self, turn: Turn, values: Mapping[str, str]) -> bool:
        """Take the fields of the form; another table is looked at before anything else is asked."""
        writing, table, name = writing_of(turn), unquoted(values["table"]), values["name"]
        if table and not is_name(table, TABLE_NAME_MAX_CHARS):
            turn.field_at_hand = "table"
            turn.unclear(NO_TABLE_NAME)
            return False
        if name and not is_name(name, JOB_NAME_MAX_CHARS):
            turn.field_at_hand = "name"
            turn.unclear(NO_JOB_NAME)
            return False
        database = values.get("database") or writing.connection
        schema = values.get("schema") or (writing.schema if database == writing.connection else "")
        mode = next((each for each in MODES if each == values["mode"]), writing.mode)
        wanted = replace(writing, connection=database, schema=schema, table=table, mode=mode, name=name)
        kept = writing.pairs if replace(wanted, name=writing.name) == writing else None
        set_writing(turn, replace(wanted, columns=None, pairs=kept))
        return True

    def patch(self, turn: Turn, text: str) -> bool:
        """Take what a sentence says of the write, or what stands alone: a way to write, or the name of a table."""
        if change_write(turn, pairs=False):
            return True
        table = next((name for name in _tables(turn) if name.casefold() == text.casefold()), typed_table(text))
        if not table:
            turn.unclear(NO_NEW_TABLE)
            return False
        set_writing(turn, replace(writing_of(turn), table=table, columns=None, pairs=None))
        return True


def write_form(turn: Turn, writing: Writing) -> Form:
    """Return the form that asks where the rows go, with what is known of the write."""
    allowed = writable_connections(turn.services.connections, turn.owner)
    databases = tuple(Option(each.name, each.label) for each in allowed)
    database = writing.connection or (databases[0].answer if databases else "")
    schemas = tuple(Option(name, name) for name in _there(lambda: schemas_of(turn, writing)))
    label = f"Table in {allowed[0].label}" if len(allowed) == 1 else "Table"
    modes = tuple(replace(way, style="plain") for way in WAYS_OF_WRITING)
    mode = writing.mode if writing.mode in MODES else "append"
    fields = (
        *((Field("database", "Database", "menu", database, options=databases),) if len(allowed) > 1 else ()),
        *(
            (Field("schema", "Schema", "menu", writing.schema or schemas[0].answer, options=schemas),)
            if len(schemas) > 1
            else ()
        ),
        Field("table", label, value=writing.table, hint="An existing table, or a new name"),
        Field("mode", "If it already exists", "radio", mode, options=modes),
        Field("name", "Name of the job", value=writing.name, optional=True),
    )
    return Form("Write to a table", fields, "Preview")


def _tables(turn: Turn) -> tuple[str, ...]:
    """Return the tables of the schema."""
    return _there(lambda: tables_of(turn)) if writing_of(turn).schema else ()


def _there(names: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    """Return the names; none if it is not known yet where to look, or nothing can be read there."""
    try:
        return names()
    except BotError:
        return ()


def schemas_of(turn: Turn, writing: Writing) -> tuple[str, ...]:
    """Return the schemas that the result may be written to."""
    connection = turn.services.connections.require(writing.connection)
    return tuple(schema for schema in turn.services.catalog.schemas(connection.name) if takes_rows(connection, schema))


class FetchSchemas(Work):
    """Read which schemas and tables there are to write to."""

    doing = "Looking for tables…"

    def work(self, turn: Turn) -> Literal["read", "ask"]:
        """Take the only schema; several are asked for, and so is a table."""
        writing = writing_of(turn)
        names = schemas_of(turn, writing)
        if not names:
            label = turn.services.connections.require(writing.connection).label
            raise NotAllowed(
                f"{label} has no schema that rows may be written into. Nothing was written. "
                "Your administrator can name one under `write_schemas` in connections.toml."
            )
        writing = replace(writing, schema=names[0] if len(names) == 1 else writing.schema)
        set_writing(turn, writing)
        if writing.schema and not writing.table:
            tables_of(turn)
        return "read" if writing.schema and writing.table else "ask"

    def failed(self, turn: Turn) -> Literal["failed"]:
        forget(turn)
        return "failed"


class FetchColumns(Work):
    """Look at the table: whether it is there, its columns, and what is in it."""

    doing = "Looking at the table…"

    def work(self, turn: Turn) -> Literal["read"]:
        """Note what is there; rows are added to it if nothing else was said."""
        writing = writing_of(turn)
        connection = turn.services.connections.require(writing.connection)
        require_write(turn.owner, connection)
        require_table(writing.table, connection.dialect.name)
        found = turn.services.catalog.existing(writing.connection, writing.schema, writing.table, turn.owner)
        if found is None:
            if writing.mode in ("truncate", "drop"):
                turn.note(NEW_TABLE, "quiet")
            set_writing(turn, replace(writing, columns=(), present=0, more=False, mode="create", pairs=None))
            return "read"
        if found.view:
            raise JobFailed(f"{writing.table} is a view: rows cannot be written to it. Nothing was written.")
        columns = tuple(
            # People read a type without its collation.
            TargetColumn(
                c.field.name,
                c.field.native.partition(" COLLATE ")[0] or c.field.kind,
                not c.nullable and not c.filled,
            )
            for c in found.columns
            if not c.generated
        )
        mode = writing.mode if writing.mode in MODES else "append"
        kept = writing.pairs if mode == writing.mode and writing.table == found.name else None
        seen = replace(writing, table=found.name, columns=columns, present=found.rows, more=found.more)
        set_writing(turn, replace(seen, mode=mode, pairs=kept))
        return "read"

    def failed(self, turn: Turn) -> Literal["failed"]:
        set_writing(turn, replace(writing_of(turn), columns=None))
        return "failed"
