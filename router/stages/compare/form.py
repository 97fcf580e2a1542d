"""The form of a comparison: all of it at once, opened by a button or asked; or the part that a word asks for."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Form, Option
from router.machine import Ask
from router.stages.compare.fields import fields_of, take_values
from router.stages.compare.plan import columns_of
from router.stages.tasks import comparing_of
from router.turn import Filled, Said, Turn
from router.understanding.parameters.comparing import comparison_patch

BACK = Buttons("", (Option("back", "Back"),))

NOT_READ = (
    "I didn't understand that, so nothing was changed. Use the form, or type one change alone, such as: id = order_no, "
    "leave out status, the key is id, only the differences"
)

Changed = Literal["mapped", "map"]
"""The outcome of a change: all is known, or the form is asked."""


def change_form(turn: Turn, *names: str) -> Form:
    """Return the form with all that holds of the comparison, or with these fields of it alone."""
    return Form("Change the comparison", fields_of(turn, *names))


def changed(turn: Turn) -> Changed | Literal["unclear"]:
    """Change the comparison by its form, which may come with the button, or as a typed sentence says."""
    values = _sent(turn)
    if not values and not turn.word("change", "map", "tolerances", "no"):
        return turn.unclear(NOT_READ)
    return "mapped" if take_values(turn, values) and values else "map"


def _sent(turn: Turn) -> dict[str, str]:
    """Return the values of the form that were sent, or that a typed sentence says."""
    match turn.incoming.input:
        case Filled(values):
            return values
        case Said(text):
            return comparison_patch(text, columns_of(comparing_of(turn)))
    return turn.filled


class FillForm(Ask):
    """Ask for all of the comparison: its report, what tells rows apart, what does not count, and the columns."""

    help = (
        "Choose what the report shows, the columns by which rows belong together (without any, whole rows are "
        "compared), and what doesn't count as a difference. The last fields are the columns of the first query: choose "
        "the column of the second one for each, or leave it out."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        form, problems = change_form(turn), comparing_of(turn).problems
        fields = tuple(replace(each, problem=problems.get(each.name, "")) for each in form.fields)
        return (replace(form, fields=fields), BACK)

    def answer(self, turn: Turn) -> Changed | Literal["unclear"]:
        return changed(turn)


class FillPart(Ask):
    """Ask for one field of the form, if a word asks for it."""

    help = "Fill in the form. Nothing is read or written before you approve it."

    def __init__(self, name: str, asked_by: Literal["", "reporting"] = "") -> None:
        """Take the name of the field, and the wish without which it is not asked."""
        self.name, self.asked_by = name, asked_by

    def decide_unasked(self, turn: Turn) -> Literal["filled"] | None:
        wanted = turn.memory.choosing == self.asked_by and fields_of(turn, self.name)
        turn.memory.choosing = ""
        return None if wanted else "filled"

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return (change_form(turn, self.name), BACK)

    def answer(self, turn: Turn) -> Literal["filled", "unclear"]:
        values = {name: value for name, value in _sent(turn).items() if name == self.name}
        if values and take_values(turn, values):
            return "filled"
        return turn.unclear(comparing_of(turn).problems.get(self.name, NOT_READ))
