"""What is stored leaves out the fields that have their defaults, so that these must not change unnoticed."""

import json
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from types import GenericAlias, UnionType
from typing import Any, get_args, get_type_hints

import pytest
from pydantic import TypeAdapter

from router.cards import Reply
from router.memory.thread import Memory

KNOWN = Path(__file__).parent / "stored_defaults.json"


def test_defaults_are_as_they_were(request: pytest.FixtureRequest) -> None:
    """Each field that a thread or a shown reply may lack has the default that it had when they were stored.

    A change of one stores a new version, and takes the earlier ones over; new fields come with `--update`.
    """
    found = {name: default for kind in stored() for name, default in defaults(kind)}
    known = json.loads(KNOWN.read_text(encoding="utf-8"))
    if request.config.getoption("--update"):
        known = found | known
        KNOWN.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    assert [] == [name for name, default in found.items() if name in known and known[name] != default]
    assert set() == found.keys() - known.keys()


def stored() -> set[type]:
    """Return the classes that a thread, or a reply that was shown, is made of."""
    seen: set[type] = set()
    waiting: list[Any] = [Memory, Reply]
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, type) and not isinstance(kind, GenericAlias) and is_dataclass(kind):
            if kind not in seen:
                seen.add(kind)
                waiting += get_type_hints(kind).values()
        elif isinstance(kind, UnionType | GenericAlias) or get_args(kind):
            waiting += get_args(kind)
    return seen


def defaults(kind: type) -> Iterator[tuple[str, Any]]:
    """Give the fields of a class that have defaults, and these as JSON."""
    for field in fields(kind):
        if has_default(field):
            value = field.default if field.default_factory is MISSING else field.default_factory()
            # Of a default that has fields itself, only those count that differ from theirs: they are listed too.
            plain = TypeAdapter(type(value)).dump_python(value, mode="json", exclude_defaults=True)
            yield f"{kind.__qualname__}.{field.name}", plain


def has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING
