"""What is to be written where, and what is there already."""

from dataclasses import dataclass
from typing import Literal

Mode = Literal["create", "append", "truncate", "drop"]
"""A new table; more rows in a table; other rows in a table; "drop": a new table in the place of an old one, if any."""

Kind = Literal[
    "integer",
    "decimal",
    "float",
    "text",
    "bool",
    "date",
    "time",
    "timestamp",
    "timestamptz",
    "blob",
    "json",
    "uuid",
    "interval",
    "any",
]
"""What a column holds; "timestamp" is without a time zone, "any" is a column of SQLite without a type."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column of what is written; 0 means without a limit, or that it is not known.

    `digits` are all digits of a decimal, `scale` those behind the point; `length` is that of a text in characters, or
    of an integer in bytes. `native` is the database's own name of the type, "" where none was chosen yet.
    """

    name: str
    kind: Kind
    digits: int = 0
    scale: int = 0
    length: int = 0
    native: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table that is there; `filled` says that the database has a value where none is given."""

    field: Field
    nullable: bool = True
    filled: bool = False
    generated: bool = False
    """Whether the database alone computes it."""


@dataclass(frozen=True, slots=True)
class Existing:
    """A table that is there; with `more`, it has more rows than `rows`, which were not counted to the end."""

    schema: str
    name: str
    columns: tuple[Column, ...]
    rows: int
    more: bool = False
    view: bool = False

    @property
    def seen(self) -> int:
        """The rows as far as they were counted, and one where there are more."""
        return self.rows + self.more


@dataclass(frozen=True, slots=True)
class Order:
    """Rows for a table: `job` is the id under which they are written once, `fields` the columns of a row, in order.

    `seen` are the rows that a person was told will be deleted; where there are others now, nothing is. -1: whatever is.
    """

    job: str
    schema: str
    table: str
    mode: Mode
    fields: tuple[Field, ...]
    seen: int = -1

    @property
    def deletes(self) -> bool:
        """Whether rows that a person was told of are deleted."""
        return self.seen >= 0 and self.mode in ("truncate", "drop")
