"""Everything of a comparison that can be changed before it runs, in one form: opened by a button, or asked."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Form, Option
from router.machine import Ask
from router.stages.compare.corrections import changed
from router.stages.compare.forms import WrongField, filled, forget_filled, wrong
from router.stages.compare.pairs import key_fields, keyed_by, keys_in, pair_fields, pairs_in, typed_pairs
from router.stages.compare.plan import columns_of
from router.stages.compare.reporting import report_field, report_in
from router.stages.compare.target import job_field, name_in, table_fields, target_in
from router.stages.compare.tolerances import tolerance_fields, tolerances_of, typed_tolerances
from router.stages.tasks import comparing_of, set_comparing
from router.turn import Filled, Said, Turn

BACK = Option("back", "Back")


def change_form(turn: Turn) -> Form:
    """Return the form, with all that holds of the comparison."""
    comparing, found = comparing_of(turn), columns_of(turn)
    fields = (
        report_field(comparing.reporting),
        *key_fields(found),
        *tolerance_fields(comparing.tolerances),
        job_field(turn),
        *table_fields(turn),
        *pair_fields(found),
    )
    return Form("Change the comparison", fields)


def take_form(turn: Turn) -> None:
    """Have what was sent with the button be the answer to the form that it leads to; without it, the form is asked."""
    forget_filled(turn)
    if turn.filled:
        turn.incoming, turn.goes_on = replace(turn.incoming, input=Filled(turn.filled, turn.memory.turn)), True


class MapTable(Ask):
    """Have the person say which columns belong together, what tells rows apart, and all else of the comparison."""

    help = (
        "Choose what the report shows, the columns by which rows belong together (without any, whole rows are "
        "compared), and what doesn't count as a difference. The last fields are the columns of the first query: choose "
        "the column of the second one for each, or leave it out. Or type it, such as: id = order_no, leave out status, "
        "by id"
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        form = change_form(turn)
        return (replace(form, fields=filled(turn, form.fields)), Buttons("", (BACK,)))

    def answer(self, turn: Turn) -> Literal["mapped", "look", "wrong", "unclear"]:
        found, given = columns_of(turn), turn.incoming.input
        values = given.values if isinstance(given, Filled) else typed_pairs(turn.text, found)
        if isinstance(values, str):
            values = typed_tolerances(turn.text) or values
        if isinstance(values, str):
            # A name that is no column's may be part of a sentence.
            return "mapped" if isinstance(given, Said) and changed(turn) else turn.unclear(values)
        try:
            looked = _take(turn, values)
        except WrongField as error:
            return wrong(turn, values, error)
        forget_filled(turn)
        return "mapped" if looked else "look"


def _take(turn: Turn, values: Mapping[str, str]) -> bool:
    """Have the comparison be as the form says; tell whether rows of all its pairs were looked at. Raises WrongField."""
    comparing, found = comparing_of(turn), columns_of(turn)
    now = keyed_by(found)
    reporting = report_in(values.get("report", ""), comparing.reporting)
    columns = replace(found, matched=pairs_in(found, values), keys=())
    # Totals have no key: what was hidden is not wrong.
    columns = replace(columns, keys=keys_in(columns, values, now, lenient=reporting == "aggregates"))
    # How the texts of a pair are read, the rows say; those of a new pair were not looked at yet.
    looked = found.looked and set(columns.matched) <= set(found.matched)
    why = found.why if keyed_by(columns) == now else "chosen by you"
    after = replace(
        comparing,
        columns=replace(columns, why=why, looked=looked),
        reporting=reporting,
        tolerances=tolerances_of(values, comparing.tolerances),
        name=name_in(turn, values) if "name" in values else comparing.name,
        target=target_in(turn, values) if "table" in values else comparing.target,
    )
    set_comparing(turn, after)
    return looked
