"""The line that says what is being done: which step of how many it is, and after a few seconds, for how long."""

from typing import Final

from router.cards import Progress

TIME_AFTER_SECONDS: Final = 5.0
"""Seconds after which a line tells the time: before that, nobody counts."""


def progress_line(progress: Progress, seconds: float = 0.0) -> str:
    """Return "Step 2 of 3 · Writing the SQL… 12 s", `seconds` after the person asked."""
    step = f"Step {progress.step} of {progress.steps} · " if progress.step and progress.steps else ""
    time = waiting_time(seconds) if progress.stoppable else ""
    return f"{step}{progress.text} {time}".rstrip()


def waiting_time(seconds: float) -> str:
    """Return how long somebody waits; empty for the first few seconds."""
    if seconds < TIME_AFTER_SECONDS:
        return ""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
