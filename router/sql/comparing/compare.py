"""A comparison of two queries: row by row, each in its own order and merged in bounded memory, or by totals alone."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from sqlglot import exp

from router.errors import JobFailed
from router.memory.comparing import Form, Tolerances
from router.sql.comparing.merge import Leftovers, RowStream, Unordered, merge_by_key, merge_whole
from router.sql.comparing.normal_form import RowKeys, Sameness, form_of
from router.sql.comparing.plan import BothSessions, ComparePlan, NullSink, Row, Side, Sink, Which, naming_side
from router.sql.comparing.proposals import paired
from router.sql.comparing.queries import (
    LETTER,
    Measure,
    Measured,
    column,
    demand_columns,
    names_of,
    ordered,
    sample,
    summed,
    unordered,
)
from router.sql.comparing.report import Report, Tally, Total, briefly
from router.sql.comparing.spill import sorted_rows
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
    keys; it begins anew where a side has to be sorted here, in a temporary file in `folder`. `batch` rows of each side
    are fetched at once. Raises JobFailed, which names the side, and Stopped; nothing was reported then.
    """
    if problem := plan.problem():
        raise JobFailed(problem)
    if plan.reporting == "aggregates":
        return compare_totals(left, right, plan)
    return RowComparison(left, right, plan, progress, folder, batch).run(sink or NullSink())


# Row by row.


def _handing_on(tally: Tally, batches: Iterable[list[Row]]) -> Iterator[list[Row]]:
    """Give the batches, and have what was told of one let go before the next comes: each weighs a few megabytes."""
    for rows in batches:
        tally.finish()
        yield rows


class RowComparison:
    """One comparison; used by one thread, once."""

    def __init__(
        self, left: Side, right: Side, plan: ComparePlan, progress: Progress, folder: Path | None, batch: int
    ) -> None:
        self._sides: dict[Which, Side] = {"left": left, "right": right}
        self._plan, self._progress = plan, progress
        self._folder, self._batch = folder, batch
        self._keys_at = plan.keys or tuple(range(len(plan.pairs)))
        self._rows: dict[Which, int] = {"left": 0, "right": 0}
        self._sorted: list[Which] = []
        self._forms: tuple[Form, ...] = ()
        self._near: tuple[int, ...] = ()

    def run(self, sink: Sink) -> Report:
        """Compare all rows; where a side turns out to come in another order, begin again and sort it here."""
        kinds = {which: self._kinds(which) for which in self._sides}
        while True:
            self._rows = {"left": 0, "right": 0}
            sink.begin()
            tally = Tally(self._plan, sink)
            try:
                with ExitStack() as stack:
                    self._merge(kinds, tally, stack)
            except Unordered as found:
                if found.side in self._sorted:  # what was sorted here is in order, or it would be so for ever
                    raise
                self._sorted.append(found.side)
            else:
                return self._report(tally)

    def _kinds(self, which: Which) -> tuple[Kind, ...]:
        """Return the kinds of a query's columns; raises JobFailed where they are not those of the plan."""
        side = self._sides[which]
        with naming_side(side):
            columns = names_of(side)
            demand_columns(side, columns, self._plan.columns(which))
        return tuple(column.kind for column in columns)

    def _merge(self, kinds: dict[Which, tuple[Kind, ...]], tally: Tally, stack: ExitStack) -> None:
        batches = {which: self._batches(which, kinds[which]) for which in self._sides}
        firsts = self._firsts(batches)
        keys = self._keys(kinds, firsts)
        streams: dict[Which, RowStream] = {}
        for which, first in firsts.items():
            whole = self._counted(which, chain([first], batches[which]))
            if which in self._sorted:
                whole = stack.enter_context(closing(sorted_rows(whole, keys, self._batch, self._folder, self._look)))
            elif keys.misplaced(first):
                raise Unordered(which)
            streams[which] = RowStream(which, _handing_on(tally, whole), keys)
        if self._plan.keys:
            merge_by_key(streams["left"], streams["right"], tally)
        else:
            leftovers = Leftovers(tally, self._plan.tolerances, self._near, self._forms)
            merge_whole(streams["left"], streams["right"], tally, leftovers)
        tally.finish()

    def _firsts(self, batches: dict[Which, Iterator[list[Row]]]) -> dict[Which, list[Row]]:
        """Return the first rows of both sides; where one failed, the other is not waited for."""
        # A database may sort for minutes before it gives the first row: both do so at the same time.
        with ThreadPoolExecutor(len(batches), "compare") as threads:
            begun: dict[Which, Future[list[Row]]] = {
                which: threads.submit(next, each, []) for which, each in batches.items()
            }
            ended, _ = wait(begun.values(), return_when=FIRST_EXCEPTION)
            failures = [error for each in begun.values() if each in ended and (error := each.exception())]
            failures = [error for error in failures if not isinstance(error, Unordered)]
            if failures:
                BothSessions(*(side.session for side in self._sides.values())).cancel()
                raise failures[0]
        return {which: future.result() for which, future in begun.items()}

    def _keys(self, kinds: dict[Which, tuple[Kind, ...]], firsts: dict[Which, list[Row]]) -> RowKeys:
        """Return how keys are made: what the first rows said stays, also where a comparison begins again."""
        if not self._forms:
            self._forms = tuple(self._form(place, kinds, firsts) for place in self._keys_at)
            self._near = tuple(place for place, form in enumerate(self._forms) if self._inexact(place, form, firsts))
        return RowKeys(self._keys_at, self._forms, self._plan.tolerances)

    def _form(self, place: int, kinds: dict[Which, tuple[Kind, ...]], firsts: dict[Which, list[Row]]) -> Form:
        pair = self._plan.pairs[place]
        if pair.form != "auto":
            return pair.form
        left, right = ([row[place] for row in firsts[which]] for which in self._sides)
        return form_of((kinds["left"][pair.left], kinds["right"][pair.right]), left, right)

    def _inexact(self, place: int, form: Form, firsts: dict[Which, list[Row]]) -> bool:
        """Tell whether a column has numbers that need only be near; with no key, each column is in the keys."""
        if form not in ("number", "auto"):
            return False
        types = {type(row[place]) for rows in firsts.values() for row in rows} - {type(None)}
        tolerances = self._plan.tolerances
        return bool(tolerances.absolute or tolerances.relative) or float in types or not types

    def _batches(self, which: Which, kinds: tuple[Kind, ...]) -> Iterator[list[Row]]:
        """Give a side's rows, counted, in the order that its database has for them; raises Unordered, JobFailed."""
        side = self._sides[which]
        places = self._plan.places(which)
        text = unordered(side, len(kinds), places)
        with naming_side(side, lambda: self._rows[which]):
            if which not in self._sorted:
                text = self._ordered(which, kinds, places)
            _, batches = side.session.stream(text, self._batch)
            yield from batches

    def _counted(self, which: Which, batches: Iterable[list[Row]]) -> Iterator[list[Row]]:
        """Give the batches, and tell of their rows."""
        for rows in batches:
            self._rows[which] += len(rows)
            self._look()
            yield rows

    def _look(self) -> None:
        """Tell how many rows were read, by which a Stop is heard too."""
        self._progress(self._rows["left"], self._rows["right"])

    def _ordered(self, which: Which, kinds: tuple[Kind, ...], places: tuple[int, ...]) -> str:
        """Return the text that gives ordered rows; raises Unordered where the database cannot order by these."""
        side = self._sides[which]
        try:
            text = ordered(side, kinds, places, self._keys_at)
            side.session.check(text)
        except JobFailed as error:
            raise Unordered(which) from error
        return text

    def _report(self, tally: Tally) -> Report:
        counts = tally.counts
        return Report(
            self._plan.reporting,
            self._sides["left"].label,
            self._sides["right"].label,
            bool(self._plan.keys),
            self._rows["left"],
            self._rows["right"],
            identical=counts["identical"],
            changed=counts["changed"],
            only_left=counts["only_left"],
            only_right=counts["only_right"],
            duplicate_keys=tally.duplicates,
            duplicate_left=counts["duplicate_left"],
            duplicate_right=counts["duplicate_right"],
            names=self._plan.names,
            columns=tally.changes(),
            first=tuple(tally.first),
            sorted_here=tuple(which for which in self._sides if which in self._sorted),
        )


# Totals alone: each database reckons its own, and two rows of numbers travel.

_ROUNDED = 2.0**-53
"""The share that one addition of floating-point numbers may be off by."""

_Place = tuple[int, Measure]
"""The pair that a measure is of, -1 where it is of the whole, and its name."""


def compare_totals(left: Side, right: Side, plan: ComparePlan) -> Report:
    """Return the totals of both sides; raises JobFailed, Stopped."""
    plan = _formed(left, right, plan)
    (first, untrue), (second, also_untrue) = _found(left, plan, "left"), _found(right, plan, "right")
    untrue |= also_untrue
    rows = int(first[-1, "rows"]), int(second[-1, "rows"])
    most = max(rows)
    totals = []
    for (pair, measure), value in first.items():
        other = second.get((pair, measure))
        if (pair, measure) in second and (pair, measure) not in untrue and (value, other) != (None, None):
            of_column = measure in ("lowest", "highest", "sum")
            form: Form = plan.pairs[pair].form if of_column else "auto"
            tolerances = _tolerances(plan, pair if of_column else -1)
            if measure == "sum" and (isinstance(value, float) or isinstance(other, float)):
                # Each addition rounds, and databases add in orders of their own.
                tolerances = replace(tolerances, relative=max(tolerances.relative, most * _ROUNDED))
            same = Sameness(tolerances).same(value, other, form)
            told = briefly(value, other, same)
            totals.append(Total(plan.names[pair] if pair >= 0 else "", measure, *told, same))
    places = sorted({pair for pair, _ in untrue})
    return Report(
        "aggregates",
        left.label,
        right.label,
        bool(plan.keys),
        *rows,
        names=plan.names,
        totals=tuple(totals),
        untold=tuple(plan.names[place] for place in places),
    )


def _formed(left: Side, right: Side, plan: ComparePlan) -> ComparePlan:
    """Return the plan with a form for each pair: where one has none, the first rows of both tell it."""
    if all(pair.form != "auto" for pair in plan.pairs):
        return plan
    mine, others = sample(left), sample(right)
    for side, found, names in ((left, mine, plan.left), (right, others, plan.right)):
        with naming_side(side):
            demand_columns(side, found.columns, names)
    known = (each if each.form != "auto" else paired(mine, others, each.left, each.right) for each in plan.pairs)
    return replace(plan, pairs=tuple(known))


def _tolerances(plan: ComparePlan, place: int) -> Tolerances:
    """Return what does not count in a pair; counts, and the numbers of a key, are near nothing but themselves."""
    near = place >= 0 and place not in plan.keys
    return plan.tolerances if near else replace(plan.tolerances, absolute=0.0, relative=0.0)


def _found(side: Side, plan: ComparePlan, which: Which) -> tuple[dict[_Place, Any], set[_Place]]:
    """Return what a side's database reckons, and what of it would not tell the truth.

    A measure that the side's types do not have is left out.
    """
    with naming_side(side):
        columns = names_of(side)
        demand_columns(side, columns, plan.columns(which))
        asked: list[tuple[int, Measure, exp.Expr]] = [(-1, "rows", exp.Count(this=exp.Star()))]
        measured = [
            Measured(
                column(place), columns[place].kind, plan.pairs[number].form, side.dialect, _tolerances(plan, number)
            )
            for number, place in enumerate(plan.places(which))
        ]
        for place, each in enumerate(measured):
            asked += [(place, name, tree) for name, tree in each.measures() if name not in each.untrue()]
        trees = [tree for _, _, tree in asked] + ([LETTER.copy()] if side.dialect == "sqlite" else [])
        _, batches = side.session.stream(summed(side, len(columns), trees), 1)
        (row,) = [row for batch in batches for row in batch]
    wide = row[len(asked) :] not in ((), ("61",))
    values = {(place, name): value for (place, name, _), value in zip(asked, row, strict=False)}
    return values, {(place, name) for place, each in enumerate(measured) for name in each.untrue(wide)}
