"""Tolerances that two samples make likely: times down to what the coarser side keeps."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from router.sql.comparing.plan import Pair, Precision, Tolerances
from router.sql.comparing.reading import moment_in
from router.sql.comparing.sampling import Sample
from router.sql.dialect import Name

FINEST: tuple[Precision, ...] = ("second", "millisecond", "microsecond")
"""From the coarsest to the finest; what is coarser than a second, only a person can mean."""

ENOUGH = 5
"""With fewer times on a side, that none has a fraction may be chance."""


def suggest(left: Sample, right: Sample, pairs: Sequence[Pair], dialects: tuple[Name, Name]) -> Tolerances:
    """Return tolerances to begin with; a person sees them, and may change them."""
    precision: Precision = "microsecond"
    for pair in pairs:
        if pair.form == "time":
            mine = _kept(row[pair.left] for row in left.rows)
            others = _kept(row[pair.right] for row in right.rows)
            if mine and others and mine != others:
                precision = min(precision, min(mine, others, key=FINEST.index), key=FINEST.index)
    return Tolerances(precision=precision).between(*dialects)


def _kept(values: Iterable[Any]) -> Precision | None:
    """Return the finest that a column's times have, None where they are too few."""
    times = [moment for value in values if (moment := _moment(value)) is not None]
    return max(map(_precision, times), key=FINEST.index) if len(times) >= ENOUGH else None


def _moment(value: Any) -> datetime | None:
    return value if isinstance(value, datetime) else moment_in(value) if isinstance(value, str) else None


def _precision(moment: datetime) -> Precision:
    if not moment.microsecond:
        return "second"
    return "microsecond" if moment.microsecond % 1000 else "millisecond"
