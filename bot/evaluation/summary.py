"""The figures of a run, as text."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from math import sqrt
from statistics import median, quantiles

from tabulate import tabulate

from bot.evaluation.answers import Answer

_ABOUT = re.compile(r"`[^`]*`|“[^”]*”|'(?:[^']|'')*'|\d[\d.,:-]*\d|\d")
"""What stands in a repair's sentence for a name, a value, a number or a day."""

LONGEST = 60
"""Letters of a repair's sentence that are shown."""


def summary(answers: Iterable[Answer]) -> Iterator[str]:
    """Say how many are right, what went wrong, how long it took and what it cost."""
    given = list(answers)
    if not given:
        yield "No question was asked."
        return
    count, right = len(given), sum(answer.right for answer in given)
    share = right / count
    error = sqrt(share * (1 - share) / count)
    yield f"{right} of {count} questions are answered rightly: {share:.1%} (standard error {error:.1%})."
    yield f"{sum(answer.runs for answer in given) / count:.1%} of the queries run."
    yield from _times(given)
    yield (
        f"Tokens a question: {_mean(a.read for a in given):,.0f} read, {_mean(a.evaluated for a in given):,.0f} of "
        f"them evaluated, {_mean(a.written for a in given):,.0f} written, in {_mean(a.calls for a in given):.2f} calls."
    )
    yield ""
    places = dict.fromkeys(answer.place for answer in given)
    rows = [_place(place, [answer for answer in given if answer.place == place]) for place in places]
    yield tabulate(rows, ("database", "questions", "right", "median s"), floatfmt=".1f")
    yield from _counted("fault", Counter(answer.fault for answer in given if answer.fault))
    yield from _counted("repair", Counter(_kind(note) for answer in given for note in answer.repairs))


def _times(given: list[Answer]) -> Iterator[str]:
    for title, times in (
        ("", [answer.seconds for answer in given]),
        (" on a new database", [answer.seconds for answer in given if answer.first]),
        (" on a known one", [answer.seconds for answer in given if not answer.first]),
    ):
        if times:
            slow = quantiles(times, n=10)[-1] if len(times) > 1 else times[0]
            yield f"Seconds a question{title}: median {median(times):.1f}, nine of ten within {slow:.1f}."


def _place(place: str, given: list[Answer]) -> tuple[str, int, str, float]:
    share = sum(answer.right for answer in given) / len(given)
    return place, len(given), f"{share:.0%}", median(answer.seconds for answer in given)


def _counted(title: str, counts: Counter[str]) -> Iterator[str]:
    if counts:
        yield ""
        yield tabulate(counts.most_common(), (title, "times"))


def _kind(note: str) -> str:
    """Return a repair's sentence without what it is about, so that it is the same for all of a kind."""
    text = _ABOUT.sub("…", note)
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rsplit(' ', 1)[0]}…"


def _mean(values: Iterable[int]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)
