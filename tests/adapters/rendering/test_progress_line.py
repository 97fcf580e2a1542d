"""The line that says what is being done."""

import pytest

from adapters.rendering.progress_line import progress_line
from router.cards import Progress

WRITING = Progress("Writing the SQL…", step=2, steps=3)


@pytest.mark.parametrize(
    ("progress", "seconds", "line"),
    [
        (WRITING, 0.4, "Step 2 of 3 · Writing the SQL…"),
        (WRITING, 12.8, "Step 2 of 3 · Writing the SQL… 12 s"),
        (WRITING, 75.0, "Step 2 of 3 · Writing the SQL… 1 min 15 s"),
        (Progress("Running the query…"), 5.0, "Running the query… 5 s"),
        (Progress("Stopping…", stoppable=False), 20.0, "Stopping…"),
    ],
)
def test_it_tells_the_step_and_after_a_few_seconds_the_time(progress: Progress, seconds: float, line: str) -> None:
    """What is no step of several has no number, and what ends by itself in a moment no time."""
    assert line == progress_line(progress, seconds)
