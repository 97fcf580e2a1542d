"""What is in a column of a sample, as far as it tells which column of another query is the same one."""

from dataclasses import dataclass
from typing import Literal

from router.sql.comparing.forms import BYTES, NOT_A_NUMBER, NULL, NUMBER, TEXT, TIME, Formed, Forming
from router.sql.comparing.plan import Form, Tolerances
from router.sql.comparing.reading import moment_in, number_in
from router.sql.comparing.sampling import Sample

Family = Literal["number", "time", "text", "bytes", "nothing"]

_FAMILIES: dict[int, Family] = {NUMBER: "number", NOT_A_NUMBER: "number", TIME: "time", TEXT: "text", BYTES: "bytes"}
_FEW = 3
"""With fewer different values a column is like many others."""

_FORMING = Forming(Tolerances())


@dataclass(frozen=True, slots=True)
class Contents:
    """A column at its place: its different values in one form, whether each is there once, and whether any is NULL."""

    place: int
    name: str
    family: Family
    values: frozenset[Formed]
    unique: bool
    filled: bool

    def fits(self, other: "Contents") -> bool:
        """Tell whether the values could be of one column."""
        return self.family == other.family or "nothing" in (self.family, other.family)


def contents_of(sample: Sample, place: int) -> Contents:
    """Return what is in a column; texts that are all numbers, or all times, are read as such."""
    values = [row[place] for row in sample.rows]
    texts = [value for value in values if isinstance(value, str)]
    form: Form = "text"
    if texts and all(moment_in(text) for text in texts):
        form = "time"
    elif texts and all(number_in(text) is not None for text in texts):
        form = "number"
    formed = [_FORMING.of(value, form) for value in values]
    there = [each for each in formed if each[0] != NULL]
    ranks = {_FAMILIES[rank] for rank, _ in there}
    family: Family = "nothing" if not ranks else ranks.pop() if len(ranks) == 1 else "text"
    return Contents(
        place,
        sample.columns[place].name,
        family,
        frozenset(there),
        len(set(there)) == len(there),
        len(there) == len(formed),
    )


def overlap(left: Contents, right: Contents) -> float:
    """Return the share of the smaller side's values that the other has too; 0 where they are too few to tell."""
    fewest = min(len(left.values), len(right.values))
    return len(left.values & right.values) / fewest if fewest >= _FEW else 0.0
