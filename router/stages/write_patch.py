"""What a sentence says of a write, put into its form: by a request, or at one of the form's cards."""

from dataclasses import replace
from typing import Literal

from router.catalog.targets import takes_rows
from router.errors import BotError
from router.memory.thread import ColumnPair, Mode, Writing
from router.policy import readable, writable
from router.stages.shown import answer_of
from router.stages.tasks import say_unused, set_writing, writing_of
from router.stages.write_columns import checked_pairs, paired
from router.turn import Said, Turn
from router.understanding.values.forms import WriteValues, write_patch

NEW_TABLE = "The table is new: there are no rows in it that could be kept or deleted."


def labels_of(turn: Turn) -> dict[str, str]:
    """Return the labels of the databases that the person may write to, by name."""
    return {connection.name: connection.label for connection in writable(turn.services.connections, turn.owner)}


def tables_of(turn: Turn) -> tuple[str, ...]:
    """Return the tables of the schema, in alphabetical order."""
    writing = writing_of(turn)
    schema = turn.services.catalog.schema(writing.connection, writing.schema)
    return tuple(table.name for table in schema.tables if not table.view)


def change_write(turn: Turn, *, pairs: bool = True, spare: int = 0) -> bool:
    """Take what a typed sentence changes of the write; tell whether it does. Raises Unclear for what cannot be.

    `pairs`: columns may be paired; `spare` words may be left over.
    """
    given, writing = turn.incoming.input, writing_of(turn)
    if not isinstance(given, Said):
        return False
    shown = pairs and writing.mode
    columns = tuple(field.name for field in turn.results.fields(answer_of(turn).result)) if shown else ()
    there = tuple(column.name for column in writing.columns or ())
    values = write_patch(given.text, labels_of(turn), columns, there, _tables_near(turn, writing), spare)
    if values:
        say_unused(turn, values.unused)
        set_writing(turn, with_values(turn, writing, values))
    return bool(values)


def with_values(turn: Turn, writing: Writing, values: WriteValues) -> Writing:
    """Return the write with what a sentence says of it; another table is looked at before anything else is asked."""
    name, mode = values.name or writing.name, values.mode
    if values.connection or values.schema or values.table:
        return _elsewhere(turn, replace(writing, name=name), values)
    if mode == "create" and writing.mode != "create":  # a new one, whose name is to be asked for
        return Writing(writing.connection, writing.schema, name=name)
    if writing.mode == "create" and mode in ("append", "truncate"):
        turn.note(NEW_TABLE, "quiet")
        mode = ""
    changed = replace(writing, mode=mode or writing.mode, pairs=None if mode else writing.pairs, name=name)
    if not values.columns:
        return changed
    return replace(changed, pairs=checked_pairs(paired(turn, changed, values.columns), changed))


def _elsewhere(turn: Turn, writing: Writing, values: WriteValues) -> Writing:
    """Return the write to a place that a sentence names."""
    allowed = tuple(labels_of(turn))
    names = (values.connection,) if values.connection else (writing.connection,) if writing.connection else allowed
    connection, schema = _place(turn, values.schema, names)
    if values.schema and not schema:
        turn.note(f"There is no schema `{values.schema}` that you may write to.", "quiet")
    mode: Mode | Literal[""] = "" if values.mode == "create" else values.mode
    schema = schema or (writing.schema if connection == writing.connection else "")
    typed = tuple(ColumnPair(source, target) for source, target in values.columns.items())
    table = values.table
    if table and _is_database(turn, table):
        turn.note(f"“{table}” is a database that you may not write to, so I did not take it for a table.", "quiet")
        table = ""
    return Writing(connection, schema, table or writing.table, mode, writing.name, typed=typed)


def _is_database(turn: Turn, table: str) -> bool:
    """Return whether what is taken for a table is called like a database that the person only reads."""
    only_read = (each for each in readable(turn.services.connections, turn.owner) if each.name not in labels_of(turn))
    return any(table.casefold() in (each.name.casefold(), each.label.casefold()) for each in only_read)


def _place(turn: Turn, wanted: str, names: tuple[str, ...]) -> tuple[str, str]:
    """Return the only connection that can be meant, and the schema as it is spelled there; "" for what is not clear."""
    found = [
        (name, schema)
        for name in (names if wanted else ())
        for schema in turn.services.catalog.schemas(name)
        if schema.casefold() == wanted.casefold() and takes_rows(turn.services.connections.demand(name), schema)
    ]
    return found[0] if len(found) == 1 else (names[0] if len(names) == 1 else "", "")


def _tables_near(turn: Turn, writing: Writing) -> tuple[str, ...]:
    """Return the tables that a name can mean; none where they cannot be read."""
    try:
        return tables_of(turn) if writing.connection and writing.schema else ()
    except BotError:
        return ()
