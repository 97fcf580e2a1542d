"""The choice of what is told of a comparison: five reports."""

from dataclasses import replace
from typing import Literal, get_args

from router.cards import Buttons, Card, Field, Option, Text
from router.machine import Ask
from router.memory.comparing import Reporting
from router.stages.tasks import comparing_of, set_comparing
from router.turn import Turn

REPORTS: dict[Reporting, tuple[str, str]] = {
    "summary": ("Summary", "how many rows are the same, differ, or are on one side alone"),
    "columns": ("By column", "the summary, and in how many rows each column differs"),
    "differences": ("Differences", "the rows that differ, with the values of both sides"),
    "all": ("All rows", "every row, marked as the same, changed, or on one side alone"),
    "aggregates": ("Totals", "counts and sums from each database; no rows are read"),
}
"""The name of each report, and what it tells."""

OF_ROWS: tuple[str, tuple[str, ...]] = ("report", tuple(each for each in REPORTS if each != "aggregates"))
"""The field of the report with those that are made of rows, so that it matters which of them belong together."""

REPORTINGS: tuple[Reporting, ...] = get_args(Reporting)


def report_field(now: Reporting | Literal[""]) -> Field:
    """Return the input in which a report is chosen, with what each tells."""
    options = tuple(Option(each, f"{label} ({tells})") for each, (label, tells) in REPORTS.items())
    return Field("report", "Report", "radio", now or "differences", options=options)


def report_in(chosen: str, now: Reporting | Literal[""]) -> Reporting | Literal[""]:
    """Return the report that was chosen; what is none changes nothing."""
    return next((each for each in REPORTINGS if each == chosen), now)


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
        chosen: Reporting | None = turn.word(*REPORTINGS)
        if chosen is None:
            return turn.unclear()
        set_comparing(turn, replace(comparing_of(turn), reporting=chosen))
        turn.memory.choosing = ""
        return "chosen"
