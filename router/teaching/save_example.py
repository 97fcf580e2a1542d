"""Answers kept as verified examples, as people see it: the offer, the preview, the list."""

from typing import Literal

from router.cards import Buttons, Card, Choice, Code, Option, Text
from router.catalog.connection import Connection
from router.errors import BotError, NotAllowed, Unclear
from router.jobs.audit import AuditEntry
from router.jobs.results.cells import line
from router.knowledge.example_store import EXAMPLE_QUESTION_MAX_CHARS, EXAMPLE_SQL_MAX_CHARS, KeptExample
from router.knowledge.examples import Examples
from router.language.wording import one_line
from router.policy import may_teach, require_teach
from router.sql.guard import check
from router.storage.clock import NEVER
from router.teaching.glossary_chat import database_at_hand
from router.turn import Turn

OFFER, KEEP, SAVE, REMOVE = "example:offer:", "example:keep:", "example:save:", "example:remove:"
"""The prefixes of a result's, a preview's or an example's id in answers that hold whatever was asked since."""

EXAMPLE_PREFIXES = (OFFER, KEEP, SAVE, REMOVE)

NO_EXAMPLES_HERE = "I keep no examples here."

TOO_OLD_TO_KEEP = "That is too old to be kept as an example. Ask the question again."

CHANGED_MEANWHILE = "That changed meanwhile, and nothing was kept. Type `keep as example` again to look at it."

QUESTION_NEEDED = "I don't know which question this SQL answers. Type `keep as example:` and the question."

ASK_EXAMPLE = "Which one should I remove?"

LISTED_EXAMPLES_MAX = 20
"""Examples that are listed in a talk."""


def act(turn: Turn, answer: str) -> tuple[Card, ...]:
    """Do what a button says, and return what is said about it; raises BotError."""
    way, id = next((way, answer.removeprefix(way)) for way in EXAMPLE_PREFIXES if answer.startswith(way))
    match way:
        case "example:save:":
            return _save(turn, id)
        case "example:remove:":
            return _remove(turn, id)
    return preview(turn, id)


def preview(turn: Turn, result: str, question: str = "") -> tuple[Card, ...]:
    """Return an answer as it will be kept, with a button to keep it; raises BotError if it cannot be."""
    answered = turn.services.feedback.answer(result)
    if answered is None:
        raise Unclear(TOO_OLD_TO_KEEP)
    connection = _taught(turn, answered.connection)
    question = one_line(question or answered.question)
    if not question:
        return (Text(QUESTION_NEEDED),)
    schema = turn.services.catalog.schema(connection.name, answered.schema)
    return _previewed(turn, connection, KeptExample(connection.name, schema.name, question, answered.sql))


def listed(turn: Turn) -> tuple[Card, ...]:
    """Return the examples of the talk's connection, with a menu to remove some for those who may."""
    connection = database_at_hand(turn)
    latest = sorted(_examples(turn).store.every(connection.name), key=lambda each: each.at or NEVER, reverse=True)
    if not latest:
        return (Text(f"There are no examples for {connection.label} yet.", "quiet"),)
    lines = [_line(each) for each in latest[:LISTED_EXAMPLES_MAX]]
    lines += [f"These are the latest of {len(latest):,}."] if len(latest) > LISTED_EXAMPLES_MAX else []
    text = Text("\n".join((f"Examples for {connection.label}:", *lines)))
    if not may_teach(turn.user, connection):
        return (text,)
    ways = tuple(
        Option(f"{REMOVE}{each.id}", f"Remove {each.id}: {line(each.question, 50)}")
        for each in latest[:LISTED_EXAMPLES_MAX]
    )
    return (text, Choice(ASK_EXAMPLE, ways, lasting=True))


def _previewed(turn: Turn, connection: Connection, kept: KeptExample) -> tuple[Card, ...]:
    store, sql = _examples(turn).store, _sound(turn, kept)
    kept = KeptExample(kept.connection, kept.schema, kept.question, sql)
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
        raise Unclear(TOO_OLD_TO_KEEP)
    kept, replaces = drafted
    connection = _taught(turn, kept.connection)
    sql, before = _sound(turn, kept), store.get(kept.id)
    if sql != kept.sql or (before.sql if before else "") not in (replaces, sql):
        raise Unclear(CHANGED_MEANWHILE)
    store.keep([KeptExample(kept.connection, kept.schema, kept.question, sql, turn.user.id)])
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


def _sound(turn: Turn, kept: KeptExample) -> str:
    """Return the SQL as the guard lets it run today; raises BotError if it may not, or is too long."""
    if len(kept.question) > EXAMPLE_QUESTION_MAX_CHARS or len(kept.sql) > EXAMPLE_SQL_MAX_CHARS:
        raise Unclear(
            f"That is too long for an example: a question may have {EXAMPLE_QUESTION_MAX_CHARS:,} characters, and its "
            f"SQL {EXAMPLE_SQL_MAX_CHARS:,}."
        )
    schema = turn.services.catalog.schema(kept.connection, kept.schema)
    verdict = check(kept.sql, schema.dialect, schema.scope)
    if not verdict.allowed:
        raise BotError(f"{verdict.reason} It was not kept.")
    return verdict.sql


def _taught(turn: Turn, name: str) -> Connection:
    """Return a connection that the person may teach the bot about; raises NotAllowed."""
    connection = turn.services.connections.require(name)
    require_teach(turn.user, connection)
    return connection


def _examples(turn: Turn) -> Examples:
    if turn.services.examples is None:
        raise NotAllowed(NO_EXAMPLES_HERE)
    return turn.services.examples


def _record(turn: Turn, event: Literal["kept", "removed"], kept: KeptExample) -> None:
    thread, who = str(turn.incoming.key), turn.user.id
    turn.services.audit.add(
        AuditEntry(event, thread, who, connection=kept.connection, question=kept.question, sql=kept.sql, target=kept.id)
    )


def _line(kept: KeptExample) -> str:
    day = f" · kept on {kept.at:%d %b %Y}" if kept.at else ""
    broken = f" · does not run any more: {line(kept.problem, 120)}" if kept.problem else ""
    return f"{kept.id}: {line(kept.question, 120)}{day}{broken}"
