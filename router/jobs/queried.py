"""One side of a comparison, as a job carries it."""

import hashlib
import json
from dataclasses import dataclass
from typing import Protocol

from router.jobs.read_sql import digest
from router.memory import User


@dataclass(frozen=True, slots=True)
class Queried:
    """A query that was approved: the exact text, by whom, and the digest that the approval is bound to.

    `label` is what people call it, such as "orders in Production"; `approval` is that of a reading of the same text.
    The approver is kept with name and address, so that their rights can be judged again when the query is run.
    """

    connection: str
    schema: str
    sql: str
    label: str
    approver: User
    approval: str
    question: str = ""

    def approved(self, asker: str) -> bool:
        """Tell whether the approval is for this text, at this place, by this asker."""
        return self.approval == digest(self.sql, self.connection, self.schema, asker)


class Sided(Protocol):
    """A job on two queries: `person` asked, the rest is what the ledger's row has."""

    @property
    def left(self) -> Queried: ...
    @property
    def right(self) -> Queried: ...
    @property
    def person(self) -> User: ...
    @property
    def connection(self) -> str: ...
    @property
    def asker(self) -> str: ...
    @property
    def approver(self) -> str: ...
    @property
    def approval(self) -> str: ...
    @property
    def digest(self) -> str:
        """What its approval must be bound to."""

    @property
    def thread(self) -> str: ...


def digest_of(left: Queried, right: Queried, asker: str, rest: object) -> str:
    """Return the sha256 of a job on two queries: with other texts, another asker or another `rest` it is another."""
    sides = [[each.connection, each.schema, each.sql, each.label] for each in (left, right)]
    return hashlib.sha256(json.dumps([sides, asker, rest]).encode()).hexdigest()


def unapproved(job: Sided) -> str:
    """Return why a job on two queries is not what was approved, "" where it is."""
    row = (job.connection, job.asker, job.approver)
    whole = job.approval == job.digest and row == (job.left.connection, job.person.id, job.left.approver.id)
    if whole and all(side.approved(job.person.id) for side in (job.left, job.right)):
        return ""
    return "The approval was given for something else, so nothing was run. Look at both queries and approve them again."
