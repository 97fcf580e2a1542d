"""The columns of a table that take those of a result: by name where that is clear, else as the person says."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Form, Text
from router.cards import Field as Input
from router.errors import Unclear
from router.jobs.write_data import Columns
from router.memory.thread import ColumnPair, Writing
from router.sql.writing.order import ExistingColumn, Matching, ResultField, matched
from router.stages.shown import answer_of
from router.stages.tasks import LEAVE, DestinationAsk, left, set_writing, writing_of
from router.turn import Filled, Turn
from router.understanding.parameters.corrections import column_pairs

MAPPED_COLUMNS_MAX = 40
"""Columns that a form asks for."""


class MapColumns(DestinationAsk):
    """Ask which column goes where, where the names do not tell."""

    card = "write_columns"
    accepts = frozenset(["columns", "name"])
    help = "Each field is a column of the result: name the column of the table that takes it, or none to leave it out."

    def settle(self, turn: Turn) -> Literal["mapped"] | None:
        if turn.memory.choosing == "columns":
            return None
        writing = writing_of(turn)
        matching = matching_of(turn, writing)
        if writing.mode in ("append", "truncate") and (matching.unplaced or matching.problems):
            return None
        set_writing(turn, replace(writing, pairs=_proposed(turn, writing, matching)))
        return "mapped"

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        writing = writing_of(turn)
        there = ", ".join(f"{c.name} ({c.type})" for c in writing.columns or ())
        pairs = {pair.source: pair.target for pair in _proposed(turn, writing, matching_of(turn, writing))}
        fields = turn.results.fields(answer_of(turn).result)
        said = (Text(f"The columns of the table: {there}", "quiet"),) if there else ()
        if len(fields) > MAPPED_COLUMNS_MAX:
            line = f"There are {len(fields):,} columns: give them the names of the table's columns in the query."
            return (*said, Text(line), Buttons("How shall we go on?", (LEAVE,)))
        inputs = tuple(
            Input(f"c{place}", f"{field.name} ({field.kind}) →", value=pairs.get(field.name, ""), optional=True)
            for place, field in enumerate(fields)
        )
        return (*said, Form("Which column goes where?", inputs), Buttons("Or:", (LEAVE,)))

    def answer(self, turn: Turn) -> Literal["mapped", "cancel", "unclear"]:
        if left(turn):
            turn.memory.choosing = ""
            return "cancel"
        given, writing = turn.incoming.input, writing_of(turn)
        fields = turn.results.fields(answer_of(turn).result)
        if isinstance(given, Filled):
            wanted = {field.name: given.values.get(f"c{place}", "").strip() for place, field in enumerate(fields)}
        elif turn.word("yes"):
            wanted = paired(turn, writing, {})
        elif typed := column_pairs(turn.text, tuple(field.name for field in fields)):
            wanted = paired(turn, writing, typed)
        else:
            return turn.unclear(
                "Fill in the form, or type which column of the table takes which column of the result, such as: "
                "amount = total, leave out id"
            )
        set_writing(turn, replace(writing, pairs=checked_pairs(wanted, writing)))
        turn.memory.choosing = ""
        return "mapped"


def paired(turn: Turn, writing: Writing, typed: Mapping[str, str]) -> dict[str, str]:
    """Return which column of the table takes each column of the result, with the pairs that were typed."""
    before = {pair.source: pair.target for pair in _proposed(turn, writing, matching_of(turn, writing))}
    names = (field.name for field in turn.results.fields(answer_of(turn).result))
    return {name: before.get(name, "") for name in names} | dict(typed)


def columns_of(turn: Turn, writing: Writing) -> Columns:
    """Return what the job writes: the places of the result's columns with the columns that they go into."""
    fields = turn.results.fields(answer_of(turn).result)
    targets = {pair.source: pair.target for pair in writing.pairs or ()}
    return tuple(
        (place, replace(field, name=targets[field.name]))
        for place, field in enumerate(fields)
        if targets.get(field.name)
    )


def matching_of(turn: Turn, writing: Writing) -> Matching:
    """Return what the names alone say of the columns."""
    there = [ExistingColumn(ResultField(c.name, "text"), nullable=not c.needed) for c in writing.columns or ()]
    return matched(turn.results.fields(answer_of(turn).result), there)


def _proposed(turn: Turn, writing: Writing, matching: Matching) -> tuple[ColumnPair, ...]:
    if writing.pairs is not None:
        return writing.pairs
    names = [field.name for field in turn.results.fields(answer_of(turn).result)]
    if writing.mode in ("append", "truncate"):
        return tuple(ColumnPair(names[place], field.name) for place, field in matching.pairs)
    return tuple(ColumnPair(name, name) for name in names)


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
