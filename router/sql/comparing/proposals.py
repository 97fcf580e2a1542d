"""Proposals for a comparison: columns that belong together, columns that tell rows apart, and what may differ."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import combinations, groupby
from operator import itemgetter

from router.memory.comparing import ComparedPair, Form, Precision, Tolerances
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
)
from router.sql.comparing.queries import Sample
from router.sql.comparing.query_keys import NO_KEY, KeyProposal
from router.sql.dialect import Name
from router.sql.text_values import moment_in, number_in

# Columns are matched by their names, and if those say nothing, by what is in them. Words of a column's name.

_JOINTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")


def words(name: str) -> tuple[str, ...]:
    """Return the words in lower case: ("customer", "id") of CustomerID, customer_id and "Customer id"."""
    return tuple(word.casefold() for word in _JOINTS.split(name) if word)


# Values of a column in a sample.

_TELLING_VALUES_MIN = 3
"""With fewer different values a column is like many others."""

_NORMALIZER = Normalizer(Tolerances())


@dataclass(frozen=True, slots=True)
class Contents:
    """A column at its place: its different values in one form, the rank of them all, and whether none is NULL.

    The rank is TEXT if they have several, and NULL if there are none.
    """

    place: int
    name: str
    folded: str
    rank: int
    values: frozenset[Formed]
    filled: bool

    def fits(self, other: "Contents") -> bool:
        """Return whether the values could be of one column."""
        return self.rank == other.rank or NULL in (self.rank, other.rank)


def contents_of(sample: Sample, place: int) -> Contents:
    """Return what is in a column; texts that are all numbers, or all times, are read as such."""
    name, values = sample.columns[place].name, [row[place] for row in sample.rows]
    texts = [value for value in values if isinstance(value, str)]
    form: Form = "text"
    if texts and all(moment_in(text) is not None for text in texts):
        form = "time"
    elif texts and all(number_in(text) is not None for text in texts):
        form = "number"
    formed = [_NORMALIZER.of(value, form) for value in values]
    there = frozenset(each for each in formed if each[0] != NULL)
    ranks = {NUMBER if rank == NOT_A_NUMBER else rank for rank, _ in there}
    rank = ranks.pop() if len(ranks) == 1 else TEXT if ranks else NULL
    return Contents(place, name, "".join(words(name)) or name, rank, there, all(each[0] != NULL for each in formed))


SIMILAR_NAMES_MIN = 0.75
"""From here on, two names are taken for similar."""

COMMON_VALUES_MIN_SHARE = 0.5
"""The share of values of the smaller side that must be on the other side too, if names say nothing."""


def match_columns(left: Sample, right: Sample) -> tuple[ComparedPair, ...]:
    """Return which columns seem to belong together, in the order of the left ones, each column once at most."""
    lefts = [contents_of(left, place) for place in range(len(left.columns))]
    rights = [contents_of(right, place) for place in range(len(right.columns))]
    found: dict[int, ComparedPair] = {}
    for reason, score_of in _WAYS:
        taken = {pair.right for pair in found.values()}
        scored = [
            (score, mine.place, its.place)
            for mine in lefts
            for its in rights
            if mine.place not in found and its.place not in taken and (score := score_of(mine, its))
        ]
        for score, here, there in _best(scored):
            found[here] = ComparedPair(here, there, why=f"{reason} ({score:.0%})")
    return tuple(found[place] for place in sorted(found))


def _similar_names(left: Contents, right: Contents) -> float:
    """Score names that are nearly one, or of which one has all the words of the other, if the values could be."""
    if not left.fits(right):
        return 0.0
    near = SequenceMatcher(None, left.folded, right.folded, autojunk=False).ratio()
    mine, others = set(words(left.name)), set(words(right.name))
    if mine and others and (mine <= others or others <= mine) and len(mine | others) <= 3:
        near = max(near, 0.85)
    return round(0.9 * near, 2) if near >= SIMILAR_NAMES_MIN else 0.0


def _same_values(left: Contents, right: Contents) -> float:
    """Score columns that have many values in common; a few values, such as yes and no, prove nothing."""
    fewest = min(len(left.values), len(right.values))
    if fewest < _TELLING_VALUES_MIN or not left.fits(right):
        return 0.0
    common = len(left.values & right.values) / fewest
    return round(0.8 * common, 2) if common >= COMMON_VALUES_MIN_SHARE else 0.0


_WAYS: tuple[tuple[str, Callable[[Contents, Contents], float]], ...] = (
    ("same name", lambda left, right: float(left.name == right.name)),
    ("same words", lambda left, right: 0.95 if left.folded == right.folded else 0.0),
    ("similar name", _similar_names),
    ("same values", _same_values),
)
"""The ways to match, the surest first: each has a score for a pair, 0 for one that it would not match."""


def _best(scored: Iterable[tuple[float, int, int]]) -> Iterator[tuple[float, int, int]]:
    """Give the surest pairs first, each column once; if two are as sure for one column, neither of them."""
    lefts: set[int] = set()
    rights: set[int] = set()
    for _, group in groupby(sorted(scored, reverse=True), key=itemgetter(0)):
        free = [pair for pair in group if pair[1] not in lefts and pair[2] not in rights]
        mine, its = Counter(left for _, left, _ in free), Counter(right for *_, right in free)
        for score, left, right in free:
            if mine[left] == its[right] == 1:
                lefts.add(left)
                rights.add(right)
                yield score, left, right


# Tolerances: times are compared down to what the coarser side keeps.

_PRECISIONS: tuple[tuple[Precision, int], ...] = (("second", 10**9), ("millisecond", 10**6))
"""From the coarsest on, in nanoseconds; what is coarser than a second, only a person can mean."""

_DAY = 86_400 * 10**9

SUGGESTION_MIN_TIMES = 5
"""With fewer different times on a side, that none has a fraction may be chance."""


def suggest(left: Sample, right: Sample, pairs: Sequence[ComparedPair], dialects: tuple[Name, Name]) -> Tolerances:
    """Return tolerances to begin with; a person sees them, and may change them."""
    differing: set[Precision] = set()
    for pair in pairs:
        sides = _times(contents_of(left, pair.left)), _times(contents_of(right, pair.right))
        if min(map(len, sides)) >= SUGGESTION_MIN_TIMES:
            for precision, unit in _PRECISIONS:
                mine, its = (any(time % unit for time in times) for times in sides)
                differing |= {precision} if mine != its else set()
    coarsest = next((precision for precision, _ in _PRECISIONS if precision in differing), Tolerances().precision)
    return Tolerances(precision=coarsest).between(*dialects)


def _times(contents: Contents) -> list[int]:
    """Return a column's times, in nanoseconds; none if all are days."""
    times = [time for _, time in contents.values] if contents.rank == TIME else []
    return times if any(time % _DAY for time in times) else []


# Keys: a declared primary key, what is grouped by, or columns that are unique in the first rows of both sides.

KEY_MAX_COLUMNS = 3
"""At most so many columns make a key."""

KEY_CANDIDATES_MAX = 8
"""So many columns are tried together."""

TELLING_ROWS_MIN = 20
"""With fewer rows on each side, that values are there once may be chance: a key must be named like one then."""

_KEY_WORDS = {"id", "key", "no", "nr", "number", "code", "line", "position", "uuid", "guid", "sku", "isbn"}


def propose_key(
    left: Sample,
    right: Sample,
    pairs: Sequence[ComparedPair],
    declared: tuple[KeyProposal, KeyProposal] = (NO_KEY, NO_KEY),
) -> KeyProposal:
    """Return a key for a comparison by these pairs, as places among them.

    `declared` are the places of the columns that tell the rows of each side apart as its text says; one side's are
    enough, if the first rows do not contradict them.
    """
    columns = [pair.left for pair in pairs], [pair.right for pair in pairs]
    known = [_among(key, places) for key, places in zip(declared, columns, strict=True)]
    for proposal in (*known, *_unique_places(left, right, pairs)):
        if proposal.places and _tells_apart(left, right, [pairs[place] for place in proposal.places]):
            return proposal
    return NO_KEY


def _among(key: KeyProposal, columns: Sequence[int]) -> KeyProposal:
    """Return a key by the places of its columns in the pairs; no key where one of them is in none."""
    return replace(key, places=tuple(map(columns.index, key.places))) if set(key.places) <= set(columns) else NO_KEY


def _unique_places(left: Sample, right: Sample, pairs: Sequence[ComparedPair]) -> Iterator[KeyProposal]:
    """Give the columns that may be a key as they have no NULL, alone and together; none without rows.

    What is named like a key is first, fractions and times are last, as keys seldom are. Of a few rows, only what is
    named like a key.
    """
    if not left.rows or not right.rows:
        return
    few = max(len(left.rows), len(right.rows)) < TELLING_ROWS_MIN
    found: list[tuple[bool, bool, int]] = []
    for place, pair in enumerate(pairs):
        mine, others = contents_of(left, pair.left), contents_of(right, pair.right)
        named = _is_key_name(mine.name) or _is_key_name(others.name)
        if mine.filled and others.filled and (named or not few):
            found.append((not named, mine.rank in (TIME, BYTES) or _has_fractions(mine), place))
    places = [place for *_, place in sorted(found)]
    for size in range(1, KEY_MAX_COLUMNS + 1):
        for some in combinations(places if size == 1 else places[:KEY_CANDIDATES_MAX], size):
            yield KeyProposal(tuple(sorted(some)), "unique in the first rows")


def _is_key_name(name: str) -> bool:
    """Return whether a column is named like a key: by its last word that is no number, as of COALESCE(id, 0)."""
    return bool(_KEY_WORDS & set([word for word in words(name) if not word.isdigit()][-1:]))


def _has_fractions(contents: Contents) -> bool:
    numbers = (value for rank, value in contents.values if rank == NUMBER)
    return any(value in (float("inf"), float("-inf")) or value != int(value) for value in numbers)


def _tells_apart(left: Sample, right: Sample, pairs: Sequence[ComparedPair]) -> bool:
    """Return whether no key of these pairs is there twice, and none is empty, in the first rows of both sides."""
    forms: list[Form] = []
    for pair in pairs:
        kinds = left.columns[pair.left].kind, right.columns[pair.right].kind
        mine, its = [row[pair.left] for row in left.rows], [row[pair.right] for row in right.rows]
        forms.append(form_of(kinds, mine, its))
    for sample, places in ((left, [pair.left for pair in pairs]), (right, [pair.right for pair in pairs])):
        keys = RowKeys(places, forms, Tolerances()).of(sample.rows)
        if len(set(keys)) < len(keys) or any(NULL in key[::2] for key in keys):
            return False
    return True
