"""The comparing job: two approved queries, compared by a plan; what comes of it is a report, and rows of its own."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from shutil import disk_usage
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
from router.sql.comparing.layout import Layout
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


LARGEST = 2 * 1024**3
"""Bytes that the rows of a comparison take on the disk, or a quarter of what is free there."""

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
    """Return what came of a comparison, and where the rows lie that its reporting wants: at most `cap`, or 2 GiB.

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
    layout = Layout(plan, left.label, right.label)
    largest = min(LARGEST, disk_usage(results.folder).free // 4)
    with results.part(layout.columns(), cap, largest) as part:
        kept = _Kept(layout, part)
        report = compare(left, right, plan, progress=told, sink=kept, folder=results.folder)
        return replace(report, unkept=kept.rows - part.total), results.keep(part, clock() - began)


class _Kept:
    """Takes the rows of a comparison into a result; of what there is no room for, `rows` is the count alone."""

    def __init__(self, layout: Layout, part: Part) -> None:
        self._layout, self._part = layout, part
        self.rows = 0

    def begin(self) -> None:
        self.rows = 0
        self._part.begin()

    def add(self, rows: list[Difference]) -> None:
        self.rows += len(rows)
        if not self._part.capped:
            self._part.add(self._layout.rows(rows))
