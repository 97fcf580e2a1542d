"""The tolerances of a comparison: in one form, or typed as a line."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, TypeVar, get_args

from router.cards import Buttons, Card, Field, Form, Option, Text
from router.machine import Ask
from router.memory.comparing import Blanks, Precision, Tolerances
from router.sql.comparing.wording import tolerated
from router.stages.compare.forms import WrongField, filled, forget_filled, keep, parts_of
from router.stages.tasks import comparing_of, set_comparing
from router.turn import Filled, Turn

BACK = Option("back", "Back")
BLANKS = (
    Option("count", "count"),
    Option("end", "do not count at the end"),
    Option("around", "do not count"),
)
CASE = (Option("False", "are not the same"), Option("True", "are the same"))
PRECISION = tuple(Option(each, each) for each in get_args(Precision))
EMPTY = (Option("False", "no"), Option("True", "yes"))


class AskTolerances(Ask):
    """Ask what does not count as a difference."""

    help = (
        "Numbers may be apart by an amount or by a share; texts and times may differ in what you choose here. "
        "Or type it, such as: 0.01, 0.5 %, blanks around, case, seconds"
    )

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
        form = Form("What does not count as a difference?", filled(turn, fields))
        return (Text(tolerated(now), "quiet"), form, Buttons("", (BACK,)))

    def answer(self, turn: Turn) -> Literal["chosen", "wrong", "unclear"]:
        given, now = turn.incoming.input, comparing_of(turn).tolerances
        values = given.values if isinstance(given, Filled) else _typed(turn.text)
        if values is None:
            return turn.unclear("Fill in the form, or type it, such as: 0.01, 0.5 %, blanks around, case, seconds")
        try:
            tolerances = tolerances_of(values, now)
        except WrongField as error:
            keep(turn, values, error)
            return "wrong"
        set_comparing(turn, replace(comparing_of(turn), tolerances=tolerances))
        forget_filled(turn)
        return "chosen"


def tolerances_of(values: Mapping[str, str], now: Tolerances) -> Tolerances:
    """Return what a form says; what it does not say stays. Raises WrongField."""
    return Tolerances(
        _number(values, "absolute", "an amount such as 0.01") if "absolute" in values else now.absolute,
        _number(values, "relative", "a percentage such as 0.5", 100) / 100 if "relative" in values else now.relative,
        _one_of(get_args(Blanks), values.get("blanks"), now.blanks),
        values.get("fold", str(now.fold)) == "True",
        _one_of(get_args(Precision), values.get("precision"), now.precision),
        values.get("empty", str(now.empty)) == "True",
    )


_SEPARATED = re.compile(r"\d{1,3}([,.' ]\d{3})+")


def _number(values: Mapping[str, str], name: str, wanted: str, most: float = 1e15) -> float:
    """Return a number that was typed with a point or a comma; raises WrongField."""
    typed = values[name].strip()
    text = typed.removesuffix("%").strip() if name == "relative" else typed
    if _SEPARATED.fullmatch(text) and not text.startswith("0"):
        said = f"“{typed[:40]}” may be read in two ways: write 1000 for a thousand, and 1.0 for one."
        raise WrongField(name, said)
    try:
        number = float(text.replace(",", ".") or 0)
    except ValueError:
        number = -1.0
    if not 0 <= number <= most:
        raise WrongField(name, f"“{typed[:40]}” is not {wanted}.")
    return number


T = TypeVar("T", bound=str)


def _one_of(choices: tuple[T, ...], chosen: str | None, now: T) -> T:
    """Return what was chosen from a menu; what is not in it changes nothing."""
    return next((each for each in choices if each == chosen), now)


_SAID: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(said, re.IGNORECASE), name, value)
    for said, name, value in (
        (r"(?:percent|relative )?\s*(\d\S*\s*%)", "relative", ""),
        (r"(?:numbers?|amount|absolute|apart by|numbers may be apart by)?\s*(\d\S*)", "absolute", ""),
        (r"(?:blanks )?(?:around|trim(?:med)?)", "blanks", "around"),
        (r"(?:blanks )?(?:at the )?end", "blanks", "end"),
        (r"(?:all )?blanks count", "blanks", "count"),
        (r"(?:upper and lower )?case|ignore case", "fold", "True"),
        (r"case counts", "fold", "False"),
        (r"empty(?: is no value| is null)?", "empty", "True"),
        *((rf"(?:times? (?:down )?to the |to the )?{each}s?", "precision", each) for each in get_args(Precision)),
    )
)


def _typed(text: str) -> dict[str, str] | None:
    """Return what a form would have been filled with; None for a line that says nothing of this."""
    values: dict[str, str] = {}
    for part in parts_of(text):
        found = next(((each, name, value) for said, name, value in _SAID if (each := said.fullmatch(part))), None)
        if found is None:
            return None
        match, name, value = found
        values[name] = value or match[1]
    return values
