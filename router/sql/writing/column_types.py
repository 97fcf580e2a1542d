"""The types of columns that are made: for each field, the type in which the database keeps it best."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import cast

from router.language.wording import and_list, verb
from router.sql.dialect import DIALECTS, EVERY_DIALECT, Name
from router.sql.value_kinds import Extent
from router.sql.writing.names import quoted
from router.sql.writing.order import Kind, ResultField

# Existing columns: a database's own name of a type as a field.

_BRACKETS = re.compile(r"\(([^()]*)\)")
_NOISE = re.compile(r"\b(unsigned|signed|zerofill)\b")

_KINDS = {name.strip(): cast(Kind, kind) for kind, names in EVERY_DIALECT["kinds"].items() for name in names.split(",")}
_BYTES = {name.strip(): int(count) for count, names in EVERY_DIALECT["bytes"].items() for name in names.split(",")}

_SINGLE_BITS = 24
"""A FLOAT(25) of MySQL is one of 8 bytes."""


def kind_of(native: str, dialect: Name) -> Kind | None:
    """Return the kind of a type, None for one that is not known."""
    base, first, _ = type_parts(native)
    own = DIALECTS[dialect].own_kinds
    names = (f"{base}({first})", base, base.partition("(")[0])
    return cast(Kind | None, next((own[name] for name in names if name in own), _KINDS.get(base)))


def field_of(name: str, native: str, dialect: Name) -> ResultField:
    """Return a column of this type; one of an unknown type takes texts, which the database reads or refuses."""
    base, first, second = type_parts(native)
    kind = kind_of(native, dialect)
    if native.endswith("]"):
        return ResultField(name, "array", native=native)
    if dialect == "sqlite":
        return ResultField(name, *_sqlite_limits(base, kind), native=native)
    match kind:
        case "decimal":
            digits, scale = (first, second) if first else DIALECTS[dialect].default_decimal
            return ResultField(name, "decimal", digits, scale, native=native)
        case "integer":
            is_signed = "unsigned" not in native.lower() and dialect != "oracle"
            return ResultField(name, "integer", length=_BYTES.get(base, 0) if is_signed else 0, native=native)
        case "bits" | "text":
            return ResultField(name, kind, length=first, native=native)
        case "float":
            is_single = base in DIALECTS[dialect].single_floats and first <= _SINGLE_BITS
            digits, length = (6 if dialect == "mysql" else 9, 4) if is_single else (0, 0)
            return ResultField(name, "float", digits, scale=second, length=length, native=native)
    return ResultField(name, kind or "text", native=native)


def _sqlite_limits(base: str, kind: Kind | None) -> tuple[Kind, int, int, int]:
    """Return the kind and the limits of a column of SQLite, where numbers in a type mean nothing.

    A type that is none of the usual ones takes any value, unless a word in it makes it one of texts: STRING, MONEY and
    JSON take what looks like a number for one.
    """
    if kind in (None, "text", "json", "uuid") and not re.search("char|clob|text", base):
        kind = "any"
    return kind or "text", 0, 0, 8 if kind == "integer" else 0


def type_parts(native: str) -> tuple[str, int, int]:
    """Return the name of a type and the numbers in its brackets, 0 if there are none."""
    brackets = _BRACKETS.search(native)
    numbers = [int(number) for number in re.findall(r"-?\d+", brackets[1])] if brackets else []
    first, second = (*numbers, 0, 0)[:2]
    base = _NOISE.sub(" ", _BRACKETS.sub(" ", native.lower().partition(" collate ")[0]))
    return " ".join(base.split()), first, second


_VARCHAR2_MAX_CHARS = 1000  # characters of four bytes each


def made(field: ResultField, dialect: Name) -> ResultField:
    """Return the column that a new table gets for this field; one of texts if the database has no exact type."""
    return field_of(field.name, _exact_type(field, dialect) or _text_type(field, dialect), dialect)


def _exact_type(field: ResultField, dialect: Name) -> str:
    """Return the type that holds all values of a field exactly, "" if there is none.

    There is none for decimals with more digits than the database has, or of which nobody counted the digits, and for
    times and intervals that it has no room for.
    """
    if field.kind == "text":
        return ""
    own = DIALECTS[dialect]
    native = own.columns.get(field.kind, "")
    if dialect == "duckdb" and field.kind in ("timestamp", "time") and "nanoseconds" in field.beyond:
        native = f"{native}_NS"
    if not holds(dialect, replace(field, native=native), field.beyond):
        return ""
    name, most, deepest = own.largest_decimal
    if field.kind == "decimal" and not native and 0 < field.digits <= most and field.scale <= deepest:
        return f"{name}({field.digits}, {field.scale})"
    return native


def _text_type(field: ResultField, dialect: Name) -> str:
    """Return the type of a column of texts; Oracle's CLOB only if a text is, or may be, too long for a VARCHAR2."""
    if dialect != "oracle":
        return DIALECTS[dialect].columns["text"]
    longest = field.length if field.kind == "text" else 0 if field.kind == "decimal" else 80
    return f"VARCHAR2({longest * 4} BYTE)" if 0 < longest <= _VARCHAR2_MAX_CHARS else "CLOB"


def kept_as_texts(fields: Iterable[ResultField], dialect: Name) -> tuple[str, ...]:
    """Return the columns that become texts in a new table, as the database has no other type for their values."""
    texts = (field for field in fields if not _exact_type(field, dialect))
    return tuple(field.name for field in texts if field.kind != "text" or "mixed" in field.beyond)


def texts_sentence(names: Sequence[str], label: str) -> str:
    """Say of the columns of a new table that they are texts."""
    kept = verb(len(names), "is kept as a text, as no type", "are kept as texts, as no types")
    return f"{and_list(names)} {kept} of {label} would hold all of the values exactly."


def holds(dialect: Name, field: ResultField, extents: Collection[Extent]) -> bool:
    """Return whether the column holds values of these extents exactly."""
    held = DIALECTS[dialect].held
    return held.get(type_parts(field.native)[0], held.get(field.kind, frozenset())) >= frozenset(extents)


def columns_of(fields: Sequence[ResultField], mark: str = '"') -> str:
    """Return the columns as they stand in a CREATE TABLE."""
    return ", ".join(f"{quoted(field.name, mark=mark)} {field.native}" for field in fields)
