"""The fields of the form of a comparison that have columns: a menu for each pair, and those that tell rows apart."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from router.cards import Field, Option
from router.jobs.results.cells import line
from router.memory.comparing import ComparedColumns, ComparedPair, Comparing
from router.stages.compare.plan import columns_of, quote_names
from router.turn import Turn
from router.understanding.parameters.comparing import NO_COLUMN

KEY_MENUS: Final = 3
"""Menus of columns that tell rows apart."""
PAIR_MENUS_MAX, OPTIONS_MAX, NAME_MAX_CHARS = 20, 14, 30
"""The most menus of pairs, entries of one, and characters of a name in it.

With more, a dialog would be too large for Teams. Other columns are paired by typing: "id = order_no".
"""


def pair_fields(found: ComparedColumns) -> list[Field]:
    """Return the menus of pairs; of very many columns, those that nothing was found for, and those that are free."""
    chosen = {each.left: each.right for each in found.matched}
    lefts, rights = _named(found.left), _named(found.right)
    asked = sorted(range(len(lefts)), key=chosen.__contains__)[:PAIR_MENUS_MAX]
    free = sorted(range(len(rights)), key=[*chosen.values()].__contains__)[:OPTIONS_MAX]
    return [_menu(f"c{left}", f"{lefts[left]} →", rights, free, chosen.get(left)) for left in sorted(asked)]


def key_fields(found: ComparedColumns) -> list[Field]:
    """Return the menus of the key columns."""
    lefts = _named(found.left)
    chosen = [*(found.matched[key].left for key in found.keys), *[None] * KEY_MENUS]
    shown = chosen[: max(KEY_MENUS, len(found.keys) + 1)]
    places = range(min(OPTIONS_MAX, len(lefts)))
    return [
        _menu(f"k{n}", "and by" if n else "Rows belong together by", lefts, places, place)
        for n, place in enumerate(shown)
    ]


def _menu(name: str, label: str, names: Sequence[str], places: Sequence[int], now: int | None) -> Field:
    """Return a menu of columns, with the one that holds now even if there is no room for it."""
    offered = sorted({*places, *(() if now is None else (now,))})
    options = (Option(NO_COLUMN, "(none)"), *(Option(str(place), names[place]) for place in offered))
    return Field(name, label, "menu", NO_COLUMN if now is None else str(now), options=options)


def _named(names: Sequence[str]) -> list[str]:
    """Return what columns are called in a menu, so that no two are called the same."""
    called = [line(name or "(no name)", NAME_MAX_CHARS) for name in names]
    return [f"{name} (column {n})" if called.count(name) > 1 else name for n, name in enumerate(called, start=1)]


def with_columns(turn: Turn, comparing: Comparing, values: Mapping[str, str]) -> Comparing:
    """Return a comparison with the pairs and the key that were sent; what these do not say stays."""
    found = columns_of(comparing)
    before = {each.left: each for each in found.matched}
    pairs: dict[int, ComparedPair] = {}
    for left in range(len(found.left)):
        old = before.get(left)
        right = _place(values.get(f"c{left}", str(old.right) if old else NO_COLUMN), found.right)
        if right is not None:
            pairs[left] = old if old and old.right == right else ComparedPair(left, right)
    now = [found.matched[key].left for key in found.keys]
    sent = [_place(values[name], found.left) for name in sorted(values) if re.fullmatch(r"k\d+", name)]
    wanted = [left for left in dict.fromkeys(sent or now) if left is not None]
    if lost := [found.left[left] for left in wanted if left not in pairs]:
        turn.note(f"Rows are not matched by {quote_names(lost)}, as that is not compared.", "quiet")
    keys = tuple(list(pairs).index(left) for left in wanted if left in pairs)
    kept = wanted == now and all(pairs.get(left, before[left]) == before[left] for left in wanted)
    why = found.why if kept else "chosen by you"
    return replace(comparing, columns=replace(found, matched=tuple(pairs.values()), keys=keys, why=why))


def _place(value: str, names: Sequence[str]) -> int | None:
    """Return the column that was chosen from a menu, None for none."""
    return int(value) if value.isdecimal() and int(value) < len(names) else None
