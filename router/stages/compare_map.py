"""Columns matched by hand: a menu for each column of the first query, and menus of those that tell rows apart."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Field, Form, Option
from router.comparing import Columns, Matched
from router.errors import Unclear
from router.machine import Ask
from router.stages.compare_plan import columns_of
from router.stages.compare_sides import comparing_of
from router.turn import Filled, Turn

MOST_FIELDS, MOST_OPTIONS = 40, 99
"""What a form asks for; what is beyond keeps the column that was proposed."""

KEYS = 3
"""So many columns can be named to tell rows apart, and one more than there are already."""

OUT = Option("out", "(left out)")
NONE = Option("none", "(no column)")


class MapTable(Ask):
    """Have the person say which column belongs to which, and what tells rows apart."""

    help = (
        "Each field is a column of the first query: choose the column of the second one that it is compared with, or "
        "leave it out. Below, choose the columns by which rows belong together; without any, whole rows are compared."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        found = columns_of(turn)
        chosen = {each.left: str(each.right) for each in found.matched}
        names = list(enumerate(_named(found.right)))[:MOST_OPTIONS]
        options = (OUT, *(Option(str(place), name) for place, name in names))
        lefts = _named(found.left)
        fields = tuple(
            Field(f"c{place}", f"{lefts[place]} →", "menu", chosen.get(place, OUT.answer), options=options)
            for place in _asked(found)
        )
        form = Form("Which columns belong together?", (*fields, *_key_fields(found, lefts)))
        return (form, Buttons("Or:", (Option("back", "Back"),)))

    def answer(self, turn: Turn) -> Literal["mapped", "look"]:
        given = turn.incoming.input
        if not isinstance(given, Filled):
            raise Unclear("Fill in the form, please: which columns of the two queries belong together.")
        found = columns_of(turn)
        columns = replace(found, matched=_chosen(found, given.values), keys=())
        keys = _keys(columns, given.values, _by(found))
        why = found.why if _by(found) == _by(replace(columns, keys=keys)) else "chosen by you"
        # How the texts of a pair are read, the rows say; those of a new pair were not looked at yet.
        looked = found.looked and set(columns.matched) <= set(found.matched)
        columns = replace(columns, keys=keys, why=why, looked=looked)
        turn.memory.comparing = replace(comparing_of(turn), columns=columns)
        return "mapped" if looked else "look"


def _named(names: Sequence[str]) -> list[str]:
    """Return what columns are called, so that no two are called the same."""
    called = [name or "(no name)" for name in names]
    return [f"{name} (column {n})" if called.count(name) > 1 else name for n, name in enumerate(called, start=1)]


def _asked(found: Columns) -> list[int]:
    """Return the left columns that are asked for: all, or of very many the first that nothing was found for."""
    matched = {each.left for each in found.matched}
    return sorted(sorted(range(len(found.left)), key=lambda place: place in matched)[:MOST_FIELDS])


def _by(found: Columns) -> list[int]:
    """Return the left columns that tell rows apart now."""
    return [found.matched[key].left for key in found.keys]


def _key_fields(found: Columns, lefts: Sequence[str]) -> tuple[Field, ...]:
    """Return the menus of those that tell rows apart: they have what does so now, whatever there is no room for."""
    now = _by(found)
    places = sorted(set(now) | set(range(len(lefts))[: MOST_OPTIONS - len(now)]))
    options = (NONE, *(Option(str(place), lefts[place]) for place in places))
    chosen = [*map(str, now), *[NONE.answer] * KEYS][: min(max(KEYS, len(now) + 1), len(lefts))]
    return tuple(
        Field(f"k{n}", "and by" if n else "Rows belong together by", "menu", value, options=options)
        for n, value in enumerate(chosen)
    )


def _chosen(found: Columns, values: Mapping[str, str]) -> tuple[Matched, ...]:
    """Return the pairs; raises Unclear where a column is in two of them, or none is left."""
    before = {each.left: each for each in found.matched}
    lefts, rights = _named(found.left), _named(found.right)
    pairs: list[Matched] = []
    for left, name in enumerate(lefts):
        proposed = before.get(left)
        value = values.get(f"c{left}", str(proposed.right) if proposed else OUT.answer)
        right = _place(value, found.right)
        if right is None:
            continue
        if any(each.right == right for each in pairs):
            raise Unclear(f"Two columns would be compared with “{rights[right][:80]}”. Choose another for {name}.")
        pairs.append(proposed if proposed and proposed.right == right else Matched(left, right))
    if not pairs:
        raise Unclear("At least one column must be compared. Choose one, please.")
    return tuple(pairs)


def _place(value: str, names: Sequence[str]) -> int | None:
    """Return the column that was chosen from a menu, None for none."""
    return int(value) if value.isdecimal() and int(value) < len(names) else None


def _keys(columns: Columns, values: Mapping[str, str], now: Sequence[int]) -> tuple[int, ...]:
    """Return the places of the pairs that were chosen; raises Unclear for a column that is not compared."""
    given = [values[f"k{n}"] for n in range(len(columns.left)) if f"k{n}" in values] or list(map(str, now))
    compared = {each.left: place for place, each in enumerate(columns.matched)}
    keys: list[int] = []
    for left in (_place(value, columns.left) for value in given):
        if left is None:
            continue
        if left not in compared:
            name = _named(columns.left)[left][:80]
            raise Unclear(f"“{name}” is not among the columns that are compared, so rows cannot meet by it.")
        keys += [compared[left]] if compared[left] not in keys else []
    return tuple(keys)
