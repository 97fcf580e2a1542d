"""Columns matched by hand: a menu for each column of the first query, and the names of those that tell rows apart."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Field, Form, Option
from router.comparing import Columns, Matched
from router.errors import Unclear
from router.machine import Ask
from router.stages.compare_columns import columns_of
from router.stages.compare_sides import comparing_of
from router.turn import Filled, Turn

MOST_FIELDS, MOST_OPTIONS = 40, 99
"""What a form asks for; what is beyond keeps the column that was proposed."""

OUT = Option("out", "(left out)")


class MapTable(Ask):
    """Have the person say which column belongs to which, and what tells rows apart."""

    help = (
        "Each field is a column of the first query: choose the column of the second one that it is compared with, or "
        "leave it out. Below, name the columns by which rows belong together; without any, whole rows are compared."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        found = columns_of(turn)
        chosen = {each.left: str(each.right) for each in found.matched}
        names = list(enumerate(found.right))[:MOST_OPTIONS]
        options = (OUT, *(Option(str(place), name or "(no name)") for place, name in names))
        fields = tuple(
            Field(f"c{place}", f"{found.left[place]} →", "menu", chosen.get(place, OUT.answer), options=options)
            for place in _asked(found)
        )
        keys = ", ".join(found.left[found.matched[key].left] for key in found.keys)
        together = Field("keys", "Rows belong together by", value=keys, optional=True)
        return (Form("Which columns belong together?", (*fields, together)), Buttons("Or:", (Option("back", "Back"),)))

    def answer(self, turn: Turn) -> Literal["mapped"]:
        given = turn.incoming.input
        if not isinstance(given, Filled):
            raise Unclear("Fill in the form, please: which columns of the two queries belong together.")
        found = columns_of(turn)
        columns = replace(found, matched=_chosen(found, given.values), keys=())
        keys = _keys(columns, given.values.get("keys", ""))
        as_proposed = {found.names[key] for key in found.keys} == {columns.names[key] for key in keys}
        columns = replace(columns, keys=keys, why=found.why if as_proposed else "chosen by you")
        turn.memory.comparing = replace(comparing_of(turn), columns=columns, key="")
        return "mapped"


def _asked(found: Columns) -> list[int]:
    """Return the left columns that are asked for: all, or of very many the first that nothing was found for."""
    matched = {each.left for each in found.matched}
    return sorted(sorted(range(len(found.left)), key=lambda place: place in matched)[:MOST_FIELDS])


def _chosen(found: Columns, values: Mapping[str, str]) -> tuple[Matched, ...]:
    """Return the pairs; raises Unclear where a column is in two of them, or none is left."""
    before = {each.left: each for each in found.matched}
    pairs: list[Matched] = []
    for left, name in enumerate(found.left):
        proposed = before.get(left)
        value = values.get(f"c{left}", str(proposed.right) if proposed else OUT.answer)
        right = _place(value, found)
        if right is None:
            continue
        if any(each.right == right for each in pairs):
            raise Unclear(f"Two columns would be compared with “{found.right[right][:80]}”. Choose another for {name}.")
        pairs.append(proposed if proposed and proposed.right == right else Matched(left, right))
    if not pairs:
        raise Unclear("At least one column must be compared. Choose one, please.")
    return tuple(pairs)


def _place(value: str, found: Columns) -> int | None:
    """Return the right column that was chosen from the menu, None for one that is left out."""
    return int(value) if value.isdecimal() and int(value) < len(found.right) else None


def _keys(columns: Columns, typed: str) -> tuple[int, ...]:
    """Return the places of the pairs that were named, by either name; raises Unclear for what is none."""
    keys: list[int] = []
    for wanted in filter(None, (name.strip().strip("`\"'").casefold() for name in typed.split(","))):
        place = next(
            (
                place
                for place, each in enumerate(columns.matched)
                if wanted in (columns.left[each.left].casefold(), columns.right[each.right].casefold())
            ),
            None,
        )
        if place is None:
            raise Unclear(f"“{wanted[:80]}” is not among the columns that are compared, so rows cannot meet by it.")
        keys += [place] if place not in keys else []
    return tuple(keys)
