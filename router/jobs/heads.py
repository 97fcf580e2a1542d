"""The heads of a result's columns: a name that is there and is there once, and the kind that its values have."""

from collections.abc import Sequence
from datetime import date, time
from decimal import Decimal

from router.cards import Head
from router.sql.databases import Described, Kind

_KINDS: tuple[tuple[Kind, tuple[type, ...]], ...] = (
    ("bool", (bool,)),  # before the numbers: a bool is an int
    ("number", (int, float, Decimal)),
    ("date", (date, time)),
    ("blob", (bytes, bytearray, memoryview)),
)


def heads(columns: Sequence[Described], types: Sequence[set[type]]) -> tuple[Head, ...]:
    """Return a head a column; `types` are those of the values that were seen in it."""
    names = display_names([column.name for column in columns])
    kinds = [kind_of(seen, column.kind) for column, seen in zip(columns, types, strict=True)]
    return tuple(Head(name, kind) for name, kind in zip(names, kinds, strict=True))


def display_names(names: Sequence[str]) -> list[str]:
    """Return the names in order, each once: a second "name" is "name (2)", a third column without one is "column 3"."""
    taken: set[str] = set(names)
    shown: list[str] = []
    for place, name in enumerate(names, 1):
        wanted = name if name.strip() else f"column {place}"
        free, count = wanted, 1
        while free in shown or (free != name and free in taken):
            count += 1
            free = f"{wanted} ({count})"
        shown.append(free)
    return shown


def kind_of(types: set[type], driver: Kind) -> Kind:
    """Return what the values are; the driver is believed where there are none, and on dates that come as texts."""
    seen = types - {type(None)}
    if not seen or (seen == {str} and driver == "date"):
        return driver
    for kind, parents in _KINDS:
        if all(issubclass(found, parents) for found in seen):
            return kind
    return "text"
