"""The columns of a table that take those of a result: by name where that is clear, else as the person says."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Form, Text
from router.cards import Field as Input
from router.jobs.write_data import Columns
from router.memory.thread import Writing
from router.stages.shown import answer_of
from router.stages.tasks import LEAVE, DestinationAsk, left, set_writing, writing_of
from router.stages.write_changes import change_write, checked_pairs, matching_of, paired, proposed
from router.turn import Filled, Turn

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
        set_writing(turn, replace(writing, pairs=proposed(turn, writing, matching)))
        return "mapped"

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        writing = writing_of(turn)
        there = ", ".join(f"{c.name} ({c.type})" for c in writing.columns or ())
        pairs = {pair.source: pair.target for pair in proposed(turn, writing, matching_of(turn, writing))}
        fields = turn.results.fields(answer_of(turn).result)
        said = (Text(f"The columns of the table: {there}", "quiet"),) if there else ()
        if len(fields) > MAPPED_COLUMNS_MAX:
            line = f"There are {len(fields):,} columns: give them the names of the table's columns in the query."
            return (*said, Text(line), Buttons("What's next?", (LEAVE,)))
        inputs = tuple(
            Input(f"c{place}", f"{field.name} ({field.kind}) →", value=pairs.get(field.name, ""), optional=True)
            for place, field in enumerate(fields)
        )
        return (*said, Form("Which column goes where?", inputs), Buttons("", (LEAVE,)))

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
        elif change_write(turn):
            turn.memory.choosing = ""
            return "mapped"
        else:
            return turn.unclear(
                "Fill in the form, or type which column of the table takes which column of the result, such as: "
                "amount = total, leave out id"
            )
        set_writing(turn, replace(writing, pairs=checked_pairs(wanted, writing)))
        turn.memory.choosing = ""
        return "mapped"


def columns_of(turn: Turn, writing: Writing) -> Columns:
    """Return what the job writes: the places of the result's columns with the columns that they go into."""
    fields = turn.results.fields(answer_of(turn).result)
    targets = {pair.source: pair.target for pair in writing.pairs or ()}
    return tuple(
        (place, replace(field, name=targets[field.name]))
        for place, field in enumerate(fields)
        if targets.get(field.name)
    )
