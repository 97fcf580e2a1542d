"""Which column of a result goes into which column of a table that is there."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from router.sql.writing.order import Column, Field
from router.sql.writing.presence import unfilled

_JOINTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\s_.\-]+")


@dataclass(frozen=True, slots=True)
class Matching:
    """Pairs of a source's place and a column of the table; what is left over on either side; what stands in the way."""

    pairs: tuple[tuple[int, Field], ...]
    unplaced: tuple[str, ...]
    """Names of the source's columns that found none."""
    empty: tuple[str, ...]
    """Names of the table's columns that stay without a value, or get their default."""
    problems: tuple[str, ...]


def matched(source: Sequence[Field], existing: Sequence[Column]) -> Matching:
    """Return the columns paired by name: exactly first, then without regard to case, underscores and blanks."""
    free = {column.field.name: column for column in existing if not column.generated}
    found: dict[int, Field] = {}
    for key in (str, _folded):
        names = [key(name) for name in free]
        asked = [key(field.name) for place, field in enumerate(source) if place not in found]
        for place, field in enumerate(source):
            wanted = key(field.name)
            if place in found or names.count(wanted) != 1 or asked.count(wanted) != 1:
                continue  # which of two is meant, only a person can say
            name = next(name for name in free if key(name) == wanted)
            found[place] = free.pop(name).field
    problems = tuple(
        f'The column "{column.field.name}" of the table must have a value, and no column of the result goes into it.'
        for column in free.values()
        if unfilled(column)
    )
    return Matching(
        tuple(sorted(found.items())),
        tuple(field.name for place, field in enumerate(source) if place not in found),
        tuple(free),
        problems,
    )


def _folded(name: str) -> str:
    return _JOINTS.sub("", name).casefold()
