"""A finding of a check of the surroundings, for the doctor and for each platform's start."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from router.language.wording import counted

Grade = Literal["ok", "warning", "FAILED"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; what FAILED and is not `lasting` may be well in a moment, as after an outage.

    `remedies` are statements or commands that mend it, one a line, to be pasted.
    """

    grade: Grade
    about: str
    sentence: str
    lasting: bool = True
    remedies: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join(
            (f"{self.grade:8} {self.about}: {self.sentence}", *(f"{'':9}{each}" for each in self.remedies))
        )


def report(findings: Iterable[Finding], say: Callable[[str], None]) -> int:
    """Say each finding as it is made; returns 1 if something failed, else 0."""
    grades = []
    for finding in findings:
        grades.append(finding.grade)
        say(str(finding))
    failed, warnings = grades.count("FAILED"), grades.count("warning")
    warned = counted(warnings, "warning")
    say(f"\n{failed} failed, {warned}." if failed else f"\nReady, with {warned}." if warnings else "\nReady.")
    return 1 if failed else 0
