"""Results as CSV."""

import csv
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.errors import Stopped
from router.jobs.results import export
from router.jobs.results.reader import Sort
from router.jobs.results.store import Results
from router.memory.thread import ResultRef
from router.sql.databases.session import Described
from router.sql.value_kinds import Interval
from tests.router.jobs.conftest import Clock, Keep
from tests.router.jobs.values import rows

NUMBER = re.compile(r"-(\d[\d.e+-]*|inf|Infinity)(,|$)")
"""A number below nothing, alone or with what follows its comma."""


def write(results: Results, ref: ResultRef, path: Path, *more: Any, **settings: Any) -> None:
    """Write a result that was kept."""
    with results.open(ref) as reader:
        export.write_csv(reader, path, *more, **settings)


UNSEEN = (
    *("\v", "\f", "\x1f", "\x7f", "\x85", "\xa0", "\xad", "\u034f", "\u061c", "\u1680", "\u2003", "\u200b", "\u200f"),
    *(
        "\u2028",
        "\u2029",
        "\u202e",
        "\u2066",
        "\u3000",
        "\ufe0f",
        "\ufeff",
        "\ue000",
        "\U000e0001",
        "\u200b\u2028 \xa0",
    ),
)
"""Signs that nobody sees at the beginning of a text: control, format, blanks, breaks, marks, and some together."""


UNSEEN_CHARS = "".join({*"".join(UNSEEN), *' "\t\r\n'})


def read(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ""),
        ("", ""),
        (-5, "-5"),
        (-2.5, "-2.5"),
        (0.1 + 0.2, "0.30000000000000004"),
        (float("nan"), "NaN"),
        (float("inf"), "inf"),
        (float("-inf"), "-inf"),
        (Decimal("-1.50"), "-1.50"),
        (-(10**30), "-1" + "0" * 30),
        (True, "true"),
        (b"\x00\xff", "00FF"),
        (b"\xfa\xceD=1", "FACE443D31"),
        (date(2026, 3, 1), "2026-03-01"),
        (datetime(2026, 3, 1, 9, tzinfo=UTC), "2026-03-01 09:00:00+00:00"),
        (time(9, 5), "09:05:00"),
        (Interval(14, 1), "1 year 2 months 1 day"),
        (Interval(0, -1), "'-1 day"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (["ä", 1], '["ä", 1]'),
        ([Decimal("1.5")], "[1.5]"),
        ('quoted "text", with\nlines', 'quoted "text", with\nlines'),
        ("=1+1", "'=1+1"),
        ("+49 30", "'+49 30"),
        ("-5", "'-5"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        ("\n=1", "'\n'=1"),
        ("\ttab", "'\ttab"),
        (" =1", "' =1"),
        ('"=1"', '\'"=1"'),
        ("'=1", "''=1"),
        ("a;=cmd|' /C calc'!A0", "a;'=cmd|' /C calc'!A0"),
        ('a; "@x', "a; \"'@x"),
        ("a\t=1;\r\n＝1", "a\t'=1;\r\n'＝1"),
        (["a;=1"], '["a;\'=1"]'),
        ("a, -5; b", "a, -5; b"),
        ("＝1", "'＝1"),
        ("=\ud800", "'=?"),
        *((f"{unseen}{sign}1", f"'{unseen}{sign}1") for unseen in UNSEEN for sign in "=-＝﹢⁻"),
        *((f"a;{unseen}@x", f"a;{unseen}'@x") for unseen in UNSEEN),
        ("\u200babc", "\u200babc"),
        ("é=1", "é=1"),
        ("a=1", "a=1"),
        ("x" * 100_000, "x" * 100_000),
    ],
)
def test_cell(keep: Keep, results: Results, tmp_path: Path, value: Any, expected: str) -> None:
    """Each kind of value is written in full, alone in its column or among other kinds; no text is a formula."""
    write(results, keep([(value, value, 1), (value, date.min, 2)], "a", "b", "c"), tmp_path / "rows.csv")
    expected_rows = [["a", "b", "c"], [expected, expected, "1"], [expected, "0001-01-01", "2"]]
    assert read(tmp_path / "rows.csv") == expected_rows


def test_form(keep: Keep, results: Results, tmp_path: Path) -> None:
    """The file is UTF-8 with a byte-order mark, lines end as RFC 4180 wants, and no head is a formula."""
    write(results, keep([("é", -1), (None, 2.5), ('"', None)], "=é", "n"), tmp_path / "rows.csv")
    expected = '\ufeff"\'=é","n"\r\n"é",-1\r\n"",2.5\r\n"""",""\r\n'
    assert (tmp_path / "rows.csv").read_bytes() == expected.encode()


HARD = st.text("=+-@\t\r\n＝＋－＠﹢⁻\v\x85\u200b\u2028\ufeff,;\"' a1", max_size=8)


@given(rows() | st.lists(st.tuples(HARD, HARD), min_size=1) | st.lists(st.tuples(HARD), min_size=1))
def test_nothing_is_a_formula(stored: list[tuple[Any, ...]]) -> None:
    """Whatever the rows hold and whichever sign separates, what a spreadsheet would take for a formula is a number."""
    text = written(stored)
    cells = [cell for row in list(csv.reader(StringIO(text, newline="")))[1:] for cell in row]
    assert len(cells) == len(stored) * len(stored[0])
    for separator in ",;\t":
        for row in csv.reader(StringIO(text, newline=""), delimiter=separator):
            dangerous = [cell for cell in row if cell.lstrip(UNSEEN_CHARS).startswith(tuple("=+-@＝＋－＠﹢⁻"))]
            assert [cell for cell in dangerous if not NUMBER.match(cell)] == []


@given(st.lists(st.tuples(HARD | st.text(st.characters(exclude_categories=["Cs"])), HARD), min_size=1))
def test_nothing_is_lost(stored: list[tuple[str, str]]) -> None:
    """Read as CSV, each text is what it was, but for the apostrophes before what would be a formula."""
    read = [tuple(row) for row in csv.reader(StringIO(written(stored), newline=""))][1:]
    assert [tuple(cell.replace("'", "") for cell in row) for row in stored] == [
        tuple(cell.replace("'", "") for cell in row) for row in read
    ]


def written(stored: Sequence[tuple[Any, ...]]) -> str:
    """Return the text of a file with these rows."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        results = Results(folder / "results", timedelta(days=7), lambda: datetime.now(UTC))
        columns = [Described("c", "text") for _ in stored[0]]
        ref = results.store(columns, [stored], 1000, lambda rows: None, lambda: 0.0)
        write(results, ref, folder / "rows.csv")
        return (folder / "rows.csv").read_bytes().decode("utf-8-sig")


def test_stopped(keep: Keep, results: Results, tmp_path: Path) -> None:
    """A person who presses Stop leaves no half file."""

    def stop(rows: int) -> None:
        raise Stopped("Stopped, as you asked.")

    with pytest.raises(Stopped):
        write(results, keep([(1,)], "n"), tmp_path / "rows.csv", stop)
    assert not (tmp_path / "rows.csv").exists()


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_file_expires_with_its_rows(keep: Keep, results: Results, clock: Clock, form: str) -> None:
    """A result's file is written once, lies beside the rows, and is deleted when they are."""
    ref = keep([(1,)], "n")
    first = results.file(ref, form)
    written = first.stat().st_mtime_ns
    again = results.file(ref, form)
    same = (again, again.stat().st_mtime_ns, again.suffix) == (first, written, f".{form}")
    clock.now += timedelta(days=7)
    results.expire()
    assert (same, list(first.parent.iterdir())) == (True, [])


def test_rows_in_the_order_on_show(keep: Keep, results: Results) -> None:
    """A file has the rows as a page shows them: NULL last, equal rows as read; one of another order is another file."""
    ref = keep([("b", 1, "x;=1"), (None, 2, None), ("A", 3, "y"), ("b", 4, b"\0")], "name", "n", "any")
    sorts: list[Sort | None] = [None, (0, "up"), (0, "down"), (1, "down"), None]
    files = [results.file(ref, "csv", sort=sort) for sort in sorts]
    numbers = [[line.split(",")[1] for line in file.read_text("utf-8-sig").splitlines()[1:]] for file in files]
    pages = [[row[1] for row in results.page(ref, sort=sort).rows] for sort in sorts]

    assert [["1", "2", "3", "4"], ["3", "1", "4", "2"], ["1", "4", "3", "2"], ["4", "3", "2", "1"]] == numbers[:4]
    assert (pages, files[0]) == (numbers, files[4])
    assert '"A",3,"y"\n"b",1,"x;\'=1"\n"b",4,"00"\n"",2,""\n' in files[1].read_text("utf-8-sig")
