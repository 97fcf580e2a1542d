"""The target of a result: database, schema and table, chosen by menus, by one form, or named in a sentence."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Choice, Field, Form, Option, Text
from router.catalog.targets import takes_rows
from router.errors import JobFailed, NotAllowed
from router.machine import Work
from router.memory.thread import Step, TargetColumn, Writing
from router.policy import demand_write, writable
from router.sql.writing.names import demand_table
from router.sql.writing.order import ResultField
from router.stages.tasks import LEAVE, WAYS_OF_WRITING, DestinationAsk, forget, left, set_writing, writing_of
from router.stages.typed_names import NO_TABLE_NAME, TABLE_NAME_MAX_CHARS, is_name, told_table, typed_table
from router.stages.write_patch import NEW_TABLE, change_write, tables_of
from router.turn import MENU, Filled, Said, Turn

Part = Literal["connection", "schema", "table"]
"""The parts of the place, in the order in which they are asked for."""

PROMPTS: dict[Part, str] = {
    "connection": "Which database should I write to?",
    "schema": "Which schema should the table be in?",
    "table": "Which table should I write to? Choose one, or type the name of a new one.",
}
NO_OPTION = "That is not one of them. Choose one, or type its name."


class ChooseTarget(DestinationAsk):
    """Ask for what is missing of the place: the database, its schema, then a table that is there or a new one."""

    card = "write_table"
    accepts = frozenset(["name", "database"])
    believes = True
    fields = frozenset(["database", "table"])
    help = "Choose the place of the rows from the menu, or type its name. A table that is not there is made."

    def settle(self, turn: Turn) -> Literal["chosen", "none"] | None:
        writing, allowed = writing_of(turn), writable(turn.services.connections, turn.owner)
        if not allowed:
            turn.note("There's no database that you can write to. Your administrator can add you to its writers.")
            set_writing(turn, None)
            return "none"
        if not writing.connection and len(allowed) == 1:
            set_writing(turn, replace(writing, connection=allowed[0].name))
            return "chosen"
        return None if _missing(writing) else "chosen"

    def asks_anew(self, turn: Turn, before: Step) -> bool:
        return _missing(before.tasks.writing or Writing()) != _missing(writing_of(turn))

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        part = _missing(writing_of(turn)) or "table"
        options = tuple(Option(f"{MENU}{name}", label) for name, label in _choices(turn, part).items())
        menu = Choice(PROMPTS[part], options) if options else Text("What should the new table be called?")
        return (menu, Buttons("", (LEAVE,)))

    def answer(self, turn: Turn) -> Literal["chosen", "cancel", "unclear"]:
        if left(turn):
            return "cancel"
        given, part = turn.incoming.input, _missing(writing_of(turn)) or "table"
        if isinstance(given, Filled):
            return self._fill(turn, given.values)
        wanted = ",".join(turn.names)
        names = {way: name for name, label in _choices(turn, part).items() for way in (label, name)}
        near = sorted((way for way in names if way.casefold() == wanted.casefold()), key=lambda way: way != wanted)
        chosen = names[near[0]] if near else told_table(turn.text) if part == "table" else ""
        if not chosen and change_write(turn, pairs=False):
            if part == _missing(writing_of(turn)) == "table":
                turn.note("Type the new table's name, such as: new table orders_2026", "quiet")
            return "chosen"
        if not chosen and part == "table" and isinstance(given, Said):
            chosen = typed_table(turn)
        if not chosen:
            return turn.unclear(turn.refusal or NO_OPTION)
        set_writing(turn, _with_part(writing_of(turn), part, chosen))
        return "chosen"

    def _fill(self, turn: Turn, values: Mapping[str, str]) -> Literal["chosen", "unclear"]:
        """Take the fields of the form."""
        writing, table = writing_of(turn), values.get("table", "").strip()
        database = values.get("database", "")
        if database and database not in _choices(turn, "connection"):
            return turn.unclear(NO_OPTION)
        if table and not is_name(table, TABLE_NAME_MAX_CHARS):
            turn.field_at_hand = "table"
            return turn.unclear(NO_TABLE_NAME)
        set_writing(turn, replace(writing, connection=database or writing.connection, table=table or writing.table))
        return "chosen"


def _choices(turn: Turn, part: Part) -> dict[str, str]:
    """Return the labels of what can be chosen for a part of the place, by name."""
    if part == "connection":
        return {each.name: each.label for each in writable(turn.services.connections, turn.owner)}
    return {name: name for name in (schemas_of(turn) if part == "schema" else tables_of(turn))}


def _with_part(writing: Writing, part: Part, value: str) -> Writing:
    match part:
        case "connection":
            return replace(writing, connection=value)
        case "schema":
            return replace(writing, schema=value)
        case "table":
            return replace(writing, table=value)


def write_form(turn: Turn) -> Form:
    """Return the form that asks where the rows go: a database where there are several, a table, and how."""
    allowed = writable(turn.services.connections, turn.owner)
    databases = tuple(Option(each.name, each.label) for each in allowed)
    menu = (Field("database", "Database", "menu", databases[0].answer, options=databases),) if len(allowed) > 1 else ()
    label = f"Table in {allowed[0].label}" if len(allowed) == 1 else "Table"
    modes = tuple(replace(way, style="plain") for way in WAYS_OF_WRITING)
    fields = (
        *menu,
        Field("table", label, hint="One that is there, or the name of a new one"),
        Field("mode", "If the table is there", "radio", "append", options=modes),
    )
    return Form("Write to a table", fields, "Preview")


class FetchSchemas(Work):
    """Read which schemas and tables there are to write to."""

    doing = "Looking for tables…"

    def work(self, turn: Turn) -> Literal["read"]:
        names = schemas_of(turn)
        if not names:
            label = turn.services.connections.demand(writing_of(turn).connection).label
            raise NotAllowed(
                f"{label} has no schema that rows may be written into. Nothing was written. "
                "Your administrator can name one under `write_schemas` in connections.toml."
            )
        if len(names) == 1:
            set_writing(turn, replace(writing_of(turn), schema=names[0]))
        if writing_of(turn).schema and not writing_of(turn).table:
            tables_of(turn)
        return "read"

    def failed(self, turn: Turn) -> Literal["failed"]:
        forget(turn)
        return "failed"


class FetchColumns(Work):
    """Look at the table: whether it is there, its columns, and what is in it."""

    doing = "Looking at the table…"

    def work(self, turn: Turn) -> Literal["read"]:
        writing = writing_of(turn)
        connection = turn.services.connections.demand(writing.connection)
        demand_write(turn.owner, connection)
        demand_table(writing.table, connection.dialect.name)
        found = turn.services.catalog.existing(writing.connection, writing.schema, writing.table, turn.owner)
        if found is None:
            if writing.mode in ("truncate", "drop"):
                turn.note(NEW_TABLE, "quiet")
            set_writing(turn, replace(writing, columns=(), present=0, mode="create", pairs=None))
            return "read"
        if found.view:
            raise JobFailed(f"{writing.table} is a view: rows cannot be written to it. Nothing was written.")
        columns = tuple(
            TargetColumn(c.field.name, _shown_type(c.field), not c.nullable and not c.filled)
            for c in found.columns
            if not c.generated
        )
        mode = "" if writing.mode == "create" else writing.mode
        kept = writing.pairs if mode and writing.table == found.name else None
        seen = replace(writing, table=found.name, columns=columns, present=found.rows, more=found.more)
        set_writing(turn, replace(seen, mode=mode, pairs=kept))
        return "read"

    def failed(self, turn: Turn) -> Literal["failed"]:
        set_writing(turn, replace(writing_of(turn), table="", columns=None))
        return "failed"


def schemas_of(turn: Turn) -> tuple[str, ...]:
    """Return the schemas that the result may be written to."""
    name = writing_of(turn).connection
    connection = turn.services.connections.demand(name)
    return tuple(schema for schema in turn.services.catalog.schemas(name) if takes_rows(connection, schema))


def _missing(writing: Writing) -> Part | None:
    """Return the part of the place that is to be asked for next."""
    place: dict[Part, str] = {"connection": writing.connection, "schema": writing.schema, "table": writing.table}
    return next((part for part, value in place.items() if not value), None)


def _shown_type(field: ResultField) -> str:
    """Return the type of a column as people read it, without its collation."""
    return field.native.partition(" COLLATE ")[0] or field.kind
