"""What a report tells in figures, and how its sides are called there."""

import pytest

from router.jobs.compare_sql import figures
from router.sql.comparing.report import Changes, Report
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
