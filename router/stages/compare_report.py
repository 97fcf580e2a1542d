"""What is told of a comparison."""

from dataclasses import replace
from typing import Literal, get_args

from router.cards import Buttons, Card, Option, Text
from router.comparing import Reporting
from router.machine import Ask
from router.stages.compare_sides import comparing_of
from router.turn import Turn

REPORTS: dict[Reporting, tuple[str, str]] = {
    "summary": ("Summary", "how many rows are the same, differ, or are on one side alone"),
    "columns": ("By column", "the summary, and for each column in how many rows it differs"),
    "differences": ("Differences", "the rows that differ, with the values of both sides"),
    "all": ("All rows", "every row, marked as the same, changed, or on one side alone"),
    "aggregates": ("Totals", "counts and sums that each database works out itself; no rows are read, so it is quick"),
}
"""What each report is called, and what it tells."""


class AskReporting(Ask):
    """Ask what the report shall tell, unless that is known."""

    help = "Choose what you want to see; the sentence, the counts and the first differences come with every report."

    def settle(self, turn: Turn) -> Literal["chosen"] | None:
        return "chosen" if comparing_of(turn).reporting and turn.memory.choosing != "reporting" else None

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        said = "\n".join(f"*{label}*: {tells}." for label, tells in REPORTS.values())
        now = comparing_of(turn).reporting or "differences"
        ways = (Option(each, label, "primary" if each == now else "plain") for each, (label, _) in REPORTS.items())
        return (Text(said), Buttons("What shall the report tell?", tuple(ways)))

    def answer(self, turn: Turn) -> Literal["chosen"]:
        kinds: tuple[Reporting, ...] = get_args(Reporting)
        chosen: Reporting = turn.pick(*kinds)
        turn.memory.comparing = replace(comparing_of(turn), reporting=chosen)
        turn.memory.choosing = ""
        return "chosen"
