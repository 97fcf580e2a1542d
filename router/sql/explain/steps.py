"""The steps of a query as short sentences: what it reads, keeps, groups, shows, sorts and cuts off."""

from collections.abc import Iterable

from router.language.wording import and_list
from router.sql.explain.description import (
    Description,
    Filter,
    Limit,
    SelectDescription,
    SetDescription,
    SortKey,
)
from router.sql.explain.names import called

_SHOWN_MAX = 8


def steps_of(described: Description, made: Iterable[tuple[str, Description]]) -> tuple[str, ...]:
    """Return the steps, each a sentence; first those of the queries of WITH, by their names."""
    first = (f"First makes {called(name)}: {'; '.join(clauses(each))}." for name, each in made)
    return (*first, *(f"{step[:1].upper()}{step[1:]}." for step in clauses(described)))


def clauses(described: Description) -> list[str]:
    """Return the steps as clauses without a subject: "reads orders"."""
    match described:
        case SelectDescription():
            return _select(described)
        case SetDescription():
            return _together(described)
    return [f"gives {described.text}"]


def inline(described: Description) -> str:
    """Return a query within a sentence: "average price of products" if it is plain enough."""
    if isinstance(described, SelectDescription) and len(described.sources) == len(described.results) == 1:
        (source,), (result,) = described.sources, described.results
        plain = SelectDescription(described.sources, described.results, described.rows, filters=described.filters)
        if plain == described and source.query is None:
            where = f" with {_filters(described.filters)}" if described.filters else ""
            item = "rows" if result.text.isdigit() or result.kind == "all" else result.text
            return f"the {item}{'' if item.endswith(f' {source.text}') else f' of {source.text}'}{where}"
    return "; ".join(clauses(described))


def _select(found: SelectDescription) -> list[str]:
    steps = _reads(found)
    if found.filters:
        steps.append(f"keeps only rows with {_filters(found.filters)}")
    if found.groups:
        steps.append(f"makes one row for each {and_list(each.text for each in found.groups)}")
    elif found.measures:
        steps.append("takes all of them together")
    if found.having:
        steps.append(f"keeps only results with {_filters(found.having)}")
    shown = [each.text for each in found.results]
    shown = shown if len(shown) <= _SHOWN_MAX else [*shown[: _SHOWN_MAX - 1], f"{len(shown) - _SHOWN_MAX + 1} more"]
    once = ", each different one once" if found.is_distinct else ""
    return [*steps, f"shows {and_list(shown)}{once}", *_tail(found.order, found.limit)]


def _filters(filters: Iterable[Filter]) -> str:
    return and_list(each.text for each in filters)


def _reads(found: SelectDescription) -> list[str]:
    if not found.sources:
        return []
    first, *joined = found.sources
    parts = [each.text + (f" (matched with {_filters(each.matched)})" if each.matched else "") for each in joined]
    every = " (every row with every row)" if found.is_loose else ""
    reads = f"reads {first.text}" + (f", joined with {and_list(parts)}{every}" if parts else "")
    return [reads, *(each.keeps for each in joined if each.keeps)]


def _together(found: SetDescription) -> list[str]:
    steps = [f"query {place}: {'; '.join(clauses(side))}" for place, side in enumerate(found.sides, 1)]
    which = "both" if len(found.sides) == 2 else f"all {len(found.sides)}"
    done = {
        "union": f"puts the rows of {which} together{', each once' if found.is_distinct else ''}",
        "intersect": "keeps the rows that are in both",
        "except": "keeps the rows of query 1 that are not in query 2",
    }
    return [*steps, done[found.kind], *_tail(found.order, found.limit)]


def _tail(order: tuple[SortKey, ...], limit: Limit | None) -> list[str]:
    """Return the order and the limit, each a step."""
    down = [", highest first" if each.is_measure else ", descending" for each in order]
    keys = [each.text + (way if each.is_descending else "") for each, way in zip(order, down, strict=True)]
    steps = [f"sorts by {and_list(keys)}"] if keys else []
    if limit is None:
        return steps
    after = f" after the first {limit.skipped}" if limit.skipped else ""
    rows = "row" if limit.first == "1" else "rows"
    if not limit.first:
        return [*steps, f"keeps what comes{after}"]
    if after or not keys:
        return [*steps, f"keeps {'' if after else 'any '}{limit.first} {rows}{after}"]
    return [*steps, "keeps only the first row" if limit.first == "1" else f"keeps the first {limit.first} rows"]
