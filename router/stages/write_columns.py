"""The columns of a table that take those of a result: by name if that is clear, else as the person says."""

from collections.abc import Mapping
from dataclasses import replace

from router.errors import Unclear
from router.jobs.write_data import Columns
from router.memory.thread import ColumnPair, Writing
from router.sql.writing.order import ExistingColumn, Matching, ResultField, matched
from router.stages.shown import fields_of
from router.turn import Turn


def columns_of(turn: Turn, writing: Writing) -> Columns:
    """Return what the job writes: the places of the result's columns with the columns that they go into."""
    fields = fields_of(turn)
    targets = {pair.source: pair.target for pair in writing.pairs or ()}
    return tuple(
        (place, replace(field, name=targets[field.name]))
        for place, field in enumerate(fields)
        if targets.get(field.name)
    )


def paired(turn: Turn, writing: Writing, typed: Mapping[str, str]) -> dict[str, str]:
    """Return which column of the table takes each column of the result, "" for none, with the pairs that were typed.

    The pairs are those that were chosen before, or else those of the names.
    """
    names = [field.name for field in fields_of(turn)]
    if writing.pairs is not None:
        before = {pair.source: pair.target for pair in writing.pairs}
    elif writing.mode in ("append", "truncate"):
        before = {names[place]: field.name for place, field in matching_of(turn, writing).pairs}
    else:
        before = {name: name for name in names}
    return {name: before.get(name, "") for name in names} | dict(typed)


def matching_of(turn: Turn, writing: Writing) -> Matching:
    """Return what the names alone say of the columns."""
    there = [ExistingColumn(ResultField(c.name, "text"), nullable=not c.needed) for c in writing.columns or ()]
    return matched(fields_of(turn), there)


def checked_pairs(wanted: Mapping[str, str], writing: Writing) -> tuple[ColumnPair, ...]:
    """Return the pairs; raises Unclear with the first thing that is wrong with them."""
    there = {column.name.casefold(): column for column in writing.columns or ()}
    kept = writing.mode in ("append", "truncate")
    pairs: dict[str, ColumnPair] = {}
    for source, name in wanted.items():
        place = name.casefold()
        if kept and name and place not in there:
            known = ", ".join(column.name for column in there.values())
            raise Unclear(f'The table has no column "{name[:80]}". It has: {known}.')
        if place in pairs:
            raise Unclear(f'Two columns would go into "{name[:80]}". Give each a column of its own.')
        if name:
            pairs[place] = ColumnPair(source, there[place].name if kept else name)
    if not pairs:
        raise Unclear("At least one column must be written.")
    for place, column in there.items():
        if kept and column.needed and place not in pairs:
            raise Unclear(f'The column "{column.name}" of the table must have a value: choose a column for it.')
    return tuple(pairs.values())
