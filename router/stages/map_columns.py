"""The form for the columns of a write: which of the result goes into which of the table."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Form, Text
from router.cards import Field as Input
from router.stages.shown import answer_of
from router.stages.tasks import LEAVE, DestinationAsk, left, set_writing, writing_of
from router.stages.write_columns import checked_pairs, matching_of, paired
from router.stages.write_patch import change_write
from router.turn import Filled, Turn

MAPPED_COLUMNS_MAX = 40
"""Columns that a form asks for."""


class MapColumns(DestinationAsk):
    """Ask which column goes where, where the names do not tell."""

    card = "write_columns"
    accepts = frozenset(["columns", "name"])
    help = "Each field is a column of the result: name the column of the table that takes it, or none to leave it out."

    def settle(self, turn: Turn) -> Literal["mapped"] | None:
        writing = writing_of(turn)
        matching = matching_of(turn, writing)
        unclear = writing.mode in ("append", "truncate") and (matching.unplaced or matching.problems)
        if unclear or turn.memory.choosing == "columns":
            return None
        set_writing(turn, replace(writing, pairs=checked_pairs(paired(turn, writing, {}), writing)))
        return "mapped"

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        writing = writing_of(turn)
        there = ", ".join(f"{c.name} ({c.type})" for c in writing.columns or ())
        pairs = paired(turn, writing, {})
        fields = turn.results.fields(answer_of(turn).result)
        said = (Text(f"The columns of the table: {there}", "quiet"),) if there else ()
        if len(fields) > MAPPED_COLUMNS_MAX:
            line = f"There are {len(fields):,} columns: give them the names of the table's columns in the query."
            return (*said, Text(line), Buttons("What's next?", (LEAVE,)))
        inputs = tuple(
            Input(f"c{place}", f"{field.name} ({field.kind}) →", value=pairs[field.name], optional=True)
            for place, field in enumerate(fields)
        )
        return (*said, Form("Which column goes where?", inputs), Buttons("", (LEAVE,)))

    def answer(self, turn: Turn) -> Literal["mapped", "cancel", "unclear"]:
        if left(turn):
            turn.memory.choosing = ""
            return "cancel"
        given, writing = turn.incoming.input, writing_of(turn)
        wanted = paired(turn, writing, {})
        if isinstance(given, Filled):
            wanted = {name: given.values.get(f"c{place}", "").strip() for place, name in enumerate(wanted)}
        if isinstance(given, Filled) or turn.word("yes"):
            set_writing(turn, replace(writing, pairs=checked_pairs(wanted, writing)))
        elif not change_write(turn):
            return turn.unclear(
                "Fill in the form, or type which column of the table takes which column of the result, such as: "
                "amount = total, leave out id"
            )
        turn.memory.choosing = ""
        return "mapped"
