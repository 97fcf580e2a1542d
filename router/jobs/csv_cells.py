"""The cells of a CSV file, written by SQLite: a look at each cell in Python would double the time of the export.

A spreadsheet takes a cell for a formula by its first sign, and where cells begin depends on the machine: Excel splits
at `;` in half of Europe, others at a TAB. Then the quotes of a comma's file keep nothing together but the first cell of
a line, so a formula may also begin behind `;`, TAB or a line break within a text. Each such sign gets an apostrophe
before it, which makes a text of it everywhere.
"""

import re
import sqlite3
from typing import Any, Final

from router.jobs.codec import MARK, decode
from router.jobs.sheet import Form, Sheet
from router.sql.plain_text import plain

SIGNS: Final = "=+-@＝＋－＠"
"""A formula begins with one of them; Excel takes the wide ones of East Asia for the others."""
BREAKS: Final = ";\t\r\n"
"""Where another cell may begin within a text; a comma is where ours do, and those are quoted."""
SKIPPED: Final = " \"'\u00a0\u3000\ufeff"
"""What may stand before the sign of a formula all the same."""

LONG_CHARS: Final = 100_000
"""Of a text of which SQLite makes no more copies."""

_FIRST = re.compile(f"[{SKIPPED}]*[{re.escape(SIGNS)}\t\r\n]")
_LATER = re.compile(f"([{BREAKS}][{SKIPPED}{BREAKS}]*)(?=[{re.escape(SIGNS)}])")

_SUSPECT = ", ".join(str(ord(sign)) for sign in f"{SIGNS}{BREAKS}{SKIPPED}")
_BROKEN = " OR ".join(f"instr({{0}}, '{sign}')" for sign in BREAKS)
# Few texts begin like this or hold one of those: only they are looked at in Python, and long ones, since SQLite makes a
# copy of the text for each look of its own.
_TEXT = (
    f"CASE WHEN length({{0}}) > {LONG_CHARS} THEN guarded({{0}})"
    f" WHEN unicode({{0}}) IN ({_SUSPECT}) OR {_BROKEN} THEN guarded({{0}}) ELSE {{0}} END"
)
# Behind MARK and a capital letter lies what is to be shown, and only that of a list ("J") can hold a formula.
_BLOB = (
    f"CASE WHEN substr({{0}}, 1, 2) <> x'{MARK.hex()}' THEN hex({{0}})"
    f" WHEN substr({{0}}, 3, 1) = x'{b'J'.hex()}' THEN guarded(CAST(substr({{0}}, 4) AS TEXT))"
    " WHEN substr({0}, 3, 1) BETWEEN x'41' AND x'5A' THEN CAST(substr({0}, 4) AS TEXT) ELSE exported({0}) END"
)
_CELLS: dict[Form, str] = {
    "number": "{0}",
    "text": _TEXT,
    "any": f"CASE typeof({{0}}) WHEN 'text' THEN {_TEXT} WHEN 'blob' THEN {_BLOB} ELSE {{0}} END",
}


def csv_rows(sheet: Sheet) -> sqlite3.Cursor:
    """Return all rows as csv.writer takes them: nothing in them is a formula but numbers that are numbers."""
    sheet.database.create_function("guarded", 1, guarded, deterministic=True)
    sheet.database.create_function("exported", 1, _exported, deterministic=True)
    cells = ", ".join(_CELLS[form].format(f"c{place}") for place, form in enumerate(sheet.forms))
    return sheet.database.execute(f"SELECT {cells} FROM rows")


def guarded(text: str) -> str:
    """Return the text with an apostrophe wherever a spreadsheet would begin to read a formula."""
    text = _LATER.sub(r"\1'", text)
    return f"'{text}" if _FIRST.match(text) else text


def _exported(stored: Any) -> str:
    value = decode(stored)
    return value.hex().upper() if isinstance(value, bytes) else guarded(plain(value)).encode(errors="replace").decode()
