"""A query on its way to be repeated."""

from dataclasses import dataclass
from typing import Literal

from router.timing import Day, Every

To = Literal["thread", "me", "email"]
Condition = Literal["always", "rows", "changed"]
"""When rows are shown: always, where there are any, or where they changed since they were shown last."""


@dataclass(frozen=True, slots=True)
class Repeating:
    """A query on its way to be repeated, as far as it is known when, where its rows go, and on what condition."""

    every: Every | Literal[""] = ""
    day: Day = "mon"
    at: str = ""
    to: To = "thread"
    people: str = ""
    """The recipients of e-mails as they were typed."""
    recipients: tuple[str, ...] = ()
    form: Literal["table", "csv", "xlsx"] = "table"
    condition: Condition = "always"
    problem: tuple[str, str] = ("", "")
    """The field that is wrong, and why."""
    whole: bool = False
    """Whether nothing is left to be asked."""
