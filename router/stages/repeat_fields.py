"""The form that asks when a query shall run again: its fields, and what was put into them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, get_args

from router.cards import Field, Option
from router.jobs.cells import line
from router.memory import User
from router.repeating import Condition, Repeating, To
from router.timing import DAYS, Every, time_of

EVERY: Final = {
    "hour": "Every hour",
    "day": "Every day",
    "workday": "Every workday",
    "week": "Every week",
    "month": "On the first of the month",
}
TO_EMAIL: Final = "email"
PLACES: Final = {"thread": "Here", "me": "To me alone"}
EMAILS: Final = {
    "table": "By e-mail, the rows in it",
    "csv": "By e-mail, as CSV",
    "xlsx": "By e-mail, as Excel",
}
WHEN: Final = {"always": "Always", "rows": "Only if there are rows", "changed": "Only if they changed"}

_TIME = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))? ?([ap]\.?m\.?)?", re.IGNORECASE)


def fields_of(repeating: Repeating, places: Sequence[To], owner: User) -> tuple[Field, ...]:
    """Return the form's fields, with what is known in them."""
    name, wrong = repeating.problem
    where = {place: PLACES[place] for place in places if place != TO_EMAIL}
    mails = {f"{TO_EMAIL}:{form}": label for form, label in EMAILS.items()} if TO_EMAIL in places else {}
    to = f"{TO_EMAIL}:{repeating.form}" if repeating.to == TO_EMAIL else repeating.to
    people = Field(
        "people",
        "E-mail to (where it goes by e-mail)",
        value=repeating.people or owner.email,
        optional=True,
        problem=wrong if name == "people" else "",
    )
    return (
        _menu("every", "How often", repeating.every or "day", EVERY),
        _menu("day", "On which day (of every week)", repeating.day, DAYS),
        Field("at", "At what time", value=repeating.at or "08:00", problem=wrong if name == "at" else ""),
        _menu("to", "Where to", to, where | mails),
        *((people,) if mails else ()),
        _menu("when", "When", repeating.condition, WHEN),
    )


def filled(repeating: Repeating, values: Mapping[str, str]) -> Repeating:
    """Return what the form says; what no menu has is left as it was."""
    place, _, form = values.get("to", "").partition(":")
    given: dict[str, Any] = {
        "every": _one_of(values.get("every", ""), get_args(Every)),
        "day": _one_of(values.get("day", ""), tuple(DAYS)),
        "to": _one_of(place, get_args(To)),
        "form": _one_of(form, tuple(EMAILS)),
        "condition": _one_of(values.get("when", ""), get_args(Condition)),
    }
    at = time_typed(values.get("at", ""))
    problem = ("", "") if at else ("at", no_time(values.get("at", "")))
    people = values.get("people", repeating.people)
    kept = {name: value for name, value in given.items() if value}
    kept["every"] = kept.get("every") or repeating.every or "day"
    return replace(repeating, **kept, at=at, people=people, problem=problem)


def time_typed(text: str) -> str:
    """Return a time of day as "08:00"; empty for what is none."""
    found = _TIME.fullmatch(text.strip())
    return time_of(*found.groups()) if found else ""


def no_time(typed: str) -> str:
    """Say that something is no time of day."""
    return f'"{line(typed, 40)}" is no time of day: write it like 8:00 or 14:30.'


def _menu(name: str, label: str, value: str, options: Mapping[Any, str]) -> Field:
    return Field(name, label, "menu", value, options=tuple(Option(each, word) for each, word in options.items()))


def _one_of(value: str, allowed: Sequence[str]) -> str:
    return value if value in allowed else ""
