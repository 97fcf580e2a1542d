"""The form of a comparison: all of it at once, opened by a button or asked; or the part that a word asks for."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Form, Option, Text
from router.language.folding import caseless
from router.machine import Ask
from router.policy import writable
from router.stages.compare.fields import REPORTS, WrongField, fields_of, refilled, target_fields, with_values
from router.stages.compare.plan import columns_of
from router.stages.compare.sentences import changed
from router.stages.tasks import comparing_of, set_comparing
from router.stages.typed_names import NO_JOB_NAME, typed_job, typed_table
from router.turn import Filled, Turn

BACK = Buttons("", (Option("back", "Back"),))

NOT_READ = (
    "I didn't understand that, so nothing was changed. Use the form, or type one change alone, such as: id = order_no, "
    "leave out status, the key is id, only the differences, up to 1 %"
)


def change_form(turn: Turn) -> Form:
    """Return the form, with all that holds of the comparison."""
    return Form("Change the comparison", fields_of(turn, columns_of(turn)))


def take_form(turn: Turn) -> None:
    """Have what was sent with the button be the answer to the form that it leads to; without it, the form is asked."""
    set_comparing(turn, replace(comparing_of(turn), filled={}, problem=("", "")))
    if turn.filled:
        turn.incoming, turn.goes_on = replace(turn.incoming, input=Filled(turn.filled, turn.memory.turn)), True


def take_values(turn: Turn, values: Mapping[str, str]) -> None:
    """Have the comparison be as the values of its form say. Raises WrongField."""
    set_comparing(turn, with_values(turn, comparing_of(turn), columns_of(turn), values))


class MapTable(Ask):
    """Have the person say which columns belong together, what tells rows apart, and all else of the comparison."""

    help = (
        "Choose what the report shows, the columns by which rows belong together (without any, whole rows are "
        "compared), and what doesn't count as a difference. The last fields are the columns of the first query: choose "
        "the column of the second one for each, or leave it out."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        form = change_form(turn)
        return (replace(form, fields=refilled(comparing_of(turn), form.fields)), BACK)

    def answer(self, turn: Turn) -> Literal["mapped", "look", "wrong", "unclear"]:
        given = turn.incoming.input
        if not isinstance(given, Filled):
            if not changed(turn):
                return turn.unclear(NOT_READ)
            return "mapped" if columns_of(turn).looked else "look"
        try:
            take_values(turn, given.values)
        except WrongField as error:
            said = (error.name, str(error))
            set_comparing(turn, replace(comparing_of(turn), filled=dict(given.values), problem=said))
            return "wrong"
        return "mapped" if columns_of(turn).looked else "look"


class AskReporting(Ask):
    """Ask what the report should show, where a person wants another one than the differences."""

    help = "Choose what you want to see. Every report has the sentence, the counts and the first differences."

    def settle(self, turn: Turn) -> Literal["chosen"] | None:
        if turn.memory.choosing == "reporting":
            return None
        comparing = comparing_of(turn)
        set_comparing(turn, replace(comparing, reporting=comparing.reporting or "differences"))
        return "chosen"

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        said = "\n".join(f"*{label}*: {tells}." for label, tells in REPORTS.values())
        now = comparing_of(turn).reporting or "differences"
        ways = (Option(each, label, "primary" if each == now else "plain") for each, (label, _) in REPORTS.items())
        return (Text(said), Buttons("What should the report show?", tuple(ways)))

    def answer(self, turn: Turn) -> Literal["chosen", "unclear"]:
        chosen = turn.word(*REPORTS)
        if chosen is None:
            return turn.unclear()
        set_comparing(turn, replace(comparing_of(turn), reporting=chosen))
        turn.memory.choosing = ""
        return "chosen"


TARGET_PARTS = ("database", "table", "name")


class AskTarget(Ask):
    """Ask where the rows of the report go, and for the name of the job: in one form, or typed one after the other."""

    help = "Choose where the rows of the report go, and what the job is called. They are written once you approve that."

    def __init__(self, part: str) -> None:
        """Take the part that is asked first: "database", "table" or "name"."""
        self.part = part

    def settle(self, turn: Turn) -> Literal["named"] | None:
        comparing = comparing_of(turn)
        known = comparing.target.table if self.part == "table" else comparing.name
        return "named" if self.part != "database" and (known or not comparing.target.connection) else None

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        parts = TARGET_PARTS[TARGET_PARTS.index(self.part) :]
        fields = tuple(each for each in target_fields(turn) if each.name in parts)
        return (
            Form("Where should the rows of the report go?" if len(parts) > 1 else "What is the job called?", fields),
            BACK,
        )

    def answer(self, turn: Turn) -> Literal["named", "unclear"]:
        given = turn.incoming.input
        values = given.values if isinstance(given, Filled) else self._typed(turn)
        if not values:
            return turn.unclear(turn.refusal)
        try:
            take_values(turn, values)
        except WrongField as error:
            return turn.unclear(str(error))
        comparing = comparing_of(turn)
        set_comparing(turn, replace(comparing, name=values.get("name", "").strip() or comparing.name))
        return "named"

    def _typed(self, turn: Turn) -> dict[str, str]:
        """Return the part that was typed; empty, with a sentence about it, where that is none."""
        allowed, target = writable(turn.services.connections, turn.owner), comparing_of(turn).target
        if self.part == "name":
            name = typed_job(turn) or turn.unclear(turn.refusal or NO_JOB_NAME)
            return {} if turn.refusal else {"name": name}
        if self.part == "database" and len(allowed) > 1:
            found = [
                each.name for each in allowed if caseless(turn.text) in (caseless(each.label), caseless(each.name))
            ]
            turn.unclear(f"Fill in the form, or type a database: {', '.join(each.label for each in allowed)}.")
            return {"database": found[0]} if found else {}
        table = typed_table(turn)
        return {"database": target.connection, "table": f'"{table}"'} if table else {}
