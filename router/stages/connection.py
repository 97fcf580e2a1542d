"""Database, schema and tables of a query: chosen by menus, never by a model, and only if there is a choice."""

from abc import abstractmethod
from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Choice, Option, Text
from router.catalog.schema import ALL_SCHEMAS, Schema, are_together
from router.errors import JobFailed
from router.language.wording import and_list
from router.machine import Ask, Work
from router.memory.draft import Draft, Place
from router.policy import no_database, readable_connections, require_read
from router.sql.explain.tables import bare_tables
from router.sql.pasted_text import put_right
from router.stages.start import take_sql
from router.text_to_sql.schema_linking import fits, names_tables, suggest_tables, tables_fit
from router.turn import MENU, Said, Turn
from router.understanding.choices import named_by

LIKELY_TABLES = 8
EVERY_SCHEMA = "All of them together"
SQL_KEPT = "Your SQL is kept."


class PlaceMenu(Ask):
    """Ask for a database or a schema by a menu; its name, a part of it, or its number can be typed."""

    prompt: str
    none: str
    """The sentence on a text that is none of them."""
    part: int
    """The place of what is chosen in `Place.at`."""

    @abstractmethod
    def labels(self, turn: Turn) -> dict[str, str]:
        """Return the labels of what can be chosen, by name."""

    @abstractmethod
    def choose(self, turn: Turn, name: str) -> None:
        """Have the question be about this one."""

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        options = tuple(Option(f"{MENU}{name}", label) for name, label in self.labels(turn).items())
        return (*_kept(turn), Choice(self.prompt, options, chosen=_chosen(turn.memory.place.at[self.part])))

    def answer(self, turn: Turn) -> Literal["chosen", "sql", "unclear"]:
        if typed := _sql(turn):
            return typed
        names = list(self.labels(turn).items())
        found = [name for name, _ in names if turn.names == (name,)]
        if not found and isinstance(turn.incoming.input, Said):
            found = [names[place][0] for place in named_by(turn.text, names)]
        if len(found) > 1:
            several = and_list(label for name, label in names if name in found)
            return turn.unclear(f"“{turn.text[:80]}” fits {several}. Type more of the name.")
        if not found:
            return turn.unclear(self.none)
        self.choose(turn, found[0])
        return "chosen"


class ChooseConnection(PlaceMenu):
    """Let the person choose among the databases they may read."""

    help = "Choose the database that the question is about, from the menu or by typing its name."
    none = "That is not one of the databases."
    part = 0

    def __init__(self, prompt: str = "Which database is it about?") -> None:
        self.prompt = prompt

    def decide_unasked(self, turn: Turn) -> Literal["chosen"] | None:
        memory, connections = turn.memory, turn.services.connections
        if memory.choosing == "database":
            return None
        names = self.labels(turn)
        if memory.place.connection not in names:
            standard = connections.default.name if connections.default else ""
            memory.place = Place(standard if standard in names else next(iter(names)) if len(names) == 1 else "")
        return "chosen" if memory.place.connection else None

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return super().ask(turn) if self.labels(turn) else (Text(no_database(turn.owner), "problem"),)

    def labels(self, turn: Turn) -> dict[str, str]:
        """Return the databases that the person may read."""
        return {each.name: each.label for each in readable_connections(turn.services.connections, turn.owner)}

    def choose(self, turn: Turn, name: str) -> None:
        """Have the question be asked of this database."""
        turn.memory.place, turn.memory.choosing = Place(name), ""


class ReadSchema(Work):
    """Read which schemas and tables there are."""

    drafts_sql = True
    doing = "Reading the schema…"
    step = 1

    def work(self, turn: Turn) -> Literal["read", "several"]:
        memory, catalog = turn.memory, turn.services.catalog
        name = memory.place.connection
        require_read(turn.owner, turn.connection)
        schemas = turn.reads(lambda: catalog.schemas(name))
        if memory.place.schema not in (*schemas, *((ALL_SCHEMAS,) if are_together(schemas) else ())):
            memory.place = Place(name, schemas[0] if len(schemas) == 1 else "")
        if memory.draft.method == "provide" and are_together(schemas):
            memory.place = Place(name, self._of_sql(turn) or memory.place.schema)
        if not memory.place.schema:
            return "several"
        schema = turn.reads(lambda: catalog.schema(name, memory.place.schema))
        if not schema.tables and memory.draft.method != "provide":
            raise JobFailed(
                f"{turn.connection.label} has no tables that may be read here, so nothing can be asked of it. Choose "
                "another database; or have tables made or allowed in connections.toml, and type refresh."
            )
        shown = schema.only(memory.place.tables)
        if memory.draft.method != "provide" and fits(shown):
            turn.services.warm(shown)
        return "read"

    def _of_sql(self, turn: Turn) -> str:
        """Return the schema that SQL is for by the names in it; empty if it may be for several."""
        place, dialect = turn.memory.place, turn.connection.dialect.name
        bare = bare_tables(put_right(turn.memory.draft.sql, dialect).sql, dialect)
        if not bare:
            return ALL_SCHEMAS
        tables = turn.reads(lambda: turn.services.catalog.schema(place.connection, ALL_SCHEMAS)).tables
        homes = [{each.schema for each in tables if each.name.lower() == name} for name in bare]
        common = set.intersection(*homes)
        return common.pop() if len(common) == 1 else "" if common else place.schema or ALL_SCHEMAS

    def failed(self, turn: Turn) -> Literal["failed"]:
        if turn.stopped():
            turn.note("What you asked is kept: choose the database, and I go on with it.")
        turn.memory.choosing = "database"
        return "failed"


class ChooseSchema(PlaceMenu):
    """Let the person choose among the allowed schemas."""

    help = "Choose the schema that the tables are in, from the menu or by typing its name."
    prompt = "Which schema is it about?"
    none = "That is not one of the schemas."
    part = 1

    def answer(  # type: ignore[override]
        self, turn: Turn
    ) -> Literal["chosen", "sql", "database", "unclear"]:
        if turn.word("database"):
            turn.memory.choosing = "database"
            return "database"
        return super().answer(turn)

    def labels(self, turn: Turn) -> dict[str, str]:
        """Return the schemas; for a question, all of them together is one, too."""
        names = turn.services.catalog.schemas(turn.memory.place.connection)
        together = are_together(names) and turn.memory.draft.method != "provide"
        return {name: name for name in names} | ({ALL_SCHEMAS: EVERY_SCHEMA} if together else {})

    def choose(self, turn: Turn, name: str) -> None:
        """Have the question be about the tables of this schema."""
        turn.memory.place = Place(turn.memory.place.connection, name)


Ready = Literal["question", "sql", "nothing"]


class ChooseTables(Ask):
    """Let the person narrow the tables down, if they asked for it.

    It asks by itself if a model cannot be shown all tables and the question tells nothing of those it is about.
    """

    help = "Choose the tables that the question is about; several names can be typed with commas."

    def decide_unasked(self, turn: Turn) -> Ready | None:
        memory = turn.memory
        if memory.choosing == "tables":
            return None
        return None if self._is_needed(turn) else _ready(memory.draft)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        schema, question = turn.schema(), turn.memory.draft.question
        likely = suggest_tables(question, schema, len(schema.tables))
        prompt = (
            f"There are {len(schema.tables):,} tables. Which ones is the question about? The likely ones come first."
        )
        others = (Option("likely", "The likely ones"), *((Option("all", "All tables"),) if tables_fit(schema) else ()))
        return (
            Choice(
                prompt,
                tuple(Option(f"{MENU}{name}", name) for name in likely),
                many=True,
                chosen=_chosen(*turn.memory.place.tables),
            ),
            Buttons("", others),
        )

    def answer(self, turn: Turn) -> Ready | Literal["unclear"]:
        if _sql(turn):
            return "sql"
        memory = turn.memory
        tables = self._picked(turn, turn.schema())
        if tables is None:
            return turn.unclear("Not every name is one of the tables.")
        memory.place, memory.choosing = replace(memory.place, tables=tables), ""
        return _ready(memory.draft)

    def _is_needed(self, turn: Turn) -> bool:
        draft, schema = turn.memory.draft, turn.schema()
        if draft.method != "generate" or turn.memory.place.tables or tables_fit(schema):
            return False
        return not names_tables(draft.question, schema)

    def _picked(self, turn: Turn, schema: Schema) -> tuple[str, ...] | None:
        """Return the tables that were named, () for all; None if a name is none of them."""
        match turn.word("likely", "all"):
            case "likely":
                return suggest_tables(turn.memory.draft.question, schema, LIKELY_TABLES)
            case "all":
                return ()
        found = [schema.table(name) for name in turn.names]
        if not found or None in found:
            return None
        return tuple(dict.fromkeys(table.name for table in found if table))


def _sql(turn: Turn) -> Literal["sql"] | None:
    """Take SQL that is typed in place of a name; None for all else."""
    sql = turn.typed_sql()
    return take_sql(turn, sql) if sql else None


def _kept(turn: Turn) -> tuple[Card, ...]:
    """Return what is said of SQL that was typed at a menu, which is asked once more."""
    return (Text(SQL_KEPT, "quiet"),) if "CHOOSE" in turn.before.stage and turn.typed_sql() else ()


def _chosen(*names: str) -> tuple[str, ...]:
    return tuple(f"{MENU}{name}" for name in names if name)


def _ready(draft: Draft) -> Ready:
    if draft.method == "provide" and draft.sql:
        return "sql"
    return "question" if draft.question else "nothing"
