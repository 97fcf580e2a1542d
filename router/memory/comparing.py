"""Two queries on their way to being compared."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from router.memory.draft import Draft, Place

Form = Literal["auto", "text", "number", "time", "bool", "uuid", "bytes", "json"]
"""The reading of a column's texts: as they are, or as the other side's values are; "auto": each as the row says."""

Reporting = Literal["summary", "columns", "differences", "all", "aggregates"]
"""Counts; counts by column too; the rows that differ; every row with its status; totals of both databases, no rows."""

Blanks = Literal["count", "end", "around"]
"""Blanks count, do not at the end of a text, or at neither end."""

Precision = Literal["microsecond", "millisecond", "second", "minute", "day"]


@dataclass(frozen=True, slots=True)
class Tolerances:
    """The differences that do not count.

    Two numbers are the same within `absolute`, or within the share `relative` of the larger one. With `fold`, upper
    and lower case are the same. Times count down to `precision`. With `empty`, an empty text is no value (NULL).
    The numbers of a key must be equal; without a key, near ones are found among some thousands that have no equal row.
    """

    absolute: float = 0.0
    relative: float = 0.0
    blanks: Blanks = "end"
    fold: bool = False
    precision: Precision = "microsecond"
    empty: bool = False

    def between(self, left: str, right: str) -> "Tolerances":
        """Return what is fair between two kinds of databases: Oracle knows no empty text."""
        return replace(self, empty=self.empty or "oracle" in (left, right))


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """A column of the left query and the one of the right that is compared with it, and why.

    They are named by their places, counted from 0; texts are read as `form`.
    """

    left: int
    right: int
    form: Form = "auto"
    why: str = "chosen by you"


def names_of(pairs: Iterable[ComparedPair], left: Sequence[str], right: Sequence[str]) -> tuple[str, ...]:
    """Return what each pair is called: the left name, and the right one if that is another."""
    both = ((left[pair.left], right[pair.right]) for pair in pairs)
    return tuple(here if here == there else f"{here} / {there}" for here, there in both)


@dataclass(frozen=True, slots=True)
class WishedSide:
    """The words of a wish about one side: the connection that they named, and what of it."""

    connection: str = ""
    what: str = ""


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """An approved query, and where it runs; once it was run by its approval, that is used up (`spent`)."""

    place: Place
    draft: Draft
    spent: bool = False

    def is_same_query(self, other: "ComparedSide | None") -> bool:
        """Return whether the other one is the same text, run at the same place."""
        return other is not None and (self.draft.sql, self.place.at) == (other.draft.sql, other.place.at)


@dataclass(frozen=True, slots=True)
class ComparedColumns:
    """The columns of both queries, those that belong together, and the places among these that tell rows apart."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    matched: tuple[ComparedPair, ...] = ()
    keys: tuple[int, ...] = ()
    why: str = ""
    """The reason why these are the key."""

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each pair."""
        return names_of(self.matched, self.left, self.right)


@dataclass(frozen=True, slots=True)
class Comparing:
    """A comparison, as far as it is known what is compared, how, and where its report goes."""

    left: ComparedSide | None = None
    right: ComparedSide | None = None
    wished: tuple[WishedSide, WishedSide] = (WishedSide(), WishedSide())
    columns: ComparedColumns | None = None
    tolerances: Tolerances = Tolerances()
    reporting: Reporting | Literal[""] = ""
    database: str = ""
    table: str = ""
    """The table that the rows of the report are to be written to, and its connection."""
    name: str = ""
    key: str = ""
    """The key of the job that does it."""
    problems: dict[str, str] = field(default_factory=dict)
    """The fields of the form that was sent last which cannot be so, and why."""
    before: Place = field(default_factory=Place)
    """The place of the talk before it: there the next question goes once it is over."""

    @property
    def report(self) -> Reporting:
        """The report that is made: the differences, unless another one was chosen."""
        return self.reporting or "differences"


def gone_back(now: Comparing | None, before: Comparing | None) -> Comparing | None:
    """Return a comparison as it is one question before: of the same two queries, what was chosen since is kept."""
    if now is None or before is None:
        return before
    sides = ((now.left, before.left), (now.right, before.right))
    same = all(side.is_same_query(other) if side else other is None for side, other in sides)
    return now if same else before
