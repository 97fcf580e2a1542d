"""Results as XLSX, read back with another library."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from router.errors import Stopped
from router.jobs.results import export
from router.jobs.results.store import Results
from router.memory.thread import ResultRef
from router.sql.value_kinds import Interval
from tests.router.jobs.conftest import Keep

EAST = timezone(timedelta(hours=5, minutes=30))


def write(results: Results, ref: ResultRef, path: Path, *more: Any, **settings: Any) -> None:
    """Write a result that was kept."""
    with results.open(ref) as reader:
        export.write_xlsx(reader, path, *more, **settings)


def naive(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("value", "expected", "kind"),
    [
        (-5, -5, "n"),
        (2.5, 2.5, "n"),
        (999_999_999_999_999, 999_999_999_999_999, "n"),
        (1_000_000_000_000_000, "1000000000000000", "s"),
        (Decimal("-1.50"), -1.5, "n"),
        (Decimal("1.500000000000000000000"), 1.5, "n"),
        (Decimal("1.0000000000000001"), "1.0000000000000001", "s"),
        (33.333333333333336, 33.333333333333336, "n"),
        (0.1 + 0.2, 0.1 + 0.2, "n"),
        (123456789012.34567, 123456789012.34567, "n"),
        (12345678901234.56, "12345678901234.56", "s"),
        (9007199254740863.0, "9007199254740863.0", "s"),
        (-1.5e300, -1.5e300, "n"),
        (1.7976931348623157e308, "1.7976931348623157e+308", "s"),
        (5e-324, "5e-324", "s"),
        (float("inf"), "inf", "s"),
        (float("nan"), "NaN", "s"),
        (Decimal("NaN"), "NaN", "s"),
        (True, True, "b"),
        (False, False, "b"),
        (date(2026, 3, 1), naive("2026-03-01"), "d"),
        (date(1850, 3, 1), "1850-03-01", "s"),
        (naive("2026-03-01 09:05:07"), naive("2026-03-01 09:05:07"), "d"),
        (datetime(2026, 3, 1, 9, 5, tzinfo=UTC), naive("2026-03-01 09:05:00"), "d"),
        (datetime(1850, 3, 1, tzinfo=UTC), "1850-03-01 00:00:00+00:00", "s"),
        (date(1900, 2, 28), "1900-02-28", "s"),
        (naive("9999-12-31 23:59:59"), naive("9999-12-31 23:59:59"), "d"),
        (naive("2026-03-01 09:05:07.250"), naive("2026-03-01 09:05:07.250"), "d"),
        (naive("2026-03-01 09:05:07.250001"), "2026-03-01 09:05:07.250001", "s"),
        (time(23, 59, 59, 999000), time(23, 59, 59, 999000), "d"),
        (time(9, 5, 7, 1), "09:05:07.000001", "s"),
        (Interval(micros=3_020_399 * 10**6), timedelta(hours=838, minutes=59, seconds=59), "d"),
        (Interval(micros=3600 * 10**6 + 5), "01:00:00.000005", "s"),
        (time(9, 5), time(9, 5), "d"),
        (time(9, 5, tzinfo=UTC), "09:05:00+00:00", "s"),
        (Interval(0, 1, 6 * 3600 * 10**6), timedelta(hours=30), "d"),
        (Interval(micros=-3600 * 10**6), "-01:00:00", "s"),
        (b"\x00\xff", "00FF", "s"),
        ([1, "a"], '[1, "a"]', "s"),
        ("=1+1", "=1+1", "s"),
        ("{=1+1}", "{=1+1}", "s"),
        ("https://example.com", "https://example.com", "s"),
        ("mailto:a@example.com", "mailto:a@example.com", "s"),
        ("internal:Rows!A1", "internal:Rows!A1", "s"),
        ("-5", "-5", "s"),
        ("a;=cmd|' /C calc'!A0", "a;=cmd|' /C calc'!A0", "s"),
        ("007", "007", "s"),
        (" blanks ", " blanks ", "s"),
        ("two\r\nlines", "two\nlines", "s"),
        ("bell\x07, nul\x00, half\ud800, end\uffff", "bell, nul, half, end", "s"),
        ("<r><t>markup</t></r>", "<r><t>markup</t></r> ", "s"),
        ("<b>&amp;</b>", "<b>&amp;</b>", "s"),
        ("x" * 32_767, "x" * 32_767, "s"),
        ("x" * 32_768, "x" * 32_766 + "…", "s"),
        ("😀" * 16_384, "😀" * 16_383 + "…", "s"),
    ],
)
def test_cell(keep: Keep, results: Results, tmp_path: Path, value: Any, expected: Any, kind: str) -> None:
    """Each kind of value is a typed cell where Excel has the type, else its text; no text is a formula or a link."""
    write(results, keep([(value, None)], "a", "b"), tmp_path / "rows.xlsx")
    (cell, empty) = load_workbook(tmp_path / "rows.xlsx").worksheets[0][2]
    assert (cell.value, cell.data_type, cell.hyperlink, empty.value) == (expected, kind, None, None)


def test_a_change_is_said(keep: Keep, results: Results, tmp_path: Path) -> None:
    """What Excel cannot hold is counted a column on a sheet of notes; a book without such values has none."""
    rows = [
        (1, 1.5, "x" * 32_768, time(9, 5)),
        (10**20, 1e16, "bell\x07", time(9, 5, 0, 1)),
        (-(10**20), 0.1 + 0.2, "plain", None),
    ]
    write(results, keep(rows, "id", "share", "note", "at"), tmp_path / "rows.xlsx")
    sheet, notes = load_workbook(tmp_path / "rows.xlsx").worksheets
    assert (sheet.title, notes.title) == ("Rows", "Notes")
    assert [(name, said.split(" a cell")[0].split(", ")[0]) for name, said in notes.iter_rows(values_only=True)] == [
        ("id", "2 values: kept as text"),
        ("note", "2 values: not whole:"),
        ("at", "1 value: kept as text: Excel has no such date or time"),
    ]
    write(results, keep([(1, 1.5)], "id", "share"), tmp_path / "plain.xlsx")
    assert len(load_workbook(tmp_path / "plain.xlsx").worksheets) == 1


def test_zone(keep: Keep, results: Results, tmp_path: Path) -> None:
    """A time with a zone is its local time, and the cell's format shows how far from UTC that is."""
    stored = [(datetime(2026, 3, 1, 9, tzinfo=EAST),), (datetime(2026, 3, 1, 9, tzinfo=UTC),)]
    write(results, keep(stored, "when"), tmp_path / "rows.xlsx")
    page = load_workbook(tmp_path / "rows.xlsx").worksheets[0]
    shown = [(page.cell(row, 1).value, page.cell(row, 1).number_format) for row in (2, 3)]
    assert shown == [
        (naive("2026-03-01 09:00:00"), 'yyyy-mm-dd hh:mm:ss "+05:30"'),
        (naive("2026-03-01 09:00:00"), 'yyyy-mm-dd hh:mm:ss "+00:00"'),
    ]


def test_more_rows_than_a_sheet_holds(keep: Keep, results: Results, tmp_path: Path) -> None:
    """Rows that a sheet does not hold go on to the next one, under the same head."""
    write(results, keep([(n,) for n in range(5)], "n"), tmp_path / "rows.xlsx", rows_a_sheet=2)
    book = load_workbook(tmp_path / "rows.xlsx")
    pages = {page.title: [row[0] for row in page.iter_rows(values_only=True)] for page in book.worksheets}
    assert pages == {"Rows": ["n", 0, 1], "Rows 2": ["n", 2, 3], "Rows 3": ["n", 4]}


def test_stopped(keep: Keep, results: Results, tmp_path: Path) -> None:
    """A person who presses Stop leaves neither a half file nor what it was put together from."""

    def stop(rows: int) -> None:
        if rows:
            raise Stopped("Stopped, as you asked.")

    (tmp_path / "out").mkdir()
    with pytest.raises(Stopped):
        write(results, keep([(n,) for n in range(2500)], "n"), tmp_path / "out" / "rows.xlsx", stop)
    assert list((tmp_path / "out").iterdir()) == []
