"""The body of an e-mail about a result: its rows, where they came from and when, and how many of them are in it."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from router.cards import Head, Table
from router.jobs.results.cells import line
from router.jobs.results.pages import not_kept

if TYPE_CHECKING:
    from jinja2 import Template

NOTICE = "AI makes mistakes: check the SQL before you rely on the rows."

IN_THE_MAIL = 50
"""Rows that are shown if nothing is attached."""
BESIDE_A_FILE = 10
MAILED_COLUMNS = 20
MAIL_CELL_MAX_CHARS = 100
OUTCOME_MAX_CHARS = 1500


@dataclass(frozen=True, slots=True)
class MailReport:
    """The words and the first rows of one e-mail; `file` is the name of what is attached, empty if nothing is."""

    words: str
    table: Table | None
    """The rows; None if the e-mail is about none."""
    question: str
    source: str
    """The name by which the recipients know the database."""
    sql: str
    asker: str
    read: datetime
    job: str
    file: str = ""
    told: str = ""
    """The outcome of a comparison, if the rows are of one."""
    note: str = ""
    """A sentence about values that the attached file cannot hold as they are."""

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The facts above the rows, with their names."""
        facts = (
            ("Question", line(self.question, 400)),
            ("Result", line(self.told, OUTCOME_MAX_CHARS)),
            ("Database", line(self.source)),
        )
        asked = tuple(fact for fact in facts if fact[1])
        if self.table is None:
            return asked
        rows = f"{self.table.total:,}{' (there were more)' if self.table.capped else ''}"
        read = f"{self.read:%Y-%m-%d %H:%M} ({_zone(self.read)}), in {self.table.seconds:.1f} s"
        return (*asked, ("Rows", rows), ("Read", read))

    @property
    def shown(self) -> Table | None:
        """The columns and rows that the e-mail itself shows; None if it is about none."""
        if self.table is None:
            return None
        heads = tuple(
            Head(line(head.name, MAIL_CELL_MAX_CHARS), head.kind) for head in self.table.columns[:MAILED_COLUMNS]
        )
        rows = tuple(tuple(_cut(cell) for cell in row[:MAILED_COLUMNS]) for row in self.table.rows)
        return Table(heads, rows, self.table.total)

    @property
    def cut(self) -> str:
        """Sentences about what the e-mail does not show, and its file does not hold; empty if that is nothing."""
        if self.table is None:
            return ""
        rows, columns = len(self.table.rows), len(self.table.columns)
        parts = []
        if rows < self.table.total:
            parts.append(f"the first {rows:,} of {self.table.total:,} rows")
        if columns > MAILED_COLUMNS:
            parts.append(f"the first {MAILED_COLUMNS} of {columns} columns")
        missing = f"{not_kept(self.table)} {self.note}".strip()
        if not parts:
            return missing
        rest = "The rest is not in this e-mail."
        if self.file:
            rest = f"{'All that was kept is' if self.table.capped else 'All of it is'} in the attached file."
        return f"Shown: {' and '.join(parts)}. {rest} {missing}".rstrip()

    @property
    def foot(self) -> str:
        """The last lines: the person who had it sent, and its number."""
        who = f" for {line(self.asker, 100)}" if self.asker else ""
        return f"Sent by icc-bot{who}, job {self.job}."


def _cut(cell: str | None) -> str | None:
    return None if cell is None else line(cell, MAIL_CELL_MAX_CHARS)


def _zone(when: datetime) -> str:
    offset = f"{when:%z}"
    return "UTC" if offset in ("+0000", "") else f"UTC{offset[:3]}:{offset[3:5]}"


# Plain text.


def as_text(report: MailReport) -> str:
    """Return the e-mail as plain text."""
    facts = "\n".join(f"{name}: {value}" for name, value in report.facts)
    notice = f"{NOTICE}\n\n" if report.table else ""
    sql = f"{notice}SQL:\n{report.sql.strip()}" if report.sql.strip() else ""
    parts = (report.words.strip(), facts, _text_table(report.shown), report.cut, sql, f"-- \n{report.foot}")
    return "\n\n".join(filter(None, parts)) + "\n"


def _text_table(table: Table | None) -> str:
    if table is None:
        return ""
    if not table.rows:
        return "No rows."
    from tabulate import tabulate  # heavy if nobody is mailed to

    sides = ["right" if head.kind == "number" else "left" for head in table.columns]
    cells = [["NULL" if cell is None else cell for cell in row] for row in table.rows]
    heads = [head.name for head in table.columns]
    return tabulate(cells, heads, "simple", disable_numparse=True, colalign=sides)


@cache
def _page() -> "Template":
    from jinja2 import Environment  # heavy if nobody is mailed to

    text = Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
    return Environment(autoescape=True).from_string(text)


def as_html(report: MailReport) -> str:
    """Return the e-mail as a page of its own, in which everything that people or databases wrote is text."""
    return _page().render(report=report, table=report.shown, notice=NOTICE)
