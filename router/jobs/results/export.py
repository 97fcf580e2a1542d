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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, Literal
from zipfile import ZipFile, is_zipfile

from router.cards import Head
from router.errors import JobFailed
from router.jobs.results.codec import MARK, SHOWN, decode
from router.jobs.results.reader import Form, Progress, ResultReader, Sort, ignore_progress
from router.language.wording import counted
from router.sql.cell_text import plain
from router.sql.value_kinds import Interval

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet


# XLSX cells: each value in its own type if Excel has that, else as its exact text.

XLSX_CELL_MAX_CHARS = 32_767
_FIRST_DAY = date(1900, 3, 1)  # before it, spreadsheet programs count the days differently
_LAST_DAY = timedelta(days=2_958_465)
_EXCEL_DIGITS = 15  # a spreadsheet shows none beyond, and forgets those of integers
_EXCEL_INTEGERS = 10**_EXCEL_DIGITS
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
    if not text.isprintable():
        text = _ILLEGAL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(text) > XLSX_CELL_MAX_CHARS // 2 and len(text.encode("utf-16-le")) // 2 > XLSX_CELL_MAX_CHARS:
        text = text.encode("utf-16-le")[: 2 * (XLSX_CELL_MAX_CHARS - 1)].decode("utf-16-le", "ignore") + "…"
    # The library would take "<r>…</r>" for markup of its own and not escape it.
    return f"{text} " if text.startswith("<r>") and text.endswith("</r>") else text


class _ExactFloat(float):
    """A float of which the library writes all digits, and not the first sixteen."""

    def __format__(self, spec: str) -> str:
        return repr(float(self))


XlsxCell = tuple[bool | float | datetime | date | time | timedelta | str, str, XlsxNote | None]
"""What Excel holds of a value; the format of a time, else ""; and how it is not what the database has."""

_METHODS: Mapping[type, str] = {
    bool: "write_boolean",
    str: "write_string",
    int: "write_number",
    _ExactFloat: "write_number",
}
"""The library's methods that write a cell: by them a text never becomes a formula, a link or a number."""


def xlsx_cell(value: Any) -> XlsxCell:
    """Return a value in its own type if Excel has that, else as its exact text."""
    match value:
        case str():
            return _text_cell(value)
        case bool():
            return value, "", None
        case bytes():
            return _text_cell(value.hex().upper())
        case int() | float() | Decimal():
            return _number_cell(value)
        case date() | time() | Interval():
            return _time_cell(value)
    return _text_cell(value)


def _text_cell(value: Any, note: XlsxNote | None = None) -> XlsxCell:
    """Return a text, or with a `note` a value that Excel has no cell for."""
    whole = plain(value)
    held = xlsx_text(whole)
    return held, "", note or (None if held == whole else "text")


def _number_cell(value: float | Decimal) -> XlsxCell:
    match value:
        case int():
            fits = abs(value) < _EXCEL_INTEGERS
        case float():
            lowest, highest = _EXCEL_FLOATS
            few = abs(value) < _CENTS_KEPT or _digits_of(Decimal(repr(value))) <= _EXCEL_DIGITS
            fits = not value or (lowest <= abs(value) <= highest and few)
        case Decimal():
            fits = value.is_finite() and _digits_of(value) <= _EXCEL_DIGITS and abs(value.adjusted()) < 300
    if not fits:
        return _text_cell(value, "number")
    return value if isinstance(value, int) else _ExactFloat(value), "", None


def _digits_of(number: Decimal) -> int:
    return len(bytes(number.as_tuple().digits).rstrip(b"\0"))


def _time_cell(value: date | time | Interval) -> XlsxCell:
    """Return a date, a time or a length of time from zero on; months have no length, and Excel holds thousandths.

    A date has no zone in Excel: the local time is the value, its distance from UTC is shown by the format.
    """
    match value:
        case datetime() if value.date() >= _FIRST_DAY and not value.microsecond % 1000:
            zone = value.isoformat()[len(value.replace(tzinfo=None).isoformat()) :]
            shown = _clock("yyyy-mm-dd hh:mm:ss", value.microsecond) + (f' "{zone}"' if zone else "")
            return value.replace(tzinfo=None), shown, None
        case date() if not isinstance(value, datetime) and value >= _FIRST_DAY:
            return value, "yyyy-mm-dd", None
        case time(tzinfo=None) if not value.microsecond % 1000:
            return value, _clock("hh:mm:ss", value.microsecond), None
        case Interval() if not value.extents & {"months", "infinity"}:
            length = timedelta(value.days, microseconds=value.micros)
            if timedelta() <= length < _LAST_DAY and not length.microseconds % 1000:
                return length, _clock("[h]:mm:ss", length.microseconds), None
    return _text_cell(value, "time")


def _clock(shown: str, microseconds: int) -> str:
    """Return the format of a time, with thousandths of a second if it has some; Excel holds no finer ones."""
    return f"{shown}.000" if microseconds else shown


# CSV cells.
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

_SEPARATOR = re.compile(f"[{CELL_SEPARATORS}]")
_SUSPECT = re.compile(f"[{CELL_SEPARATORS}][^\n0-9A-Za-zÀ-ɏА-яぁ-ゖ一-鿼가-힣]")
"""Most texts begin with a letter or a digit, and hold no separator before anything else: only others are looked at."""


def _csv_column(stored: Sequence[Any], form: Form) -> Sequence[Any]:
    """Return a column as csv.writer takes it, with no formula in it; a look at each cell would take twice as long."""
    if form == "number" or (form == "text" and not _SUSPECT.search("\n".join(("", *filter(None, stored))))):
        return stored
    return list(map(_csv_cell, stored))


def _csv_cell(stored: Any) -> Any:
    if type(stored) is bytes and stored[2:3] in SHOWN and stored.startswith(MARK):
        return str(stored[3:], "ascii")
    match decode(stored):
        case bytes() as blob:
            return blob.hex().upper()
        case None | int() | float() as value:
            return value if value == value else plain(value)
        case value:
            return formula_escaped(plain(value).encode(errors="replace").decode())


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


NOTES_SHEET = "Notes"
_BATCH_ROWS = 1000
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
    progress: Progress = ignore_progress,
    sort: Sort | None = None,
) -> None:
    """Write the result to `path` as CSV and tell `progress` of the rows so far; JobFailed leaves no half file."""
    with _whole(path), path.open("w", encoding="utf-8", newline="") as file:
        file.write("\ufeff")
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow([formula_escaped(head.name) for head in reader.ref.columns])
        done = 0
        for rows in reader.stored(_BATCH_ROWS, sort):
            progress(done)
            writer.writerows(zip(*map(_csv_column, zip(*rows, strict=True), reader.forms), strict=True))
            done += len(rows)


def write_xlsx(
    reader: ResultReader,
    path: Path,
    progress: Progress = ignore_progress,
    sort: Sort | None = None,
    rows_a_sheet: int = _ROWS_A_SHEET,
) -> None:
    """Write the result to `path` as XLSX and tell `progress` of the rows so far; JobFailed leaves no half file."""
    from xlsxwriter import Workbook  # heavy if nobody takes a spreadsheet away
    from xlsxwriter.exceptions import XlsxWriterException

    with (
        _whole(path, XlsxWriterException),
        TemporaryDirectory(dir=path.parent) as folder,
    ):
        book = Workbook(path, {**_OPTIONS, "tmpdir": folder})
        with _closed(book):
            formats = cache(lambda shown: book.add_format({"num_format": shown}))
            notes = Counter[tuple[int, XlsxNote]]()
            row, done = rows_a_sheet, 0
            for batch in reader.rows(_BATCH_ROWS, sort):
                progress(done)
                for values in batch:
                    if row == rows_a_sheet:
                        sheet, row = _add_sheet(book, reader.ref.columns), 0
                    row += 1
                    for column, value in enumerate(values):
                        if value is not None:
                            cell, shown, note = xlsx_cell(value)
                            if shown:
                                sheet.write_datetime(row, column, cell, formats(shown))
                            else:
                                getattr(sheet, _METHODS[type(cell)])(row, column, cell)
                            if note:
                                notes[column, note] += 1
                done += len(batch)
            if not done:
                _add_sheet(book, reader.ref.columns)
            _add_notes(book, reader.ref.columns, notes)


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
