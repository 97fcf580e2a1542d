"""The tolerances of a comparison: fields of a form, or typed as a line."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, TypeVar, get_args

from router.cards import Buttons, Card, Field, Form, Option, Text
from router.machine import Ask
from router.memory.comparing import Blanks, Precision, Tolerances
from router.sql.comparing.wording import tolerated
from router.stages.compare.forms import WrongField, filled, forget_filled, parts_of, wrong
from router.stages.tasks import comparing_of, set_comparing
from router.turn import Filled, Turn

BACK = Option("back", "Back")
BLANKS = (
    Option("count", "count"),
    Option("end", "don't count at the end"),
    Option("around", "don't count"),
)
CASE = (Option("False", "counts"), Option("True", "doesn't count"))
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
        form = Form("What does not count as a difference?", filled(turn, tolerance_fields(now)))
        return (Text(tolerated(now), "quiet"), form, Buttons("", (BACK,)))

    def answer(self, turn: Turn) -> Literal["chosen", "wrong", "unclear"]:
        given, now = turn.incoming.input, comparing_of(turn).tolerances
        values = given.values if isinstance(given, Filled) else typed_tolerances(turn.text)
        if values is None:
            return turn.unclear("Fill in the form, or type it, such as: 0.01, 0.5 %, blanks around, case, seconds")
        try:
            tolerances = tolerances_of(values, now)
        except WrongField as error:
            return wrong(turn, values, error)
        set_comparing(turn, replace(comparing_of(turn), tolerances=tolerances))
        forget_filled(turn)
        return "chosen"


def tolerance_fields(now: Tolerances) -> tuple[Field, ...]:
    """Return the inputs of a form in which it is said what does not count."""
    return (
        Field("apart", "Numbers may be apart by", value=_apart(now), optional=True, hint="0.01, or a share: 0.5 %"),
        Field("blanks", "Blanks around texts", "menu", now.blanks, options=BLANKS),
        Field("fold", "Upper and lower case", "menu", str(now.fold), options=CASE),
        Field("precision", "Times count down to the", "menu", now.precision, options=PRECISION),
        Field("empty", "An empty text is no value", "menu", str(now.empty), options=EMPTY),
    )


def _apart(now: Tolerances) -> str:
    amounts = (f"{now.absolute:.12g}" if now.absolute else "", f"{now.relative * 100:.12g} %" if now.relative else "")
    return " or ".join(filter(None, amounts))


def tolerances_of(values: Mapping[str, str], now: Tolerances) -> Tolerances:
    """Return what a form says; what it does not say stays. Raises WrongField."""
    apart, before = values.get("apart"), _apart(now)
    said = values if apart in (None, before) else {**values, **_amounts(apart or "")}
    share = "a percentage such as 0.5 %"
    return Tolerances(
        _number(said["absolute"], "an amount such as 0.01") if "absolute" in said else now.absolute,
        _number(said["relative"], share, _WHOLE) / _WHOLE if "relative" in said else now.relative,
        _one_of(get_args(Blanks), values.get("blanks"), now.blanks),
        values.get("fold", str(now.fold)) == "True",
        _one_of(get_args(Precision), values.get("precision"), now.precision),
        values.get("empty", str(now.empty)) == "True",
    )


_WHOLE = 100.0

_SEPARATED = re.compile(r"\d{1,3}([,.' ]\d{3})+")


_OR = re.compile(r"\s+(?:or|and)\s+|[,;]\s+")


def _amounts(apart: str) -> dict[str, str]:
    """Return the amount and the share that a line such as "0.01 or 0.5 %" has."""
    parts = [part.strip() for part in _OR.split(apart) if part.strip()]
    shares = [part for part in parts if part.endswith("%")]
    return {"absolute": " ".join(part for part in parts if part not in shares), "relative": " ".join(shares)}


def _number(typed: str, wanted: str, most: float = 1e15) -> float:
    """Return a number that was typed with a point or a comma; raises WrongField."""
    typed = typed.strip()
    text = typed.removesuffix("%").strip() if most == _WHOLE else typed
    if _SEPARATED.fullmatch(text) and not text.startswith("0"):
        said = f"“{typed[:40]}” may be read in two ways: write 1000 for a thousand, and 1.0 for one."
        raise WrongField("apart", said)
    try:
        number = float(text.replace(",", ".") or 0)
    except ValueError:
        number = -1.0
    if not 0 <= number <= most:
        raise WrongField("apart", f"“{typed[:40]}” is not {wanted}.")
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


def typed_tolerances(text: str) -> dict[str, str] | None:
    """Return what a form would have been filled with; None for a line that says nothing of this."""
    values: dict[str, str] = {}
    for part in parts_of(text):
        found = next(((each, name, value) for said, name, value in _SAID if (each := said.fullmatch(part))), None)
        if found is None:
            return None
        match, name, value = found
        values[name] = value or match[1]
    return values
