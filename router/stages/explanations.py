"""Answers about the data, the result and the jobs, from what is known already: no query runs, no model is asked."""

from datetime import datetime

from router.cards import Card, Code, Head, Table, Text
from router.catalog.schema import Schema
from router.catalog.schema import SchemaTable as Known
from router.jobs.job_entry import JobEntry, JobState, Kind
from router.knowledge.glossary import words_of
from router.knowledge.knowledge import Term
from router.language.phrases import begins_with, has_phrase
from router.language.wording import counted, one_line, verb, whole_units
from router.memory.draft import Draft, Place
from router.policy import demand_read, readable
from router.sql.explain.explanation import explain, is_limited
from router.stages.compare.titles import SIDES, title_of
from router.stages.confirm import where_of
from router.stages.naming import called, names_unreadable
from router.stages.shown import only_for, privately
from router.stages.tasks import side_of
from router.text_to_sql.schema_linking import ranked
from router.turn import Turn
from router.understanding.named_database import named_database

JOBS_SHOWN_MAX = 10
"""Jobs that are looked at."""

TABLES_SHOWN_MAX = 15
"""Tables that are told of at once."""

OTHERS_NAMED_MAX = 30
"""Other tables that are named beside them."""

NEAR_SCORE = 0.25
"""The part of the best table's score from which on another one is about the same."""

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
    now = turn.services.clock()
    rows = tuple(
        (each.id, _what(each), JOB_STATE_WORDS[each.state], _ago(each, now), each.error or "–") for each in jobs
    )
    told = 5 if any(each.error for each in jobs) else 4
    heads = tuple(map(Head, ("Job", "What", "State", "When", "Why")[:told]))
    running = sum(not each.over for each in jobs)
    over = "None of your jobs is running or waiting. These were the last:"
    said = f"{running} of your jobs {verb(running, 'is', 'are')} not over yet." if running else over
    return Text(said), Table(heads, tuple(row[:told] for row in rows), len(rows))


def _what(job: JobEntry) -> str:
    kind = JOB_KIND_WORDS[job.request.kind]
    return f"{kind}: {job.request.name}" if job.request.name else kind


def _ago(job: JobEntry, now: datetime) -> str:
    """Return how long ago a job ended, or else was asked for."""
    count, unit = whole_units(now - (job.ended or job.created))
    return f"{counted(int(count), unit)} ago" if unit else "just now"


# The query at hand.


def explained(turn: Turn, draft: Draft) -> tuple[Card, ...]:
    """Return what the query at hand does, in words and as SQL."""
    answer, known, place = turn.memory.answer, draft, turn.memory.place
    if not draft.sql and answer:
        known, place = answer.draft, place if place.connection == answer.connection else Place(answer.connection)
    if not draft.sql and (compared := _compared(turn)):
        return (Text(f"{compared}\nNothing was compared yet."),)
    if not known.sql:
        return (Text("There's no query to explain yet. Ask a question about your data first."),)
    ran = answer is not None and answer.draft.sql == known.sql
    said = "The SQL was changed by hand; it began with the question" if known.changed else "The question was"
    asked = (Text(f"{said}: {known.question}"),) if known.question else ()
    if answer and answer.compared and known.sql == answer.draft.sql:
        told = () if _read_by_others(turn) else (Text(known.explanation),)
        return (*asked, *told, Code(known.sql, where_of(turn, place)))
    words = explain(known.sql, turn.services.connections.demand(place.connection).dialect.name)
    notes = tuple(Text(note, "quiet") for note in known.notes)
    where = where_of(turn, place)
    if known is draft and not ran:  # it is shown below, with its notes
        return (Text(f"{words} It has not run yet."),)
    asks_cause = begins_with("talk.why", turn.text) and not has_phrase("questions.shown", turn.text)
    why = (Text(NO_CAUSE, "quiet"),) if asks_cause else ()
    return (*asked, Text(f"{words} {_came(turn)}"), *why, Code(known.sql, where), *notes)


def _came(turn: Turn) -> str:
    """Return what came of the query on show, and what may be missing in it."""
    answer = turn.memory.answer
    assert answer
    if _read_by_others(turn):
        return ""
    result = answer.result
    total, cut = result.total, ", where I stopped reading" if result.capped else ""
    rows = f"It found {counted(total, 'row') if total else 'no rows'}{cut}."
    if result.unmatched:
        return f"{rows} {result.unmatched}"
    if not total:
        return (
            "It found no rows: nothing in the data meets all of its conditions at once. Ask for fewer of them, such as "
            "another year or no region, to see which one leaves nothing."
        )
    dialect = turn.services.connections.demand(answer.connection).dialect.name
    whole = not (result.capped or is_limited(answer.draft.sql, dialect))
    return f"{rows} Nothing else matched." if whole else rows


def _read_by_others(turn: Turn) -> bool:
    """Tell whether this may be read by people who may not see the rows."""
    return bool(only_for(turn)) and turn.incoming.shared


def _compared(turn: Turn) -> str:
    """Return what the queries of a comparison do, as far as they are known."""
    comparing = turn.memory.tasks.comparing
    sides = [side for side in SIDES if comparing and (comparing.left if side == "left" else comparing.right)]
    lines = ((title_of(turn, side), side_of(turn, side)) for side in sides)
    return "\n".join(f"*{title}*: {found.draft.explanation}" for title, found in lines)


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
    named = _named(asked, schema)
    known = (Text("\n".join(map(_meaning, terms))),) if terms else ()
    if len(named) == 1 and not has_phrase("talk.tables", asked):
        # Where rows are for the asker alone, so are values of columns: what is said here may be read by everybody.
        return (*known, *_columns(named[0], connection.name, values=not privately(turn, connection)))
    if known and not named:
        return known
    return (*known, *_tables(asked, schema, connection.label, connection.name))


def _place(turn: Turn, asked: str) -> Place | None:
    """Return what is named, or the talk is about, or else the only, or the usual, database; None if none is known."""
    connections, catalog = turn.services.connections, turn.services.catalog
    names = [each.name for each in readable(connections, turn.owner)]
    standard = connections.default.name if connections.default else ""
    said = named_database(asked, called(turn), lambda word: False)
    likely = (
        said.connection if said else "",
        turn.memory.place.connection,
        standard,
        names[0] if len(names) == 1 else "",
    )
    found = next((name for name in likely if name in names), None)
    if found is None:
        return None
    schemas = catalog.schemas(found)
    chosen = turn.memory.place.schema if found == turn.memory.place.connection else ""
    return Place(found, chosen if chosen in schemas else schemas[0] if schemas else "")


def _named(asked: str, schema: Schema) -> list[Known]:
    """Return the tables that a sentence names; of "orders" and "order items", the longer name."""
    said = f" {' '.join(words_of(asked))} "
    found = [(words_of(table.name), table) for table in schema.tables]
    named = [(words, table) for words, table in found if words and f" {' '.join(words)} " in said]
    longest = max((len(words) for words, _ in named), default=0)
    return [table for words, table in named if len(words) == longest]


def _columns(table: Known, connection: str, *, values: bool) -> tuple[Card, ...]:
    """Return a table's columns, with what is known of each; values only where anybody may see them."""
    rows = tuple(
        (column.name, column.type, column.comment, ", ".join(column.samples[:5] if values else ()))
        for column in table.columns
    )
    heads = ("Column", "Type", "What it is", "Values such as")
    told = [place for place in range(4) if place < 2 or any(row[place] for row in rows)]
    comment = one_line(table.comment)  # several lines of it could pass for lines of the bot
    about = f"*{table.name}*{f': {comment}' if comment else ''}{_rows(table)}"
    cells = tuple(tuple(row[place] or UNKNOWN_CELL for place in told) for row in rows)
    return Text(about), Table(tuple(Head(heads[place]) for place in told), cells, len(rows), connection=connection)


def _tables(asked: str, schema: Schema, label: str, connection: str) -> tuple[Card, ...]:
    """Return the tables that a sentence is about, and the names of the others; all of them if it is about none."""
    scored = [(name, score) for name, score in ranked(asked, schema) if score]
    near = [name for name, score in scored if score >= NEAR_SCORE * scored[0][1]]
    tables = [table for name in near if (table := schema.table(name))] or list(schema.tables)
    shown = tables[:TABLES_SHOWN_MAX]
    others = [table.name for table in schema.tables if table not in tables]
    rows = tuple((table.name, _columns_of(table), table.comment) for table in shown)
    told = 3 if any(table.comment for table in shown) else 2
    heads = tuple(map(Head, ("Table", "Columns", "What it is")[:told]))
    about = f"These tables of {label} seem to be about that" if near else f"{label} has these tables"
    rest = f" (the first {TABLES_SHOWN_MAX} of {len(tables):,})" if len(tables) > len(shown) else ""
    more = f" and {len(others) - OTHERS_NAMED_MAX:,} more" if len(others) > OTHERS_NAMED_MAX else ""
    also = f"There are others too: {', '.join(others[:OTHERS_NAMED_MAX])}{more}. " if others else ""
    left_out = f"{schema.left_out_sentence} " if schema.left_out_sentence else ""
    return (
        Text(f"{about}{rest}. {also}{left_out}Ask what columns one of them has, or ask your question."),
        Table(heads, tuple(row[:told] for row in rows), len(rows), connection=connection),
    )


def _columns_of(table: Known) -> str:
    names = [column.name for column in table.columns]
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _rows(table: Known) -> str:
    return "" if table.rows is None else f" (about {counted(table.rows, 'row')})"


def _meaning(term: Term) -> str:
    return f"*{term.name}*: {term.meaning}{f' (`{term.filter}`)' if term.filter else ''}"
