"""The types of columns that are made: for each field, how the database shall keep it so that it reads back best."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import cast

from router.language.wording import and_list, verb
from router.sql.dialect import ALIKE, DIALECTS, Name
from router.sql.value_kinds import Extent
from router.sql.writing.names import quoted
from router.sql.writing.order import Kind, ResultField

# Existing columns: a database's own name of a type as a field.

_BRACKETS = re.compile(r"\(([^()]*)\)")
_NOISE = re.compile(r"\b(unsigned|signed|zerofill)\b")

_KINDS = {name.strip(): cast(Kind, kind) for kind, names in ALIKE["kinds"].items() for name in names.split(",")}
_BYTES = {name.strip(): int(count) for count, names in ALIKE["bytes"].items() for name in names.split(",")}

_SINGLE_BITS = 24
"""A FLOAT(25) of MySQL is one of 8 bytes."""

_VARIANTS = frozenset({"variant", "union", "sql_variant"})
"""Types whose columns keep the type of each value: a text stays one in them."""


def known(native: str, dialect: Name) -> bool:
    """Tell whether the type is one that a field's kind describes; else the database has to read it out of a text."""
    base = type_parts(native)[0]
    return base in _KINDS and not (dialect in ("postgres", "duckdb") and base == "bit")


def field_of(name: str, native: str, dialect: Name) -> ResultField:
    """Return a column of this type; one of an unknown type takes texts, which the database reads or refuses."""
    if several := _kind_of_several(native, dialect):
        return ResultField(name, several, native=native)
    if not known(native, dialect):
        return ResultField(name, "text", native=native)
    base, first, second = type_parts(native)
    own = DIALECTS[dialect]
    kind = cast(Kind, own.own_kinds.get(f"{base}({first})") or own.own_kinds.get(base, _KINDS[base]))
    if dialect == "oracle" and base == "number" and first and second == 0:
        return ResultField(name, "decimal", first, 0, native=native)
    match kind:
        case "decimal":
            return _decimal(name, first, second, native, dialect)
        case "integer":
            return ResultField(name, "integer", length=_bytes(base, native, dialect), native=native)
        case "bits":
            return ResultField(name, "bits", length=first, native=native)
        case "float" if base in own.single_floats and first <= _SINGLE_BITS:
            return ResultField(name, "float", digits=6 if dialect == "mysql" else 9, length=4, native=native)
        case "text":
            return ResultField(name, "text", length=0 if dialect == "sqlite" else first, native=native)
    return ResultField(name, kind, native=native)


def _kind_of_several(native: str, dialect: Name) -> Kind | None:
    """Return the kind of a column whose values hold others or are of several types, None for another one.

    One of SQLite is such a column if its type is none of the usual ones and has no word in it that makes it one of
    texts: STRING, MONEY and JSON take what looks like a number for one.
    """
    base = type_parts(native)[0]
    if native.endswith("]") or (dialect == "duckdb" and native.startswith(("STRUCT(", "MAP("))):
        return "array"
    if dialect == "sqlite":
        is_usual = base and _KINDS.get(base, "text") not in ("text", "json", "uuid")
        return None if is_usual or re.search("char|clob|text", base) else "any"
    return "variant" if base in _VARIANTS else None


def type_parts(native: str) -> tuple[str, int, int]:
    """Return the name of a type and the numbers in its brackets, 0 where there are none."""
    brackets = _BRACKETS.search(native)
    numbers = [int(number) for number in re.findall(r"-?\d+", brackets[1])] if brackets else []
    first, second = (*numbers, 0, 0)[:2]
    base = _NOISE.sub(" ", _BRACKETS.sub(" ", native.lower().partition(" collate ")[0]))
    return " ".join(base.split()), first, second


def _decimal(name: str, digits: int, scale: int, native: str, dialect: Name) -> ResultField:
    """Return a decimal field; without digits PostgreSQL and Oracle keep all, SQLite a float's, others a default."""
    if dialect == "sqlite":
        return ResultField(name, "decimal", native=native)  # the digits of a type mean nothing there
    if not digits:
        digits, scale = DIALECTS[dialect].default_decimal
    return ResultField(name, "decimal", digits, scale, native=native)


def _bytes(base: str, native: str, dialect: Name) -> int:
    if dialect == "sqlite":
        return 8
    return 0 if "unsigned" in native.lower() or dialect == "oracle" else _BYTES.get(base, 0)


Make = Callable[[ResultField], ResultField]

_VARCHAR2_MAX_CHARS = 1000  # characters of four bytes each


def made(field: ResultField, dialect: Name) -> ResultField:
    """Return the column that a new table gets for this field; of another kind where the database lacks this one.

    Decimals with more digits than the database has, or of which nobody counted the digits, become texts; so do times
    and intervals that it has no room for.
    """
    plain = DIALECTS[dialect].columns.get(field.kind)
    if dialect == "duckdb" and field.kind in ("timestamp", "time") and "nanoseconds" in field.beyond:
        plain = f"{plain}_NS"
    if not holds(dialect, replace(field, native=plain or ""), field.beyond):
        return _as_text(field, dialect)
    if plain:
        length = 8 if field.kind == "integer" else 0
        kind: Kind = "timestamp" if (dialect, field.kind) == ("mysql", "timestamptz") else field.kind
        return replace(field, kind=kind, length=length, digits=0, scale=0, native=plain)
    if field.kind == "decimal":
        name, most, deepest = DIALECTS[dialect].largest_decimal
        if field.digits and field.digits <= most and field.scale <= deepest:
            return replace(field, length=0, native=f"{name}({field.digits}, {field.scale})")
    return _as_text(field, dialect)


def kept_as_texts(fields: Iterable[ResultField], dialect: Name) -> tuple[str, ...]:
    """Return the columns that become texts in a new table, as the database has no other type for their values."""
    texts = [field for field in fields if made(field, dialect).kind == "text"]
    return tuple(field.name for field in texts if field.kind != "text" or "mixed" in field.beyond)


def texts_sentence(names: Sequence[str], label: str) -> str:
    """Say of the columns of a new table that they are texts."""
    kept = verb(len(names), "is kept as a text, as no type", "are kept as texts, as no types")
    return f"{and_list(names)} {kept} of {label} would hold all of the values exactly."


def holds(dialect: Name, field: ResultField, extents: Collection[Extent]) -> bool:
    """Return whether the column holds values of these extents exactly."""
    held = DIALECTS[dialect].held
    return held.get(type_parts(field.native)[0], held.get(field.kind, frozenset())) >= frozenset(extents)


def _as_text(field: ResultField, dialect: Name) -> ResultField:
    """Return a column of text; Oracle's CLOB only where a text is, or may be, too long for a VARCHAR2."""
    longest = field.length if field.kind == "text" else 0 if field.kind == "decimal" else 80
    if dialect == "oracle":
        native = f"VARCHAR2({max(longest, 1) * 4} BYTE)" if 0 < longest <= _VARCHAR2_MAX_CHARS else "CLOB"
    else:
        native = DIALECTS[dialect].columns["text"]
    return ResultField(field.name, "text", native=native)


def columns_of(fields: Sequence[ResultField], mark: str = '"') -> str:
    """Return the columns as they stand in a CREATE TABLE."""
    return ", ".join(f"{quoted(field.name, mark=mark)} {field.native}" for field in fields)
