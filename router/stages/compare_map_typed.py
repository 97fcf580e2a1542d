"""Pairs of columns as people type them: "id = order_no, leave out status, by id"."""

import re
from collections.abc import Sequence

from router.comparing import Columns
from router.errors import Unclear
from router.stages.compare_form import parts_of

OUT = "out"
"""What stands for no column."""

_PAIR = re.compile(r"(.+?)\s*(?:=|->|→)\s*(.+)")
_LEFT_OUT = re.compile(r"(?:leave out|left out|without|skip)\s+(.+)", re.IGNORECASE)
_KEYS = re.compile(r"(?:(?:rows belong together |key |keyed )?by|key)\s+(.+)", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+|\s*\+\s*")
_NONE = frozenset({"nothing", "none", "no column", "whole rows"})


def named(names: Sequence[str]) -> list[str]:
    """Return what columns are called, so that no two are called the same."""
    called = [name or "(no name)" for name in names]
    return [f"{name} (column {n})" if called.count(name) > 1 else name for n, name in enumerate(called, start=1)]


def typed(text: str, found: Columns) -> dict[str, str]:
    """Return what a form would have been filled with; raises Unclear for a line that says nothing of columns."""
    values: dict[str, str] = {}
    for part in parts_of(text):
        if pair := _PAIR.fullmatch(part):
            right = OUT if pair[2].casefold() in ("out", "nothing") else _place(pair[2], found.right)
            values[f"c{_place(pair[1], found.left)}"] = right
        elif left_out := _LEFT_OUT.fullmatch(part):
            values |= {f"c{_place(name, found.left)}": OUT for name in _AND.split(left_out[1])}
        elif keys := _KEYS.fullmatch(part):
            by = [] if keys[1].casefold() in _NONE else _AND.split(keys[1])
            values |= {f"k{n}": _place(name, found.left) for n, name in enumerate(by)} or {"k0": OUT}
        else:
            raise Unclear("Fill in the form, or type it, such as: id = order_no, leave out status, by id")
    return values


def _place(name: str, names: Sequence[str]) -> str:
    """Return the place of a column; raises Unclear where there is none of that name."""
    called = [each.casefold() for each in named(names)]
    wanted = name.strip().strip("`\"'").casefold()
    if wanted not in called:
        raise Unclear(f"There is no column “{wanted[:80]}” there. There are: {', '.join(named(names))[:400]}.")
    return str(called.index(wanted))
