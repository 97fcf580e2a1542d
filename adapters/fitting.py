"""Texts made to fit: cut at their ends, in their middles, or into parts."""

from collections.abc import Callable, Iterable
from math import isfinite

from adapters.unseen import clean
from router.cards import Chart


def cut(text: str, most: int) -> str:
    """Return the text, cut with a visible mark where it is longer than `most` characters."""
    return text if len(text) <= most else text[: max(0, most - 1)].rstrip() + "…"


def squeezed(text: str, most: int) -> str:
    """Return the text, cut in its middle where it is longer than `most`, for names often differ at their ends."""
    return text if len(text) <= most else f"{text[: most - most // 3 - 1]}…{text[-(most // 3) :]}"


def label_of(text: str, most: int) -> str:
    """Return a label on one line, squeezed; a blank one is a dash."""
    return squeezed(" ".join(clean(text).split()) or "–", most)


def distinct(labels: Iterable[str], most: int) -> list[str]:
    """Return the labels of at most `most` characters, each different from the others."""
    taken: dict[str, None] = {}
    for label in labels:
        fresh, n = label_of(label, most), 1
        while fresh in taken:
            n += 1
            fresh = f"{label_of(label, most - len(f' ({n})'))} ({n})"
        taken[fresh] = None
    return list(taken)


def split(text: str, most: int, dress: Callable[[str], str] = str) -> list[str]:
    """Return the text in parts that have at most `most` characters when dressed, broken at lines or else at words."""
    parts = []
    while text:
        part = text[: max(1, most)]
        while len(part) > 1 and (long := len(dress(part))) > most:
            part = part[: max(1, len(part) * most // (long + 1))]
        if len(part) < len(text):
            part = part[: _break(part)]
        parts.append(part)
        text = text[len(part) :]
    return parts


def _break(part: str) -> int:
    """Return where to end a part: behind its last line or word, where that leaves at least half of it."""
    ends: Iterable[int] = (part.rfind(mark) + 1 for mark in ("\n", " "))
    return next((end for end in ends if end > len(part) // 2), len(part))


def is_small(chart: Chart, series: int, points: int) -> bool:
    """Tell whether a chart has no more than these series and points, and a number at each point."""
    return (
        len(chart.series) <= series
        and len(chart.labels) <= points
        and all(value is not None and isfinite(value) for each in chart.series for value in each.values)
    )
