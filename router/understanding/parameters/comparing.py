"""Reads what a sentence changes of a comparison, as values of its form: the key, pairs, what is left out, the report.

A sentence changes one thing. If it has any other word beside the names of columns and the lists `comparing`, a
denial, or a name that a query has twice, nothing is changed.
"""

from typing import Final

from router.language.phrases import begins_with, says_only, tokens_of
from router.memory.comparing import ComparedColumns, Reporting
from router.understanding.denials import denies
from router.understanding.kinds import is_question
from router.understanding.values.columns import column_pairs, mentioned

PATCH_MAX_CHARS: Final = 200
"""Characters of a sentence that is looked at."""
NO_COLUMN: Final = "out"
"""The value of the form that stands for no column."""

_REPORTS: Final[tuple[Reporting, ...]] = ("columns", "summary", "aggregates", "differences", "all")
"""The first that a sentence names is meant: "how many rows differ" is a summary."""
_SMALL: Final = ("comparing.fillers", "comparing.only", *(f"comparing.{each}" for each in _REPORTS))


def comparison_patch(text: str, found: ComparedColumns) -> dict[str, str]:
    """Return the values of the form that a sentence changes; empty in doubt, and for a question."""
    twice = [name for side in (found.left, found.right) for name in side if side.count(name) > 1]
    if len(text) > PATCH_MAX_CHARS or is_question(text) or mentioned(text, twice):
        return {}
    report = next((each for each in _REPORTS if says_only(text, (f"comparing.{each}",), _SMALL)), "")
    return {"reporting": report} if report else _key(text, found) or _pairs(text, found)


def _key(text: str, found: ComparedColumns) -> dict[str, str]:
    """Return the columns of either query that are named as the key; beside them only words for that may stand."""
    names = mentioned(text, (*found.left, *(name for name in found.right if name not in found.left)))
    words = {token.word for name in names for token in tokens_of(f"{name} {name.replace('_', ' ')}")}
    beside = " ".join(token.word for token in tokens_of(text) if token.word not in words)
    if not names or not says_only(beside, ("comparing.key", "comparing.by"), ("comparing.fillers",)):
        return {}
    paired = {found.right[each.right]: each.left for each in found.matched}
    places = [found.left.index(each) if each in found.left else paired.get(each) for each in names]
    return {} if None in places else {f"k{n}": str(place) for n, place in enumerate(places)}


def _pairs(text: str, found: ComparedColumns) -> dict[str, str]:
    """Return the columns two by two, one of each query, and those that are left out."""
    pairs = column_pairs(text, found.left, found.right)
    kept = [found.matched[key].left for key in found.keys] if begins_with("columns.only", text) else []
    values: dict[str, str] = {}
    for left, right in pairs.items():
        if right and (right not in found.right or denies(text, names=(left, right))):
            return {}
        # What was paired with that column before is left out.
        values |= {f"c{each.left}": NO_COLUMN for each in found.matched if found.right[each.right] == right}
        if right or found.left.index(left) not in kept:
            values[f"c{found.left.index(left)}"] = str(found.right.index(right)) if right else NO_COLUMN
    return values
