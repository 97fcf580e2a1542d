"""Which columns tell the rows of two queries apart: a declared key, or what the first rows of both let one hope for."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from router.sql.comparing.contents import Contents, contents_of
from router.sql.comparing.difference import Row
from router.sql.comparing.forms import NULL
from router.sql.comparing.keys import Keys
from router.sql.comparing.naming import words
from router.sql.comparing.plan import Pair, Tolerances
from router.sql.comparing.reading import whole
from router.sql.comparing.sampling import Sample

MOST = 3
"""At most so many columns make a key."""

TRIED = 8
"""So many columns are tried together."""

_NAMES = {"id", "key", "no", "nr", "number", "code", "uuid", "guid", "sku", "isbn"}


@dataclass(frozen=True, slots=True)
class KeyProposal:
    """Places in the pairs that seem to be a key, and why: "" with no places where none was found."""

    places: tuple[int, ...]
    reason: Literal["primary key", "unique in the first rows", ""]


def propose_key(
    left: Sample,
    right: Sample,
    pairs: Sequence[Pair],
    left_key: Sequence[int] = (),
    right_key: Sequence[int] = (),
) -> KeyProposal:
    """Return a key for a comparison by these pairs.

    `left_key` and `right_key` are the places of a side's primary key among its columns, where its query reads a table
    row by row; one of them is enough, if the other side's first rows do not contradict it.
    """
    for declared, here in ((left_key, [p.left for p in pairs]), (right_key, [p.right for p in pairs])):
        if declared and all(place in here for place in declared):
            places = tuple(here.index(place) for place in declared)
            if _tells_apart(left, right, pairs, places):
                return KeyProposal(places, "primary key")
    if not left.rows or not right.rows:
        return KeyProposal((), "")
    filled = _candidates(left, right, pairs)
    for size in range(1, MOST + 1):
        for places in combinations(filled if size == 1 else filled[:TRIED], size):
            if _tells_apart(left, right, pairs, places):
                return KeyProposal(tuple(sorted(places)), "unique in the first rows")
    return KeyProposal((), "")


def _candidates(left: Sample, right: Sample, pairs: Sequence[Pair]) -> list[int]:
    """Return the pairs without NULLs: what is named like a key first, fractions and times last, as keys seldom are."""
    found: list[tuple[tuple[bool, bool, int], int]] = []
    for place, pair in enumerate(pairs):
        mine, others = contents_of(left, pair.left), contents_of(right, pair.right)
        if mine.filled and others.filled:
            named = bool(_NAMES & set(words(mine.name)[-1:]))
            found.append(((not named, _unlikely(mine), place), place))
    return [place for _, place in sorted(found)]


def _unlikely(contents: Contents) -> bool:
    numbers = [value for _, value in contents.values] if contents.family == "number" else []
    return contents.family in ("time", "bytes") or not all(map(whole, numbers))


def _tells_apart(left: Sample, right: Sample, pairs: Sequence[Pair], places: Sequence[int]) -> bool:
    """Tell whether no key is there twice, and none is empty, in the first rows of both sides."""
    forms = [pairs[place].form for place in places]
    return all(
        _unique(rows, Keys([getattr(pairs[place], side) for place in places], forms, Tolerances()))
        for side, rows in (("left", left.rows), ("right", right.rows))
    )


def _unique(rows: Sequence[Row], keys: Keys) -> bool:
    found = keys.of(rows)
    return len(set(found)) == len(found) and not any(NULL in key[::2] for key in found)
