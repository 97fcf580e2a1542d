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
from router.stages.naming import chosen_in
from router.stages.tasks import LEAVE, WAYS_OF_WRITING, DestinationAsk, forget, left, set_writing, writing_of
from router.stages.typed_names import NO_TABLE_NAME, TABLE_NAME_MAX_CHARS, is_name, typed_table
from router.stages.write_patch import NEW_TABLE, change_write, tables_of
from router.turn import MENU, Filled, Said, Turn

OTHER_DATABASE = "That is not one of the databases that you may write to."


class ChooseTarget(DestinationAsk):
    """Ask for what is missing of the place: the database, its schema, then a table that is there or a new one."""

    card = "write_table"
    accepts = frozenset(["name", "database"])
    believes = True
    fields = frozenset(["database", "schema", "table"])
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
        return "chosen" if _missing(writing) is None else None

    def asks_anew(self, turn: Turn, before: Step) -> bool:
        return _missing(before.tasks.writing or Writing()) != _missing(writing_of(turn))

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        match _missing(writing_of(turn)):
            case "database":
                allowed = writable(turn.services.connections, turn.owner)
                prompt, options = "Which database should I write to?", [(each.name, each.label) for each in allowed]
            case "schema":
                prompt = "Which schema should the table be in?"
                options = [(name, name) for name in schemas_of(turn)]
            case _:
                prompt = "Which table should I write to? Choose one, or type the name of a new one."
                options = [(name, name) for name in tables_of(turn)]
        menu = Choice(prompt, tuple(Option(f"{MENU}{name}", label) for name, label in options))
        return (menu if options else Text("What should the new table be called?"), Buttons("", (LEAVE,)))

    def answer(self, turn: Turn) -> Literal["chosen", "cancel", "unclear"]:
        if left(turn):
            return "cancel"
        given, missing = turn.incoming.input, _missing(writing_of(turn))
        if isinstance(given, Filled):
            return self._fill(turn, given.values)
        chosen = self._choose(turn, writing_of(turn))
        if chosen is None and change_write(turn, pairs=False):
            if missing == _missing(writing_of(turn)) == "table":
                turn.note("Type the new table's name, such as: new table orders_2026", "quiet")
            return "chosen"
        if chosen is None and missing == "table" and isinstance(given, Said) and (new := typed_table(turn)):
            chosen = replace(writing_of(turn), table=new)
        if chosen is None:
            return turn.unclear(turn.refusal or "That is not one of them. Choose one, or type its name.")
        set_writing(turn, chosen)
        return "chosen"

    def _choose(self, turn: Turn, writing: Writing) -> Writing | None:
        """Return the write with what was pressed in the menu, or is typed as it is called there."""
        missing, wanted = _missing(writing), ",".join(turn.names)
        if missing == "database":
            found = chosen_in(turn, writable(turn.services.connections, turn.owner), OTHER_DATABASE)
            return None if found == "unclear" else replace(writing, connection=found.name)
        names = schemas_of(turn) if missing == "schema" else tables_of(turn)
        there = sorted((e for e in names if e.casefold() == wanted.casefold()), key=lambda each: each != wanted)
        if not there:
            return None
        return replace(writing, schema=there[0]) if missing == "schema" else replace(writing, table=there[0])

    def _fill(self, turn: Turn, values: Mapping[str, str]) -> Literal["chosen", "unclear"]:
        """Take the fields of the form."""
        writing = writing_of(turn)
        database, schema, table = (values.get(name, "").strip() for name in ("database", "schema", "table"))
        if database and database not in [each.name for each in writable(turn.services.connections, turn.owner)]:
            return turn.unclear(OTHER_DATABASE)
        if table and not is_name(table, TABLE_NAME_MAX_CHARS):
            turn.field_at_hand = "table"
            return turn.unclear(NO_TABLE_NAME)
        place = (database or writing.connection, schema or writing.schema, table or writing.table)
        set_writing(turn, replace(writing, connection=place[0], schema=place[1], table=place[2]))
        return "chosen"


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
        found = turn.services.catalog.existing(writing.connection, writing.schema, writing.table, turn.owner)
        if found is None:
            if writing.mode in ("truncate", "drop"):
                turn.note(NEW_TABLE, "quiet")
            set_writing(turn, replace(writing, columns=(), present=0, mode="create", pairs=None))
            return "read"
        if found.view:
            raise JobFailed(f"{writing.table} is a view: rows cannot be written to it. Nothing was written.")
        columns = tuple(
            TargetColumn(c.field.name, c.field.native or c.field.kind, not c.nullable and not c.filled)
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


def _missing(writing: Writing) -> Literal["database", "schema", "table"] | None:
    """Return the part of the place that is to be asked for next."""
    if not writing.connection:
        return "database"
    return "schema" if not writing.schema else None if writing.table else "table"
