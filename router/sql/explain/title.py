"""The title of a query: what comes out of what, by what, with which conditions, in one line."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from router.language.wording import and_list, counted
from router.sql.explain.description import Description, Result, different, is_short
from router.sql.explain.names import WORDS

TITLE_MAX_CHARS = 80
FILTERED: Final = ", filtered"
"""The end of a title that leaves conditions out."""
DESCENDING: Final = " descending"
_NAMED_MAX = 4
"""Columns that a title names."""


def title_of(query: Description) -> str:
    """Return what comes out in one line of at most 80 characters, "" if there are no words for it."""
    titles = _of_sides(query) if query.kind else _of_select(query)
    return next((each for each in titles if len(each) <= TITLE_MAX_CHARS), "")


def _of_select(query: Description) -> Iterator[str]:
    """Yield titles of a SELECT; those that say more of its columns first, then those that tell more conditions."""
    if any(each.text.startswith("`") for each in query.sources):
        return  # of functions and the like, only the steps tell
    conditions, is_partial = query.conditions()
    told = [each for each in conditions if is_short(each)]
    joint = " with " if query.is_simple else ", only with "
    for head, count, end in product(_heads(query), range(len(told), -1, -1), _ends(query)):
        tail = f"{joint}{and_list(told[:count])}" if count else ""
        yield head + tail + end + FILTERED * (is_partial or count < len(conditions))


def _heads(query: Description) -> Iterator[str]:
    """Yield what comes out, of what and by what; the longer ones first."""
    shown = (query.groups and query.measures) or query.results
    texts = [each.text for each in shown]
    if texts == ["all columns"] and query.rows != "rows" and len(query.sources) == 1:
        yield query.rows
        return
    groups = and_list(key if is_short(key) else "a calculated value" for key in query.groups)
    are_values = not query.measures and bool(query.groups or query.is_distinct)
    by = (f", one row for each {groups}" if are_values else f" by {groups}") if groups else ""
    for names in _lists(shown, "figure" if query.measures else "column"):
        if are_values and (not groups or set(texts) == set(query.groups)):
            noun, by = different(names), ""
        else:
            noun = and_list(names)
        yield f"{noun}{query.origin(noun)}{by}"
        yield f"{noun}{by}"


def _lists(shown: Sequence[Result], kind: str) -> Iterator[tuple[str, ...]]:
    """Yield names of columns: in words, or as the SQL names them; those of all, then those of the first ones."""
    texts = [each.text if is_short(each.text) else each.alias for each in shown]
    aliases = [each.alias or text for each, text in zip(shown, texts, strict=True)]
    yield from (tuple(names) for names in (texts, aliases) if all(names) and len(names) <= _NAMED_MAX)
    named = [*filter(None, aliases)]
    for count in range(min(len(named), len(shown) - 1, _NAMED_MAX - 1), 0, -1):
        yield (*named[:count], counted(len(shown) - count, f"more {kind}"))
    yield (counted(len(shown), kind),)


def _ends(query: Description) -> list[str]:
    """Return the words for which of the rows come out, the longer ones first."""
    cut, key = query.cut.removeprefix("the "), query.order[0] if query.order else ""
    if not cut or not is_short(key):
        return [f", {cut}" if cut else ""]
    if cut.startswith("first ") and [key.removesuffix(DESCENDING)] == [each.text for each in query.measures]:
        place = "top" if key.endswith(DESCENDING) else "lowest"
        count = cut.removeprefix("first ").removesuffix(" rows")
        return [f", the {place} one" if count == "row" else f", {place} {count}"]
    return [f", {cut.removesuffix(' rows')} by {key}", f", {cut}"]


def _of_sides(query: Description) -> Iterator[str]:
    """Yield titles of queries that are put together, the longer one first."""
    titles = [title_of(each) for each in query.sides]
    end = f", {query.cut.removeprefix('the ')}" if query.cut else ""
    if len(titles) == 2 and all(titles):
        yield WORDS["together_titles"][query.kind].format(*titles) + end
    is_filtered = any(any(each.conditions()) for each in query.sides)
    yield f"a result worked out from {len(titles)} queries{end}{FILTERED * is_filtered}"
