"""The changes of a write that a sentence at one of its cards makes: its table, mode, columns, or its job's name."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from router.errors import BotError, Unclear
from router.memory.thread import ColumnPair, Mode, Writing
from router.sql.writing.order import ExistingColumn, Matching, ResultField, matched
from router.stages.shown import answer_of
from router.stages.tasks import set_writing, writing_of
from router.stages.typed_names import labels_of
from router.turn import Said, Turn
from router.understanding.parameters.corrections import WritingCorrection, writing_correction


def change_write(turn: Turn, *, pairs: bool = True, spare: int = 0) -> bool:
    """Take what a typed sentence changes of the write; tell whether it does. Raises Unclear for what cannot be.

    `pairs`: columns may be paired; `spare` is as in `writing_correction`.
    """
    given, writing = turn.incoming.input, writing_of(turn)
    if not isinstance(given, Said):
        return False
    shown = pairs and writing.mode
    columns = tuple(field.name for field in turn.results.fields(answer_of(turn).result)) if shown else ()
    there = tuple(column.name for column in writing.columns or ())
    correction = writing_correction(given.text, labels_of(turn), columns, there, _tables_near(turn, writing), spare)
    if correction.columns:
        set_writing(turn, replace(writing, pairs=checked_pairs(paired(turn, writing, correction.columns), writing)))
    elif correction:
        if writing.mode == "create" and correction.mode in ("append", "truncate") and not correction.table:
            turn.note("The table is new: there are no rows in it that could be kept or deleted.", "quiet")
        set_writing(turn, corrected(writing, correction))
    return bool(correction)


def corrected(writing: Writing, correction: WritingCorrection) -> Writing:
    """Return the write with what a sentence changes of it; another table is looked at anew."""
    mode: Mode | Literal[""] = "" if correction.mode == "create" else correction.mode
    name = correction.name or writing.name
    if not (correction.connection or correction.schema or correction.table):
        if correction.mode == "create" and writing.mode != "create":  # a new one, whose name is to be asked for
            return Writing(writing.connection, writing.schema, name=name)
        mode = "" if writing.mode == "create" and mode != "drop" else mode  # of a new table, nothing is there
        pairs = None if mode else writing.pairs
        return replace(writing, mode=mode or writing.mode, pairs=pairs, name=name)
    connection = correction.connection or writing.connection
    schema = correction.schema or (writing.schema if connection == writing.connection else "")
    return Writing(connection, schema, correction.table or writing.table, mode, name)


def tables_of(turn: Turn) -> tuple[str, ...]:
    """Return the tables of the schema, in alphabetical order."""
    writing = writing_of(turn)
    schema = turn.services.catalog.schema(writing.connection, writing.schema)
    return tuple(table.name for table in schema.tables if not table.view)


def _tables_near(turn: Turn, writing: Writing) -> tuple[str, ...]:
    """Return the tables that a name can mean; none where they cannot be read."""
    try:
        return tables_of(turn) if writing.connection and writing.schema else ()
    except BotError:
        return ()


# The pairs of columns.


def paired(turn: Turn, writing: Writing, typed: Mapping[str, str]) -> dict[str, str]:
    """Return which column of the table takes each column of the result, with the pairs that were typed."""
    before = {pair.source: pair.target for pair in proposed(turn, writing, matching_of(turn, writing))}
    names = (field.name for field in turn.results.fields(answer_of(turn).result))
    return {name: before.get(name, "") for name in names} | dict(typed)


def proposed(turn: Turn, writing: Writing, matching: Matching) -> tuple[ColumnPair, ...]:
    if writing.pairs is not None:
        return writing.pairs
    names = [field.name for field in turn.results.fields(answer_of(turn).result)]
    if writing.mode in ("append", "truncate"):
        return tuple(ColumnPair(names[place], field.name) for place, field in matching.pairs)
    return tuple(ColumnPair(name, name) for name in names)


def matching_of(turn: Turn, writing: Writing) -> Matching:
    """Return what the names alone say of the columns."""
    there = [ExistingColumn(ResultField(c.name, "text"), nullable=not c.needed) for c in writing.columns or ()]
    return matched(turn.results.fields(answer_of(turn).result), there)


def checked_pairs(wanted: dict[str, str], writing: Writing) -> tuple[ColumnPair, ...]:
    """Return the pairs; raises Unclear with the first thing that is wrong with them."""
    there = {column.name.casefold(): column for column in writing.columns or ()}
    pairs: list[ColumnPair] = []
    for source, name in wanted.items():
        if not name:
            continue
        if writing.mode in ("append", "truncate"):
            if name.casefold() not in there:
                raise Unclear(
                    f'The table has no column "{name[:80]}". It has: {", ".join(c.name for c in there.values())}.'
                )
            name = there[name.casefold()].name
        if any(name.casefold() == pair.target.casefold() for pair in pairs):
            raise Unclear(f'Two columns would go into "{name[:80]}". Give each a column of its own.')
        pairs.append(ColumnPair(source, name))
    if not pairs:
        raise Unclear("At least one column must be written.")
    taken = {pair.target for pair in pairs}
    if writing.mode in ("append", "truncate"):
        for column in there.values():
            if column.needed and column.name not in taken:
                raise Unclear(f'The column "{column.name}" of the table must have a value: choose a column for it.')
    return tuple(pairs)
