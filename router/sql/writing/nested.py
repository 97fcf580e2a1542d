"""Lists, structs and maps for columns of such types: each value within them as a column of its type takes it."""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from router.sql.cell_text import plain
from router.sql.dialect import Name
from router.sql.value_kinds import JsonText
from router.sql.writing.column_types import field_of, known
from router.sql.writing.order import ResultField, UnfitValue

Convert = Callable[[Any], Any]

_PART = re.compile(r'"(?:[^"]|"")*"|\'(?:[^\']|\'\')*\'|.', re.DOTALL)
_MEMBER = re.compile(r'("(?:[^"]|"")*"|\S+)\s+(.+)', re.DOTALL)


def nested_conversion(native: str, dialect: Name, leaf: Callable[[ResultField], Convert]) -> Convert:
    """Return what makes values of a type: of lists, structs and maps by their parts, of others by `leaf`."""
    if native.endswith("]"):
        inner = native[: native.rindex("[")]
        element, deep = nested_conversion(inner, dialect, leaf), dialect == "postgres"
        # What is in an array of an enum, or of rows, comes as a text, as PostgreSQL writes and reads it.
        return _list_conversion(element, deep, texts=deep and not known(inner, dialect))
    base, _, within = native.partition("(")
    if dialect == "duckdb" and base.strip().upper() in ("STRUCT", "MAP"):
        parts = split_types(within.rstrip()[:-1])
        if base.strip().upper() == "MAP":
            key, value = (nested_conversion(part, dialect, leaf) for part in parts)
            return lambda given: {key(each): value(held) for each, held in _dict_in(given).items()}
        return _struct_conversion({name: nested_conversion(kind, dialect, leaf) for name, kind in map(_member, parts)})
    convert = leaf(field_of("", native, dialect))
    return lambda value: None if value is None else convert(value)


def split_types(text: str) -> list[str]:
    """Return the parts of a type that commas part, but for those within brackets and quotes."""
    parts, depth = [""], 0
    for found in _PART.findall(text):
        depth += (found in "([") - (found in ")]")
        if found == "," and not depth:
            parts.append("")
        else:
            parts[-1] += found
    return [part.strip() for part in parts]


def _member(text: str) -> tuple[str, str]:
    found = _MEMBER.fullmatch(text)
    assert found is not None, text
    name = found[1]
    return (name[1:-1].replace('""', '"') if name.startswith('"') else name), found[2]


def _list_conversion(element: Convert, deep: bool, texts: bool) -> Convert:
    """Return what makes lists; with `deep`, the type of those of several dimensions is that of one."""

    def convert(value: Any) -> Any:
        if value is None:
            return None
        if texts and isinstance(value, str):
            return value
        value = _parsed(value)
        if not isinstance(value, list | tuple):
            raise UnfitValue("is no array")
        return [convert(each) if deep and isinstance(each, list | tuple) else element(each) for each in value]

    return convert


def _struct_conversion(members: dict[str, Convert]) -> Convert:
    def convert(value: Any) -> Any:
        if value is None:
            return None
        given = _dict_in(value)
        if set(given) != set(members):
            raise UnfitValue("has other members than it takes")
        return {name: convert(given[name]) for name, convert in members.items()}

    return convert


def _dict_in(value: Any) -> dict[Any, Any]:
    value = _parsed(value)
    if not isinstance(value, dict):
        raise UnfitValue("has no names for its values")
    return value


def _parsed(value: Any) -> Any:
    """Return what JSON holds, and any other value as it is."""
    if not isinstance(value, str | JsonText):
        return value
    try:
        return json.loads(plain(value), parse_float=Decimal)
    except (ValueError, RecursionError):
        raise UnfitValue("is no array, and no JSON of one") from None
