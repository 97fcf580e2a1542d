"""Patches of a write by sentences: by a request, or at one of the form's cards."""

from dataclasses import replace

from router.catalog.targets import takes_rows
from router.errors import BotError
from router.memory.thread import Writing
from router.policy import readable_connections, writable_connections
from router.stages.shown import fields_of
from router.stages.tasks import say_not_whole, say_unused, set_writing, writing_of
from router.stages.write_columns import checked_pairs, paired
from router.turn import Said, Turn
from router.understanding.values.forms import WriteValues, write_patch

NEW_TABLE = "The table is new: there are no rows in it that could be kept or deleted."


def labels_of(turn: Turn) -> dict[str, str]:
    """Return the labels of the databases that a sentence can name, by name."""
    return {
        connection.name: connection.label for connection in readable_connections(turn.services.connections, turn.owner)
    }


def tables_of(turn: Turn) -> tuple[str, ...]:
    """Return the tables of the schema, in alphabetical order."""
    writing = writing_of(turn)
    schema = turn.services.catalog.schema(writing.connection, writing.schema)
    return tuple(table.name for table in schema.tables if not table.view)


def change_write(turn: Turn, *, pairs: bool = True) -> bool:
    """Take what a typed sentence changes of the write; return whether it does. Raises Unclear for what cannot be.

    `pairs`: columns may be paired.
    """
    given, writing = turn.incoming.input, writing_of(turn)
    if not isinstance(given, Said):
        return False
    shown = pairs and writing.mode
    columns = tuple(field.name for field in fields_of(turn)) if shown else ()
    there = tuple(column.name for column in writing.columns or ())
    values = write_patch(given.text, labels_of(turn), columns, there, _tables_near(turn, writing))
    if values:
        set_writing(turn, with_values(turn, writing, values))
    return bool(values)


def with_values(turn: Turn, writing: Writing, values: WriteValues) -> Writing:
    """Return the write with what a sentence says of it; another table is looked at before anything else is asked."""
    if values.unread.holds:
        say_not_whole(turn, values.unread.text)
        return writing
    say_unused(turn, values.unread.text)
    mode, changed = values.mode, replace(writing, name=values.name or writing.name)
    if values.connection or values.schema or values.table:
        return _elsewhere(turn, changed, values)
    if mode == "create" and writing.mode != "create":  # a new one, whose name is to be asked for
        return Writing(writing.connection, writing.schema, name=changed.name)
    if mode and writing.mode == "create":
        turn.note(NEW_TABLE, "quiet")
    elif mode:
        changed = replace(changed, mode=mode, pairs=None)
    if values.columns:
        changed = replace(changed, pairs=checked_pairs(paired(turn, changed, values.columns), changed))
    return changed


def _elsewhere(turn: Turn, writing: Writing, values: WriteValues) -> Writing:
    """Return the write to a place that a sentence names; what of it cannot be is said, and asked for."""
    allowed = [each.name for each in writable_connections(turn.services.connections, turn.owner)]
    named = values.connection
    if named and named not in allowed:
        turn.note(f"You may not write to {labels_of(turn).get(named, named)}.", "quiet")
        named = ""
    names = (named or writing.connection,) if named or writing.connection else tuple(allowed)
    found = [place for name in names for place in _schemas(turn, name, values.schema)]
    connection, schema = found[0] if len(found) == 1 else (names[0] if len(names) == 1 else "", "")
    if values.schema and not found:
        turn.note(f"There is no schema `{values.schema}` that you may write to.", "quiet")
    schema = schema or (writing.schema if connection == writing.connection else "")
    mode = "" if values.mode == "create" else values.mode
    return Writing(connection, schema, values.table or writing.table, mode, writing.name)


def _schemas(turn: Turn, connection: str, wanted: str) -> list[tuple[str, str]]:
    """Return a connection with its schema of this name, as it is spelled there; empty if it has none."""
    schemas = turn.services.catalog.schemas(connection) if wanted else ()
    takes = turn.services.connections.require(connection)
    return [(connection, each) for each in schemas if each.casefold() == wanted.casefold() and takes_rows(takes, each)]


def _tables_near(turn: Turn, writing: Writing) -> tuple[str, ...]:
    """Return the tables that a name can mean; none if they cannot be read."""
    try:
        return tables_of(turn) if writing.connection and writing.schema else ()
    except BotError:
        return ()
