"""Two queries on their way to being compared."""

from dataclasses import dataclass, field
from typing import Literal

from router.draft import Draft, Place

Report = Literal["summary", "columns", "differences", "all", "aggregates"]
"""What is told of a comparison."""


@dataclass(frozen=True, slots=True)
class Wished:
    """What somebody typed of one side: the connection that they named, and what of it."""

    connection: str = ""
    what: str = ""


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """An approved query, and where it runs; once compared, its approval is used up (`spent`)."""

    place: Place
    draft: Draft
    spent: bool = False


@dataclass(frozen=True, slots=True)
class Matched:
    """A column of the left query and one of the right: their places, how texts are read, and why they are a pair."""

    left: int
    right: int
    form: Literal["auto", "text", "number", "time", "bool", "uuid", "bytes", "json"] = "auto"
    why: str = "chosen by you"


@dataclass(frozen=True, slots=True)
class Lenience:
    """What does not count as a difference; the engine's tolerances."""

    absolute: float = 0.0
    relative: float = 0.0
    blanks: Literal["count", "end", "around"] = "end"
    fold: bool = False
    precision: Literal["microsecond", "millisecond", "second", "minute", "day"] = "microsecond"
    empty: bool = False


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of both queries, those that belong together, and the places among these that tell rows apart."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    matched: tuple[Matched, ...] = ()
    keys: tuple[int, ...] = ()
    why: str = ""
    """Why these are the key."""

    @property
    def names(self) -> tuple[str, ...]:
        """What each pair is called: the left name, and the right one where that is another."""
        both = ((self.left[each.left], self.right[each.right]) for each in self.matched)
        return tuple(left if left == right else f"{left} / {right}" for left, right in both)


@dataclass(frozen=True, slots=True)
class Target:
    """The table that the rows of the report are to be written to."""

    connection: str = ""
    schema: str = ""
    table: str = ""


@dataclass(frozen=True, slots=True)
class Comparing:
    """A comparison, as far as it is known what is compared, how, and where its report goes."""

    left: ComparedSide | None = None
    right: ComparedSide | None = None
    wished: tuple[Wished, Wished] = (Wished(), Wished())
    columns: Columns | None = None
    lenience: Lenience = field(default_factory=Lenience)
    reporting: Report | Literal[""] = ""
    target: Target = field(default_factory=Target)
    name: str = ""
    key: str = ""
    """That of the job that does it."""
    failed: bool = False
    """Whether it was tried, and did not come to its end."""
