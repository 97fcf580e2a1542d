"""What data there is, told from what was read of the schema: no query runs, and no model is asked."""

import re

from router.agents.ranking import ranked
from router.cards import Card, Head, Table, Text
from router.catalog.schema import Schema
from router.catalog.schema import Table as Known
from router.knowledge.known import Term, one_line
from router.knowledge.vocabulary import words_of
from router.memory import Place
from router.policy import demand_read, readable, shown_privately
from router.turn import Turn

_SEVERAL = re.compile(r"\b(?:tables|tabellen|tablas|wh(?:at|ich) data|what information)\b", re.IGNORECASE)

MOST_TABLES = 15
"""Tables that are told of at once."""

NOTHING = "–"
"""What stands where nothing is known."""

NEAR = 0.25
"""The part of the best table's score from which on another one is about the same."""


def described(turn: Turn, asked: str) -> tuple[Card, ...]:
    """Return what there is to say of the data that a sentence asks about."""
    place = _place(turn)
    if place is None:
        several = ", ".join(each.label for each in readable(turn.tools.connections, turn.owner))
        return (Text(f"There are several databases: {several}. Ask about one of them, and I tell you what is in it."),)
    connection = turn.tools.connections.demand(place.connection)
    demand_read(turn.owner, connection)
    schema = turn.tools.catalog.schema(place.connection, place.schema)
    terms = turn.tools.knowledge.about(place.connection, asked, schema).terms if turn.tools.knowledge else ()
    named = _named(asked, schema)
    known = (Text("\n".join(map(_meaning, terms))),) if terms else ()
    if len(named) == 1 and not _SEVERAL.search(asked):
        # Where rows are for the asker alone, so are values of columns: what is said here may be read by everybody.
        key, shared = turn.incoming.key, turn.incoming.shared
        private = shown_privately(key, shared, connection, turn.tools.connections.channels)
        return (*known, *_columns(named[0], connection.name, values=not private))
    if known and not named:
        return known
    return (*known, *_tables(asked, schema, connection.label, connection.name))


def _place(turn: Turn) -> Place | None:
    """Return what the talk is about, or else the only, or the usual, database; None where that is not known."""
    connections, catalog = turn.tools.connections, turn.tools.catalog
    names = [each.name for each in readable(connections, turn.owner)]
    standard = connections.default.name if connections.default else ""
    likely = (turn.memory.place.connection, standard, names[0] if len(names) == 1 else "")
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
    cells = tuple(tuple(row[place] or NOTHING for place in told) for row in rows)
    return Text(about), Table(tuple(Head(heads[place]) for place in told), cells, len(rows), connection=connection)


def _tables(asked: str, schema: Schema, label: str, connection: str) -> tuple[Card, ...]:
    """Return the tables that a sentence is about; all, or the largest part of them, where it is about none."""
    scored = [(name, score) for name, score in ranked(asked, schema) if score]
    near = [name for name, score in scored if score >= NEAR * scored[0][1]]
    tables = [table for name in near if (table := schema.table(name))] or list(schema.tables)
    shown = tables[:MOST_TABLES]
    rows = tuple((table.name, _columns_of(table), table.comment) for table in shown)
    told = 3 if any(table.comment for table in shown) else 2
    heads = tuple(map(Head, ("Table", "Columns", "What it is")[:told]))
    about = f"These tables of {label} seem to be about that" if near else f"{label} has these tables"
    rest = f" (the first {MOST_TABLES} of {len(tables):,})" if len(tables) > len(shown) else ""
    return (
        Text(f"{about}{rest}. Ask what columns one of them has, or ask your question."),
        Table(heads, tuple(row[:told] for row in rows), len(rows), connection=connection),
    )


def _columns_of(table: Known) -> str:
    names = [column.name for column in table.columns]
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _rows(table: Known) -> str:
    return "" if table.rows is None else f" (about {table.rows:,} row{'' if table.rows == 1 else 's'})"


def _meaning(term: Term) -> str:
    return f"*{term.name}*: {term.meaning}{f' (`{term.filter}`)' if term.filter else ''}"
