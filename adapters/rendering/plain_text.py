"""Every card as plain text: for terminals, notifications and platforms that refuse a card."""

from typing import assert_never

from adapters.rendering.text import named_in_words, reveal, waits_for
from router.cards import (
    Buttons,
    Card,
    Chart,
    Choice,
    Code,
    Field,
    File,
    Form,
    Link,
    Option,
    Progress,
    Reply,
    Table,
    Text,
    Waiting,
)
from router.language.wording import counted, spoken_number, truncate

PLAIN_CELL_MAX_CHARS = 40
PLAIN_TABLE_COLUMNS_MAX = 12
PLAIN_OPTIONS_MAX = 20
PLAIN_BARS_MAX = 40
PLAIN_BAR_MAX_CHARS = 30
NULL = "NULL"
SECONDS_TOLD_MIN = 1.0
"""Seconds from which on it is said how long a query took."""


def text_of(reply: Reply) -> str:
    """Return the reply as text, its cards parted by blank lines."""
    label = f"({reply.sensitivity})" if reply.sensitivity else ""
    return "\n\n".join(part for part in (*map(text_of_card, reply.cards), label) if part)


def text_of_card(card: Card) -> str:
    """Return one card as text."""
    match card:
        case Text(body) | Progress(body):
            return body
        case Code(body, caption, steps=steps):
            head = f"{reveal(caption)}:" if caption else ""
            return "\n".join(filter(None, (*(f"- {step}" for step in steps), head, _indented(reveal(body)))))
        case Table():
            return _table(card)
        case Chart():
            return _chart(card)
        case Buttons(prompt, options):
            return " ".join(part for part in (prompt, _listed(options)) if part)
        case Choice(prompt, options, many):
            several = " (several, with commas)" if many else ""
            listed = [f"  - {option.label}" for option in options[:PLAIN_OPTIONS_MAX]]
            more = [f"  … and {len(options) - PLAIN_OPTIONS_MAX} more"] if len(options) > PLAIN_OPTIONS_MAX else []
            return "\n".join([f"{prompt}{several}", *listed, *more])
        case Form(title, fields):
            return "\n".join([title, *map(_field, fields)])
        case File(name=label, path=where) | Link(label=label, url=where):
            return f"{label}: {where}"
        case Waiting():
            return waits_for(card, named_in_words)
        case _:
            assert_never(card)


def count_of(table: Table) -> str:
    """Return the line under a table: which rows are shown, of how many, and how long a slow query took."""
    first, last = table.offset + 1, table.offset + len(table.rows)
    whole = counted(table.total, "row")
    part = whole if len(table.rows) == table.total else f"rows {first:,} to {last:,} of {table.total:,}"
    cut = f", cut at {table.total:,}" if table.capped else ""
    took = f", {table.seconds:.0f} s" if table.seconds >= SECONDS_TOLD_MIN else ""
    return f"{part}{cut}{took}"


def _table(table: Table) -> str:
    from tabulate import tabulate  # heavy if no rows are shown as text

    columns = table.columns[:PLAIN_TABLE_COLUMNS_MAX]
    rows = [[_cell(cell) for cell in row[:PLAIN_TABLE_COLUMNS_MAX]] for row in table.rows]
    align = ["right" if head.kind == "number" else "left" for head in columns]
    drawn = tabulate(
        rows,
        [_cell(head.name) for head in columns],
        tablefmt="simple",
        colalign=align if rows else None,
        disable_numparse=True,
    )
    hidden = len(table.columns) - len(columns)
    more = (
        f"\n({hidden} more columns: {', '.join(h.name for h in table.columns[PLAIN_TABLE_COLUMNS_MAX:])[:300]})"
        if hidden
        else ""
    )
    head = " · ".join(filter(None, (table.title, table.source)))
    return "\n".join(filter(None, (head and f"{head}\n", drawn, more.strip("\n"), f"({count_of(table)})")))


def _chart(chart: Chart) -> str:
    """Return the chart as bars of blocks, one series below the other; negative ones go to the left of a line."""
    labels = [_cell(label) for label in chart.labels[:PLAIN_BARS_MAX]]
    width = max(map(_width, labels), default=0)
    lines = [chart.title]
    for series in chart.series:
        values = series.values[:PLAIN_BARS_MAX]
        lines += [f"{_cell(series.name)}:"] if len(chart.series) > 1 else []
        bars = _bars([value or 0 for value in values])
        for label, value, bar in zip(labels, values, bars, strict=True):
            number = NULL if value is None else spoken_number(value)
            if chart.kind == "pie" and value is not None:
                number += f" ({value / sum(each or 0 for each in values):.0%})"
            lines.append(f"  {label}{' ' * (width - _width(label))}  {bar}{' ' if bar else ''}{number}")
    hidden = len(chart.labels) - len(labels)
    return "\n".join([*lines, *([f"  … and {hidden:,} more"] if hidden else [])])


def _bars(values: list[float]) -> list[str]:
    """Return a bar a value, the longest of PLAIN_BAR_MAX_CHARS blocks, or of that many on both sides of the line."""
    above, below = max(0, *values, 0), -min(0, *values, 0)
    if not below:
        return ["█" * round(value / (above or 1) * PLAIN_BAR_MAX_CHARS) for value in values]
    # Halves first: the sum of two very large numbers may be none any more.
    unit = (above / PLAIN_BAR_MAX_CHARS) + (below / PLAIN_BAR_MAX_CHARS) or 1
    left = round(below / unit)
    return [f"{'█' * round(max(0, -value) / unit):>{left}}│{'█' * round(max(0, value) / unit)}" for value in values]


def _field(field: Field) -> str:
    problem = f"\n({field.problem})" if field.problem else ""
    if field.kind in ("menu", "radio"):
        labels = [f"*{each.label}*" if each.answer == field.value else each.label for each in field.options]
        return f"{field.label}: {' / '.join(labels)}{problem}"
    value = reveal(field.value) if field.kind == "code" else field.value
    return f"{field.label}:\n{_indented(value)}{problem}" if value else f"{field.label}:{problem}"


def _cell(cell: str | None) -> str:
    if cell is None:
        return NULL
    return truncate(cell, PLAIN_CELL_MAX_CHARS)


def _width(text: str) -> int:
    """Return the columns of a terminal that the text takes: two for a Chinese character, none for an accent."""
    from wcwidth import wcswidth

    return max(0, wcswidth(text))


def _listed(options: tuple[Option, ...]) -> str:
    return "[" + " / ".join(option.label for option in options) + "]" if options else ""


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
