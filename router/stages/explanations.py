"""Answers about the data, the result and the jobs, from what is known already: no query runs, no model is asked."""

from collections.abc import Sequence

from router.cards import Card, Code, Head, Table, Text
from router.catalog.connection import Connection
from router.catalog.schema import Schema, SchemaTable
from router.errors import JobFailed
from router.jobs.job_entry import Kind
from router.knowledge.glossary import words_of
from router.language.phrases import begins_with, has_phrase
from router.language.wording import counted, one_line, spoken_time
from router.memory.draft import Draft, Place
from router.memory.recurrence import zone_known
from router.memory.thread import ResultRef
from router.policy import require_read
from router.sql.explain.explanation import explain
from router.stages.confirm import where_of
from router.stages.naming import database_of, unknown_database
from router.stages.shown import is_private, only_for
from router.teaching.glossary_chat import database_at_hand, meaning_of
from router.text_to_sql.schema_linking import ranked
from router.turn import Turn

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

SAMPLES_SHOWN_MAX = 5
"""Values of a column that are shown."""

UNKNOWN_CELL = "–"
"""The sign if nothing is known."""

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
    rows = tuple(
        (
            each.id,
            ": ".join(filter(None, (JOB_KIND_WORDS[each.request.kind], each.request.name))),
            ": ".join(filter(None, (each.state.lower(), each.error))),
            spoken_time(each.ended or each.created, zone_known(turn.owner.zone) or "UTC"),
        )
        for each in jobs
    )
    said = Text(f"Your last jobs; {counted(running, 'job')} not over yet:")
    return said, Table(tuple(map(Head, ("Job", "What", "State", "When"))), rows, len(rows))


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
    words = explain(known.sql, turn.services.connections.require(place.connection).dialect.name)
    if known is draft and not shown:  # it is shown below, with its notes
        return (Text(f"{words} It has not run yet."),)
    if shown and turn.incoming.shared and only_for(turn):
        words = "" if shown.compared else words  # others may not see the rows, nor what came of a comparison
    elif shown:
        words = known.explanation if shown.compared else f"{words} {_came(shown.result)}"
    said = "The SQL was changed by hand; it began with the question" if known.changed else "The question was"
    asks_cause = begins_with("talk.why", turn.text) and not has_phrase("questions.shown", turn.text)
    notes = (*((NO_CAUSE,) if asks_cause else ()), *known.notes)
    return (
        *((Text(f"{said}: {known.question}"),) if known.question else ()),
        *((Text(words),) if words else ()),
        Code(known.sql, where_of(turn, place)),
        *(Text(note, "quiet") for note in notes),
    )


def _came(result: ResultRef) -> str:
    """Return what came of the query on show, and what may be missing in it."""
    rows = counted(result.total, "row") if result.total else "no rows"
    cut = ", where I stopped reading" if result.capped else ""
    return f"It found {rows}{cut}. {result.unmatched}".rstrip()


# The data.


def described(turn: Turn, asked: str) -> tuple[Card, ...]:
    """Return what there is to say of the data that a sentence asks about."""
    named_there = database_of(turn, asked, lambda word: False)
    if named_there and named_there.unknown:
        return (Text(unknown_database(named_there.unknown)),)
    try:
        place = _place(turn, named_there.connection if named_there else database_at_hand(turn).name)
    except JobFailed as error:  # it is said beside what else there is to say
        return (Text(str(error)),)
    connection = turn.services.connections.require(place.connection)
    require_read(turn.owner, connection)
    schema = turn.services.catalog.schema(*place.at)
    terms = turn.services.knowledge.about(place.connection, asked, schema).terms if turn.services.knowledge else ()
    known = (Text("\n".join(map(meaning_of, terms))),) if terms else ()
    named = _named(asked, schema)
    if len(named) == 1 and not has_phrase("talk.tables", asked):
        # If rows are for the asker alone, so are values of columns: what is said here may be read by everybody.
        return (*known, *_columns(named[0], connection.name, values=not is_private(turn, connection)))
    return known if known and not named else (*known, *_tables(asked, schema, connection))


def _place(turn: Turn, name: str) -> Place:
    """Return the place of a database: the one at hand, or its first schema; raises JobFailed if it is away."""
    here = turn.memory.place
    schemas = turn.services.catalog.schemas(name)
    return here if name == here.connection and here.schema in schemas else Place(name, schemas[0] if schemas else "")


def _named(asked: str, schema: Schema) -> list[SchemaTable]:
    """Return the tables that a sentence names; of "orders" and "order items", the longer name."""
    said = f" {' '.join(words_of(asked))} "
    names = {table.name: words_of(table.name) for table in schema.tables}
    found = [table for table in schema.tables if f" {' '.join(names[table.name])} " in said]
    longest = max((len(names[table.name]) for table in found), default=0)
    return [table for table in found if len(names[table.name]) == longest]


def _columns(table: SchemaTable, connection: str, *, values: bool) -> tuple[Card, ...]:
    """Return a table's columns, with what is known of each; values only if anybody may see them."""
    rows = [
        (each.name, each.type, each.comment, ", ".join(each.samples[:SAMPLES_SHOWN_MAX] if values else ()))
        for each in table.columns
    ]
    comment = one_line(table.comment)  # several lines of it could pass for lines of the bot
    many = "" if table.rows is None else f" (about {counted(table.rows, 'row')})"
    about = Text(f"*{table.name}*{f': {comment}' if comment else ''}{many}")
    return about, _listed(("Column", "Type", "What it is", "Values such as"), rows, connection)


def _tables(asked: str, schema: Schema, connection: Connection) -> tuple[Card, ...]:
    """Return the tables, those first that a sentence is about, and the names of those for which there is no room."""
    tables = [table for name, _ in ranked(asked, schema) if (table := schema.table(name))]
    others = _first([each.name for each in tables[TABLES_SHOWN_MAX:]], OTHERS_NAMED_MAX)
    rows = [
        (each.name, _first([column.name for column in each.columns], COLUMNS_NAMED_MAX), each.comment)
        for each in tables[:TABLES_SHOWN_MAX]
    ]
    said = (
        f"{connection.label} has these tables.",
        f"There are others too: {others}." if others else "",
        schema.left_out_sentence,
        "Ask what columns one of them has, or ask your question.",
    )
    return Text(" ".join(filter(None, said))), _listed(("Table", "Columns", "What it is"), rows, connection.name)


def _listed(heads: Sequence[str], rows: Sequence[tuple[str, ...]], connection: str) -> Table:
    """Return a table of texts, with a sign if nothing is known."""
    shown = tuple(tuple(cell or UNKNOWN_CELL for cell in row) for row in rows)
    return Table(tuple(map(Head, heads)), shown, len(shown), connection=connection)


def _first(names: Sequence[str], most: int) -> str:
    """Return the first names in a line, with how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")
