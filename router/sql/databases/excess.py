"""What a reading role could do if the guard failed, and the statements that take it away."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

MayRead = Callable[[str, str], bool]
"""Tells whether a connection lets people read a table, by schema and name."""

NAMED = 4
"""So many things are named in a sentence; the statements below it name all."""


@dataclass(frozen=True, slots=True)
class Excess:
    """One kind of thing that the role could do; `grave` where it reaches beyond reading the connection's database."""

    sentence: str
    remedies: tuple[str, ...] = ()
    grave: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """One query of the server's dictionary: its rows are a name and the statement that takes it away ("" for none).

    Where `outside`, the rows begin with a schema and a table, and those that people may read are left out. `sentence`
    follows "The reading user", and has {names}.
    """

    about: str
    sentence: str
    query: str
    grave: bool = False
    outside: bool = False
    since: int = 0
    """The first version of the server that has what is asked for."""


def seen(look: Look, rows: Iterable[Sequence[Any]], may_read: MayRead) -> Iterator[Excess]:
    """Yield what the rows of a look say; nothing where there are none."""
    if look.outside:
        rows = [(f"{row[0]}.{row[1]}", row[2]) for row in rows if not may_read(str(row[0]), str(row[1]))]
    rows = list(rows)
    if rows:
        names = named(str(row[0]) for row in rows)
        remedies = dict.fromkeys(str(row[1]) for row in rows if row[1])
        yield Excess(f"The reading user {look.sentence.format(names=names)}.", tuple(remedies), look.grave)


def named(names: Iterable[str]) -> str:
    """Return the first of the names, each once, and how many there are besides."""
    different = list(dict.fromkeys(names))
    more = len(different) - NAMED
    return ", ".join(different[:NAMED]) + (f" and {more:,} more" if more > 0 else "")


def not_seen(about: str, reason: str) -> Excess:
    """Return what is said where the server does not show something."""
    return Excess(f"could not look at {about}: {reason}.")
