"""The cells of a spreadsheet: each value as what it is where Excel has that, else as its exact text."""

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from router.sql.plain_text import plain

LONGEST = 32_767
_FIRST = date(1900, 3, 1)  # before it, spreadsheet programs count the days differently
_LAST = timedelta(days=2_958_465)
_DIGITS = 15  # a spreadsheet forgets what is beyond
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def xlsx_text(text: str) -> str:
    """Return the text as a cell can hold it: legal in XML, and not longer than Excel reads."""
    text = _ILLEGAL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(text) > LONGEST // 2 and len(text.encode("utf-16-le")) // 2 > LONGEST:
        text = text.encode("utf-16-le")[: 2 * (LONGEST - 1)].decode("utf-16-le", "ignore") + "…"
    # The library would take "<r>…</r>" for markup of its own and not escape it.
    return f"{text} " if text.startswith("<r>") and text.endswith("</r>") else text


class CellWriter:
    """Writes values into the cells of one workbook; `write` is called for each cell that is not NULL."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._formats: dict[str, Format] = {}
        self._writers: dict[type, Callable[[Worksheet, int, int, Any], object]] = {
            str: self._text,
            int: self._int,
            float: self._float,
            bool: lambda page, row, column, value: page.write_boolean(row, column, value),
            bytes: lambda page, row, column, value: self._text(page, row, column, value.hex().upper()),
            Decimal: self._decimal,
            date: self._date,
            datetime: self._datetime,
            time: self._time,
            timedelta: self._length,
        }

    def write(self, page: Worksheet, row: int, column: int, value: Any) -> None:
        """Write one value; a text never becomes a formula, a link or a number."""
        self._writers.get(type(value), self._text)(page, row, column, value)

    def _text(self, page: Worksheet, row: int, column: int, value: Any) -> None:
        page.write_string(row, column, xlsx_text(plain(value)))

    def _int(self, page: Worksheet, row: int, column: int, value: int) -> None:
        if abs(value) < 10**_DIGITS:
            page.write_number(row, column, value)
        else:
            self._text(page, row, column, value)

    def _float(self, page: Worksheet, row: int, column: int, value: float) -> None:
        if isfinite(value):
            page.write_number(row, column, value)
        else:
            self._text(page, row, column, value)

    def _decimal(self, page: Worksheet, row: int, column: int, value: Decimal) -> None:
        digits = bytes(value.as_tuple().digits).rstrip(b"\0")
        if value.is_finite() and len(digits) <= _DIGITS and abs(value.adjusted()) < 300:
            page.write_number(row, column, float(value))
        else:
            self._text(page, row, column, value)

    def _date(self, page: Worksheet, row: int, column: int, value: date) -> None:
        if value >= _FIRST:
            page.write_datetime(row, column, value, self._format("yyyy-mm-dd"))
        else:
            self._text(page, row, column, value)

    def _datetime(self, page: Worksheet, row: int, column: int, value: datetime) -> None:
        """A date has no zone in Excel: the local time is the value, its distance from UTC is shown by the format."""
        if value.date() < _FIRST:
            self._text(page, row, column, value)
            return
        zone = value.isoformat()[len(value.replace(tzinfo=None).isoformat()) :]
        shown = 'yyyy-mm-dd hh:mm:ss "' + zone + '"' if zone else "yyyy-mm-dd hh:mm:ss"
        page.write_datetime(row, column, value.replace(tzinfo=None), self._format(shown))

    def _time(self, page: Worksheet, row: int, column: int, value: time) -> None:
        if value.tzinfo is None:
            page.write_datetime(row, column, value, self._format("hh:mm:ss"))
        else:
            self._text(page, row, column, value)

    def _length(self, page: Worksheet, row: int, column: int, value: timedelta) -> None:
        if timedelta() <= value < _LAST:
            page.write_datetime(row, column, value, self._format("[h]:mm:ss"))
        else:
            self._text(page, row, column, value)

    def _format(self, shown: str) -> Format:
        if shown not in self._formats:
            self._formats[shown] = self._book.add_format({"num_format": shown})
        return self._formats[shown]
