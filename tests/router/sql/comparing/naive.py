"""Comparing as anybody would write it first: everything in dictionaries. What the engine says must be the same."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

Row = tuple[Any, ...]


def by_key(left: Sequence[Row], right: Sequence[Row], keys: Sequence[int]) -> Counter[str]:
    """Return the counts of each status, of duplicate keys, and of differences by the place of the column."""
    sides = [_grouped(rows, keys) for rows in (left, right)]
    counts: Counter[str] = Counter()
    for key in set(sides[0]) | set(sides[1]):
        mine, others = sides[0].get(key, []), sides[1].get(key, [])
        if len(mine) > 1 or len(others) > 1:
            equal = (Counter(mine) & Counter(others)).total()
            counts += Counter(duplicate_keys=1, identical=equal)
            counts += Counter(duplicate_left=len(mine) - equal, duplicate_right=len(others) - equal)
        elif not others:
            counts["only_left"] += 1
        elif not mine:
            counts["only_right"] += 1
        else:
            places = [place for place, (a, b) in enumerate(zip(mine[0], others[0], strict=True)) if a != b]
            counts["changed" if places else "identical"] += 1
            counts.update(f"column {place}" for place in places)
    return counts


def whole(left: Sequence[Row], right: Sequence[Row]) -> Counter[str]:
    """Return the counts where rows have no key: as many pairs of equal rows as there are."""
    mine, others = Counter(left), Counter(right)
    found = {
        "identical": (mine & others).total(),
        "only_left": (mine - others).total(),
        "only_right": (others - mine).total(),
    }
    return Counter({name: count for name, count in found.items() if count})


def _grouped(rows: Sequence[Row], keys: Sequence[int]) -> dict[Row, list[Row]]:
    groups: dict[Row, list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[place] for place in keys), []).append(row)
    return groups
