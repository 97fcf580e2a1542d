"""Results as files that a person takes away: everything that was kept is in them, in the order on show.

CSV: RFC 4180 in UTF-8 with a byte-order mark, without which Excel reads another alphabet. All is quoted but numbers.
NULL is an empty text, a blob is hexadecimal, a bool is true or false, numbers keep all their digits. What a spreadsheet
would run as a formula gets an apostrophe in front, at the beginning of a text and wherever a cell could begin in it.

XLSX: numbers, dates and bools are typed; what Excel would round is a text, so that no digit is lost. A cell holds
32,767 characters, a longer text ends in "…"; a sheet holds 1,048,575 rows below its head, more go on to the next sheet.
A sheet of notes at the end says of which columns that had to be done to some cells.
"""

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, Literal
from zipfile import ZipFile, is_zipfile

from router.cards import Head
from router.errors import JobFailed
from router.jobs.results.codec import MARK, decode
from router.jobs.results.reader import Form, Progress, ResultReader, Row, Sort, silent
from router.language.wording import counted
from router.sql.cell_text import plain
from router.sql.value_kinds import Interval

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet


# XLSX cells: each value as what it is where Excel has that, else as its exact text.

XLSX_CELL_MAX_CHARS = 32_767
_FIRST_DAY = date(1900, 3, 1)  # before it, spreadsheet programs count the days differently
_LAST_DAY = timedelta(days=2_958_465)
_EXCEL_DIGITS = 15  # a spreadsheet shows none beyond, and forgets those of integers
_CENTS_KEPT = 1e12
"""Below it, the digits of a float that Excel does not show are behind its third decimal place; it keeps them."""
_EXCEL_FLOATS = 2.2250738585072014e-308, 9.99999999999999e307
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

XlsxNote = Literal["number", "time", "text"]
"""A kind of values that Excel cannot hold as they are."""

XLSX_NOTES: Mapping[XlsxNote, str] = {
    "number": "kept as text, which a SUM leaves out: Excel has no such number, or would round it.",
    "time": "kept as text: Excel has no such date or time, or would round it.",
    "text": f"not whole: a cell takes no control characters, no special line breaks, and at most "
    f"{XLSX_CELL_MAX_CHARS:,} characters. The CSV has all of it.",
}


def xlsx_text(text: str) -> str:
    """Return the text as a cell can hold it: legal in XML, and not longer than Excel reads."""
    text = _ILLEGAL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(text) > XLSX_CELL_MAX_CHARS // 2 and len(text.encode("utf-16-le")) // 2 > XLSX_CELL_MAX_CHARS:
        text = text.encode("utf-16-le")[: 2 * (XLSX_CELL_MAX_CHARS - 1)].decode("utf-16-le", "ignore") + "…"
    # The library would take "<r>…</r>" for markup of its own and not escape it.
    return f"{text} " if text.startswith("<r>") and text.endswith("</r>") else text


class _ExactFloat(float):
    """A float of which the library writes all digits, and not the first sixteen."""

    def __format__(self, spec: str) -> str:
        return repr(float(self))


class CellWriter:
    """Writes values into the cells of one workbook; `write` is called for each cell that is not NULL.

    `notes` counts the cells of a column that are not what the database holds, or not of its type.
    """

    def __init__(self, book: "Workbook") -> None:
        self._book = book
        self._formats: dict[str, Format] = {}
        self.notes = Counter[tuple[int, XlsxNote]]()
        self._writers: dict[type, Callable[[Worksheet, int, int, Any], object]] = {
            str: self._text,
            int: self._int,
            float: self._float,
            bool: lambda sheet, row, column, value: sheet.write_boolean(row, column, value),
            bytes: lambda sheet, row, column, value: self._text(sheet, row, column, value.hex().upper()),
            Decimal: self._decimal,
            date: self._date,
            datetime: self._datetime,
            time: self._time,
            Interval: self._length,
        }

    def write(self, sheet: "Worksheet", row: int, column: int, value: Any) -> None:
        """Write one value; a text never becomes a formula, a link or a number."""
        self._writers.get(type(value), self._text)(sheet, row, column, value)

    def _text(self, sheet: "Worksheet", row: int, column: int, value: Any, note: XlsxNote | None = None) -> None:
        """Write a text, or with a `note` a value that Excel has no cell for."""
        whole = plain(value)
        held = xlsx_text(whole)
        if note is not None or held != whole:
            self.notes[column, note or "text"] += 1
        sheet.write_string(row, column, held)

    def _int(self, sheet: "Worksheet", row: int, column: int, value: int) -> None:
        if abs(value) < 10**_EXCEL_DIGITS:
            sheet.write_number(row, column, value)
        else:
            self._text(sheet, row, column, value, "number")

    def _float(self, sheet: "Worksheet", row: int, column: int, value: float) -> None:
        lowest, highest = _EXCEL_FLOATS
        known = not value or lowest <= abs(value) <= highest
        if known and (
            abs(value) < _CENTS_KEPT or len(Decimal(repr(value)).normalize().as_tuple().digits) <= _EXCEL_DIGITS
        ):
            sheet.write_number(row, column, _ExactFloat(value))
        else:
            self._text(sheet, row, column, value, "number")

    def _decimal(self, sheet: "Worksheet", row: int, column: int, value: Decimal) -> None:
        digits = bytes(value.as_tuple().digits).rstrip(b"\0")
        if value.is_finite() and len(digits) <= _EXCEL_DIGITS and abs(value.adjusted()) < 300:
            sheet.write_number(row, column, float(value))
        else:
            self._text(sheet, row, column, value, "number")

    def _date(self, sheet: "Worksheet", row: int, column: int, value: date) -> None:
        if value >= _FIRST_DAY:
            sheet.write_datetime(row, column, value, self._format("yyyy-mm-dd"))
        else:
            self._text(sheet, row, column, value, "time")

    def _datetime(self, sheet: "Worksheet", row: int, column: int, value: datetime) -> None:
        """A date has no zone in Excel: the local time is the value, its distance from UTC is shown by the format."""
        if value.date() < _FIRST_DAY or value.microsecond % 1000:
            self._text(sheet, row, column, value, "time")
            return
        zone = value.isoformat()[len(value.replace(tzinfo=None).isoformat()) :]
        shown = _clock("yyyy-mm-dd hh:mm:ss", value.microsecond) + (f' "{zone}"' if zone else "")
        sheet.write_datetime(row, column, value.replace(tzinfo=None), self._format(shown))

    def _time(self, sheet: "Worksheet", row: int, column: int, value: time) -> None:
        if value.tzinfo is None and not value.microsecond % 1000:
            sheet.write_datetime(row, column, value, self._format(_clock("hh:mm:ss", value.microsecond)))
        else:
            self._text(sheet, row, column, value, "time")

    def _length(self, sheet: "Worksheet", row: int, column: int, value: Interval) -> None:
        """Write days and hours as a length of time, which Excel has from zero on; months have no length."""
        length = None if value.extents & {"months", "infinity"} else timedelta(value.days, microseconds=value.micros)
        if length is not None and timedelta() <= length < _LAST_DAY and not length.microseconds % 1000:
            sheet.write_datetime(row, column, length, self._format(_clock("[h]:mm:ss", length.microseconds)))
        else:
            self._text(sheet, row, column, value, "time")

    def _format(self, shown: str) -> "Format":
        if shown not in self._formats:
            self._formats[shown] = self._book.add_format({"num_format": shown})
        return self._formats[shown]


def _clock(shown: str, microseconds: int) -> str:
    """Return the format of a time, with thousandths of a second where it has some; Excel holds no finer ones."""
    return f"{shown}.000" if microseconds else shown


# CSV cells, written by SQLite: a look at each cell in Python would double the time of the export.
#
# A spreadsheet takes a cell for a formula by its first sign, and where cells begin depends on the machine: Excel
# splits at `;` in half of Europe, others at a TAB. Then the quotes of a comma's file keep nothing together but the
# first cell of a line, so a formula may also begin behind `;`, TAB or a line break within a text. Each such sign gets
# an apostrophe before it, which makes a text of it everywhere.

FORMULA_SIGNS: Final = "=+-@\N{MINUS SIGN}"
"""A formula begins with one of them, or with what Unicode takes for the same (NFKC), such as the wide ones."""
CELL_SEPARATORS: Final = ";\t\r\n"
"""Separators after which another cell may begin within a text; ours is the comma, and texts with one are quoted."""
QUOTES: Final = "\"'"
UNSEEN_CATEGORIES: Final = "CZM"
"""Categories of characters that nobody sees at the beginning of a text: control, format, separators, marks."""

LONG_TEXT_CHARS: Final = 100_000
"""Of a text of which SQLite makes no more copies."""

_SEPARATOR = re.compile(f"[{CELL_SEPARATORS}]")

_LETTERS = (("0", "9"), ("A", "Z"), ("a", "z"), ("À", "ɏ"), ("А", "я"), ("ぁ", "ゖ"), ("一", "鿼"), ("가", "힣"))
_PLAIN = " OR ".join(f"unicode({{0}}) BETWEEN {ord(first)} AND {ord(last)}" for first, last in _LETTERS)
_BROKEN = " OR ".join(f"instr({{0}}, '{sign}')" for sign in CELL_SEPARATORS)
# Most texts begin with a letter or a digit and hold no separator: the others are looked at in Python, and long ones,
# since SQLite makes a copy of the text for each look of its own.
_TEXT = (
    f"CASE WHEN length({{0}}) > {LONG_TEXT_CHARS} THEN formula_escaped({{0}})"
    f" WHEN {{0}} IS NULL OR {{0}} = '' OR ({_PLAIN}) AND NOT ({_BROKEN}) THEN {{0}} ELSE formula_escaped({{0}}) END"
)
# Behind MARK and a capital letter lies what is to be shown; only that of a list ("J") or of JSON can hold a formula.
_BLOB = (
    f"CASE WHEN substr({{0}}, 1, 2) <> x'{MARK.hex()}' THEN hex({{0}})"
    f" WHEN substr({{0}}, 3, 1) IN (x'{b'J'.hex()}', x'{b'O'.hex()}')"
    " THEN formula_escaped(CAST(substr({0}, 4) AS TEXT))"
    " WHEN substr({0}, 3, 1) BETWEEN x'41' AND x'5A' THEN CAST(substr({0}, 4) AS TEXT) ELSE exported({0}) END"
)
_CELLS: dict[Form, str] = {
    "number": "{0}",
    "text": _TEXT,
    "any": f"CASE typeof({{0}}) WHEN 'text' THEN {_TEXT} WHEN 'blob' THEN {_BLOB} ELSE {{0}} END",
}


def csv_rows(reader: ResultReader, sort: Sort | None = None) -> Iterator[Row]:
    """Give all rows in this order as csv.writer takes them, with no formula in them."""
    reader.database.create_function("formula_escaped", 1, formula_escaped, deterministic=True)
    reader.database.create_function("exported", 1, _exported, deterministic=True)
    cells = ", ".join(_CELLS[form].format(f"c{place}") for place, form in enumerate(reader.forms))
    return reader.selected(cells, sort)


def formula_escaped(text: str) -> str:
    """Return the text with an apostrophe wherever a spreadsheet would begin to read a formula."""
    parts, kept, seen = list[str](), 0, 0
    for separator in _SEPARATOR.finditer(text):
        if separator.end() > seen:
            seen = _seen_at(text, separator.end())
            if _is_sign(text, seen):
                parts += text[kept:seen], "'"
                kept = seen
    begins = text[:1] in ("\t", "\r") or _is_sign(text, _seen_at(text, 0))
    return "".join(["'" if begins else "", *parts, text[kept:]])


def _seen_at(text: str, place: int) -> int:
    """Return the place of the first character that is seen, from `place` on."""
    while place < len(text) and (unicodedata.category(text[place])[0] in UNSEEN_CATEGORIES or text[place] in QUOTES):
        place += 1
    return place


def _is_sign(text: str, place: int) -> bool:
    return unicodedata.normalize("NFKC", text[place : place + 1])[:1] in tuple(FORMULA_SIGNS)


def _exported(stored: Any) -> str:
    value = decode(stored)
    return (
        value.hex().upper()
        if isinstance(value, bytes)
        else formula_escaped(plain(value)).encode(errors="replace").decode()
    )


NOTES_SHEET = "Notes"
_BATCH_ROWS = 10_000
_ROWS_A_SHEET = 1_048_575
_WIDTHS = {"text": 24, "number": 14, "date": 20, "bool": 8, "blob": 24}
_OPTIONS = {"constant_memory": True, "use_zip64": True}


FORMATS = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""The forms that results can have, and what they are called on the web."""


def file_order(sort: Sort | None) -> str:
    """Return what stands in the name of a kept file for the order of its rows; empty for that they were read in."""
    return "" if sort is None else f".{sort[0]}-{sort[1]}"


def order_in(name: str) -> Sort | None:
    """Return the order that the name of a kept file tells of."""
    found = re.search(r"\.(\d+)-(up|down)\.\w+$", name)
    return (int(found[1]), "up" if found[2] == "up" else "down") if found else None


def write_csv(
    reader: ResultReader,
    path: Path,
    progress: Progress = silent,
    sort: Sort | None = None,
) -> None:
    """Write the result to `path` as CSV and tell `progress` of the rows so far; JobFailed leaves no half file."""
    with _whole(path), path.open("w", encoding="utf-8", newline="") as file:
        file.write("\ufeff")
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow([formula_escaped(head.name) for head in reader.ref.columns])
        rows = csv_rows(reader, sort)
        for done in range(0, reader.ref.total, _BATCH_ROWS):
            progress(done)
            writer.writerows(islice(rows, _BATCH_ROWS))


def write_xlsx(
    reader: ResultReader,
    path: Path,
    progress: Progress = silent,
    sort: Sort | None = None,
    rows_a_sheet: int = _ROWS_A_SHEET,
) -> None:
    """Write the result to `path` as XLSX and tell `progress` of the rows so far; JobFailed leaves no half file."""
    from xlsxwriter import Workbook  # heavy where nobody takes a spreadsheet away
    from xlsxwriter.exceptions import XlsxWriterException

    with (
        _whole(path, XlsxWriterException),
        TemporaryDirectory(dir=path.parent) as folder,
    ):
        book = Workbook(path, {**_OPTIONS, "tmpdir": folder})
        with _closed(book):
            cells = CellWriter(book)
            sheet, row, done = _add_sheet(book, reader.ref.columns), 0, 0
            for batch in reader.rows(1000, sort):
                progress(done)
                for values in batch:
                    if row == rows_a_sheet:
                        sheet, row = _add_sheet(book, reader.ref.columns), 0
                    row += 1
                    for column, value in enumerate(values):
                        if value is not None:
                            cells.write(sheet, row, column, value)
                done += len(batch)
            _add_notes(book, reader.ref.columns, cells.notes)


def note_on(path: Path) -> str:
    """Return the sentence that belongs beside an Excel file with a sheet of notes; empty for any other file."""
    if not is_zipfile(path):
        return ""
    with ZipFile(path) as book:
        noted = f'name="{NOTES_SHEET}"'.encode() in book.read("xl/workbook.xml")
    return f"Excel cannot hold some values as they are: its last sheet, {NOTES_SHEET}, says which." if noted else ""


def _add_notes(book: "Workbook", columns: tuple[Head, ...], notes: Mapping[tuple[int, XlsxNote], int]) -> None:
    """Add a sheet that says of which columns some cells are not as the database has them; none if all are."""
    if not notes:
        return
    sheet = book.add_worksheet(NOTES_SHEET)
    sheet.set_column(0, 1, 24)
    for row, ((column, note), count) in enumerate(sorted(notes.items())):
        sheet.write_string(row, 0, xlsx_text(columns[column].name))
        sheet.write_string(row, 1, f"{counted(count, 'value')}: {XLSX_NOTES[note]}")


def _add_sheet(book: "Workbook", columns: tuple[Head, ...]) -> "Worksheet":
    """Add a sheet whose head stays in view."""
    place = len(book.worksheets()) + 1
    sheet = book.add_worksheet("Rows" if place == 1 else f"Rows {place}")
    sheet.freeze_panes(1, 0)
    bold = book.add_format({"bold": True})
    for column, head in enumerate(columns):
        sheet.set_column(column, column, min(60, max(_WIDTHS[head.kind], len(head.name) + 2)))
        sheet.write_string(0, column, xlsx_text(head.name), bold)
    return sheet


@contextmanager
def _closed(book: "Workbook") -> Iterator[None]:
    """Write the file at the end, which may take a minute; after an error only let go of what was opened."""
    try:
        yield
        book.close()
    except BaseException:
        for sheet in book.worksheets():
            with suppress(OSError):  # a full disk does not take the rest of the buffer either
                sheet.row_data_fh.close()
        raise


@contextmanager
def _whole(path: Path, *failures: type[Exception]) -> Iterator[None]:
    """Leave no half file, and turn what the disk says, or a library by these failures, into a sentence."""
    try:
        yield
    except BaseException as error:
        with suppress(OSError):
            path.unlink()
        if isinstance(error, (OSError, *failures)):
            raise JobFailed(
                f"The file could not be written ({error}). The rows are still kept: try again, or take fewer rows."
            ) from error
        raise


WRITERS: Mapping[str, Callable[[ResultReader, Path, Progress, Sort | None], None]] = {
    "csv": write_csv,
    "xlsx": write_xlsx,
}
