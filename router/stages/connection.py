"""Which database, schema and tables: chosen by menus, never by a model, and only where there is a choice."""

from typing import Literal

from router.agents.sql import fits, prefix, suggest_tables
from router.cards import Buttons, Card, Choice, Option, Text
from router.catalog.schema import Schema
from router.errors import Unclear
from router.machine import Ask, Work
from router.memory import Draft
from router.policy import demand_read, readable
from router.turn import Pressed, Turn

MOST_TABLES = 100
LIKELY_TABLES = 8


class ChooseConnection(Ask):
    """Let the person choose among the databases they may read."""

    help = "Choose the database that the question is about, from the menu or by typing its name."

    def settle(self, turn: Turn) -> Literal["chosen"] | None:
        memory, connections = turn.memory, turn.tools.connections
        if memory.choosing == "database":
            return None
        allowed = readable(connections, turn.user)
        names = [c.name for c in allowed]
        if memory.connection not in names:
            standard = connections.default.name if connections.default else ""
            memory.connection = standard if standard in names else names[0] if len(names) == 1 else ""
        return "chosen" if memory.connection else None

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        allowed = readable(turn.tools.connections, turn.user)
        if not allowed:
            return (
                Text(
                    "There is no database here that you may read. Your administrator can add you to its readers.",
                    "problem",
                ),
            )
        options = tuple(Option(c.name, c.label) for c in allowed)
        return (
            Choice(
                "Which database is it about?",
                options,
                chosen=(turn.memory.connection,) if turn.memory.connection else (),
            ),
        )

    def answer(self, turn: Turn) -> Literal["chosen"]:
        typed = turn.text.casefold()
        allowed = readable(turn.tools.connections, turn.user)
        found = [c for c in allowed if typed in (c.name.casefold(), c.label.casefold())]
        if not found:
            raise Unclear("That is not one of the databases.")
        memory = turn.memory
        memory.connection, memory.schema, memory.tables, memory.choosing = found[0].name, "", (), ""
        return "chosen"


class ReadSchema(Work):
    """Read which schemas and tables there are."""

    doing = "Reading the schema…"

    def work(self, turn: Turn) -> Literal["read", "several"]:
        memory, catalog = turn.memory, turn.tools.catalog
        demand_read(turn.user, turn.connection)
        schemas = catalog.schemas(memory.connection)
        if memory.schema not in schemas:
            memory.schema, memory.tables = (schemas[0] if len(schemas) == 1 else ""), ()
        if not memory.schema:
            return "several"
        schema = catalog.schema(memory.connection, memory.schema)
        if memory.draft.method != "provide":
            turn.tools.sql_model().warm(*prefix(schema.only(memory.tables)))
        return "read"

    def failed(self, turn: Turn) -> Literal["failed"]:
        turn.memory.choosing = "database"
        return "failed"


class ChooseSchema(Ask):
    """Let the person choose among the allowed schemas."""

    help = "Choose the schema that the tables are in, from the menu or by typing its name."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        names = turn.tools.catalog.schemas(turn.memory.connection)
        return (Choice("Which schema is it about?", tuple(Option(name, name) for name in names)),)

    def answer(self, turn: Turn) -> Literal["chosen"]:
        names = turn.tools.catalog.schemas(turn.memory.connection)
        found = [name for name in names if name.casefold() == turn.text.casefold()]
        if not found:
            raise Unclear("That is not one of the schemas.")
        turn.memory.schema, turn.memory.tables = found[0], ()
        return "chosen"


Ready = Literal["question", "sql", "nothing"]


class ChooseTables(Ask):
    """Let the person narrow the tables down, where they asked for it or the schema is too wide for a model."""

    help = "Choose the tables that the question is about; several names can be typed with commas."

    def settle(self, turn: Turn) -> Ready | None:
        memory = turn.memory
        if memory.choosing == "tables":
            return None
        wide = memory.draft.method == "generate" and not memory.tables and not fits(_tables(turn))
        return None if wide else _ready(memory.draft)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        schema, question = _tables(turn), turn.memory.draft.question
        likely = suggest_tables(question, schema, MOST_TABLES)
        prompt = (
            f"There are {len(schema.tables):,} tables. Which ones is the question about? The likely ones come first."
        )
        others = (Option("likely", "The likely ones"), *((Option("all", "All tables"),) if fits(schema) else ()))
        return (
            Choice(prompt, tuple(Option(name, name) for name in likely), many=True, chosen=turn.memory.tables),
            Buttons("Or:", others),
        )

    def answer(self, turn: Turn) -> Ready:
        memory, schema = turn.memory, _tables(turn)
        memory.tables = self._picked(turn, schema)
        memory.choosing = ""
        return _ready(memory.draft)

    def _picked(self, turn: Turn, schema: Schema) -> tuple[str, ...]:
        match turn.word("likely", "all"):
            case "likely":
                return suggest_tables(turn.memory.draft.question, schema, LIKELY_TABLES)
            case "all":
                return ()
        given = turn.incoming.input
        typed = (given.answer, *given.more) if isinstance(given, Pressed) else tuple(turn.text.split(","))
        found = [schema.table(name.strip()) for name in typed]
        if None in found:
            raise Unclear("Not every name is one of the tables.")
        return tuple(dict.fromkeys(table.name for table in found if table))


def _tables(turn: Turn) -> Schema:
    return turn.tools.catalog.schema(turn.memory.connection, turn.memory.schema)


def _ready(draft: Draft) -> Ready:
    if draft.method == "provide" and draft.sql:
        return "sql"
    return "question" if draft.question else "nothing"
