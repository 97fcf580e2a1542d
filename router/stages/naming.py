"""The database that a sentence names: it changes where the question goes, or has the last one asked again there."""

from typing import Literal

from router.language.phrases import begins_with
from router.memory.draft import Draft, Place
from router.memory.thread import Memory
from router.memory.understanding import Understanding
from router.policy import may_read, readable_connections
from router.stages.side_questions import side_category
from router.turn import Said, Turn
from router.understanding.categories import SQL_CATEGORIES, Category
from router.understanding.named_database import (
    IsData,
    NamedDatabase,
    named_database,
)


def naming(turn: Turn, text: str) -> NamedDatabase | Literal["question", "sql", "unclear"] | None:
    """Return the database that a sentence names with its question; None if it names none.

    A sentence that only names a database changes it: the word is then the kind of message that is taken next.
    """
    if not isinstance(turn.incoming.input, Said) or turn.typed_at in ("provide_email", "email_sql"):
        return None
    comparing = turn.memory.tasks.comparing is not None
    found = database_of(turn, text, is_data(turn))
    if found is None:
        return None
    if found.unknown:
        return _not_readable(turn, found)
    side = side_category(turn)
    describes = side == Category.DESCRIBE_DATA
    if describes and _asks(turn, found.question):
        return found  # without "in the Shop database", it is plain that the rows are asked for
    if (describes and found.connection and not _asks_elsewhere(turn)) or (side and found.question):
        return None  # "which tables are in HR?" is answered as it is
    if found.question:
        return found
    return None if comparing else _changed(turn, found.connection)


def unknown_database(typed: str) -> str:
    """Return what is said of a database that is not there, and of one that the person may not read, word for word."""
    return f"I know no database “{typed[:80]}” that you may read."


def _not_readable(turn: Turn, found: NamedDatabase) -> NamedDatabase | Literal["unclear"]:
    """Say that the person may not read what they name, and let them choose where the question goes instead."""
    allowed = readable_connections(turn.services.connections, turn.owner)
    said = unknown_database(found.unknown)
    if not found.question or not allowed or turn.memory.tasks.comparing is not None:
        return turn.unclear(f"{said} There are: {', '.join(each.label for each in allowed)}." if allowed else said)
    turn.note(f"{said} Nothing was asked yet: choose where I ask your question instead.")
    turn.memory.choosing = "database"
    return NamedDatabase(question=found.question)


def database_of(turn: Turn, text: str, is_data: IsData) -> NamedDatabase | None:
    """Return the database that a text names, be it one that the person may not read; None if it names none."""
    names, others = called(turn), turn.services.connections.values()
    hidden = (name for each in others if not may_read(turn.owner, each) for name in (each.name, each.label))
    known = {name.casefold() for name in names}
    names |= {name: "" for name in hidden if name.casefold() not in known}
    return named_database(text, names, is_data) if len({*names.values()}) > 1 else None


def _asks(turn: Turn, question: str) -> bool:
    """Return whether a text surely asks for rows, by the words without those that name the database."""
    found = turn.services.intents.decide(question, frozenset(), frozenset()) if question else None
    return found is not None and found.category in SQL_CATEGORIES


def _asks_elsewhere(turn: Turn) -> bool:
    """Return whether the text is like "and in the HR database?", and there is a question to be asked again."""
    return turn.typed_at in ("rows", "sql") and begins_with("talk.and_there", turn.text)


def called(turn: Turn) -> dict[str, str]:
    """Return the names of the connections that the person may read, by what people call them."""
    allowed = readable_connections(turn.services.connections, turn.owner)
    return {name: each.name for each in allowed for name in (each.name, each.label)}


def go_to(turn: Turn, connection: str) -> None:
    """Have the next question asked of a connection; the schema and the tables of another one are forgotten."""
    memory = turn.memory
    memory.choosing = ""
    if memory.place.connection != connection:
        memory.place = Place(connection)


def place_after(memory: Memory) -> Place:
    """Return the place of the next question: after a comparison, the one that the talk was about before it."""
    shown = memory.answer.comparison if memory.answer else None
    comparing = memory.tasks.comparing or shown
    return comparing.before if comparing else memory.place


def leave_comparison(turn: Turn) -> None:
    """Have the question below a comparison go where the talk was before it, or to the default; else it stays."""
    before = place_after(turn.memory)
    if before.connection or turn.services.connections.default:
        turn.memory.place = before


def _changed(turn: Turn, connection: str) -> Literal["question", "sql"]:
    """Change the database, and have the question at hand asked again there; else say which one is next."""
    memory, shown = turn.memory, turn.memory.answer
    draft = memory.understanding.before if memory.understanding.user_message else memory.draft
    if shown and not shown.compared and (turn.typed_at == "rows" or not draft.subject):
        draft = shown.draft
    label = turn.services.connections.require(connection).label
    go_to(turn, connection)
    turn.asks = True
    memory.understanding = Understanding()
    if draft.method == "provide" and draft.sql:
        turn.note(f"The same SQL, now for {label}:", "quiet")
        memory.draft = Draft(method="provide", sql=draft.sql)
        return "sql"
    turn.note(f"I ask {label}: {draft.question}" if draft.question else f"The next question goes to {label}.", "quiet")
    memory.draft = draft.asked_again() if draft.question else Draft()
    return "question"


def is_data(turn: Turn) -> IsData:
    """Return what tells a table, or a value, of the database that the talk is about, as far as that is known."""

    def known(word: str) -> bool:
        place, connections = turn.memory.place, turn.services.connections
        here = place.connection or (connections.default.name if connections.default else "")
        if any(each.connection == here and each.table(word) for each in turn.services.catalog.known()):
            return True
        return bool(place.schema and turn.values().shows(word))

    return known
