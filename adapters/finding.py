"""What a check of the surroundings found, for the doctor and for each platform's start."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

Grade = Literal["ok", "warning", "FAILED"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    grade: Grade
    about: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.grade:8} {self.about}: {self.sentence}"


def report(findings: Iterable[Finding], say: Callable[[str], None]) -> int:
    """Say each finding as it is made; returns 1 where something failed, else 0."""
    grades = []
    for finding in findings:
        grades.append(finding.grade)
        say(str(finding))
    failed = grades.count("FAILED")
    say(f"\n{failed} failed, {grades.count('warning')} warnings." if failed else "\nReady.")
    return 1 if failed else 0
