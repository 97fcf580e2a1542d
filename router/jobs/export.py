"""Results as files that a person takes away: everything that was kept is in them, in the order it was read.

CSV: RFC 4180 in UTF-8 with a byte-order mark, without which Excel reads another alphabet. All is quoted but numbers.
NULL is empty, a blob is hexadecimal, a bool is true or false, numbers keep all their digits. What a spreadsheet would
run as a formula gets an apostrophe in front, at the beginning of a text and wherever a cell could begin within it.

XLSX: numbers, dates and bools are typed; numbers of more than 15 digits are texts, so that none is lost. A cell holds
32,767 characters, a longer text ends in "…"; a sheet holds 1,048,575 rows below its head, more go on to the next sheet.
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from xlsxwriter import Workbook
from xlsxwriter.exceptions import XlsxWriterException
from xlsxwriter.worksheet import Worksheet

from router.cards import Head
from router.errors import JobFailed
from router.jobs.csv_cells import csv_rows, guarded
from router.jobs.sheet import Sheets
from router.jobs.shelf import Progress, silent
from router.jobs.xlsx_cells import CellWriter, xlsx_text
from router.memory import ResultRef

_BATCH = 10_000
_ROWS_A_SHEET = 1_048_575
_WIDTHS = {"text": 24, "number": 14, "date": 20, "bool": 8, "blob": 24}
_OPTIONS = {"constant_memory": True, "use_zip64": True}


FORMATS = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""The forms that results can have, and what they are called on the web."""


def write_csv(results: Sheets, result: ResultRef | str, path: Path, progress: Progress = silent) -> None:
    """Write the result to `path` as CSV and tell `progress` of the rows so far; JobFailed leaves no half file."""
    with _whole(path), results.open(result) as sheet, path.open("w", encoding="utf-8", newline="") as file:
        file.write("\ufeff")
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow([guarded(head.name) for head in sheet.ref.columns])
        rows = csv_rows(sheet)
        for done in range(0, sheet.ref.total, _BATCH):
            progress(done)
            writer.writerows(islice(rows, _BATCH))


def write_xlsx(
    results: Sheets,
    result: ResultRef | str,
    path: Path,
    progress: Progress = silent,
    rows_a_sheet: int = _ROWS_A_SHEET,
) -> None:
    """Write the result to `path` as XLSX and tell `progress` of the rows so far; JobFailed leaves no half file."""
    with _whole(path), results.open(result) as sheet, TemporaryDirectory(dir=path.parent) as folder:
        book = Workbook(path, {**_OPTIONS, "tmpdir": folder})
        with _closed(book):
            cells = CellWriter(book)
            page, row, done = _page(book, sheet.ref.columns), 0, 0
            for batch in sheet.rows(1000):
                progress(done)
                for values in batch:
                    if row == rows_a_sheet:
                        page, row = _page(book, sheet.ref.columns), 0
                    row += 1
                    for column, value in enumerate(values):
                        if value is not None:
                            cells.write(page, row, column, value)
                done += len(batch)


def _page(book: Workbook, columns: tuple[Head, ...]) -> Worksheet:
    """Add a sheet whose head stays in view."""
    place = len(book.worksheets()) + 1
    page = book.add_worksheet("Rows" if place == 1 else f"Rows {place}")
    page.freeze_panes(1, 0)
    bold = book.add_format({"bold": True})
    for column, head in enumerate(columns):
        page.set_column(column, column, min(60, max(_WIDTHS[head.kind], len(head.name) + 2)))
        page.write_string(0, column, xlsx_text(head.name), bold)
    return page


@contextmanager
def _closed(book: Workbook) -> Iterator[None]:
    """Write the file at the end, which may take a minute; after an error only let go of what was opened."""
    try:
        yield
        book.close()
    except BaseException:
        for page in book.worksheets():
            with suppress(OSError):  # a full disk does not take the rest of the buffer either
                page.row_data_fh.close()
        raise


@contextmanager
def _whole(path: Path) -> Iterator[None]:
    """Leave no half file, and turn what the disk says into a sentence."""
    try:
        yield
    except BaseException as error:
        with suppress(OSError):
            path.unlink()
        if isinstance(error, OSError | XlsxWriterException):
            raise JobFailed(
                f"The file could not be written ({error}). The rows are still kept: try again, or take fewer rows."
            ) from error
        raise


WRITERS: Mapping[str, Callable[[Sheets, ResultRef | str, Path, Progress], None]] = {
    "csv": write_csv,
    "xlsx": write_xlsx,
}
