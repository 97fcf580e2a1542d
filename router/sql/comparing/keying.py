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

ENOUGH = 20
"""With fewer rows on each side, that values are there once may be chance: a key must be named like one then."""

_NAMES = {"id", "key", "no", "nr", "number", "code", "line", "position", "uuid", "guid", "sku", "isbn"}


@dataclass(frozen=True, slots=True)
class KeyProposal:
    """Places in the pairs that seem to be a key, and why: "" with no places where none was found."""

    places: tuple[int, ...]
    reason: Literal[
        "primary key",
        "primary key of the first query",
        "primary key of the second query",
        "unique in the first rows",
        "",
    ]


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
    mine = _declared(left_key, [pair.left for pair in pairs])
    others = _declared(right_key, [pair.right for pair in pairs])
    for places in filter(None, (mine, others)):
        if _tells_apart(left, right, pairs, places):
            if set(mine) == set(others):
                return KeyProposal(places, "primary key")
            return KeyProposal(
                places, "primary key of the first query" if places is mine else "primary key of the second query"
            )
    if not left.rows or not right.rows:
        return KeyProposal((), "")
    filled = _candidates(left, right, pairs, max(len(left.rows), len(right.rows)) < ENOUGH)
    for size in range(1, MOST + 1):
        for places in combinations(filled if size == 1 else filled[:TRIED], size):
            if _tells_apart(left, right, pairs, places):
                return KeyProposal(tuple(sorted(places)), "unique in the first rows")
    return KeyProposal((), "")


def _declared(key: Sequence[int], here: Sequence[int]) -> tuple[int, ...]:
    """Return where the columns of a key are in the pairs; empty where one of them is in none."""
    return tuple(here.index(place) for place in key) if all(place in here for place in key) else ()


def _candidates(left: Sample, right: Sample, pairs: Sequence[Pair], few: bool) -> list[int]:
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
    return bool(_NAMES & set([word for word in words(name) if not word.isdigit()][-1:]))


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
