"""Keeping answers as examples, as people see it: the offer, what will be kept, the list."""

from datetime import datetime
from typing import Literal

from router.cards import Buttons, Card, Choice, Code, Option, Text
from router.catalog.connection import Connection
from router.errors import BotError, NotAllowed, Unclear
from router.jobs.audit import Entry
from router.jobs.cells import line
from router.knowledge.examples import Examples
from router.knowledge.kept import LONGEST_QUESTION, LONGEST_SQL, Kept
from router.knowledge.known import one_line
from router.policy import demand_read, demand_teach, may_teach, readable
from router.sql.guard import check
from router.turn import Turn

OFFER, KEEP, SAVE, REMOVE = "example:offer:", "example:keep:", "example:save:", "example:remove:"
"""What stands before a result's, a preview's or an example's id in answers that hold whatever was asked since."""

KEEPING = (OFFER, KEEP, SAVE, REMOVE)

NOT_HERE = "I keep no examples here."

OLD = "That is too old to be kept as an example. Ask the question again."

WHICH_QUESTION = "I do not know which question this SQL answers. Type `keep as example:` and the question."

WHICH_EXAMPLE = "Which one shall I remove?"

MOST = 20
"""Examples that are listed in a talk."""


def act(turn: Turn, answer: str) -> tuple[Card, ...]:
    """Do what a button says, and return what is said about it; raises BotError."""
    way, id = next((way, answer.removeprefix(way)) for way in KEEPING if answer.startswith(way))
    match way:
        case "example:save:":
            return _save(turn, id)
        case "example:remove:":
            return _remove(turn, id)
        case "example:keep:":
            return preview(turn, id)
    return _offer(turn, id)


def preview(turn: Turn, result: str, question: str = "") -> tuple[Card, ...]:
    """Return an answer as it will be kept, with a button to keep it; raises BotError where it cannot be."""
    answered = turn.tools.feedback.answer(result)
    if answered is None:
        raise Unclear(OLD)
    connection = _taught(turn, answered.connection)
    question = one_line(question or answered.question)
    if not question:
        return (Text(WHICH_QUESTION),)
    schema = turn.tools.catalog.schema(connection.name, answered.schema)
    return _previewed(turn, connection, Kept(connection.name, schema.name, question, answered.sql))


def listed(turn: Turn) -> tuple[Card, ...]:
    """Return the examples of the talk's connection, with a menu to remove some for those who may."""
    connections = turn.tools.connections
    may = readable(connections, turn.user)
    only = may[0].name if len(may) == 1 else ""
    name = turn.memory.place.connection or (connections.default.name if connections.default else only)
    if not name:
        return (Text("Ask a question first, or choose a database: each has examples of its own.", "quiet"),)
    connection = connections.demand(name)
    demand_read(turn.user, connection)
    latest = sorted(_examples(turn).store.every(connection.name), key=lambda each: each.at, reverse=True)
    if not latest:
        return (Text(f"No example is kept for {connection.label} yet.", "quiet"),)
    lines = [_line(each) for each in latest[:MOST]]
    if len(latest) > MOST:
        lines.append(f"These are the latest of {len(latest):,}; `icc-bot examples list` shows all.")
    text = Text("\n".join((f"Examples for {connection.label}:", *lines)))
    if not may_teach(turn.user, connection):
        return (text,)
    ways = tuple(Option(f"{REMOVE}{each.id}", f"Remove {each.id}: {line(each.question, 50)}") for each in latest[:MOST])
    return (text, Choice(WHICH_EXAMPLE, ways, lasting=True))


def _offer(turn: Turn, result: str) -> tuple[Card, ...]:
    answered = turn.tools.feedback.answer(result)
    if answered is None:
        raise Unclear(OLD)
    label = _taught(turn, answered.connection).label
    about = f"“{line(answered.question, 120)}”" if answered.question else "this SQL"
    prompt = f"Shall {about} help to write SQL for {label}?"
    return (Buttons(prompt, (Option(f"{KEEP}{result}", "Keep as example"),), lasting=True),)


def _previewed(turn: Turn, connection: Connection, kept: Kept) -> tuple[Card, ...]:
    store, sql = _examples(turn).store, _sound(turn, kept)
    kept = Kept(kept.connection, kept.schema, kept.question, sql)
    before = store.get(kept.id)
    if before and before.sql == sql:
        return (Text(f"That is an example for {connection.label} already ({before.id}). `examples` lists them."),)
    save = Option(f"{SAVE}{store.draft(kept, before.sql if before else '')}", "Save", "primary")
    instead: tuple[Card, ...] = ()
    if before:
        instead = (
            Text("There is another example for this question, which this one replaces:"),
            Code(before.sql, connection.label),
        )
    said = Text(f"Whoever asks {connection.label} something similar gets SQL that was written beside this example:")
    return (said, Text(f"“{kept.question}”"), Code(sql, connection.label), *instead, Buttons("", (save,), lasting=True))


def _save(turn: Turn, draft: str) -> tuple[Card, ...]:
    store = _examples(turn).store
    drafted = store.drafted(draft)
    if drafted is None:
        raise Unclear(OLD)
    kept, replaces = drafted
    connection = _taught(turn, kept.connection)
    sql, before = _sound(turn, kept), store.get(kept.id)
    if sql != kept.sql or (before.sql if before else "") not in (replaces, sql):
        changed = Text("That changed meanwhile. Please look at it again:", "quiet")
        return (changed, *_previewed(turn, connection, kept))
    store.keep([Kept(kept.connection, kept.schema, kept.question, sql, turn.user.id)])
    _record(turn, "kept", kept)
    replaced = " in place of the one before" if before and before.sql != sql else ""
    return (Text(f"✓ This is an example for {connection.label} now{replaced} ({kept.id}). `examples` lists them."),)


def _remove(turn: Turn, id: str) -> tuple[Card, ...]:
    store = _examples(turn).store
    kept = store.get(id)
    if kept is None:
        return (Text(f"{id} is no example any more."),)
    _taught(turn, kept.connection)
    store.remove(id)
    _record(turn, "removed", kept)
    return (Text(f"Removed: {line(kept.question, 120)} ({id})."),)


def _sound(turn: Turn, kept: Kept) -> str:
    """Return the SQL as the guard lets it run today; raises BotError where it may not, or is too long."""
    if len(kept.question) > LONGEST_QUESTION or len(kept.sql) > LONGEST_SQL:
        raise Unclear(
            f"That is too long for an example: a question may have {LONGEST_QUESTION:,} characters, and its SQL "
            f"{LONGEST_SQL:,}."
        )
    schema = turn.tools.catalog.schema(kept.connection, kept.schema)
    verdict = check(kept.sql, schema.dialect, schema.scope)
    if not verdict.allowed:
        raise BotError(f"{verdict.reason} It was not kept.")
    return verdict.sql


def _taught(turn: Turn, name: str) -> Connection:
    """Return a connection that the person may teach the bot about; raises NotAllowed."""
    connection = turn.tools.connections.demand(name)
    demand_teach(turn.user, connection)
    return connection


def _examples(turn: Turn) -> Examples:
    if turn.tools.examples is None:
        raise NotAllowed(NOT_HERE)
    return turn.tools.examples


def _record(turn: Turn, event: Literal["kept", "removed"], kept: Kept) -> None:
    thread, who = str(turn.incoming.key), turn.user.id
    turn.tools.audit.add(
        Entry(event, thread, who, connection=kept.connection, question=kept.question, sql=kept.sql, target=kept.id)
    )


def _line(kept: Kept) -> str:
    day = f" · kept on {datetime.fromisoformat(kept.at):%d %b %Y}" if kept.at else ""
    broken = f" · does not run any more: {line(kept.problem, 120)}" if kept.problem else ""
    return f"{kept.id}: {line(kept.question, 120)}{day}{broken}"
