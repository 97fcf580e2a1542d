"""Ways out of a comparison that several of its questions offer: back to a query, or to the result it began with."""

from typing import Literal

from router.cards import Option
from router.stages.compare_sides import change, comparing_of
from router.turn import Turn


def queries() -> tuple[Option, Option]:
    """Return the buttons that lead back to either query."""
    return Option("first", "Edit the first query"), Option("second", "Edit the second query")


def leaving(turn: Turn) -> Option:
    """Return the button that leaves the comparison: to the result that it began with, where there is one."""
    return Option("cancel", "Back to the result" if turn.memory.answer else "Cancel")


def left_comparison(turn: Turn) -> Literal["cancel", "over"] | None:
    """Tell whether the person leaves the comparison, and whether there is a result to go back to."""
    if not turn.word("cancel"):
        return None
    memory, left = turn.memory, comparing_of(turn).left
    if memory.answer is None:
        turn.note("Cancelled; nothing was compared.", "quiet")
        return "over"
    if left and left.place.connection == memory.answer.connection:
        memory.place = left.place
    memory.comparing = None
    return "cancel"


def edited(turn: Turn) -> Literal["first", "second"] | None:
    """Put a query back on the table where the person wants to change it."""
    word: Literal["first", "second"] | None = turn.word("first", "second")
    if word:
        change(turn, "left" if word == "first" else "right")
    return word
