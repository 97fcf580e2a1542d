"""The cells of a CSV file, written by SQLite: a look at each cell in Python would double the time of the export."""

import sqlite3
from typing import Any

from router.jobs.cells import plain
from router.jobs.codec import MARK, decode
from router.jobs.sheet import Form, Sheet

_FORMULA = "=+-@\t\r\n＝＋－＠"
_SIGNS = ", ".join(str(ord(sign)) for sign in _FORMULA)
_TEXT = f"CASE WHEN unicode({{0}}) IN ({_SIGNS}) THEN '''' || {{0}} ELSE {{0}} END"
# Behind MARK and a capital letter lies what is to be shown, and never a formula.
_BLOB = (
    f"CASE WHEN substr({{0}}, 1, 2) <> x'{MARK.hex()}' THEN hex({{0}})"
    " WHEN substr({0}, 3, 1) BETWEEN x'41' AND x'5A' THEN CAST(substr({0}, 4) AS TEXT) ELSE exported({0}) END"
)
_CELLS: dict[Form, str] = {
    "number": "{0}",
    "text": _TEXT,
    "any": f"CASE typeof({{0}}) WHEN 'text' THEN {_TEXT} WHEN 'blob' THEN {_BLOB} ELSE {{0}} END",
}


def csv_rows(sheet: Sheet) -> sqlite3.Cursor:
    """Return all rows as csv.writer takes them: nothing in them is a formula but numbers that are numbers."""
    sheet.database.create_function("exported", 1, _exported, deterministic=True)
    cells = ", ".join(_CELLS[form].format(f"c{place}") for place, form in enumerate(sheet.forms))
    return sheet.database.execute(f"SELECT {cells} FROM rows")


def guarded(text: str) -> str:
    """Return the text with an apostrophe in front where a spreadsheet would take it for a formula."""
    return f"'{text}" if text[:1] and text[0] in _FORMULA else text


def _exported(stored: Any) -> str:
    value = decode(stored)
    return value.hex().upper() if isinstance(value, bytes) else guarded(plain(value)).encode(errors="replace").decode()
