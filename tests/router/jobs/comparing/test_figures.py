"""What a report tells in figures, and how its sides are called there."""

import pytest

from router.jobs.compare_sql import figures
from router.sql.comparing.report import Changes, Report, Total
from router.sql.comparing.wording import report_sentences

COLUMNS = (Changes("id"), Changes("pay"))


@pytest.mark.parametrize(
    ("report", "why"),
    [
        (
            Report("columns", "Prod", "Lake", False, 5, 5, 4, only_left=1, only_right=1, columns=COLUMNS),
            "without a key",
        ),
        (Report("columns", "Prod", "Lake", True, 2, 0, only_left=2, columns=COLUMNS), "no rows of one key were"),
    ],
)
def test_what_was_not_measured_is_no_zero(report: Report, why: str) -> None:
    """Where no rows were paired by a key, no figures are given by column, and why is said."""
    assert [("id", *"–––––"), ("pay", *"–––––")] == figures(report)[1]
    assert f"Nothing can be said by column: {why}" in report_sentences(report)


def test_the_sides_have_their_names() -> None:
    """No figure is one of the left or the right."""
    report = Report("summary", "Prod", "Lake", True, 5, 5, 3, 1, 1, 1, 1, 0, 1)
    assert [
        ("rows of Prod", 5),
        ("rows of Lake", 5),
        ("identical", 3),
        ("changed", 1),
        ("only in Prod", 1),
        ("only in Lake", 1),
        ("keys that are there more than once", 1),
        ("Prod: rows of these not paired", 0),
        ("Lake: rows of these not paired", 1),
    ] == figures(report)[1]


def test_totals_have_words() -> None:
    """The count of rows is of all columns; measures are called what people call them."""
    totals = (Total("", "rows", "4", "4", True), Total("f", "values", "2", "1", False))
    report = Report("aggregates", "Prod", "Lake", True, 4, 4, names=("f",), totals=totals)
    heads, rows = figures(report)

    assert ["column", "measure", "Prod", "Lake", "same"] == [head.name for head in heads]
    assert [("(all)", "rows", "4", "4", True), ("f", "filled values", "2", "1", False)] == rows
    assert (
        "1 of 2 totals differs, Prod first: filled values of f 2 and 1. Single rows were not compared."
        == report_sentences(report)
    )
