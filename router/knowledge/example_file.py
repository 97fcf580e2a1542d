"""Examples as a file for git: one JSON object a line, always in the same order, with nothing that changes by itself."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from router.catalog.connection import Connection
from router.catalog.tables import Tables
from router.errors import BotError
from router.knowledge.example_store import EXAMPLE_QUESTION_MAX_CHARS, EXAMPLE_SQL_MAX_CHARS, KeptExample
from router.language.outside_json import parse_json
from router.language.wording import one_line
from router.sql.guard import check

EXAMPLE_FIELDS = ("connection", "schema", "question", "sql", "by", "at")

Say = Callable[[str], None]


def written(kept: Iterable[KeptExample]) -> str:
    """Return the text of a file."""
    lines = (json.dumps(_values(each), ensure_ascii=False) for each in sorted(kept, key=lambda each: each.order))
    return "".join(f"{line}\n" for line in lines)


def _values(kept: KeptExample) -> dict[str, str]:
    values = {name: getattr(kept, name) for name in EXAMPLE_FIELDS if getattr(kept, name)}
    return values | ({"at": kept.at.astimezone(UTC).isoformat(timespec="seconds")} if kept.at else {})


def read(text: str, connections: Mapping[str, Connection], tables: Tables, by: str, refuse: Say) -> list[KeptExample]:
    """Return the examples of a file as they are kept; each line that is refused is told with the reason.

    Each is judged by the guard as SQL of its connection. Where a line says nothing of it, `by` kept it now.
    """
    found: dict[str, KeptExample] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            kept = _judged(_fields(line), connections, tables)
            if kept.id in found:
                raise ValueError("there is the same question above.")
        except (ValueError, BotError) as error:
            refuse(f"line {number}: {error}")
        else:
            found[kept.id] = kept if kept.by else replace(kept, by=by)
    return list(found.values())


def _fields(line: str) -> KeptExample:
    try:
        said: Any = parse_json(line)
    except ValueError:
        raise ValueError("this is no JSON.") from None
    if not isinstance(said, dict):
        raise ValueError("this is no JSON object.")
    for name in ("connection", "question", "sql"):
        if not isinstance(said.get(name), str) or not said[name].strip():
            raise ValueError(f'"{name}" is missing.')
    values: dict[str, Any] = {name: said.get(name) or "" for name in EXAMPLE_FIELDS}
    if wrong := [name for name, value in values.items() if not isinstance(value, str)]:
        raise ValueError(f'"{wrong[0]}" must be a text.')
    values["at"] = _time(values["at"])
    return KeptExample(**values)


def _time(text: str) -> datetime | None:
    if not text:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        raise ValueError('"at" must be a time with its zone, such as 2026-03-15T09:00:00+00:00.')
    return time


def _judged(kept: KeptExample, connections: Mapping[str, Connection], tables: Tables) -> KeptExample:
    """Return an example with its SQL as it may run."""
    if kept.connection not in connections:
        raise ValueError(f'there is no connection "{kept.connection}".')
    question = one_line(kept.question)
    if len(question) > EXAMPLE_QUESTION_MAX_CHARS or len(kept.sql) > EXAMPLE_SQL_MAX_CHARS:
        raise ValueError(
            f"a question may have {EXAMPLE_QUESTION_MAX_CHARS:,} characters, and its SQL {EXAMPLE_SQL_MAX_CHARS:,}."
        )
    schema = tables.schema(connections[kept.connection].name, kept.schema)
    verdict = check(kept.sql, schema.dialect, schema.scope)
    if not verdict.allowed:
        raise ValueError(verdict.reason)
    name = connections[kept.connection].name
    return replace(kept, connection=name, schema=schema.name, question=question, sql=verdict.sql)
