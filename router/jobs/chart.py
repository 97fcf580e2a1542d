"""A result as a chart: the same rows always give the same picture, and no model is asked."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import islice
from math import isfinite
from typing import Any, Literal

from router.cards import Chart, Head, Series
from router.errors import JobFailed
from router.jobs.cells import LONGEST, cell, line
from router.jobs.chart_columns import Columns, columns_of, names_things
from router.jobs.order import sort_key
from router.jobs.sheet import Row
from router.jobs.shelf import Shelf
from router.memory import ResultRef

MOST_ROWS = 400
MOST_SERIES = 12


def can_draw(result: ResultRef) -> bool:
    """Tell, without reading a row, whether a chart would show something: some rows, and numbers that are no ids."""
    numbers = any(head.kind == "number" and not names_things(head.name) for head in result.columns)
    return numbers and 2 <= result.total <= MOST_ROWS


def chart_of(results: Shelf, result: ResultRef | str, title: str = "") -> Chart:
    """Return the result as bars, or as lines along a time; raises JobFailed where there is nothing to draw.

    Without a title, the columns give one. Along a time, the rows come in its order, else as they were read.
    """
    ref = results.ref(result)
    _demand_drawable(ref)
    rows = [tuple(map(_short, row)) for batch in results.rows(ref, MOST_ROWS) for row in batch]
    columns = columns_of(ref.columns, rows)
    label = columns.label
    kind: Literal["bar", "line"] = "bar"
    if label is not None and columns.timed:
        rows.sort(key=lambda row: _moment(row[label]))
        # A line says that one value follows another, which it does not where a time comes twice.
        kind = "bar" if len(rows) < 2 or _repeats(_joined(rows, [label])) else "line"
    drawn = ((ref.columns[place].name, tuple(_number(row[place]) for row in rows)) for place in columns.series)
    filled = (Series(name, values) for name, values in drawn if any(value is not None for value in values))
    series = tuple(islice(filled, MOST_SERIES))
    if not series:
        raise JobFailed("There is nothing to draw: the columns of numbers are empty. The rows are still here.")
    return Chart(title or _title(ref.columns, label, series), kind, _labels(columns, rows), series, ref.id)


def _demand_drawable(ref: ResultRef) -> None:
    if not ref.total:
        raise JobFailed("There is nothing to draw: the query found no rows.")
    if not any(head.kind == "number" for head in ref.columns):
        wanted = _group(ref.columns)
        raise JobFailed(
            f"There is nothing to draw: no column holds numbers. The rows are still here; ask for numbers, such as "
            f"a count by {wanted}."
        )
    if ref.total > MOST_ROWS:
        numbers = [head.name for head in ref.columns if head.kind == "number"]
        measure = next((name for name in numbers if not names_things(name)), "")
        sums = f"the total of {line(measure, 40)}" if measure else "a count"
        raise JobFailed(
            f"A chart of {ref.total:,} rows would show nothing; ask for sums, such as {sums} by {_group(ref.columns)}."
        )


def _short(value: Any) -> Any:
    """Return a value without what no label shows of it."""
    if isinstance(value, str):
        return value[: LONGEST + 1]
    return cell(value) if isinstance(value, list | tuple | dict | bytes) else value


def _group(columns: Sequence[Head]) -> str:
    """Return what one could group these columns by, as a word in a sentence."""
    if any(head.kind == "date" for head in columns):
        return "month"
    return line(next((head.name for head in columns if head.kind == "text"), "group"), 40)


def _moment(value: Any) -> tuple[bool, bytes]:
    """Return what times are sorted by: NULL comes last."""
    return value is None, sort_key(value) or b""


def _labels(columns: Columns, rows: Sequence[Row]) -> tuple[str, ...]:
    """Return a label a row, no two alike: where one comes again, columns that name something are put beside it."""
    if columns.label is None:
        return tuple(str(number) for number in range(1, len(rows) + 1))
    shown = [columns.label]
    for place in columns.names:
        if _repeats(_joined(rows, shown)):
            shown = sorted([*shown, place])
    return _distinct(_joined(rows, shown))


def _joined(rows: Sequence[Row], places: Sequence[int]) -> list[str]:
    return [", ".join(_label(row[place]) for place in places) for row in rows]


def _repeats(labels: Sequence[str]) -> bool:
    return len(set(labels)) < len(labels)


def _label(value: Any) -> str:
    text = cell(value)
    return "NULL" if text is None else text


def _distinct(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels in order, each once: a second "North" is "North (2)"."""
    taken, counts, shown = set(labels), dict[str, int](), set[str]()
    each_once = []
    for label in labels:
        free = label
        while free in shown or (free != label and free in taken):
            counts[label] = counts.get(label, 1) + 1
            free = f"{label} ({counts[label]})"
        shown.add(free)
        each_once.append(free)
    return tuple(each_once)


def _number(value: Any) -> float | None:
    """Return the value as a float; None where it is NULL, or nothing that has a place on an axis."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    try:
        number = float(value)
    except (OverflowError, ValueError):  # a number beyond a float, a signalling NaN
        return None
    return number if isfinite(number) else None


def _title(columns: Sequence[Head], label: int | None, series: Sequence[Series]) -> str:
    names = [line(each.name, 40) for each in series]
    measures = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return measures if label is None else f"{measures} by {line(columns[label].name, 40)}"
