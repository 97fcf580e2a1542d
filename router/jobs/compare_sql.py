"""The comparing job: two approved queries, compared by a plan; what comes of it is a report, and rows of its own."""

from dataclasses import asdict, dataclass
from typing import Any

from pydantic import TypeAdapter

from router.jobs.queried import Queried, digest_of
from router.memory import User
from router.sql.comparing import Plan

_PLAN = TypeAdapter(Plan)


@dataclass(frozen=True, slots=True)
class CompareSql:
    """One comparison that a person confirmed; `CompareSql.of` makes one.

    `connection`, `asker` and `approver` are the left side's: what the ledger's row has.
    """

    left: Queried
    right: Queried
    plan: Plan
    person: User
    connection: str
    asker: str
    approver: str
    approval: str
    name: str = ""
    thread: str = ""

    @classmethod
    def of(
        cls, left: Queried, right: Queried, plan: Plan, person: User, *, name: str = "", thread: str = ""
    ) -> "CompareSql":
        """Return the comparison that this person wants."""
        approval = digest_of(left, right, person.id, _in_json(plan))
        row = (left.connection, person.id, left.approver.id)
        return cls(left, right, plan, person, *row, approval, name, thread)

    @property
    def digest(self) -> str:
        """What its approval must be bound to."""
        return digest_of(self.left, self.right, self.person.id, _in_json(self.plan))


def _in_json(plan: Plan) -> Any:
    """Return a plan as it comes back from the ledger: a whole number is a fraction there, where one may stand."""
    return _PLAN.dump_python(_PLAN.validate_python(asdict(plan)), mode="json")
