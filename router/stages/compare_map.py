"""Columns matched by hand: a menu for each column of the first query, and menus of those that tell rows apart."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Field, Form, Option
from router.comparing import Columns, Matched
from router.machine import Ask
from router.stages.compare_form import WrongField, filled, forget_filled, keep
from router.stages.compare_map_typed import OUT, named, typed
from router.stages.compare_plan import columns_of
from router.stages.compare_sides import comparing_of
from router.turn import Filled, Turn

MOST_FIELDS, MOST_OPTIONS = 40, 99
"""What a form asks for; what is beyond keeps the column that was proposed."""

KEYS = 3
"""So many columns can be named to tell rows apart, and one more than there are already."""

NONE = Option("none", "(no column)")


class MapTable(Ask):
    """Have the person say which column belongs to which, and what tells rows apart."""

    help = (
        "Each field is a column of the first query: choose the column of the second one that it is compared with, or "
        "leave it out. Below, choose the columns by which rows belong together; without any, whole rows are compared. "
        "Or type it, such as: id = order_no, leave out status, by id"
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        found = columns_of(turn)
        chosen = {each.left: str(each.right) for each in found.matched}
        names = list(enumerate(named(found.right)))[:MOST_OPTIONS]
        options = (Option(OUT, "(left out)"), *(Option(str(place), name) for place, name in names))
        lefts = named(found.left)
        fields = tuple(
            Field(f"c{place}", f"{lefts[place]} →", "menu", chosen.get(place, OUT), options=options)
            for place in _asked(found)
        )
        fields = filled(turn, (*fields, *_key_fields(found, lefts)))
        return (Form("Which columns belong together?", fields), Buttons("Or:", (Option("back", "Back"),)))

    def answer(self, turn: Turn) -> Literal["mapped", "look", "wrong"]:
        found, given = columns_of(turn), turn.incoming.input
        values = given.values if isinstance(given, Filled) else typed(turn.text, found)
        try:
            columns = replace(found, matched=_chosen(found, values), keys=())
            columns = replace(columns, keys=_keys(columns, values, _by(found)))
        except WrongField as error:
            keep(turn, values, error)
            return "wrong"
        why = found.why if _by(found) == _by(columns) else "chosen by you"
        # How the texts of a pair are read, the rows say; those of a new pair were not looked at yet.
        looked = found.looked and set(columns.matched) <= set(found.matched)
        turn.memory.comparing = replace(comparing_of(turn), columns=replace(columns, why=why, looked=looked))
        forget_filled(turn)
        return "mapped" if looked else "look"


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
    """Return the pairs; raises WrongField where a column is in two of them, or none is left."""
    before = {each.left: each for each in found.matched}
    lefts, rights = named(found.left), named(found.right)
    pairs: list[Matched] = []
    for left, name in enumerate(lefts):
        proposed = before.get(left)
        value = values.get(f"c{left}", str(proposed.right) if proposed else OUT)
        right = _place(value, found.right)
        if right is None:
            continue
        if any(each.right == right for each in pairs):
            said = f"Two columns would be compared with “{rights[right][:80]}”. Choose another for {name}."
            raise WrongField(f"c{left}", said)
        pairs.append(proposed if proposed and proposed.right == right else Matched(left, right))
    if not pairs:
        raise WrongField("c0", "At least one column must be compared. Choose one, please.")
    return tuple(pairs)


def _place(value: str, names: Sequence[str]) -> int | None:
    """Return the column that was chosen from a menu, None for none."""
    return int(value) if value.isdecimal() and int(value) < len(names) else None


def _keys(columns: Columns, values: Mapping[str, str], now: Sequence[int]) -> tuple[int, ...]:
    """Return the places of the pairs that were chosen; raises WrongField for a column that is not compared."""
    given = {name: value for name, value in values.items() if name.startswith("k")}
    given = given or {f"k{n}": str(left) for n, left in enumerate(now)}
    compared = {each.left: place for place, each in enumerate(columns.matched)}
    keys: list[int] = []
    for field, left in ((name, _place(given[name], columns.left)) for name in sorted(given, key=lambda k: int(k[1:]))):
        if left is None:
            continue
        if left not in compared:
            name = named(columns.left)[left][:80]
            raise WrongField(field, f"“{name}” is not compared, so rows cannot be matched by it.")
        keys += [compared[left]] if compared[left] not in keys else []
    return tuple(keys)
