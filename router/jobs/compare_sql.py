"""The comparing job: two approved queries, compared by a plan; what comes of it is a report, and rows of its own."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any

from pydantic import TypeAdapter

from router.jobs.figures import figures
from router.jobs.pace import paced
from router.jobs.part import Part
from router.jobs.queried import Queried, digest_of
from router.jobs.results import Results
from router.memory import ResultRef, User
from router.sql.comparing.compare import compare
from router.sql.comparing.difference import Difference
from router.sql.comparing.layout import laid_columns, laid_rows
from router.sql.comparing.plan import Plan
from router.sql.comparing.report import Report
from router.sql.comparing.side import Side

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


Progress = Callable[[int, int, str], None]
"""Is told the rows read of each side, and now and then what is being done, "" else; it raises Stopped."""


def compare_sql(
    plan: Plan,
    left: Side,
    right: Side,
    *,
    results: Results,
    cap: int,
    progress: Progress,
    clock: Callable[[], float] = monotonic,
) -> tuple[Report, ResultRef]:
    """Return what came of a comparison, and where the rows lie that its reporting wants: at most `cap` of them.

    Reporting "differences" and "all" have a row for each row of the queries, the others one for each figure. Raises
    JobFailed or Stopped: nothing is kept then.
    """
    began, read = clock(), (0, 0)

    def say(rows: int) -> None:
        first, second = read
        progress(first, second, f"{first:,} rows of {left.label} and {second:,} of {right.label} read…")

    said = paced(say, clock)

    def told(first: int, second: int) -> None:
        nonlocal read
        read = first, second
        progress(first, second, "")
        said(first + second)

    if plan.reporting not in ("differences", "all"):
        report = compare(left, right, plan, progress=told, folder=results.folder)
        columns, rows = figures(report)
        with results.part(columns, cap) as part:
            part.add(rows)
            return report, results.keep(part, clock() - began)
    with results.part(laid_columns(plan), cap) as part:
        report = compare(left, right, plan, progress=told, sink=_Kept(plan, part), folder=results.folder)
        return report, results.keep(part, clock() - began)


class _Kept:
    """Takes the rows of a comparison into a result; what there is no room for is let go."""

    def __init__(self, plan: Plan, part: Part) -> None:
        self._plan, self._part = plan, part

    def begin(self) -> None:
        self._part.begin()

    def add(self, rows: list[Difference]) -> None:
        if not self._part.capped:
            self._part.add(laid_rows(self._plan, rows))
