"""The e-mail's words for clients that show no HTML."""

from tabulate import tabulate

from router.cards import Table
from router.jobs.mail.report import NOTICE, Report


def as_text(report: Report) -> str:
    """Return the e-mail as plain text."""
    facts = "\n".join(f"{name}: {value}" for name, value in report.facts)
    notice = f"{NOTICE}\n\n" if report.table else ""
    sql = f"{notice}SQL:\n{report.sql.strip()}" if report.sql.strip() else ""
    parts = (report.words.strip(), facts, _table(report.shown), report.cut, sql, f"-- \n{report.foot}")
    return "\n\n".join(filter(None, parts)) + "\n"


def _table(table: Table | None) -> str:
    if table is None:
        return ""
    if not table.rows:
        return "No rows."
    sides = ["right" if head.kind == "number" else "left" for head in table.columns]
    cells = [["NULL" if cell is None else cell for cell in row] for row in table.rows]
    heads = [head.name for head in table.columns]
    return tabulate(cells, heads, "simple", disable_numparse=True, colalign=sides)
