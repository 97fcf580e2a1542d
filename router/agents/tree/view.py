"""What of a schema a model is shown for one statement."""

from dataclasses import dataclass

from router.catalog.schema import Schema


@dataclass(frozen=True, slots=True)
class View:
    """`schema` is the beginning of the prompt; `near` are tables that are shown once more, beside the question."""

    schema: Schema
    near: Schema | None = None
