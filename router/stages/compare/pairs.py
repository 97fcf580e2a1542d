"""The columns of two queries as pairs: menus for each and for those that tell rows apart, or typed as a line."""

import re
from collections.abc import Iterable, Mapping, Sequence

from router.cards import Field, Option
from router.memory.comparing import ComparedColumns, MatchedColumns
from router.stages.compare.forms import WrongField, parts_of
from router.stages.compare.reporting import OF_ROWS

NOT_COMPARED = "out"
"""The value that stands for no column."""

NO_KEY_COLUMN = Option("none", "(no column)")

KEY_MENUS = 3
"""So many columns can be named to tell rows apart, and one more than there are already."""

COLUMN_MENUS_MAX, COLUMN_OPTIONS_MAX = 40, 99
"""The most that a form asks for; what is beyond keeps the column that was proposed."""

PAIRS_MAX_CHARS, KEYS_MAX_CHARS, ENTRY_CHARS = 19_000, 7_000, 32
"""Characters of the entries of all menus, and of one besides its name: a dialog of Teams has 35,000 at most."""

_PAIR = re.compile(r"(.+?)\s*(?:=|->|→)\s*(.+)")

_LEFT_OUT = re.compile(r"(?:leave out|left out|without|skip)\s+(.+)", re.IGNORECASE)

_KEYS = re.compile(r"(?:(?:rows belong together |key |keyed )?by|key)\s+(.+)", re.IGNORECASE)

_AND = re.compile(r"\s+and\s+|\s*\+\s*")

_NONE = frozenset({"nothing", "none", "no column", "whole rows"})

# Pairs of columns as people type them: "id = order_no, leave out status, by id".


def named(names: Sequence[str]) -> list[str]:
    """Return what columns are called, so that no two are called the same."""
    called = [name or "(no name)" for name in names]
    return [f"{name} (column {n})" if called.count(name) > 1 else name for n, name in enumerate(called, start=1)]


class _NoColumn(Exception):
    """No column has the name that was typed."""


def typed_pairs(text: str, found: ComparedColumns) -> dict[str, str] | str:
    """Return what a form would have been filled with; for a line that is none of this, a sentence that says so."""
    values: dict[str, str] = {}
    try:
        for part in parts_of(text):
            if pair := _PAIR.fullmatch(part):
                right = NOT_COMPARED if pair[2].casefold() in ("out", "nothing") else _typed_place(pair[2], found.right)
                values[f"c{_typed_place(pair[1], found.left)}"] = right
            elif left_out := _LEFT_OUT.fullmatch(part):
                values |= {f"c{_typed_place(name, found.left)}": NOT_COMPARED for name in _AND.split(left_out[1])}
            elif keys := _KEYS.fullmatch(part):
                by = [] if keys[1].casefold() in _NONE else _AND.split(keys[1])
                values |= {f"k{n}": _typed_place(name, found.left) for n, name in enumerate(by)} or {"k0": NOT_COMPARED}
            else:
                return "Fill in the form, or type it, such as: id = order_no, leave out status, by id"
    except _NoColumn as error:
        return str(error)
    return values


def _typed_place(name: str, names: Sequence[str]) -> str:
    """Return the place of a column; raises _NoColumn with a sentence where there is none of that name."""
    called = [each.casefold() for each in named(names)]
    wanted = name.strip().strip("`\"'").casefold()
    if wanted not in called:
        raise _NoColumn(f"There's no column “{wanted[:80]}” there. There are: {', '.join(named(names))[:400]}.")
    return str(called.index(wanted))


# Menus: one for each column of the first query, and those of the columns that tell rows apart.


def pair_fields(found: ComparedColumns) -> tuple[Field, ...]:
    """Return a menu for each column of the first query, with those of the second one.

    Of very many columns, the first are asked for that nothing was found for, and each menu has those that are free.
    """
    chosen = {each.left: each.right for each in found.matched}
    lefts, rights = named(found.left), named(found.right)
    asked = sorted(range(len(lefts)), key=lambda place: place in chosen)[:COLUMN_MENUS_MAX]
    offered = list(range(len(rights)))
    if len(asked) * _chars(rights) > PAIRS_MAX_CHARS:
        offered = [place for place in offered if place not in chosen.values()]
    offered = offered[:COLUMN_OPTIONS_MAX]
    most = max(
        1, PAIRS_MAX_CHARS // _chars([*(rights[place] for place in offered), "", max(rights, key=len, default="")])
    )
    return tuple(_pair_field(place, lefts[place], chosen.get(place), offered, rights) for place in sorted(asked[:most]))


def _pair_field(place: int, name: str, chosen: int | None, offered: Sequence[int], rights: Sequence[str]) -> Field:
    own = [] if chosen is None or chosen in offered else [chosen]
    options = (Option(str(right), rights[right]) for right in sorted([*own, *offered]))
    value = NOT_COMPARED if chosen is None else str(chosen)
    return Field(f"c{place}", f"{name} →", "menu", value, options=(Option(NOT_COMPARED, "(left out)"), *options))


def _chars(names: Iterable[str]) -> int:
    """Return the room that a menu takes with these names."""
    return sum(len(name) + ENTRY_CHARS for name in names)


def keyed_by(found: ComparedColumns) -> list[int]:
    """Return the left columns that tell rows apart now."""
    return [found.matched[key].left for key in found.keys]


def key_fields(found: ComparedColumns) -> tuple[Field, ...]:
    """Return the menus of those that tell rows apart: they have what does so now, whatever there is no room for."""
    now, lefts = keyed_by(found), named(found.left)
    chosen = [*map(str, now), *[NO_KEY_COLUMN.answer] * KEY_MENUS][: min(max(KEY_MENUS, len(now) + 1), len(lefts))]
    rows = KEYS_MAX_CHARS // (len(chosen) * (max(map(len, lefts)) + ENTRY_CHARS))
    places = sorted(set(now) | set(range(len(lefts))[: max(0, min(COLUMN_OPTIONS_MAX, rows) - len(now))]))
    options = (NO_KEY_COLUMN, *(Option(str(place), lefts[place]) for place in places))
    return tuple(
        Field(f"k{n}", "and by" if n else "Rows belong together by", "menu", value, options=options, when=OF_ROWS)
        for n, value in enumerate(chosen)
    )


def pairs_in(found: ComparedColumns, values: Mapping[str, str]) -> tuple[MatchedColumns, ...]:
    """Return the pairs; raises WrongField where a column is in two of them, or none is left."""
    before = {each.left: each for each in found.matched}
    lefts, rights = named(found.left), named(found.right)
    pairs: list[MatchedColumns] = []
    for left, name in enumerate(lefts):
        proposed = before.get(left)
        value = values.get(f"c{left}", str(proposed.right) if proposed else NOT_COMPARED)
        right = _place_of(value, found.right)
        if right is None:
            continue
        if any(each.right == right for each in pairs):
            said = f"Two columns would be compared with “{rights[right][:80]}”. Choose another for {name}."
            raise WrongField(f"c{left}", said)
        pairs.append(proposed if proposed and proposed.right == right else MatchedColumns(left, right))
    if not pairs:
        raise WrongField("c0", "At least one column must be compared. Choose one, please.")
    return tuple(pairs)


def _place_of(value: str, names: Sequence[str]) -> int | None:
    """Return the column that was chosen from a menu, None for none."""
    return int(value) if value.isdecimal() and int(value) < len(names) else None


def keys_in(
    columns: ComparedColumns, values: Mapping[str, str], now: Sequence[int], *, lenient: bool = False
) -> tuple[int, ...]:
    """Return the places of the pairs that were chosen; of a column that is not compared, `lenient` leaves it out.

    Raises WrongField otherwise.
    """
    given = {name: value for name, value in values.items() if name.startswith("k")}
    given = given or {f"k{n}": str(left) for n, left in enumerate(now)}
    compared = {each.left: place for place, each in enumerate(columns.matched)}
    keys: list[int] = []
    for field, left in (
        (name, _place_of(given[name], columns.left)) for name in sorted(given, key=lambda k: int(k[1:]))
    ):
        if left is None or (lenient and left not in compared):
            continue
        if left not in compared:
            name = named(columns.left)[left][:80]
            raise WrongField(field, f"“{name}” is not compared, so rows cannot be matched by it.")
        keys += [compared[left]] if compared[left] not in keys else []
    return tuple(keys)
