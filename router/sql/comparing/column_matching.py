"""Matches the columns of two queries: by their names, and where those say nothing, by what is in them."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal

from router.memory.comparing import Form, Tolerances
from router.sql.comparing.normal_form import (
    BYTES,
    NOT_A_NUMBER,
    NULL,
    NUMBER,
    TEXT,
    TIME,
    Formed,
    Normalizer,
    form_of,
    moment_in,
    number_in,
)
from router.sql.comparing.plan import ComparedPair
from router.sql.comparing.queries import Sample

# Words of a column's name.

_JOINTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")


def words(name: str) -> tuple[str, ...]:
    """Return the words in lower case: ("customer", "id") of CustomerID, customer_id and "Customer id"."""
    return tuple(word.casefold() for word in _JOINTS.split(name) if word)


def folded(name: str) -> str:
    """Return the words in one, which is the same for all ways to write them together."""
    return "".join(words(name)) or name


# Values of a column in a sample.

Family = Literal["number", "time", "text", "bytes", "nothing"]

_FAMILIES: dict[int, Family] = {NUMBER: "number", NOT_A_NUMBER: "number", TIME: "time", TEXT: "text", BYTES: "bytes"}
_TELLING_VALUES_MIN = 3
"""With fewer different values a column is like many others."""

_NORMALIZER = Normalizer(Tolerances())


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
    formed = [_NORMALIZER.of(value, form) for value in values]
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
    return len(left.values & right.values) / fewest if fewest >= _TELLING_VALUES_MIN else 0.0


Reason = Literal["same name", "same words", "similar name", "same values"]

SIMILAR_NAMES_MIN = 0.75
"""From here on, two names are taken for similar."""

COMMON_VALUES_MIN_SHARE = 0.5
"""The share of values of the smaller side that must be on the other side too, where names say nothing."""


@dataclass(frozen=True, slots=True)
class ProposedMatch:
    """Two columns that seem to belong together, why, and how sure that is, from 0 to 1; texts are read as `form`."""

    left: int
    right: int
    reason: Reason
    score: float
    form: Form

    @property
    def pair(self) -> ComparedPair:
        """The pair for a plan."""
        return ComparedPair(self.left, self.right, self.form)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The pairs that were found, in the order of the left columns, and the places left over on either side."""

    proposals: tuple[ProposedMatch, ...]
    left_over: tuple[int, ...]
    right_over: tuple[int, ...]


def match_columns(left: Sample, right: Sample) -> MatchResult:
    """Return which columns seem to belong together: sure ones first, each column once at most."""
    lefts = [contents_of(left, place) for place in range(len(left.columns))]
    rights = [contents_of(right, place) for place in range(len(right.columns))]
    found: dict[int, ProposedMatch] = {}
    for way in (_by(str, "same name", 1.0), _by(folded, "same words", 0.95), _by_similar_names, _by_values):
        taken = {proposal.right for proposal in found.values()}
        free = [each for each in lefts if each.place not in found]
        for proposal in way(free, [each for each in rights if each.place not in taken]):
            found[proposal.left] = replace(proposal, form=_form(left, right, proposal.left, proposal.right))
    rest = {proposal.right for proposal in found.values()}
    return MatchResult(
        tuple(found[place] for place in sorted(found)),
        tuple(each.place for each in lefts if each.place not in found),
        tuple(each.place for each in rights if each.place not in rest),
    )


def paired(left: Sample, right: Sample, here: int, there: int) -> ComparedPair:
    """Return a pair that a person chose, with how its texts are read."""
    return ComparedPair(here, there, _form(left, right, here, there))


Way = Callable[[Sequence[Contents], Sequence[Contents]], Iterator[ProposedMatch]]


def _by(key: Callable[[str], str], reason: Reason, score: float) -> Way:
    """Pair names that are one by `key`; which of two is meant, only a person can say."""

    def pairs(lefts: Sequence[Contents], rights: Sequence[Contents]) -> Iterator[ProposedMatch]:
        mine, others = [key(each.name) for each in lefts], [key(each.name) for each in rights]
        for left, name in zip(lefts, mine, strict=True):
            if mine.count(name) == others.count(name) == 1:
                yield ProposedMatch(left.place, rights[others.index(name)].place, reason, score, "auto")

    return pairs


def _by_similar_names(lefts: Sequence[Contents], rights: Sequence[Contents]) -> Iterator[ProposedMatch]:
    """Pair names that are nearly one, or of which one has all the words of the other, if the values could be."""
    yield from _best(
        ProposedMatch(left.place, right.place, "similar name", round(0.9 * near, 2), "auto")
        for left in lefts
        for right in rights
        if (near := _nearness(left.name, right.name)) >= SIMILAR_NAMES_MIN and left.fits(right)
    )


def _by_values(lefts: Sequence[Contents], rights: Sequence[Contents]) -> Iterator[ProposedMatch]:
    """Pair columns that have many values in common; a few values, such as yes and no, prove nothing."""
    yield from _best(
        ProposedMatch(left.place, right.place, "same values", round(0.8 * common, 2), "auto")
        for left in lefts
        for right in rights
        if left.fits(right) and (common := overlap(left, right)) >= COMMON_VALUES_MIN_SHARE
    )


def _best(found: Iterable[ProposedMatch]) -> Iterator[ProposedMatch]:
    """Give the surest first, each column once; where two are as sure for one column, neither of them."""
    proposals = sorted(found, key=lambda each: -each.score)
    lefts: set[int] = set()
    rights: set[int] = set()
    for each in proposals:
        if each.left in lefts or each.right in rights:
            continue
        free = (p for p in proposals if p.score == each.score and p.left not in lefts and p.right not in rights)
        if sum(p.left == each.left or p.right == each.right for p in free) == 1:
            lefts.add(each.left)
            rights.add(each.right)
            yield each


def _nearness(left: str, right: str) -> float:
    """Return how near two names are: by their letters, or by their words."""
    letters = SequenceMatcher(None, folded(left), folded(right), autojunk=False).ratio()
    mine, others = set(words(left)), set(words(right))
    shared = len(mine & others) / min(len(mine), len(others)) if mine and others else 0.0
    return max(letters, 0.85 if shared == 1.0 and len(mine | others) <= 3 else 0.0)


def _form(left: Sample, right: Sample, here: int, there: int) -> Form:
    mine, others = [row[here] for row in left.rows], [row[there] for row in right.rows]
    return form_of((left.columns[here].kind, right.columns[there].kind), mine, others)
