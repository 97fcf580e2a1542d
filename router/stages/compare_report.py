"""What is told of a comparison, and what does not count as a difference."""

from dataclasses import replace
from typing import Literal, TypeVar, get_args

from router.cards import Buttons, Card, Field, Form, Option, Text
from router.comparing import Blanks, Precision, Reporting, Tolerances
from router.errors import Unclear
from router.machine import Ask
from router.sql.comparing.saying import tolerated
from router.stages.compare_sides import comparing_of
from router.turn import Filled, Turn

REPORTS: dict[Reporting, tuple[str, str]] = {
    "summary": ("Summary", "how many rows are the same, differ, or are on one side alone"),
    "columns": ("By column", "the summary, and for each column in how many rows it differs"),
    "differences": ("Differences", "the rows that differ, with the values of both sides"),
    "all": ("All rows", "every row, with what became of it"),
    "aggregates": ("Totals", "counts and sums that each database reckons itself; no rows are read, so it is quick"),
}
"""What each report is called, and what it tells."""

BACK = Option("back", "Back")


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


class AskTolerances(Ask):
    """Ask what does not count as a difference."""

    help = "Numbers may be apart by an amount or by a share; texts and times may differ in what you choose here."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        now = comparing_of(turn).tolerances
        fields = (
            Field("absolute", "Numbers may be apart by", value=f"{now.absolute:g}"),
            Field("relative", "Or by percent", value=f"{now.relative * 100:g}"),
            Field("blanks", "Blanks around texts", "menu", now.blanks, options=BLANKS),
            Field("fold", "Upper and lower case", "menu", str(now.fold), options=CASE),
            Field("precision", "Times count down to the", "menu", now.precision, options=PRECISION),
            Field("empty", "An empty text is no value", "menu", str(now.empty), options=EMPTY),
        )
        form = Form("What does not count as a difference?", fields)
        return (Text(tolerated(now), "quiet"), form, Buttons("Or:", (BACK,)))

    def answer(self, turn: Turn) -> Literal["chosen"]:
        given = turn.incoming.input
        if not isinstance(given, Filled):
            raise Unclear("Fill in the form, please: what shall not count as a difference.")
        values, now = given.values, comparing_of(turn).tolerances
        tolerances = Tolerances(
            _number(values.get("absolute", ""), "an amount such as 0.01"),
            _number(values.get("relative", ""), "a percentage such as 0.5", most=100) / 100,
            _one_of(get_args(Blanks), values.get("blanks"), now.blanks),
            values.get("fold", str(now.fold)) == "True",
            _one_of(get_args(Precision), values.get("precision"), now.precision),
            values.get("empty", str(now.empty)) == "True",
        )
        turn.memory.comparing = replace(comparing_of(turn), tolerances=tolerances)
        return "chosen"


BLANKS = (
    Option("count", "count"),
    Option("end", "do not count at the end"),
    Option("around", "do not count"),
)
CASE = (Option("False", "are not the same"), Option("True", "are the same"))
PRECISION = tuple(Option(each, each) for each in get_args(Precision))
EMPTY = (Option("False", "no"), Option("True", "yes"))


T = TypeVar("T", bound=str)


def _one_of(choices: tuple[T, ...], chosen: str | None, now: T) -> T:
    """Return what was chosen from a menu; what is not in it changes nothing."""
    return next((each for each in choices if each == chosen), now)


def _number(typed: str, wanted: str, most: float = 1e15) -> float:
    """Return a number that was typed with a point or a comma; raises Unclear."""
    text = typed.strip().rstrip("%").strip().replace(",", ".")
    try:
        number = float(text or 0)
    except ValueError:
        number = -1.0
    if not 0 <= number <= most:
        raise Unclear(f"“{typed.strip()[:40]}” is not {wanted}. Nothing was changed.")
    return number
