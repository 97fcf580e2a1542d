"""The description of a query: what it reads, keeps, groups, shows, sorts and cuts off, in the words for each part.

Titles and steps are both written from it, so a part of a query has one wording.
"""

import re
from dataclasses import dataclass
from typing import Literal

from router.language.wording import and_list
from router.sql.explain.names import several

SHORT_MAX_CHARS = 60
_LONG_WINDED = re.compile("`|;|inner query|a calculation")
_QUOTED = re.compile(r"“[^”]*”")


def is_short(text: str, *, is_filter: bool = False) -> bool:
    """Return whether words can stand in a title: without code, and without parentheses if they are no condition."""
    bare = _QUOTED.sub("", text)
    return 0 < len(text) <= SHORT_MAX_CHARS and not _LONG_WINDED.search(bare) and (is_filter or "(" not in bare)


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition, as it follows "with": "status “open”", "ordered on in 2025"."""

    text: str
    period: str = ""
    """The time alone, as in "2025", if the condition asks for one."""


@dataclass(frozen=True, slots=True)
class Group:
    """What a query groups by: "month of ordered on", in short "month"."""

    text: str
    short: str


@dataclass(frozen=True, slots=True)
class Result:
    """A column that comes out: its words in full and in short, and the name that outer queries know it by."""

    name: str
    text: str
    short: str
    kind: Literal["measure", "calculated", "group", "column", "all"]
    """"measure": taken over many rows; "calculated": of a row, or over a window; "all": all columns."""
    stands_for: str = ""
    """What a column is the name or the key of: "customer"."""
    ranks: str = ""
    """Of a rank: what the first has, "highest revenue of each region"."""
    some: tuple[str, Filter] | None = None
    """Of a measure of those rows that meet one condition: the measure of all rows, and the condition."""


@dataclass(frozen=True, slots=True)
class SortKey:
    """What rows are sorted by; `extreme` says what the first of them have: "most revenue", "" if that is unknown."""

    text: str
    is_descending: bool
    extreme: str = ""
    is_measure: bool = False


@dataclass(frozen=True, slots=True)
class Limit:
    """How many rows are kept, and after how many; `first` and `skipped` are empty if the query does not say."""

    first: str = ""
    skipped: str = ""
    is_exact: bool = True
    """False if it is a share of the rows, or more rows may come as they are equal."""

    @property
    def count(self) -> int:
        """The number of rows that are kept from the first one on; 0 if that is unknown or all."""
        return int(self.first) if self.first.isdigit() and self.is_exact and not self.skipped else 0


@dataclass(frozen=True, slots=True)
class Source:
    """A table or an inner query that is read."""

    name: str
    """Its alias, in lower case."""
    text: str
    """Its name, as it is written, or the words for the inner query."""
    rows: str
    """What its rows are: "orders"; "rows" if that is unknown."""
    matched: tuple[Filter, ...] = ()
    """The conditions of the join beyond equal keys, if rows without a match stay."""
    keeps: str = ""
    """Which rows without a match stay."""
    query: "Description | None" = None


@dataclass(frozen=True, slots=True)
class SelectDescription:
    """What one SELECT does."""

    sources: tuple[Source, ...] = ()
    results: tuple[Result, ...] = ()
    rows: str = "rows"
    """What each row of the joined sources is: "orders"; "rows" if that is unknown."""
    groups: tuple[Group, ...] = ()
    filters: tuple[Filter, ...] = ()
    having: tuple[Filter, ...] = ()
    order: tuple[SortKey, ...] = ()
    limit: Limit | None = None
    is_distinct: bool = False
    is_loose: bool = False
    """True if every row of one source meets every row of another one."""
    is_partial: bool = False
    """True if the condition of an outer join leaves out rows of what is counted."""

    @property
    def measures(self) -> tuple[Result, ...]:
        """The results that are taken over many rows."""
        return tuple(each for each in self.results if each.kind == "measure")

    @property
    def rows_out(self) -> str:
        """What the rows are that come out, in the plural: "different countries"; "rows" if that is unknown."""
        nouns = [each.short for each in self.groups or self.results]
        if self.groups or self.is_distinct:
            return f"different {several(nouns[0])}" if len(nouns) == 1 else f"combinations of {and_list(nouns)}"
        return "rows" if self.measures else self.rows


SetKind = Literal["union", "intersect", "except"]


@dataclass(frozen=True, slots=True)
class SetDescription:
    """What a UNION, an INTERSECT or an EXCEPT does with its queries."""

    kind: SetKind
    sides: "tuple[Description, ...]"
    is_distinct: bool
    order: tuple[SortKey, ...] = ()
    limit: Limit | None = None


@dataclass(frozen=True, slots=True)
class CodeDescription:
    """A query of another kind, as it is written."""

    text: str


Description = SelectDescription | SetDescription | CodeDescription
