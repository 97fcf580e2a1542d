"""Jobs on the wire: each kind's builder turns its value into the ledger's row and back, in this process or another.

What a row has columns for is excluded from the payload, so that nothing is said twice. A payload carries its version:
`upgrade` is the place where an older one becomes today's.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from router.errors import JobFailed
from router.jobs.entries import Entry, Kind, Request
from router.jobs.read_sql import ReadSql
from router.jobs.send_email import SendEmail
from router.jobs.write_data import WriteData
from router.memory import ResultRef


class Job(Protocol):
    """A job's value: a frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


J = TypeVar("J", bound=Job)

EXCLUDED = frozenset({"connection", "asker", "approver", "thread", "name"})
"""Fields of jobs that the row itself holds."""

_REF = TypeAdapter(ResultRef)


@dataclass(frozen=True, slots=True)
class Builder(Generic[J]):
    """One kind of job on its way to the ledger and back; `lane` names what few of them may use at once."""

    kind: Kind
    type: type[J]
    lane: Callable[[J], str]
    version: int = 1
    upgrade: Callable[[dict[str, Any], int], dict[str, Any]] = lambda payload, version: payload

    def request(self, job: J, key: str) -> Request:
        """Return what the ledger keeps of a job."""
        whole = TypeAdapter(self.type).dump_python(job, mode="json")
        row = {name: whole[name] for name in EXCLUDED & whole.keys()}
        payload = {name: value for name, value in whole.items() if name not in EXCLUDED}
        return Request(key, self.kind, payload, self.version, self.lane(job), **row)

    def job(self, request: Request) -> J:
        """Return the job; raises JobFailed where the payload is of a later version, or none of this kind."""
        if request.version > self.version:
            raise JobFailed("A later version of the bot made this job; this one cannot do it. Nothing was begun.")
        named = self.type.__dataclass_fields__.keys()
        row = {name: getattr(request, name) for name in EXCLUDED & named}
        try:
            return TypeAdapter(self.type).validate_python(self.upgrade(request.payload, request.version) | row)
        except ValidationError as error:
            raise JobFailed(
                "What is stored of this job cannot be read, so it was not begun. Ask for it anew."
            ) from error


READ_SQL = Builder("read_sql", ReadSql, lane=lambda job: job.connection)
WRITE_DATA = Builder("write_data", WriteData, lane=lambda job: f"{job.connection} (write)")
SEND_EMAIL = Builder("send_email", SendEmail, lane=lambda job: "e-mail")

BUILDERS: Mapping[Kind, Builder[Any]] = {builder.kind: builder for builder in (READ_SQL, WRITE_DATA, SEND_EMAIL)}


def ref_of(entry: Entry) -> ResultRef:
    """Return where the rows of a reading that is done lie."""
    return _REF.validate_python(entry.outcome["result"])


def said_of(ref: ResultRef) -> dict[str, Any]:
    """Return what the ledger keeps of a reading that is done."""
    return {"result": _REF.dump_python(ref, mode="json")}
