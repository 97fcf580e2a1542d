"""The columns of a table that take those of a result: by name where that is clear, else as the person says."""

from collections.abc import Mapping
from dataclasses import replace

from router.errors import Unclear
from router.jobs.write_data import Columns
from router.memory.thread import ColumnPair, Writing
from router.sql.writing.order import ExistingColumn, Matching, ResultField, matched
from router.stages.shown import answer_of
from router.turn import Turn


def columns_of(turn: Turn, writing: Writing) -> Columns:
    """Return what the job writes: the places of the result's columns with the columns that they go into."""
    fields = turn.results.fields(answer_of(turn).result)
    targets = {pair.source: pair.target for pair in writing.pairs or ()}
    return tuple(
        (place, replace(field, name=targets[field.name]))
        for place, field in enumerate(fields)
        if targets.get(field.name)
    )


def paired(turn: Turn, writing: Writing, typed: Mapping[str, str]) -> dict[str, str]:
    """Return which column of the table takes each column of the result, with the pairs that were typed."""
    before = {pair.source: pair.target for pair in proposed(turn, writing, matching_of(turn, writing))}
    names = (field.name for field in turn.results.fields(answer_of(turn).result))
    return {name: before.get(name, "") for name in names} | dict(typed)


def proposed(turn: Turn, writing: Writing, matching: Matching) -> tuple[ColumnPair, ...]:
    """Return the pairs that were chosen, or else those of the names, with what was typed with the request."""
    if writing.pairs is not None:
        return writing.pairs
    names = [field.name for field in turn.results.fields(answer_of(turn).result)]
    typed = {pair.source: pair.target for pair in writing.typed}
    there = matching.pairs if writing.mode in ("append", "truncate") else None
    pairs = {name: name for name in names} if there is None else {names[place]: field.name for place, field in there}
    taken = {target.casefold() for target in typed.values()}
    free = {source: target for source, target in pairs.items() if target.casefold() not in taken}
    return tuple(ColumnPair(source, target) for source, target in (free | typed).items())


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
