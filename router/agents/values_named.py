"""Values of the database that stand in a question."""

import re

from router.catalog.kept import kept
from router.catalog.schema import Schema

_WORD = re.compile(r"[^\W_]+")

Place = tuple[int, str, tuple[str, str, str]]
"""A value's rank among all, its words between blanks, and (table, column, value)."""


def values_in(text: str, schema: Schema, most: int = 8) -> tuple[tuple[str, str, str], ...]:
    """Return (table, column, value) for each sample value that stands in the text as whole words, the longest first."""
    said = _WORD.findall(text.lower())
    line = f" {' '.join(said)} "
    places = _places(schema)
    found = [place for word in dict.fromkeys(said) for place in places.get(word, ()) if place[1] in line]
    ordered = [match for _, _, match in sorted(found)]
    return tuple(sorted(ordered, key=lambda match: -len(match[2]))[:most])


@kept
def _places(schema: Schema) -> dict[str, list[Place]]:
    """Return the sample values of all columns by their first words."""
    places: dict[str, list[Place]] = {}
    number = 0
    for table in schema.tables:
        for column in table.columns:
            for value in column.samples:
                number += 1
                words = _WORD.findall(value.lower())
                if len("".join(words)) > 1:
                    place = (number, f" {' '.join(words)} ", (table.name, column.name, value))
                    places.setdefault(words[0], []).append(place)
    return places
