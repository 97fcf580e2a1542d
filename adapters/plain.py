"""Every card as plain text: for terminals, notifications and platforms that refuse a card."""

from typing import assert_never

from tabulate import tabulate

from router.cards import Buttons, Card, Chart, Choice, Code, Field, File, Form, Option, Progress, Reply, Table, Text

WIDEST_CELL = 40
MOST_COLUMNS = 12
MOST_OPTIONS = 20
LONGEST_BAR = 30
NULL = "NULL"


def text_of(reply: Reply) -> str:
    """Return the reply as text, its cards parted by blank lines."""
    return "\n\n".join(part for card in reply.cards if (part := text_of_card(card)))


def text_of_card(card: Card) -> str:
    """Return one card as text."""
    match card:
        case Text(body):
            return body
        case Code(body, caption):
            return f"{caption}:\n{_indented(body)}" if caption else _indented(body)
        case Table():
            return _table(card)
        case Chart():
            return _chart(card)
        case Buttons(prompt, options):
            return " ".join(part for part in (prompt, _listed(options)) if part)
        case Choice(prompt, options, many):
            several = " (several, with commas)" if many else ""
            shown = [f"  - {option.label}" for option in options[:MOST_OPTIONS]]
            more = [f"  … and {len(options) - MOST_OPTIONS} more"] if len(options) > MOST_OPTIONS else []
            return "\n".join([f"{prompt}{several}", *shown, *more])
        case Form(title, fields):
            return "\n".join([title, *map(_field, fields)])
        case File(name, path):
            return f"{name}: {path}"
        case Progress(text):
            return text
        case _:
            assert_never(card)


def count_of(table: Table) -> str:
    """Return the line under a table: which rows are shown, of how many, and how long it took."""
    first, last = table.offset + 1, table.offset + len(table.rows)
    whole = f"{table.total:,} row" + ("" if table.total == 1 else "s")
    shown = whole if len(table.rows) == table.total else f"rows {first:,} to {last:,} of {table.total:,}"
    cut = f", cut at {table.total:,}" if table.capped else ""
    return f"{shown}{cut}, {table.seconds:.1f} s"


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
    """Return the chart as bars of blocks, one series below the other."""
    width = max((len(_cell(label)) for label in chart.labels), default=0)
    lines = [chart.title]
    for series in chart.series:
        most = max((abs(value) for value in series.values if value is not None), default=0) or 1
        lines += [f"{series.name}:"] if len(chart.series) > 1 else []
        for label, value in zip(chart.labels, series.values, strict=True):
            bar = "█" * round(abs(value or 0) / most * LONGEST_BAR)
            number = NULL if value is None else f"{value:,.10g}"
            lines.append(f"  {_cell(label):{width}}  {bar}{' ' if bar else ''}{number}")
    return "\n".join(lines)


def _field(field: Field) -> str:
    problem = f"\n({field.problem})" if field.problem else ""
    return f"{field.label}:\n{_indented(field.value)}{problem}" if field.value else f"{field.label}:{problem}"


def _cell(cell: str | None) -> str:
    if cell is None:
        return NULL
    return cell if len(cell) <= WIDEST_CELL else cell[: WIDEST_CELL - 1] + "…"


def _listed(options: tuple[Option, ...]) -> str:
    return "[" + " / ".join(option.label for option in options) + "]" if options else ""


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
