"""The digest that the approval of a job is bound to: with any other word, place or person it is another one."""

import hashlib
import json
from functools import cache
from typing import Any, ClassVar, Final, Protocol, TypeVar

from pydantic import TypeAdapter


class Job(Protocol):
    """A job's value: a frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


J = TypeVar("J", bound=Job)

UNBOUND: Final = frozenset({"approver", "approval"})
"""Fields that an approval is not bound to: who gave it, and itself."""


@cache
def adapter_of(type: type[J]) -> TypeAdapter[J]:
    """Return what reads and writes a kind of job; to make one takes longer than to read a hundred jobs."""
    return TypeAdapter(type)


def job_digest(job: Job) -> str:
    """Return the sha256 of a job as the ledger gives it back, where a whole number may have become a fraction."""
    adapter = adapter_of(type(job))
    again = adapter.validate_python(adapter.dump_python(job, mode="json", warnings=False))
    bound = adapter.dump_python(again, mode="json", exclude=set(UNBOUND))
    return hashlib.sha256(json.dumps(bound, sort_keys=True).encode()).hexdigest()
