"""Every card as plain text: for terminals, notifications and platforms that refuse a card."""

from typing import assert_never

from tabulate import tabulate
from wcwidth import wcswidth

from adapters.unseen import shown
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
)

WIDEST_CELL = 40
MOST_COLUMNS = 12
MOST_OPTIONS = 20
MOST_BARS = 40
LONGEST_BAR = 30
NULL = "NULL"


def text_of(reply: Reply) -> str:
    """Return the reply as text, its cards parted by blank lines."""
    label = f"({reply.sensitivity})" if reply.sensitivity else ""
    return "\n\n".join(part for part in (*map(text_of_card, reply.cards), label) if part)


def text_of_card(card: Card) -> str:
    """Return one card as text."""
    match card:
        case Text(body) | Progress(body):
            return body
        case Code(body, caption):
            return f"{shown(caption)}:\n{_indented(shown(body))}" if caption else _indented(shown(body))
        case Table():
            return _table(card)
        case Chart():
            return _chart(card)
        case Buttons(prompt, options):
            return " ".join(part for part in (prompt, _listed(options)) if part)
        case Choice(prompt, options, many):
            several = " (several, with commas)" if many else ""
            listed = [f"  - {option.label}" for option in options[:MOST_OPTIONS]]
            more = [f"  … and {len(options) - MOST_OPTIONS} more"] if len(options) > MOST_OPTIONS else []
            return "\n".join([f"{prompt}{several}", *listed, *more])
        case Form(title, fields):
            return "\n".join([title, *map(_field, fields)])
        case File(name, path):
            return f"{name}: {path}"
        case Link(label, url):
            return f"{label}: {url}"
        case _:
            assert_never(card)


def count_of(table: Table) -> str:
    """Return the line under a table: which rows are shown, of how many, and how long a query took."""
    first, last = table.offset + 1, table.offset + len(table.rows)
    whole = f"{table.total:,} row" + ("" if table.total == 1 else "s")
    part = whole if len(table.rows) == table.total else f"rows {first:,} to {last:,} of {table.total:,}"
    cut = f", cut at {table.total:,}" if table.capped else ""
    took = f", {table.seconds:.1f} s" if table.result or table.seconds else ""
    return f"{part}{cut}{took}"


def _table(table: Table) -> str:
    columns = table.columns[:MOST_COLUMNS]
    rows = [[_cell(cell) for cell in row[:MOST_COLUMNS]] for row in table.rows]
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
        f"\n({hidden} more columns: {', '.join(h.name for h in table.columns[MOST_COLUMNS:])[:300]})" if hidden else ""
    )
    return f"{drawn}{more}\n({count_of(table)})"


def _chart(chart: Chart) -> str:
    """Return the chart as bars of blocks, one series below the other; negative ones go to the left of a line."""
    labels = [_cell(label) for label in chart.labels[:MOST_BARS]]
    width = max(map(_width, labels), default=0)
    lines = [chart.title]
    for series in chart.series:
        values = series.values[:MOST_BARS]
        lines += [f"{_cell(series.name)}:"] if len(chart.series) > 1 else []
        bars = _bars([value or 0 for value in values])
        for label, value, bar in zip(labels, values, bars, strict=True):
            number = NULL if value is None else f"{value:,.10g}"
            lines.append(f"  {label}{' ' * (width - _width(label))}  {bar}{' ' if bar else ''}{number}")
    hidden = len(chart.labels) - len(labels)
    return "\n".join([*lines, *([f"  … and {hidden:,} more"] if hidden else [])])


def _bars(values: list[float]) -> list[str]:
    """Return a bar a value, the longest of LONGEST_BAR blocks, or of that many on both sides of the line together."""
    above, below = max(0, *values, 0), -min(0, *values, 0)
    if not below:
        return ["█" * round(value / (above or 1) * LONGEST_BAR) for value in values]
    # Halves first: the sum of two very large numbers may be none any more.
    unit = (above / LONGEST_BAR) + (below / LONGEST_BAR) or 1
    left = round(below / unit)
    return [f"{'█' * round(max(0, -value) / unit):>{left}}│{'█' * round(max(0, value) / unit)}" for value in values]


def _field(field: Field) -> str:
    problem = f"\n({field.problem})" if field.problem else ""
    if field.kind == "menu":
        labels = [f"*{each.label}*" if each.answer == field.value else each.label for each in field.options]
        return f"{field.label}: {' / '.join(labels)}{problem}"
    value = shown(field.value) if field.kind == "code" else field.value
    return f"{field.label}:\n{_indented(value)}{problem}" if value else f"{field.label}:{problem}"


def _cell(cell: str | None) -> str:
    if cell is None:
        return NULL
    return cell if len(cell) <= WIDEST_CELL else cell[: WIDEST_CELL - 1] + "…"


def _width(text: str) -> int:
    """Return the columns of a terminal that the text takes: two for a Chinese character, none for an accent."""
    return max(0, wcswidth(text))


def _listed(options: tuple[Option, ...]) -> str:
    return "[" + " / ".join(option.label for option in options) + "]" if options else ""


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
