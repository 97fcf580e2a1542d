"""Proposals for a comparison: columns that belong together, columns that tell rows apart, and what may differ."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher
from itertools import combinations
from typing import Any, Literal

from router.memory.comparing import Form, Precision, Tolerances
from router.sql.comparing.normal_form import (
    BYTES,
    NOT_A_NUMBER,
    NULL,
    NUMBER,
    TEXT,
    TIME,
    Formed,
    Normalizer,
    RowKeys,
    form_of,
    whole,
)
from router.sql.comparing.plan import ComparedPair, Row
from router.sql.comparing.queries import Sample
from router.sql.dialect import Name
from router.sql.text_values import moment_in, number_in
from router.sql.value_kinds import nanoseconds_of

# Columns are matched by their names, and where those say nothing, by what is in them. Words of a column's name.

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
    if texts and all(moment_in(text) is not None for text in texts):
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


def match_columns(left: Sample, right: Sample) -> tuple[ProposedMatch, ...]:
    """Return which columns seem to belong together, in the order of the left ones, each column once at most."""
    lefts = [contents_of(left, place) for place in range(len(left.columns))]
    rights = [contents_of(right, place) for place in range(len(right.columns))]
    found: dict[int, ProposedMatch] = {}
    for way in (_by(str, "same name", 1.0), _by(folded, "same words", 0.95), _by_similar_names, _by_values):
        taken = {proposal.right for proposal in found.values()}
        free = [each for each in lefts if each.place not in found]
        for proposal in way(free, [each for each in rights if each.place not in taken]):
            found[proposal.left] = replace(proposal, form=_form(left, right, proposal.left, proposal.right))
    return tuple(found[place] for place in sorted(found))


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


# Tolerances: times are compared down to what the coarser side keeps.

FINEST: tuple[Precision, ...] = ("second", "millisecond", "microsecond")
"""From the coarsest to the finest; what is coarser than a second, only a person can mean."""

SUGGESTION_MIN_ROWS = 5
"""With fewer times on a side, that none has a fraction may be chance."""


def suggest(left: Sample, right: Sample, pairs: Sequence[ComparedPair], dialects: tuple[Name, Name]) -> Tolerances:
    """Return tolerances to begin with; a person sees them, and may change them."""
    precision: Precision = "microsecond"
    for pair in pairs:
        if pair.form == "time":
            mine = _kept(row[pair.left] for row in left.rows)
            others = _kept(row[pair.right] for row in right.rows)
            if mine and others and mine != others:
                precision = min(precision, min(mine, others, key=FINEST.index), key=FINEST.index)
    return Tolerances(precision=precision).between(*dialects)


def _kept(values: Iterable[Any]) -> Precision | None:
    """Return the finest that a column's times have, None where they are too few."""
    times = [moment for value in values if (moment := _moment(value)) is not None]
    return max(map(_precision, times), key=FINEST.index) if len(times) >= SUGGESTION_MIN_ROWS else None


def _moment(value: Any) -> int | None:
    """Return a time in nanoseconds, None for a day and for what is no time."""
    if isinstance(value, datetime):
        return nanoseconds_of(value)
    return moment_in(value) if isinstance(value, str) else None


def _precision(moment: int) -> Precision:
    if not moment % 10**9:
        return "second"
    return "microsecond" if moment % 10**6 else "millisecond"


# Keys: a declared primary key, what is grouped by, or columns that are unique in the first rows of both sides.

KEY_MAX_COLUMNS = 3
"""At most so many columns make a key."""

KEY_CANDIDATES_MAX = 8
"""So many columns are tried together."""

TELLING_ROWS_MIN = 20
"""With fewer rows on each side, that values are there once may be chance: a key must be named like one then."""

_KEY_WORDS = {"id", "key", "no", "nr", "number", "code", "line", "position", "uuid", "guid", "sku", "isbn"}


@dataclass(frozen=True, slots=True)
class KeyProposal:
    """Places in the pairs that seem to be a key, and why: "" with no places where none was found."""

    places: tuple[int, ...]
    reason: Literal[
        "primary key",
        "primary key of the first query",
        "primary key of the second query",
        "what is grouped by",
        "unique in the first rows",
        "",
    ]


def propose_key(
    left: Sample,
    right: Sample,
    pairs: Sequence[ComparedPair],
    left_key: Sequence[int] = (),
    right_key: Sequence[int] = (),
    grouped: Sequence[Sequence[int]] = ((), ()),
) -> KeyProposal:
    """Return a key for a comparison by these pairs.

    `left_key` and `right_key` are the places of a side's primary key among its columns, where its query reads a table
    row by row; one of them is enough, if the other side's first rows do not contradict it. `grouped` are those of the
    columns by which each side groups: they are a key where both group by the same.
    """
    here, there = _places(pairs)
    mine, others = _declared(left_key, here), _declared(right_key, there)
    for places in filter(None, (mine, others)):
        if _tells_apart(left, right, pairs, places):
            if set(mine) == set(others):
                return KeyProposal(places, "primary key")
            return KeyProposal(
                places, "primary key of the first query" if places is mine else "primary key of the second query"
            )
    groups = _declared(grouped[0], here), _declared(grouped[1], there)
    if groups[0] and set(groups[0]) == set(groups[1]) and _tells_apart(left, right, pairs, groups[0]):
        return KeyProposal(groups[0], "what is grouped by")
    if not left.rows or not right.rows:
        return KeyProposal((), "")
    filled = _candidates(left, right, pairs, max(len(left.rows), len(right.rows)) < TELLING_ROWS_MIN)
    for size in range(1, KEY_MAX_COLUMNS + 1):
        for places in combinations(filled if size == 1 else filled[:KEY_CANDIDATES_MAX], size):
            if _tells_apart(left, right, pairs, places):
                return KeyProposal(tuple(sorted(places)), "unique in the first rows")
    return KeyProposal((), "")


def _places(pairs: Sequence[ComparedPair]) -> tuple[list[int], list[int]]:
    """Return which columns of either side the pairs have."""
    return [pair.left for pair in pairs], [pair.right for pair in pairs]


def _declared(key: Sequence[int], here: Sequence[int]) -> tuple[int, ...]:
    """Return where the columns of a key are in the pairs; empty where one of them is in none."""
    return tuple(here.index(place) for place in key) if all(place in here for place in key) else ()


def _candidates(left: Sample, right: Sample, pairs: Sequence[ComparedPair], few: bool) -> list[int]:
    """Return the pairs without NULLs: what is named like a key first, fractions and times last, as keys seldom are.

    Of a `few` rows, only what is named like a key.
    """
    found: list[tuple[tuple[bool, bool, int], int]] = []
    for place, pair in enumerate(pairs):
        mine, others = contents_of(left, pair.left), contents_of(right, pair.right)
        if mine.filled and others.filled:
            named = _named(mine.name) or _named(others.name)
            if named or not few:
                found.append(((not named, _unlikely(mine), place), place))
    return [place for _, place in sorted(found)]


def _named(name: str) -> bool:
    """Tell whether a column is named like a key: by its last word that is no number, as of COALESCE(id, 0)."""
    return bool(_KEY_WORDS & set([word for word in words(name) if not word.isdigit()][-1:]))


def _unlikely(contents: Contents) -> bool:
    numbers = [value for _, value in contents.values] if contents.family == "number" else []
    return contents.family in ("time", "bytes") or not all(map(whole, numbers))


def _tells_apart(left: Sample, right: Sample, pairs: Sequence[ComparedPair], places: Sequence[int]) -> bool:
    """Tell whether no key is there twice, and none is empty, in the first rows of both sides."""
    forms = [pairs[place].form for place in places]
    return all(
        _unique(rows, RowKeys([getattr(pairs[place], side) for place in places], forms, Tolerances()))
        for side, rows in (("left", left.rows), ("right", right.rows))
    )


def _unique(rows: Sequence[Row], keys: RowKeys) -> bool:
    found = keys.of(rows)
    return len(set(found)) == len(found) and not any(NULL in key[::2] for key in found)
