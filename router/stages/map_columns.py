"""The form for the columns of a write: which of the result goes into which of the table."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from router.cards import Card, Form, Text
from router.cards import Field as Input
from router.stages.shown import fields_of
from router.stages.task_cards import TaskForm
from router.stages.tasks import set_writing, writing_of
from router.stages.write_columns import checked_pairs, matching_of, paired
from router.stages.write_patch import change_write
from router.turn import Turn

MAPPED_COLUMNS_MAX = 40
"""Columns that a form asks for."""

HOW_TO_PAIR = (
    "Fill in the form, or type which column of the table takes which column of the result, such as: "
    "amount = total, leave out id"
)


class MapColumns(TaskForm):
    """Ask which column goes where, if the names do not tell."""

    card = "write_columns"
    accepts = frozenset(["columns", "name"])
    help = "Each field is a column of the result: name the column of the table that takes it, or none to leave it out."

    def decide_unasked(self, turn: Turn) -> Literal["filled"] | None:
        writing = writing_of(turn)
        matching = matching_of(turn, writing)
        unclear = writing.mode in ("append", "truncate") and (matching.unplaced or matching.problems)
        if unclear or turn.memory.choosing == "columns":
            return None
        set_writing(turn, replace(writing, pairs=checked_pairs(paired(turn, writing, {}), writing)))
        return "filled"

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        """Return the form, below the columns of the table."""
        writing = writing_of(turn)
        there = ", ".join(f"{c.name} ({c.type})" for c in writing.columns or ())
        said = (Text(f"The columns of the table: {there}", "quiet"),) if there else ()
        more = len(paired(turn, writing, {})) - MAPPED_COLUMNS_MAX
        others = (Text(f"There are {more:,} columns more. {HOW_TO_PAIR}", "quiet"),) if more > 0 else ()
        return (*said, *others, *super().ask(turn))

    def form(self, turn: Turn) -> Form:
        """Return a field for each column of the result."""
        pairs, fields = paired(turn, writing_of(turn), {}), fields_of(turn)
        inputs = (
            Input(f"c{place}", f"{field.name} ({field.kind}) →", value=pairs[field.name], optional=True)
            for place, field in enumerate(fields[:MAPPED_COLUMNS_MAX])
        )
        return Form("Which column goes where?", tuple(inputs))

    def fill(self, turn: Turn, values: Mapping[str, str]) -> bool:
        """Take the pairs; raises Unclear for what cannot be."""
        writing, before = writing_of(turn), paired(turn, writing_of(turn), {})
        wanted = {name: values.get(f"c{place}", target) for place, (name, target) in enumerate(before.items())}
        set_writing(turn, replace(writing, pairs=checked_pairs(wanted, writing)))
        turn.memory.choosing = ""
        return True

    def patch(self, turn: Turn, text: str) -> bool:
        """Take what a sentence says of the columns, or changes of the write; raises Unclear for what cannot be."""
        if not change_write(turn):
            turn.unclear(HOW_TO_PAIR)
            return False
        turn.memory.choosing = ""
        return True
