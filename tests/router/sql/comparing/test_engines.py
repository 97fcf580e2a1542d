"""Any rows, in any order, in any two databases: the report is that of a naive comparison in memory."""

from collections import Counter
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from router.memory.comparing import ComparedPair, Form
from router.sql.comparing.compare import compare
from router.sql.comparing.plan import ComparePlan, Difference
from router.sql.comparing.queries import sample
from router.sql.comparing.report import Report
from tests.router.sql.comparing import naive
from tests.router.sql.comparing.conftest import Place, Row
from tests.support.hypothesis_examples import examples

TRICKY = [
    "",
    "a",
    "A",
    "B",
    "b",
    "ab",
    "a b",
    "ä",
    "Z",
    "z",
    "Ω",
    "ß",
    "\ue000",
    "\ufffd",
    "😀",
    "株式会社",
    "a\x01",
    "10",
    "9",
    "é",
    "e\u0301",
]

rows = st.lists(
    st.tuples(
        st.none() | st.integers(-12, 12) | st.integers(-(2**40), 2**40),
        st.none()
        | st.sampled_from(TRICKY)
        | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\ufffe\uffff")),
        st.none() | st.sampled_from([Decimal("0"), Decimal("0.1"), Decimal("12.50"), Decimal("-3")]),
        st.none() | st.sampled_from([date(2026, 1, 31), date(1999, 12, 31)]),
        st.none() | st.booleans(),
        st.none() | st.sampled_from(["DE", "FR", "x"]),
    ),
    max_size=25,
)
edits = st.lists(st.tuples(st.integers(0, 24), st.integers(0, 5), rows.filter(bool)), max_size=4)

MEETINGS = [
    ("sqlite", "postgres"),
    ("postgres", "another"),
    ("texts", "postgres"),
    ("sqlite", "texts"),
    ("duckdb", "sqlite"),
    ("postgres", "duckdb"),
    ("mysql", "postgres"),
    ("sqlite", "mysql"),
    ("mysql", "texts"),
]


FORMS: tuple[Form, ...] = ("number", "text", "number", "time", "bool", "text")
AUTO: tuple[Form, ...] = ("auto",) * 6


def counted(report: Report) -> Counter[str]:
    """Return a report's counts as the naive comparison gives them."""
    names = ("identical", "changed", "only_left", "only_right", "duplicate_keys", "duplicate_left", "duplicate_right")
    counts = Counter({name: getattr(report, name) for name in names})
    counts.update({f"column {place}": column.differing for place, column in enumerate(report.columns)})
    return +counts


class Listed:
    """A sink that keeps the rows of the last beginning."""

    def __init__(self) -> None:
        self.rows: list[Difference] = []

    def begin(self) -> None:
        self.rows = []

    def add(self, rows: list[Difference]) -> None:
        self.rows += rows


def trimmed(rows: list[Row]) -> list[Row]:
    """Return the rows as they are compared: blanks at the end of a text do not count."""
    return [tuple(value.rstrip(" ") if isinstance(value, str) else value for value in row) for row in rows]


@pytest.mark.parametrize("names", MEETINGS, ids="-".join)
@settings(max_examples=examples(12), suppress_health_check=list(HealthCheck))
@given(
    left=rows,
    edits=edits,
    extra=rows,
    keys=st.sampled_from([(0,), (1,), (1, 0), (3, 4, 0), ()]),
    batch=st.integers(1, 9),
    shift=st.integers(0, 30),
)
def test_the_report_is_that_of_a_naive_comparison(
    names: tuple[str, str],
    places: dict[str, Place],
    left: list[Row],
    edits: list[tuple[int, int, list[Row]]],
    extra: list[Row],
    keys: tuple[int, ...],
    batch: int,
    shift: int,
) -> None:
    """Whatever the rows and their order, the duplicates, NULLs and letters, and whatever the collations."""
    right = [*left[shift:], *left[:shift]]
    for at, place, (source, *_) in edits:
        if at < len(right):
            right[at] = (*right[at][:place], source[place], *right[at][place + 1 :])
    right += extra[:3]
    first, second = (places[name] for name in names)
    first.fill(left)
    second.fill(right)

    with first.side() as one, second.side() as other:
        columns = sample(one, 0).names
        pairs = tuple(
            ComparedPair(place, place, form) for place, form in enumerate(FORMS if "texts" in names else AUTO)
        )
        plan = ComparePlan(columns, columns, pairs, keys, reporting="all")
        sink = Listed()
        report = compare(one, other, plan, sink=sink, batch=batch)

    mine, others = trimmed(left), trimmed(right)
    assert (naive.by_key(mine, others, keys) if keys else naive.whole(mine, others)) == counted(report)
    assert (len(left), len(right)) == (report.left_rows, report.right_rows)
    told = Counter(row.status for row in sink.rows)
    assert {name: count for name, count in counted(report).items() if name in told} == told
