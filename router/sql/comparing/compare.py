"""A comparison of two queries row by row, each in its own order and merged in bounded memory."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import chain
from pathlib import Path

from router.errors import JobFailed
from router.memory.comparing import ComparedPair
from router.sql.comparing.merge import RowStream, Unordered, merge
from router.sql.comparing.normal_form import RowKeys, form_of
from router.sql.comparing.plan import BothSessions, ComparePlan, Row, Side, Sink, Which, naming_side
from router.sql.comparing.queries import columns_of, ordered
from router.sql.comparing.report import Report, Tally
from router.sql.comparing.spill import sorted_rows
from router.sql.comparing.totals import compare_totals
from router.sql.databases.session import Kind

Progress = Callable[[int, int], None]
"""Is told the rows read so far of the left and the right side; what it raises ends the comparison."""

BATCH_ROWS = 2000
"""Rows of each side that are fetched at once."""


def compare(
    left: Side,
    right: Side,
    plan: ComparePlan,
    *,
    progress: Progress = lambda left, right: None,
    sink: Sink | None = None,
    folder: Path | None = None,
    batch: int = BATCH_ROWS,
) -> Report:
    """Compare the rows of two approved queries by a plan, and return the whole truth, or raise.

    `progress` is told the rows read of each side after each batch, and now and then while rows are sorted and merged;
    what it raises ends the comparison. The `sink` gets the rows that the plan's `reporting` wants, in order of their
    keys; it begins again if a side has to be sorted here, in a temporary file in `folder`. `batch` rows of each side
    are fetched at once. Raises JobFailed, which names the side, and Stopped; nothing was reported then.
    """
    if problem := plan.problem():
        raise JobFailed(problem)
    if plan.reporting == "aggregates":
        return compare_totals(left, right, plan)
    return RowComparison(left, right, plan, progress, folder, batch).run(sink)


class RowComparison:
    """One comparison; used by one thread, once.

    Without a key, rows with equal values belong together; the last columns of their order need only be near.
    """

    def __init__(
        self, left: Side, right: Side, plan: ComparePlan, progress: Progress, folder: Path | None, batch: int
    ) -> None:
        self._sides: dict[Which, Side] = {"left": left, "right": right}
        self._plan, self._progress = plan, progress
        self._folder, self._batch = folder, batch
        self._kinds = {which: columns_of(side, plan.columns(which)) for which, side in self._sides.items()}
        # Without a key, numbers are last: they may turn out to be such as need only be near.
        self._order = plan.keys or tuple(sorted(plan.unkeyed, key=lambda place: "number" in self._kinds_of(place)))
        self._judged: tuple[int, ...] | None = None
        self._rows: dict[Which, int] = {"left": 0, "right": 0}
        self._sorted: set[Which] = set()

    def run(self, sink: Sink | None) -> Report:
        """Compare all rows; if a side turns out to come in another order, begin again and sort it here."""
        while True:
            if sink:
                sink.begin()
            try:
                with ExitStack() as stack:
                    return self._compare(sink, stack)
            except Unordered as found:
                if found.side in self._sorted:  # what was sorted here is in order, or it would be so for ever
                    raise
                self._sorted.add(found.side)

    def _compare(self, sink: Sink | None, stack: ExitStack) -> Report:
        self._rows = {"left": 0, "right": 0}
        batches = {which: self._batches(which) for which in self._sides}
        firsts = self._firsts(batches)
        before = self._order
        judged = self._settle(firsts)
        if self._order != before:
            for each in batches.values():
                each.close()
            return self._compare(sink, stack)
        plan = self._plan
        keys = RowKeys(self._order, [plan.pairs[place].form for place in self._order], plan.tolerances)
        tally = Tally(plan, sink, judged)
        streams: dict[Which, RowStream] = {}
        for which, first in firsts.items():
            rows = self._counted(which, chain([first], batches[which]))
            if which in self._sorted:
                rows = stack.enter_context(closing(sorted_rows(rows, keys, self._batch, self._folder, self._look)))
            elif keys.is_misplaced(first):
                raise Unordered(which)
            in_key = None if plan.keys or not judged else len(self._order) - len(judged)
            streams[which] = RowStream(which, _handing_on(tally, rows), keys, in_key)
        whole = RowKeys(range(len(plan.pairs)), [pair.form for pair in plan.pairs], plan.tolerances)
        merge(streams["left"], streams["right"], tally, whole if plan.keys else None)
        tally.finish()
        return tally.report(self._sides["left"].label, self._sides["right"].label, self._rows)

    def _batches(self, which: Which) -> Generator[list[Row]]:
        """Give a side's rows in the order that its database has for them; raises Unordered if it has none."""
        side, kinds, places = self._sides[which], self._kinds[which], self._plan.places(which)
        if which in self._sorted:
            with naming_side(side):
                return self._streamed(which, ordered(side, kinds, places, ()))
        try:
            text = ordered(side, kinds, places, self._order)
            side.session.check(text)
        except JobFailed as error:
            raise Unordered(which) from error
        return self._streamed(which, text)

    def _streamed(self, which: Which, text: str) -> Generator[list[Row]]:
        side = self._sides[which]
        with naming_side(side, lambda: self._rows[which]):
            _, batches = side.session.stream(text, self._batch)
            yield from batches

    def _firsts(self, batches: Mapping[Which, Iterator[list[Row]]]) -> dict[Which, list[Row]]:
        """Return the first rows of both sides; if one failed, the other is not waited for."""
        # A database may sort for minutes before it gives the first row: both do so at the same time.
        with ThreadPoolExecutor(len(batches), "compare") as threads:
            begun: dict[Which, Future[list[Row]]] = {
                which: threads.submit(next, each, []) for which, each in batches.items()
            }
            ended, _ = wait(begun.values(), return_when=FIRST_EXCEPTION)
            failures = [error for each in begun.values() if each in ended and (error := each.exception())]
            if failures:
                BothSessions(*(side.session for side in self._sides.values())).cancel()
                raise failures[0]
        return {which: future.result() for which, future in begun.items()}

    def _settle(self, firsts: dict[Which, list[Row]]) -> tuple[int, ...]:
        """Return the columns that rows are judged by, beside their order; what the first rows said stays.

        Texts of the plan's columns are read as these rows say from now on. Without a key, what need only be near is
        judged, and goes last in the order.
        """
        if self._judged is None:
            plan = self._plan
            pairs = tuple(self._formed(place, firsts) for place in range(len(plan.pairs)))
            self._plan = plan = replace(plan, pairs=pairs)
            self._judged = plan.unkeyed if plan.keys else tuple(p for p in self._order if self._inexact(p, firsts))
            if not plan.keys:
                self._order = (*(place for place in self._order if place not in self._judged), *self._judged)
        return self._judged

    def _formed(self, place: int, firsts: dict[Which, list[Row]]) -> ComparedPair:
        """Return a pair with how its texts are read, by its first rows if the plan does not say it."""
        pair = self._plan.pairs[place]
        left, right = ([row[place] for row in rows] for rows in firsts.values())
        form = form_of(self._kinds_of(place), left, right) if pair.form == "auto" else pair.form
        # Outside the order, a later number beside a text is compared with it as a number.
        return replace(pair, form="auto" if form == "text" and place not in self._order else form)

    def _inexact(self, place: int, firsts: dict[Which, list[Row]]) -> bool:
        """Return whether a column has numbers that need only be near."""
        if self._plan.pairs[place].form not in ("number", "auto"):
            return False
        types = {type(row[place]) for rows in firsts.values() for row in rows} - {type(None)}
        tolerances = self._plan.tolerances
        return bool(tolerances.absolute or tolerances.relative) or float in types or not types

    def _kinds_of(self, place: int) -> tuple[Kind, Kind]:
        pair = self._plan.pairs[place]
        return self._kinds["left"][pair.left], self._kinds["right"][pair.right]

    def _counted(self, which: Which, batches: Iterable[list[Row]]) -> Iterator[list[Row]]:
        """Give the batches, and say how many rows they had."""
        for rows in batches:
            self._rows[which] += len(rows)
            self._look()
            yield rows

    def _look(self) -> None:
        """Say how many rows were read, by which a Stop is heard too."""
        self._progress(self._rows["left"], self._rows["right"])


def _handing_on(tally: Tally, batches: Iterable[list[Row]]) -> Iterator[list[Row]]:
    """Give the batches, and have what was counted of one let go before the next comes: each weighs some megabytes."""
    for rows in batches:
        tally.finish()
        yield rows
