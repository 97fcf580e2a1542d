"""Answers about the data, the result and the jobs, from what is known already: no query runs, no model is asked."""

from collections.abc import Sequence
from datetime import datetime

from router.cards import Card, Code, Head, Table, Text
from router.catalog.connection import Connection
from router.catalog.schema import Schema
from router.catalog.schema import SchemaTable as Known
from router.jobs.job_entry import JobEntry, JobState, Kind
from router.knowledge.glossary import words_of
from router.knowledge.knowledge import Term
from router.language.phrases import begins_with, has_phrase
from router.language.wording import counted, one_line, verb, whole_units
from router.memory.draft import Draft, Place
from router.memory.thread import ResultRef
from router.policy import demand_read, readable
from router.sql.explain.explanation import explain
from router.stages.confirm import where_of
from router.stages.naming import called, names_unreadable
from router.stages.shown import only_for, privately
from router.text_to_sql.schema_linking import ranked
from router.turn import Turn
from router.understanding.named_database import named_database

JOBS_SHOWN_MAX = 10
"""Jobs that are looked at."""

TABLES_SHOWN_MAX = 15
"""Tables that are told of at once."""

OTHERS_NAMED_MAX = 30
"""Other tables that are named beside them."""

COLUMNS_NAMED_MAX = 8
"""Columns of a table that are named beside it."""

JOB_KIND_WORDS: dict[Kind, str] = {
    "read_sql": "query",
    "write_data": "write to a table",
    "send_email": "e-mail",
    "match_sql": "look at two queries",
    "compare_sql": "comparison",
}

JOB_STATE_WORDS: dict[JobState, str] = {
    JobState.QUEUED: "waiting",
    JobState.RUNNING: "running",
    JobState.SENDING: "being sent",
    JobState.DONE: "done",
    JobState.FAILED: "failed",
    JobState.CANCELLED: "cancelled",
    JobState.UNSURE: "not sure whether it was sent",
}

UNKNOWN_CELL = "–"
"""The sign where nothing is known."""

NO_CAUSE = (
    "Why the numbers are as they are, the data do not say. To see which part changed, ask for parts and times, such as "
    "`by region and month`."
)

# The person's jobs.


def job_status(turn: Turn) -> tuple[Card, ...]:
    """Return the person's latest jobs of this thread; of all threads where another process does them, and nobody else
    can read along: it does not tell of which thread they are.
    """
    theirs = ("", str(turn.incoming.key))[turn.incoming.shared :]
    jobs = [each for each in turn.services.jobs.latest(turn.user, JOBS_SHOWN_MAX) if each.request.thread in theirs]
    if not jobs:
        return (Text("You have no jobs here: nothing is running or waiting."),)
    running = sum(not each.over for each in jobs)
    over = "None of your jobs is running or waiting. These were the last:"
    said = f"{running} of your jobs {verb(running, 'is', 'are')} not over yet." if running else over
    rows = tuple(_job_row(each, turn.services.clock()) for each in jobs)
    return Text(said), Table(tuple(map(Head, ("Job", "What", "State", "When"))), rows, len(rows))


def _job_row(job: JobEntry, now: datetime) -> tuple[str, ...]:
    """Return a job's id, what it does, how far it came, and how long ago it ended, or else was asked for."""
    kind, state = JOB_KIND_WORDS[job.request.kind], JOB_STATE_WORDS[job.state]
    count, unit = whole_units(now - (job.ended or job.created))
    return (
        job.id,
        f"{kind}: {job.request.name}" if job.request.name else kind,
        f"{state}: {job.error}" if job.error else state,
        f"{counted(int(count), unit)} ago" if unit else "just now",
    )


# The query at hand.


def explained(turn: Turn, draft: Draft) -> tuple[Card, ...]:
    """Return what the query at hand does, in words and as SQL, and how many rows it found."""
    answer, place = turn.memory.answer, turn.memory.place
    known = draft if draft.sql or answer is None else answer.draft
    if not known.sql:
        return (Text("There's no query to explain yet. Ask a question about your data first."),)
    shown = answer if answer and answer.draft.sql == known.sql else None
    if shown and place.connection != shown.connection:
        place = Place(shown.connection)
    hidden = bool(shown and only_for(turn)) and turn.incoming.shared  # others may not see the rows
    dialect = turn.services.connections.demand(place.connection).dialect.name
    words = ("" if hidden else known.explanation) if shown and shown.compared else explain(known.sql, dialect)
    if known is draft and not shown:  # it is shown below, with its notes
        return (Text(f"{words} It has not run yet."),)
    said = "The SQL was changed by hand; it began with the question" if known.changed else "The question was"
    asked = (Text(f"{said}: {known.question}"),) if known.question else ()
    asks_cause = begins_with("talk.why", turn.text) and not has_phrase("questions.shown", turn.text)
    notes = (*((NO_CAUSE,) if asks_cause else ()), *known.notes)
    came = "" if hidden or shown is None or shown.compared else _came(shown.result)
    return (
        *asked,
        Text(f"{words} {came}"),
        Code(known.sql, where_of(turn, place)),
        *(Text(note, "quiet") for note in notes),
    )


def _came(result: ResultRef) -> str:
    """Return what came of the query on show, and what may be missing in it."""
    if not result.total and not result.unmatched:
        return "It found no rows: nothing in the data meets all of its conditions at once."
    rows, cut = counted(result.total, "row") if result.total else "no rows", ", where I stopped reading"
    return f"It found {rows}{cut if result.capped else ''}. {result.unmatched}".rstrip()


# The data.


def described(turn: Turn, asked: str) -> tuple[Card, ...]:
    """Return what there is to say of the data that a sentence asks about."""
    if said := names_unreadable(turn, asked):
        return (Text(said),)
    place = _place(turn, asked)
    if place is None:
        several = ", ".join(each.label for each in readable(turn.services.connections, turn.owner))
        return (Text(f"There are several databases: {several}. Ask about one of them, and I tell you what is in it."),)
    connection = turn.services.connections.demand(place.connection)
    demand_read(turn.owner, connection)
    schema = turn.services.catalog.schema(*place.at)
    terms = turn.services.knowledge.about(place.connection, asked, schema).terms if turn.services.knowledge else ()
    known = (Text("\n".join(map(_meaning, terms))),) if terms else ()
    named = _named(asked, schema)
    if len(named) == 1 and not has_phrase("talk.tables", asked):
        # Where rows are for the asker alone, so are values of columns: what is said here may be read by everybody.
        return (*known, *_columns(named[0], connection.name, values=not privately(turn, connection)))
    return known if known and not named else (*known, *_tables(asked, schema, connection))


def _place(turn: Turn, asked: str) -> Place | None:
    """Return what is named, or the talk is about, or else the usual, or the only, database; None if none is known."""
    connections, catalog, here = turn.services.connections, turn.services.catalog, turn.memory.place
    names = [each.name for each in readable(connections, turn.owner)]
    said = named_database(asked, called(turn), lambda word: False)
    standard = connections.default.name if connections.default else ""
    likely = (said.connection if said else "", here.connection, standard, *names[: len(names) == 1])
    found = next((name for name in likely if name in names), None)
    if found is None:
        return None
    schemas = catalog.schemas(found)
    return here if found == here.connection and here.schema in schemas else Place(found, schemas[0] if schemas else "")


def _named(asked: str, schema: Schema) -> list[Known]:
    """Return the tables that a sentence names; of "orders" and "order items", the longer name."""
    said = f" {' '.join(words_of(asked))} "
    named = [
        (name, table) for table in schema.tables if (name := " ".join(words_of(table.name))) and f" {name} " in said
    ]
    longest = max((len(name.split()) for name, _ in named), default=0)
    return [table for name, table in named if len(name.split()) == longest]


def _columns(table: Known, connection: str, *, values: bool) -> tuple[Card, ...]:
    """Return a table's columns, with what is known of each; values only where anybody may see them."""
    rows = tuple(
        (
            each.name,
            each.type,
            each.comment or UNKNOWN_CELL,
            ", ".join(each.samples[:5] if values else ()) or UNKNOWN_CELL,
        )
        for each in table.columns
    )
    comment = one_line(table.comment)  # several lines of it could pass for lines of the bot
    many = "" if table.rows is None else f" (about {counted(table.rows, 'row')})"
    about = f"*{table.name}*{f': {comment}' if comment else ''}{many}"
    heads = tuple(map(Head, ("Column", "Type", "What it is", "Values such as")))
    return Text(about), Table(heads, rows, len(rows), connection=connection)


def _tables(asked: str, schema: Schema, connection: Connection) -> tuple[Card, ...]:
    """Return the tables, those first that a sentence is about, and the names of those for which there is no room."""
    tables = [table for name, _ in ranked(asked, schema) if (table := schema.table(name))]
    others = _first([each.name for each in tables[TABLES_SHOWN_MAX:]], OTHERS_NAMED_MAX)
    also = f" There are others too: {others}." if others else ""
    rows = tuple(
        (each.name, _first([column.name for column in each.columns], COLUMNS_NAMED_MAX), each.comment or UNKNOWN_CELL)
        for each in tables[:TABLES_SHOWN_MAX]
    )
    left_out = f" {schema.left_out_sentence}" if schema.left_out_sentence else ""
    said = (
        f"{connection.label} has these tables.{also}{left_out} Ask what columns one of them has, or ask your question."
    )
    heads = tuple(map(Head, ("Table", "Columns", "What it is")))
    return Text(said), Table(heads, rows, len(rows), connection=connection.name)


def _first(names: Sequence[str], most: int) -> str:
    """Return the first names in a line, with how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")


def _meaning(term: Term) -> str:
    return f"*{term.name}*: {term.meaning}{f' (`{term.filter}`)' if term.filter else ''}"
