"""The target of a result: database, schema and table, chosen by menus or named in a sentence, never guessed."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Choice, Option, Text
from router.catalog.targets import takes_rows
from router.errors import JobFailed, NotAllowed
from router.machine import Work
from router.memory.thread import TargetColumn
from router.policy import demand_write, writable
from router.stages.naming import chosen_in
from router.stages.tasks import LEAVE, DestinationAsk, forget, left, set_writing, writing_of
from router.stages.typed_names import typed_table
from router.stages.write_changes import change_write, tables_of
from router.turn import MENU, Pressed, Turn


class ChooseTarget(DestinationAsk):
    """Let the person choose among the databases that they may write to."""

    fields = frozenset(["database"])
    help = "Choose the database that the rows are written to, from the menu or by typing its name."

    def settle(self, turn: Turn) -> Literal["chosen", "none"] | None:
        allowed = writable(turn.services.connections, turn.owner)
        if not allowed:
            turn.note("There's no database that you can write to. Your administrator can add you to its writers.")
            set_writing(turn, None)
            return "none"
        if len(allowed) == 1:
            set_writing(turn, replace(writing_of(turn), connection=allowed[0].name))
            return "chosen"
        return None

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        options = tuple(Option(f"{MENU}{c.name}", c.label) for c in writable(turn.services.connections, turn.owner))
        return (Choice("Which database should I write to?", options), Buttons("", (LEAVE,)))

    def answer(self, turn: Turn) -> Literal["chosen", "none", "cancel", "unclear"]:
        if left(turn):
            return "cancel"
        allowed = writable(turn.services.connections, turn.owner)
        found = chosen_in(turn, allowed, "That is not one of the databases that you may write to.")
        if found == "unclear":
            return found
        set_writing(turn, replace(writing_of(turn), connection=found.name))
        return "chosen"


class FetchSchemas(Work):
    """Read which schemas there are to write to."""

    doing = "Looking for schemas…"

    def work(self, turn: Turn) -> Literal["several", "one"]:
        names = schemas_of(turn)
        if not names:
            label = turn.services.connections.demand(writing_of(turn).connection).label
            raise NotAllowed(
                f"{label} has no schema that rows may be written into. Nothing was written. "
                "Your administrator can name one under `write_schemas` in connections.toml."
            )
        if len(names) != 1:
            return "several"
        set_writing(turn, replace(writing_of(turn), schema=names[0]))
        return "one"

    def failed(self, turn: Turn) -> Literal["failed"]:
        forget(turn)
        return "failed"


class ChooseTargetSchema(DestinationAsk):
    """Let the person choose among the schemas of the database."""

    fields = frozenset(["schema"])
    help = "Choose the schema that the table is in, from the menu or by typing its name."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        options = tuple(Option(f"{MENU}{name}", name) for name in schemas_of(turn))
        return (Choice("Which schema should the table be in?", options), Buttons("", (LEAVE,)))

    def answer(self, turn: Turn) -> Literal["chosen", "cancel", "unclear"]:
        if left(turn):
            return "cancel"
        wanted, names = ",".join(turn.names), schemas_of(turn)
        found = [name for name in names if name == wanted] or [n for n in names if n.casefold() == wanted.casefold()]
        if not found:
            return turn.unclear("That is not one of the schemas.")
        set_writing(turn, replace(writing_of(turn), schema=found[0]))
        return "chosen"


class FetchTables(Work):
    """Read which tables there are to write to."""

    doing = "Looking for tables…"

    def work(self, turn: Turn) -> Literal["read"]:
        tables_of(turn)
        return "read"

    def failed(self, turn: Turn) -> Literal["failed"]:
        forget(turn)
        return "failed"


class ChooseTable(DestinationAsk):
    """Let the person choose a table that is there, or name a new one."""

    card = "write_table"
    accepts = frozenset(["name", "database"])
    believes = True
    fields = frozenset(["table"])
    help = "Choose a table from the menu, or type the name of a new one."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        options = tuple(Option(f"{MENU}{name}", name) for name in tables_of(turn))
        prompt = "Which table should I write to? Choose one, or type the name of a new one."
        menu = (Choice(prompt, options),) if options else (Text("What should the new table be called?"),)
        return (*menu, Buttons("", (LEAVE,)))

    def answer(self, turn: Turn) -> Literal["chosen", "cancel", "unclear"]:
        if left(turn):
            return "cancel"
        name, tables = ",".join(turn.names), tables_of(turn)
        there = [table for table in tables if table.casefold() == name.casefold()]
        if there:
            set_writing(turn, replace(writing_of(turn), table=name if name in there else there[0]))
        elif change_write(turn):
            if not writing_of(turn).table:
                turn.note("Type the new table's name, such as: new table orders_2026", "quiet")
        elif not isinstance(turn.incoming.input, Pressed) and (new := typed_table(turn)):
            set_writing(turn, replace(writing_of(turn), table=new))
        else:
            return turn.unclear(turn.refusal or "That is not one of the tables. Choose one, or type a new name.")
        return "chosen"


class FetchColumns(Work):
    """Look at the table: whether it is there, its columns, and what is in it."""

    doing = "Looking at the table…"

    def work(self, turn: Turn) -> Literal["read"]:
        writing = writing_of(turn)
        connection = turn.services.connections.demand(writing.connection)
        demand_write(turn.owner, connection)
        found = turn.services.catalog.existing(writing.connection, writing.schema, writing.table, turn.owner)
        if found is None:
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
        set_writing(
            turn,
            replace(
                writing, table=found.name, columns=columns, present=found.rows, more=found.more, mode=mode, pairs=kept
            ),
        )
        return "read"

    def failed(self, turn: Turn) -> Literal["failed"]:
        set_writing(turn, replace(writing_of(turn), table="", columns=None))
        return "failed"


def schemas_of(turn: Turn) -> tuple[str, ...]:
    """Return the schemas that the result may be written to."""
    name = writing_of(turn).connection
    connection = turn.services.connections.demand(name)
    return tuple(schema for schema in turn.services.catalog.schemas(name) if takes_rows(connection, schema))
