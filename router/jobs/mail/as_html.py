"""The e-mail for clients that show HTML: tables, and styles at each element, for Outlook and Gmail take little else."""

from html import escape

from router.cards import Head, Table
from router.jobs.mail.report import NOTICE, Report

_FACE = "font-family:'Segoe UI',Roboto,Helvetica,Arial,sans-serif;"
_INK, _MUTED, _EDGE = "color:#1b2230;", "color:#596377;", "1px solid #dde1e8"
_CELL = f"padding:6px 12px;border-bottom:{_EDGE};vertical-align:top;{_FACE}font-size:13px;line-height:18px;"
_CODE = "font-family:Consolas,Menlo,'DejaVu Sans Mono',monospace;font-size:12px;line-height:18px;"
_BARE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'


def as_html(report: Report) -> str:
    """Return the e-mail as a page of its own, in which everything that people or databases wrote is text."""
    parts = (
        _paragraph(report.words.strip(), f"{_INK}font-size:15px;line-height:22px;"),
        _facts(report),
        _table(report.shown),
        _paragraph(report.cut, f"{_MUTED}font-size:13px;line-height:18px;"),
        _sql(report.sql.strip(), rows=report.table is not None),
        _paragraph(report.foot, f"{_MUTED}font-size:12px;line-height:16px;"),
    )
    rows = "\n".join(f'<tr><td style="padding:0 0 16px 0;">{part}</td></tr>' for part in parts if part)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light"></head>\n'
        f'<body style="margin:0;padding:20px;background-color:#ffffff;{_INK}{_FACE}">\n'
        f'<table {_BARE} style="border-collapse:collapse;">\n{rows}\n</table>\n</body></html>\n'
    )


def _paragraph(text: str, style: str) -> str:
    return f'<div style="{_FACE}{style}">{_broken(text)}</div>' if text else ""


def _facts(report: Report) -> str:
    rows = "".join(
        f'<tr><td style="padding:1px 14px 1px 0;{_FACE}{_MUTED}font-size:13px;vertical-align:top;">{escape(name)}</td>'
        f'<td style="padding:1px 0;{_FACE}{_INK}font-size:13px;">{escape(value)}</td></tr>'
        for name, value in report.facts
    )
    return f"<table {_BARE}>{rows}</table>" if rows else ""


def _table(table: Table | None) -> str:
    if table is None:
        return ""
    if not table.rows:
        return _paragraph("No rows.", f"{_INK}font-size:13px;")
    ground = "background-color:#eceff4;font-weight:600;white-space:nowrap;"
    heads = "".join(
        f'<th scope="col" align="{_side(head)}" style="{_CELL}{_INK}{ground}text-align:{_side(head)};">'
        f"{escape(head.name)}</th>"
        for head in table.columns
    )
    rows = "\n".join(f"<tr>{''.join(map(_cell, row, table.columns))}</tr>" for row in table.rows)
    style = f"border-collapse:collapse;border:{_EDGE};"
    return (
        f'<table cellpadding="0" cellspacing="0" border="0" style="{style}"><thead><tr>{heads}</tr></thead>\n'
        f"<tbody>{rows}</tbody></table>"
    )


def _cell(text: str | None, head: Head) -> str:
    ink = f"{_MUTED}font-style:italic;" if text is None else _INK
    shown = "NULL" if text is None else escape(text)
    kept = "white-space:nowrap;" if head.kind in ("number", "date") else ""
    return f'<td align="{_side(head)}" style="{_CELL}{ink}{kept}text-align:{_side(head)};">{shown}</td>'


def _side(head: Head) -> str:
    return "right" if head.kind == "number" else "left"


def _sql(sql: str, *, rows: bool) -> str:
    """Draw the SQL: folded below rows, with a warning; where there are none, it is what the e-mail is about."""
    if not sql:
        return ""
    box = f"margin-top:6px;padding:10px 12px;border:{_EDGE};background-color:#f5f6f8;{_INK}{_CODE}"
    code = _broken(sql).replace("  ", "&nbsp; ")
    notice = f'<div style="{_FACE}{_MUTED}font-size:13px;line-height:18px;padding-bottom:6px;">{escape(NOTICE)}</div>'
    return (
        f"{notice if rows else ''}"
        f'<details{"" if rows else " open"} style="{_FACE}{_MUTED}font-size:13px;"><summary>SQL</summary>'
        f'<div style="{box}">{code}</div></details>'
    )


def _broken(text: str) -> str:
    return "<br>\n".join(escape(row) for row in text.splitlines())
