"""Whether a sentence typed under a result asks to have it repeated, and what it says of when and where to; by rules.

Whatever is not about repeating makes it another sentence: "how many orders do we get every Monday" is a question.
"""

import re
from dataclasses import dataclass
from typing import Any

from router.intents.errand_words import ADDRESS, POLITE
from router.intents.repetition_words import (
    AT_TIME,
    CONDITIONS,
    DAYS,
    EACH_TIME,
    EVERY,
    FILLING,
    FORMS,
    MAILS,
    PARTS,
    SCHEDULES,
    THIS,
    TIME_ALONE,
    TIME_BARE,
    TIMELY,
    TO,
    UNKNOWN,
    VERBS,
)
from router.intents.words import unaccented
from router.repeating import Condition, To
from router.timing import Day, Every, time_of

LONGEST = 300
"""Characters of a sentence that is looked at."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """What a sentence says; empty is what it does not say.

    `unknown`: it wants another rhythm than there is, or says something else that was not understood. `no_time` is what
    stands where a time of day should.
    """

    every: Every | None = None
    day: Day | None = None
    at: str = ""
    to: To | None = None
    people: str = ""
    form: str = ""
    condition: Condition | None = None
    unknown: bool = False
    no_time: str = ""

    def said(self) -> dict[str, Any]:
        """Return what it says, by the names of the fields of a Repeating."""
        names = ("every", "day", "at", "to", "people", "form", "condition")
        return {name: getattr(self, name) for name in names if getattr(self, name)}


def repetition_of(text: str, *, asked: bool = False) -> Repetition | None:
    """Return what a sentence says about repeating; None where it is about something else.

    `asked`: the person was asked for it, so that "every day" alone is no question by days.
    """
    typed = unaccented(text)
    if not typed or len(typed) > LONGEST:
        return None
    rest = _Rest(re.sub(rf"^{POLITE}", " ", typed))
    people = ", ".join(rest.all(ADDRESS))
    condition, form = rest.first(CONDITIONS), rest.first(FORMS)
    unknown = bool(rest.all(UNKNOWN))
    day = rest.first(DAYS)
    every = rest.first(EVERY) or ("week" if day else None)
    part = rest.first(PARTS) or ""
    if part and re.search(EACH_TIME, typed):
        every = every or "day"
    at, no_time = _clock(rest)
    at = at or part
    mails = bool(rest.all(MAILS)) or bool(people)
    to = rest.first(TO)
    people = f"me, {people}" if people and to == "me" else people
    to = "email" if mails else to
    verb = rest.all(VERBS) or mails
    begins = bool(re.match(SCHEDULES, typed))
    rest.all(FILLING)
    says_when = bool(every or unknown) and bool(verb or at or begins)
    answers = asked and (every or unknown or at or to or condition)
    surely = bool(re.match(THIS, typed)) and bool(every or at or no_time or unknown or re.search(TIMELY, typed))
    if (rest.left and not surely) or not (says_when or begins or answers):
        return None
    unknown = unknown or bool(rest.left)
    return Repetition(every, day, at, to, people, form or "", condition, unknown, no_time)  # type: ignore[arg-type]


class _Rest:
    """What of a sentence nobody has read yet."""

    def __init__(self, text: str) -> None:
        self._text = f" {text} "

    @property
    def left(self) -> str:
        return re.sub(r"[\s,.;:!&()'-]+", " ", self._text).strip()

    def all(self, pattern: str) -> list[str]:
        """Take away, and return, everything that fits."""
        found = [each[0] for each in re.finditer(rf"(?<![\w@.]){pattern}(?!\w)", self._text)]
        self._text = re.sub(rf"(?<![\w@.]){pattern}(?!\w)", " , ", self._text)
        return found

    def first(self, patterns: dict[str, str]) -> str | None:
        """Take away the first that fits, and return its name."""
        return next((name for name, pattern in patterns.items() if self.all(pattern)), None)

    def match(self, pattern: str) -> re.Match[str] | None:
        """Take away the first place that fits, and return it."""
        found = re.search(rf"(?<![\w@.]){pattern}(?!\w)", self._text)
        if found:
            self._text = f"{self._text[: found.start()]} , {self._text[found.end() :]}"
        return found


def _clock(rest: _Rest) -> tuple[str, str]:
    """Return the time of day that is named, and what is none where one should stand."""
    found = rest.match(AT_TIME) or rest.match(TIME_ALONE) or rest.match(TIME_BARE)
    if found is None:
        return "", ""
    at = time_of(found["hour"], found["minute"], found["half"])
    return at, "" if at else found[0].strip()
