"""A result as a chart: the same rows always give the same picture, and no model is asked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from math import inf, isfinite
from typing import Any, Literal

from router.cards import Chart, ChartKind, Head, Series
from router.errors import JobFailed
from router.jobs.results.cells import CELL_MAX_CHARS, cell, each_once, line
from router.jobs.results.reader import PersonalResults, Row, Sort, sort_key
from router.memory.thread import ResultRef
from router.sql.cell_text import number as number_text

# The choice of columns for labels, and for bars or lines.

_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\W_]+")
_NAMING = {"id", "uuid", "guid", "key", "code", "number", "no", "nr", "num", "zip", "postcode", "plz", "phone"}
# Databases fold customerId to customerid: what ends with "id" is an id, these words aside.
_NO_IDS = {"paid", "unpaid", "prepaid", "repaid", "overpaid", "bid", "aid", "grid", "valid", "invalid", "void", "fluid"}

_DAY = r"[12]\d{3}-[01]\d-[0-3]\d"
_CLOCK = r"[0-2]\d:[0-5]\d(:[0-6]\d(\.\d+)?)?"
_TIME = re.compile(rf"{_DAY}([T ]{_CLOCK}\s?(Z|[+-]\d\d(:?\d\d)?)?)?|[12]\d{{3}}-([01]\d|Q[1-4]|W[0-5]\d)|{_CLOCK}")
_YEAR = re.compile(r"(19|20)\d\d")
_PERIOD = re.compile(r"(.*[\W_])?year|quarter|month|week|day|hour", re.IGNORECASE)
"""Names of columns whose numbers are of the calendar: `order_year`, but not `visits_a_day`."""

Part = Literal["time", "text", "bool", "period", "id", "number", "blob"]


@dataclass(frozen=True, slots=True)
class ChartColumns:
    """The part of each column, by its place: `label` is None if the rows are only counted.

    `timed`: the labels are times, or periods of the calendar. `names` can tell apart rows of one label.
    """

    label: int | None
    timed: bool
    names: tuple[int, ...]
    series: tuple[int, ...]


def columns_of(heads: Sequence[Head], rows: Sequence[Row]) -> ChartColumns:
    """Return the parts that the columns play, by their kinds, names and values; at least one holds numbers.

    Labels are the first column of times, else of texts, else of yes and no; among numbers alone a period of the
    calendar, an id, or the first column. The other numbers are series: periods and ids only if they are alone.
    """
    parts = [_part(head, [row[place] for row in rows]) for place, head in enumerate(heads)]

    def places(*wanted: Part) -> list[int]:
        return [place for part in wanted for place, each in enumerate(parts) if each == part]

    numbers = places("period", "id", "number")
    label = next(iter([*places("time", "text", "bool"), *(numbers if len(numbers) > 1 else ())]), None)
    names = sorted(place for place in places("time", "text", "bool", "period", "id") if place != label)
    rest = sorted(place for place in numbers if place != label)
    counted = [place for place in rest if parts[place] == "number"]
    timed = label is not None and parts[label] in ("time", "period")
    return ChartColumns(label, timed, tuple(names), tuple(counted or rest))


def _part(head: Head, values: Sequence[Any]) -> Part:
    """Return what a column holds; texts may be times, months or years: SQLite has no other dates."""
    match head.kind:
        case "number":
            return "period" if _PERIOD.fullmatch(head.name) else "id" if names_identifier(head.name) else "number"
        case "text":
            return "time" if _fits_form(_TIME, values) or _fits_form(_YEAR, values) else "text"
        case "date":
            return "time"
    return head.kind


def _fits_form(pattern: re.Pattern[str], values: Sequence[Any]) -> bool:
    """Return whether all values that there are, are texts of this form."""
    texts = [value for value in values if value is not None]
    return bool(texts) and all(isinstance(value, str) and pattern.fullmatch(value) for value in texts)


def names_identifier(name: str) -> bool:
    """Return whether a column of this name holds numbers that count nothing: ids, codes, numbers of things."""
    words = [word.lower() for word in _BORDER.split(name) if word and not word.isdigit()]
    return bool(words) and (words[-1] in _NAMING or (words[-1].endswith("id") and words[-1] not in _NO_IDS))


CHART_MAX_ROWS = 400
CHART_MAX_SERIES = 12


def can_draw(result: ResultRef) -> bool:
    """Return whether a chart would show something, without reading a row: some rows, and numbers that are no ids."""
    numbers = any(head.kind == "number" and not names_identifier(head.name) for head in result.columns)
    return numbers and 2 <= result.total <= CHART_MAX_ROWS


PIE_SLICES_MAX = 12


def kinds_for(chart: Chart) -> tuple[ChartKind, ...]:
    """Return the ways in which the values can be drawn: parts of a whole are few, and none is below zero."""
    values = [value for series in chart.series for value in series.values]
    whole = len(chart.series) == 1 and 2 <= len(chart.labels) <= PIE_SLICES_MAX and any(values)
    return (
        ("bar", "line", "pie")
        if whole and all(value is not None and 0 <= value < inf for value in values)
        else ("bar", "line")
    )


def chart_of(results: PersonalResults, result: ResultRef | str, title: str = "", sort: Sort | None = None) -> Chart:
    """Return the result as bars, or as lines along a time; raises JobFailed if there is nothing to draw.

    Without a title, the columns give one. Along a time, the rows come in its order, else in that of `sort`.
    """
    ref = results.ref(result)
    _require_drawable(ref)
    rows = [tuple(map(_short, row)) for batch in results.rows(ref, CHART_MAX_ROWS, sort) for row in batch]
    columns = columns_of(ref.columns, rows)
    label = columns.label
    kind: ChartKind = "bar"
    if label is not None and columns.timed:
        rows.sort(key=lambda row: _moment(row[label]))
        # A line says that one value follows another, which it does not if a time comes twice.
        kind = "bar" if len(rows) < 2 or _repeats(_joined(rows, [label])) else "line"
    drawn = ((ref.columns[place].name, tuple(_number(row[place]) for row in rows)) for place in columns.series)
    filled = (Series(name, values) for name, values in drawn if any(value is not None for value in values))
    series = tuple(islice(filled, CHART_MAX_SERIES))
    if not series:
        raise JobFailed("There's nothing to draw: the columns of numbers are empty. The rows are still here.")
    return Chart(title or _title(ref.columns, label, series), kind, _labels(columns, rows), series, ref.id, sort=sort)


def _require_drawable(ref: ResultRef) -> None:
    if not ref.total:
        raise JobFailed("There's nothing to draw: the query found no rows.")
    if not any(head.kind == "number" for head in ref.columns):
        raise JobFailed(
            "There's nothing to draw: no column holds numbers. The rows are still here; ask for numbers, such as a "
            "count by month."
        )
    if ref.total > CHART_MAX_ROWS:
        raise JobFailed(f"A chart of {ref.total:,} rows would be unreadable; ask for sums, such as a total by month.")


def _short(value: Any) -> Any:
    """Return a value without what no label shows of it."""
    if isinstance(value, str):
        return value[: CELL_MAX_CHARS + 1]
    return cell(value) if isinstance(value, list | tuple | dict | bytes) else value


def _moment(value: Any) -> tuple[bool, bytes]:
    """Return what times are sorted by: NULL comes last."""
    return value is None, sort_key(value) or b""


def _labels(columns: ChartColumns, rows: Sequence[Row]) -> tuple[str, ...]:
    """Return a label a row, no two alike: if one comes again, columns that name something are put beside it."""
    if columns.label is None:
        return tuple(str(number) for number in range(1, len(rows) + 1))
    shown = [columns.label]
    for place in columns.names:
        if _repeats(_joined(rows, shown)):
            shown = sorted([*shown, place])
    return each_once(_joined(rows, shown))


def _joined(rows: Sequence[Row], places: Sequence[int]) -> list[str]:
    return [", ".join(_label(row[place]) for place in places) for row in rows]


def _repeats(labels: Sequence[str]) -> bool:
    return len(set(labels)) < len(labels)


def _label(value: Any) -> str:
    text = cell(value)
    return "NULL" if text is None else text


def _number(value: Any) -> float | None:
    """Return the value as a float, rounded as cells are; None for NULL, and for what has no place on an axis."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    try:
        number = float(value)
    except (OverflowError, ValueError):  # a number beyond a float, a signalling NaN
        return None
    return float(number_text(number)) if isfinite(number) else None


def _title(columns: Sequence[Head], label: int | None, series: Sequence[Series]) -> str:
    names = [line(each.name, 40) for each in series]
    measures = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return measures if label is None else f"{measures} by {line(columns[label].name, 40)}"
