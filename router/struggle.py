"""What was tried since the last result, and which questions people were asked about."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

KEPT = 12
"""Questions that are remembered of each kind."""


@dataclass(frozen=True, slots=True)
class Handoff:
    """A question that people were asked about: where, and how far that came; `id` is the same for the same question."""

    id: str
    about: str
    way: Literal["channel", "email"]
    where: str
    """As it is said: "in #data-help"."""
    at: datetime
    state: Literal["sending", "sent", "unsure"] = "sending"


@dataclass(frozen=True, slots=True)
class Struggle:
    """The wordings of one question since the last result, each try that failed, and what was handed to people."""

    wordings: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    error: str = ""
    """Why the last try failed; empty where it did not."""
    handed: tuple[Handoff, ...] = ()

    @property
    def sending(self) -> Handoff | None:
        """What was on its way to people when this was saved."""
        return next((each for each in self.handed if each.state == "sending"), None)

    def of(self, id: str) -> Handoff | None:
        """Return what became of a question that was handed over."""
        return next((each for each in self.handed if each.id == id), None)

    def about(self, questions: Collection[str]) -> bool:
        """Tell whether people were asked about any of these."""
        return any(each.about in questions for each in self.handed)

    def over(self) -> "Struggle":
        """Return what is left of it once there is a result, or another question."""
        return Struggle(handed=self.handed)

    def tried(self, wording: str, error: str) -> "Struggle":
        """Return it with one more try, which failed where there is an error."""
        wordings = self.wordings if wording in self.wordings else (*self.wordings, wording)[-KEPT:]
        failed = (*self.failed, wording)[-KEPT:] if error else self.failed
        return replace(self, wordings=wordings, failed=failed, error=error)

    def noting(self, handoff: Handoff) -> "Struggle":
        """Return it with how far a question came that is handed over."""
        return replace(self, handed=(*self.without(handoff.id).handed, handoff)[-KEPT:])

    def without(self, id: str) -> "Struggle":
        """Return it without a question that did not reach anybody."""
        return replace(self, handed=tuple(each for each in self.handed if each.id != id))
