"""Examples as a file for git: one JSON object a line, always in the same order, with nothing that changes by itself."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC
from json import JSONDecodeError
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, Field, StringConstraints, ValidationError

from router.catalog.connection import Connection
from router.catalog.tables import Tables
from router.errors import BotError
from router.knowledge.example_store import EXAMPLE_QUESTION_MAX_CHARS, EXAMPLE_SQL_MAX_CHARS, KeptExample
from router.language.outside_json import parse_json
from router.language.wording import one_line
from router.sql.guard import check

Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class ExampleLine(BaseModel):
    """An example as a file has it; `at` has a zone."""

    connection: Said
    schema_: str = Field("", alias="schema")
    question: Said
    sql: Said
    by: str = ""
    at: AwareDatetime | None = None


Say = Callable[[str], None]


def written(kept: Iterable[KeptExample]) -> str:
    """Return the text of a file."""
    ordered = sorted(kept, key=lambda each: each.order)
    return "".join(f"{_line(each).model_dump_json(by_alias=True, exclude_defaults=True)}\n" for each in ordered)


def _line(kept: KeptExample) -> ExampleLine:
    at = kept.at.astimezone(UTC).replace(microsecond=0) if kept.at else None
    said = {"schema": kept.schema, "question": kept.question, "sql": kept.sql, "by": kept.by, "at": at}
    return ExampleLine.model_validate({"connection": kept.connection, **said})


def read(text: str, connections: Mapping[str, Connection], tables: Tables, by: str, refuse: Say) -> list[KeptExample]:
    """Return the examples of a file as they are kept; each line that is refused is told with the reason.

    Each is judged by the guard as SQL of its connection. If a line says nothing of it, `by` kept it now.
    """
    found: dict[str, KeptExample] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            said = ExampleLine.model_validate(parse_json(line))
            kept = KeptExample(said.connection, said.schema_, said.question, said.sql, said.by, said.at)
            kept = _judged(kept, connections, tables)
            if kept.id in found:
                raise ValueError("there is the same question above.")
        except ValidationError as error:
            wrong = error.errors()[0]
            place = f'"{wrong["loc"][0]}"' if wrong["loc"] else "an example"
            refuse(f"line {number}: {place}: {wrong['msg']}.")
        except JSONDecodeError:
            refuse(f"line {number}: this is no JSON.")
        except (ValueError, BotError) as error:
            refuse(f"line {number}: {error}")
        else:
            found[kept.id] = kept if kept.by else replace(kept, by=by)
    return list(found.values())


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
