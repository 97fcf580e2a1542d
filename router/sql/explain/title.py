"""The title of a query: one short line on what comes out, true of the SQL, though it may leave things out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from router.language.wording import and_list
from router.sql.explain.description import Description, Filter, Result, SelectDescription, SetDescription, is_short
from router.sql.explain.names import one, several
from router.sql.explain.times import joint

TITLE_MAX_CHARS = 80
_SHOWN_MAX = 4
_NUMBERS = ("", "", "two ", "three ", "four ", "five ", "six ", "seven ", "eight ", "nine ", "ten ")

FILTERED: Final = ", filtered"
"""The end of a title that leaves conditions out."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A title in parts: what comes out, the longer words first, and the conditions that it meets."""

    nouns: tuple[str, ...]
    filters: tuple[Filter, ...] = ()
    leaves_out: bool = False
    """True if there are conditions beside the filters."""
    is_aside: bool = False
    """True if the conditions are not of what the noun ends with."""
    having: str = ""
    """The conditions on groups, as they follow the noun."""
    end: str = ""

    def text(self) -> str:
        """Return the line, as long as it may be, or ""; conditions without room are said to be left out."""
        times = tuple(each for each in self.filters if each.period)
        kept = ((self.having, self.filters), (self.having, times), ("", self.filters), ("", times), ("", ()))
        said = (f"{noun}{self._tail(*each)}{self.end}" for each in kept for noun in self.nouns)
        return next((each for each in said if len(each) <= TITLE_MAX_CHARS), "")

    def _tail(self, having: str, kept: tuple[Filter, ...]) -> str:
        periods = [each.period for each in kept if each.period]
        alone = periods if len(periods) == 1 else []
        said = [each.text for each in kept if is_short(each.text, is_filter=True) and not (each.period and alone)]
        left_out = self.leaves_out or having != self.having or len(said) + len(alone) < len(self.filters)
        conditions = f"{', only' * self.is_aside} with {and_list(said)}" if said else ""
        return having + conditions + "".join(f", {each}" for each in alone) + FILTERED * left_out

    def found(self) -> str:
        """Return the only condition as it follows "found": "with status “open”", "in 2025"; "" if there are others."""
        alone = len(self.filters) == 1 and not (self.leaves_out or self.end or self.having)
        if not alone or not is_short(self.filters[0].text, is_filter=True):
            return ""
        return joint(self.filters[0].period) if self.filters[0].period else f"with {self.filters[0].text}"


def title_of(described: Description) -> str:
    """Return the title of a query: at most 80 characters, with a capital, without a full stop; "" if there is none."""
    text = _line(described).text()
    return text[:1].upper() + text[1:]


def modest_title(tables: Sequence[str]) -> str:
    """Return a title that only says what is read."""
    names = and_list(tables)
    said = names if len(names) < 50 else f"{len(tables)} tables" if len(tables) > 1 else "one table"
    return f"A result worked out from {said}" if tables else "A calculated value"


def _line(found: Description) -> _Line:
    if isinstance(found, SetDescription):
        return _together(found)
    if not isinstance(found, SelectDescription) or not found.sources or any(s.text[0] in "`(" for s in found.sources):
        return _Line(())  # of functions and the like, only the steps tell
    return _selected(found)


def _selected(found: SelectDescription) -> _Line:
    filters, leaves_out = _filters(found)
    having = and_list(each.text for each in found.having if is_short(each.text, is_filter=True))
    leaves_out |= not all(is_short(each.text, is_filter=True) for each in found.having)
    groups = list(dict.fromkeys(each.short for each in found.groups if each.short))
    figures = _listed(each for each in found.results if each.kind in ("measure", "calculated"))
    if nouns := _compared(found):
        return _Line(
            nouns, found.filters if found.groups else (), bool(found.groups) and leaves_out, True, end=_cut(found)
        )
    if nouns := _ranked(found, groups):
        return _Line(nouns, filters, leaves_out, True, f" and {having}" if having else "")
    if groups and figures:
        said = f", only those with {having}" if having else ""
        return _Line(
            tuple(f"{each} by {and_list(groups)}" for each in figures), filters, leaves_out, True, said, _cut(found)
        )
    if groups:
        each = "" if _are_names(found.results, groups) else f" of {and_list(f'each {each}' for each in groups)}"
        nouns = tuple(f"{said}{each}" for said in _listed(found.results)) if each else (and_list(map(several, groups)),)
        return _Line(nouns, filters, leaves_out, True, f" with {having}" if having else "", _cut(found))
    of, listed = _from(found), _listed(found.results)
    counts = found.rows != "rows" and any(each.short.startswith(f"number of {found.rows}") for each in found.results)
    if found.is_distinct:
        listed = tuple(
            f"different {several(each) if len(found.results) == 1 else f'combinations of {each}'}" for each in listed
        )
    elif listed[0] == "all columns" and found.rows != "rows":
        of, listed = "", (found.rows,)
    end = ", only if a condition is met" if found.having else ""
    end += _cut(found) if not found.measures or (found.limit and found.limit.skipped) else ""
    nouns = tuple(each + of * (not counts or place > 0) for place, each in enumerate(listed))
    return _Line(nouns, filters, leaves_out, of.startswith(" from"), end=end)


def _filters(found: SelectDescription) -> tuple[tuple[Filter, ...], bool]:
    """Return the conditions of a query and of the only one that it reads from, and whether there are others."""
    leaves_out, filters = found.is_partial, found.filters
    for query in (each.query for each in found.sources if each.query is not None):
        inner, more = _filters(query) if isinstance(query, SelectDescription) else ((), True)
        is_alone = len(found.sources) == 1
        filters += inner if is_alone else ()
        cut = isinstance(query, SelectDescription) and bool(query.having or query.limit)
        leaves_out |= more or cut or (bool(inner) and not is_alone)
    return tuple(dict.fromkeys(filters)), leaves_out


def _cut(found: SelectDescription | SetDescription) -> str:
    """Return that not all rows come out."""
    if found.limit is None:
        return ""
    count, order = found.limit.count, "first" if found.order else "any"
    return f", {order} {count} row{'s' * (count > 1)}" if count else ", some of the rows"


def _from(found: SelectDescription) -> str:
    """Return where rows come from: " of orders", " per customer", or " from orders and items"."""
    query = found.sources[0].query if len(found.sources) == 1 else None
    groups = query.groups if isinstance(query, SelectDescription) else ()
    if groups and not any(each.short.startswith("number of different") for each in found.results):
        return f" per {and_list(each.short for each in groups if each.short)}" if found.measures else ""
    if groups or found.rows != "rows":
        return f" of {found.rows}" if not groups else ""
    tables = [
        each for each in dict.fromkeys(source.rows for source in found.sources if not source.query) if each != "rows"
    ]
    return f" from {and_list(tables)}" if tables else ""


def _listed(results: Iterable[Result]) -> tuple[str, ...]:
    """Return columns as a list, and shorter; figures of one thing as one: "lowest and highest age"."""
    items = list(results)
    shown = list(dict.fromkeys(each.short for each in items))
    first, things = [each.partition(" ")[0] for each in shown], {each.partition(" ")[2] for each in shown}
    if len(shown) > 1 and len(things) == 1 and set(first) <= {"average", "total", "lowest", "highest"}:
        shown = [f"{and_list(first)} {things.pop()}"]
    if len(shown) < 2:
        return tuple(shown)
    noun = "figure" if all(each.kind == "measure" for each in items) else "more column"
    count = len(shown) if noun == "figure" else len(shown) - 1
    short = f"{'' if noun == 'figure' else f'{shown[0]} and '}{count} {noun}{'s' * (count > 1)}"
    if len(shown) <= _SHOWN_MAX:
        return and_list(shown), short
    left = len(shown) - _SHOWN_MAX + 1
    return (short,) if noun == "figure" else (f"{', '.join(shown[: _SHOWN_MAX - 1])} and {left} {noun}s", short)


def _are_names(results: Iterable[Result], things: Sequence[str]) -> bool:
    """Return whether the columns that come out are names or keys of things, and no more."""
    stand_for = {each.stands_for for each in results if each.kind not in ("measure", "calculated")}
    return bool(stand_for) and stand_for <= set(things)


def _ranked(found: SelectDescription, groups: list[str]) -> tuple[str, ...]:
    """Return "the five customers with the most revenue", in nouns for a title; none if the query is no ranking."""
    count = found.limit.count if found.limit and not found.is_distinct else 0
    things = groups if found.groups else [one(found.rows)] if found.rows != "rows" and not found.measures else []
    key = found.order[0] if found.order else None
    if not count or len(things) != 1 or key is None or not key.extreme or key.is_measure != bool(found.groups):
        return ()
    if any(each.query for each in found.sources) and not found.groups:
        return ()
    number = _NUMBERS[count] if count < len(_NUMBERS) else f"{count} "
    noun = f"the {number}{things[0] if count == 1 else several(things[0])} with the {key.extreme}"
    plain = [each for each in found.results if each.kind not in ("measure", "calculated")]
    is_named = _are_names(plain, things) if found.groups else any(each.stands_for in ("", *things) for each in plain)
    return (noun,) if is_named else (*(f"{each} of {noun}" for each in _listed(plain or found.results)), noun)


# Figures side by side, and queries that are put together.


def _compared(found: SelectDescription) -> tuple[str, ...]:
    """Return "revenue of March 2026 and February 2026 side by side by region", none if nothing is compared."""
    some, groups = [each.some for each in found.measures], found.groups
    queries = [each.query for each in found.sources if isinstance(each.query, SelectDescription)]
    alike = {(tuple(source.text for source in each.sources), each.groups, len(each.measures)) for each in queries}
    if len(alike) == 1 and not some and not groups:
        some, groups = [_of_one_period(each) for each in queries], queries[0].groups
    pairs = [each for each in some if each is not None]
    labels = [filter_.period or filter_.text for _, filter_ in pairs]
    is_apart = len({(figure, bool(filter_.period)) for figure, filter_ in pairs}) == 1 < len(set(labels)) == len(some)
    if not is_apart or not all(is_short(each, is_filter=True) for each in labels):
        return ()
    figure, first = pairs[0]
    by = f" by {and_list(each.short for each in groups if each.short)}" if groups else ""
    return (f"{figure} {'of' if first.period else 'with'} {and_list(labels)} side by side{by}",)


def _of_one_period(found: SelectDescription) -> tuple[str, Filter] | None:
    """Return the only measure of a query and its only condition, if that is a period."""
    alone = len(found.filters) == len(found.measures) == 1 and found.filters[0].period
    return (found.measures[0].short, found.filters[0]) if alone else None


def _together(found: SetDescription) -> _Line:
    """Return the line of a UNION, an INTERSECT or an EXCEPT."""
    sides, end = [_line(each) for each in found.sides], _cut(found)
    nouns = [each.nouns[0] if each.nouns else "" for each in sides]
    if len(sides) > 2 or not all(nouns):
        return _Line((f"the results of {len(sides)} queries",) if found.kind == "union" else (), end=end)
    conditions = [each.found() for each in sides] if nouns[0] == nouns[1] else ["", ""]
    noun, texts = nouns[0], [each.text() for each in sides]
    match found.kind:
        case "union" if nouns[0] == nouns[1]:
            said = (f"{noun} found either {' or '.join(conditions)}", f"{noun}, from two queries together")
        case "union":
            said = ("; and ".join(texts), "the results of two queries")
        case "intersect":
            said = (f"{noun} found both {' and '.join(conditions)}", f"{noun} that two queries both find")
        case _:
            less = f"found {conditions[1]}" if conditions[1] else "of a second query"
            said = (f"{texts[0]}, except those {less}", f"{noun}, except those of a second query")
    is_whole = all(conditions) or found.kind == "except" or (nouns[0] != nouns[1] and found.kind == "union")
    return _Line(said if is_whole else said[1:], end=end)
