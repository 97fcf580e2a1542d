"""When something is to be repeated, in four languages; what no schedule can do is never read as something else."""

from pathlib import Path

import pytest

from router.memory.recurrence import DAYS
from router.understanding.recurrences import Recurrence, recurrence_of

SENTENCES = [
    line.split("\t") for line in Path(__file__).with_name("recurrences.tsv").read_text(encoding="utf-8").splitlines()
]
NUMBERS = {day: str(number) for number, day in enumerate(DAYS, 1)}


def in_short(found: Recurrence) -> str:
    """Return a time of day, days of a month and of a week as cron says them, and a zone; "-" for no time."""
    weekdays = ",".join(NUMBERS[day] for day in filter(None, found.day.split(","))) or "*"
    weekdays = "1,2,3,4,5" if found.every == "workday" else weekdays
    day, _, nth = found.date.partition("#")
    if nth:
        weekdays = f"{NUMBERS[day]}L" if nth == "L" else f"{NUMBERS[day]}#{nth}"
    dates = found.date if found.date and not nth else "*"
    timed = (found.at or "-", dates, weekdays, found.zone)
    words = "hour" if found.every == "hour" else " ".join(filter(None, timed)) if found.every else found.at
    return f"said {words}".strip() if found.undone else words


@pytest.mark.parametrize(("text", "expected"), SENTENCES, ids=[text for text, _ in SENTENCES])
def test_a_recurrence_is_read(text: str, expected: str) -> None:
    """ "said" stands before what is read of a sentence where some of it is given back as undone."""
    found = in_short(recurrence_of(text))
    assert found.startswith("said") if expected == "said" else found == expected


def test_what_was_read_can_be_cut_out() -> None:
    """The rest of a sentence is another reader's."""
    text = "mail the report to Bob every Monday at 9am EST, not on Friday, as Excel"
    found = recurrence_of(text)
    assert ["every Monday", "at 9am EST", "not on Friday"] == [text[start:end] for start, end in found.places]
    assert frozenset({4}) == found.denied
    assert ("tomorrow",) == recurrence_of("mail it tomorrow at 9").undone


@pytest.mark.parametrize(
    "text",
    [
        "revenue by month in 2025",
        "the last 3 orders",
        "orders above 8 euros",
        "wer hat am meisten bestellt",
        "1234",
        "",
    ],
)
def test_other_sentences_say_no_recurrence(text: str) -> None:
    found = recurrence_of(text)
    assert (None, "", ()) == (found.every, found.at, found.undone)
