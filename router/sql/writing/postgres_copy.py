"""How PostgreSQL takes rows: binary where it knows the types of all columns that way, else as text."""

from collections.abc import Sequence
from dataclasses import dataclass

from psycopg.types.json import Jsonb

from router.sql.writing.fitting import Row
from router.sql.writing.names import quoted
from router.sql.writing.order import Field, Kind

_BINARY: dict[Kind, str] = {
    "decimal": "numeric",
    "text": "text",
    "bool": "bool",
    "date": "date",
    "time": "time",
    "timestamp": "timestamp",
    "timestamptz": "timestamptz",
    "blob": "bytea",
    "uuid": "uuid",
    "interval": "interval",
}
_INTEGERS = {2: "int2", 4: "int4", 8: "int8"}


@dataclass(frozen=True, slots=True)
class Copying:
    """The statement, the types to send (none: as text), and the places of columns that hold JSON."""

    statement: str
    types: tuple[str, ...]
    json: tuple[int, ...]

    def wrapped(self, rows: list[Row]) -> list[Row]:
        """Return the rows with JSON marked as such, since it travels as a text up to here."""
        if not (self.types and self.json):
            return rows
        columns = list(zip(*rows, strict=True))
        for place in self.json:
            columns[place] = tuple(None if text is None else Jsonb(text, dumps=str) for text in columns[place])
        return list(zip(*columns, strict=True))


def copy_of(name: str, fields: Sequence[Field]) -> Copying:
    """Return how the columns of the table `name`, which is quoted, are filled."""
    types = [_binary(field) for field in fields]
    binary = tuple(kind for kind in types if kind) if all(types) else ()
    columns = ", ".join(quoted(field.name) for field in fields)
    statement = f"COPY {name} ({columns}) FROM STDIN" + (" (FORMAT binary)" if binary else "")
    return Copying(statement, binary, tuple(place for place, kind in enumerate(types) if kind == "jsonb"))


def _binary(field: Field) -> str | None:
    native = field.native.lower().partition("(")[0].strip()
    match field.kind:
        case "integer":
            return _INTEGERS.get(field.length)
        case "float":
            return "float8" if native == "double precision" else None
        case "json":
            return "jsonb" if native == "jsonb" else None
        case "text":
            return "text" if native in ("text", "character varying", "character") else None
    return _BINARY.get(field.kind)
