"""What an e-mail tells of a result: its rows, where they came from and when, and how many of them are in it."""

from dataclasses import dataclass
from datetime import datetime

from router.cards import Head, Table
from router.jobs.cells import line
from router.jobs.kept import not_kept

NOTICE = "AI makes mistakes: check the SQL before you rely on the rows."

IN_THE_MAIL = 50
"""Rows that are shown where nothing is attached."""
BESIDE_A_FILE = 10
MOST_COLUMNS = 20
LONGEST_CELL = 100
LONGEST_TOLD = 1500


@dataclass(frozen=True, slots=True)
class Report:
    """The words and the first rows of one e-mail; `file` is the name of what is attached, empty where nothing is."""

    words: str
    table: Table | None
    """The rows; None where the e-mail is about none."""
    question: str
    source: str
    """What the recipients know the database as."""
    sql: str
    asker: str
    read: datetime
    job: str
    file: str = ""
    told: str = ""
    """What came of a comparison, where the rows are of one."""

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What stands above the rows, with its names."""
        facts = (
            ("Question", line(self.question, 400)),
            ("Result", line(self.told, LONGEST_TOLD)),
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
        """The columns and rows that the e-mail itself shows; None where it is about none."""
        if self.table is None:
            return None
        heads = tuple(Head(line(head.name, LONGEST_CELL), head.kind) for head in self.table.columns[:MOST_COLUMNS])
        rows = tuple(tuple(_cut(cell) for cell in row[:MOST_COLUMNS]) for row in self.table.rows)
        return Table(heads, rows, self.table.total)

    @property
    def cut(self) -> str:
        """A sentence about what the e-mail does not show; empty where that is nothing."""
        if self.table is None:
            return ""
        rows, columns = len(self.table.rows), len(self.table.columns)
        parts = []
        if rows < self.table.total:
            parts.append(f"the first {rows:,} of {self.table.total:,} rows")
        if columns > MOST_COLUMNS:
            parts.append(f"the first {MOST_COLUMNS} of {columns} columns")
        missing = not_kept(self.table)
        if not parts:
            return missing
        rest = "The rest is not in this e-mail."
        if self.file:
            rest = f"{'All that was kept is' if self.table.capped else 'All of it is'} in the attached file."
        return f"Shown: {' and '.join(parts)}. {rest} {missing}".rstrip()

    @property
    def foot(self) -> str:
        """Who had it sent, and under which number."""
        who = f" for {line(self.asker, 100)}" if self.asker else ""
        return f"Sent by icc-bot{who}, job {self.job}."


def _cut(cell: str | None) -> str | None:
    return None if cell is None else line(cell, LONGEST_CELL)


def _zone(when: datetime) -> str:
    offset = f"{when:%z}"
    return "UTC" if offset in ("+0000", "") else f"UTC{offset[:3]}:{offset[3:5]}"
