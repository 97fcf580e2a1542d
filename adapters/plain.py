"""Every card as plain text: for terminals, notifications and platforms that refuse a card."""

from typing import assert_never

from tabulate import tabulate

from router.cards import Buttons, Card, Choice, Code, File, Form, Option, Progress, Reply, Table, Text

WIDEST_CELL = 40
MOST_COLUMNS = 12
MOST_OPTIONS = 20
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
        case Buttons(prompt, options):
            return " ".join(part for part in (prompt, _listed(options)) if part)
        case Choice(prompt, options, many):
            several = " (several, with commas)" if many else ""
            shown = [f"  - {option.label}" for option in options[:MOST_OPTIONS]]
            more = [f"  … and {len(options) - MOST_OPTIONS} more"] if len(options) > MOST_OPTIONS else []
            return "\n".join([f"{prompt}{several}", *shown, *more])
        case Form(title, fields):
            return "\n".join(
                [title, *(f"{f.label}:\n{_indented(f.value)}" if f.value else f"{f.label}:" for f in fields)]
            )
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


def _cell(cell: str | None) -> str:
    if cell is None:
        return NULL
    return cell if len(cell) <= WIDEST_CELL else cell[: WIDEST_CELL - 1] + "…"


def _listed(options: tuple[Option, ...]) -> str:
    return "[" + " / ".join(option.label for option in options) + "]" if options else ""


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
