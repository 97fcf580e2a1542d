"""The fields of the form of a comparison: each is described once, and all are shown and taken in one way."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, get_args

from router.cards import Field, Option
from router.errors import Unclear
from router.jobs.results.cells import line
from router.memory.comparing import ComparedColumns, Comparing, MatchedColumns, Precision, Reporting, Tolerances
from router.policy import writable
from router.stages.compare.plan import columns_of, job_of, plan_of, quoted
from router.stages.tasks import comparing_of, set_comparing
from router.stages.typed_names import JOB_NAME_MAX_CHARS, NO_JOB_NAME, NO_TABLE_NAME, TABLE_NAME_MAX_CHARS, is_name
from router.turn import Turn
from router.understanding.parameters.comparing import OUT
from router.understanding.values.sentence import unquoted

REPORTS: Final[Mapping[Reporting, str]] = {
    "summary": "Summary (how many rows are the same, differ, or are on one side alone)",
    "columns": "By column (the summary, and in how many rows each column differs)",
    "differences": "Differences (the rows that differ, with the values of both sides)",
    "all": "All rows (every row, marked as the same, changed, or on one side alone)",
    "aggregates": "Totals (counts and sums from each database; no rows are read)",
}
"""Each report, with what it tells."""

KEY_MENUS, PAIR_MENUS_MAX, OPTIONS_MAX, NAME_MAX_CHARS = 3, 20, 14, 30
"""Menus of columns that tell rows apart, the most menus of pairs, entries of one, and characters of a name in it.

With more, a dialog would be too large for Teams. Other columns are paired by typing: "id = order_no".
"""

_AMOUNT: Final = re.compile(r"\d{1,15}(?:\.\d{1,15}|,\d{1,2})?")
"""A number; "1,000" may be a thousand, or one."""


def _amount(typed: str) -> float:
    if typed and not _AMOUNT.fullmatch(typed):
        raise Unclear(f"“{typed[:40]}” is no number such as 0.01. Write a thousand as 1000.")
    return float(typed.replace(",", ".") or 0)


def _name(typed: str) -> str:
    if typed and not is_name(typed, JOB_NAME_MAX_CHARS):
        raise Unclear(NO_JOB_NAME)
    return typed


def _table(typed: str) -> str:
    if typed and not is_name(unquoted(typed), TABLE_NAME_MAX_CHARS):
        raise Unclear(NO_TABLE_NAME)
    return unquoted(typed)


@dataclass(frozen=True, slots=True)
class Input:
    """A field with one value of the comparison, or of its tolerances: chosen, or typed and then read."""

    name: str
    label: str
    choices: Mapping[Any, str]
    read: Callable[[str], Any] = str
    hint: str = ""
    scale: int = 1
    """How many of what is typed are one: 100 for a percentage."""

    def field(self, comparing: Comparing) -> Field:
        """Return the field with the value that holds now."""
        options = tuple(Option(str(each), label) for each, label in self.choices.items())
        now = getattr(_holder(comparing, self.name), self.name)
        value = (f"{now * self.scale:.12g}" if now else "") if isinstance(now, float) else str(now)
        if not options:
            return Field(self.name, self.label, value=value, optional=True, hint=self.hint)
        value = value if now in self.choices else options[0].answer
        return Field(self.name, self.label, "radio" if self.name == "reporting" else "menu", value, options=options)

    def taken(self, comparing: Comparing, typed: str) -> Comparing:
        """Return a comparison with the value that was sent; raises Unclear where it cannot be so."""
        holder = _holder(comparing, self.name)
        chosen = {str(each): each for each in self.choices}
        # What is not in the menu changes nothing.
        value = chosen.get(typed, getattr(holder, self.name)) if chosen else self.read(typed)
        changed = replace(holder, **{self.name: value / self.scale if isinstance(value, float) else value})
        return replace(comparing, tolerances=changed) if isinstance(changed, Tolerances) else changed


def _holder(comparing: Comparing, name: str) -> Any:
    """Return what has a value of this name: the comparison, or its tolerances."""
    return comparing.tolerances if hasattr(comparing.tolerances, name) else comparing


_BLANKS: Final = {"count": "count", "end": "don't count at the end", "around": "don't count"}
_TABLE_HINT: Final = "Empty for none, or a name such as differences_2026"


def inputs_of(turn: Turn, *names: str) -> tuple[Input, ...]:
    """Return the fields of these names; of all of them but the columns, where none is named."""
    allowed = {each.name: each.label for each in writable(turn.services.connections, turn.owner)}
    found = (
        Input("reporting", "Report", REPORTS),
        Input("absolute", "Numbers may be apart by", {}, _amount, "Such as 0.01"),
        Input("relative", "or by so many percent", {}, _amount, "Such as 0.5", 100),
        Input("blanks", "Blanks around texts", _BLANKS),
        Input("fold", "Upper and lower case", {False: "counts", True: "doesn't count"}),
        Input("precision", "Times count down to the", {each: each for each in get_args(Precision)}),
        *((Input("database", "Database of that table", allowed),) if len(allowed) > 1 else ()),
        *((Input("table", "Write its rows into a table", {}, _table, _TABLE_HINT),) if allowed else ()),
        Input("name", "Name of the job", {}, _name),
    )
    return tuple(each for each in found if not names or each.name in names)


def fields_of(turn: Turn, *names: str) -> tuple[Field, ...]:
    """Return the fields of these names, or all, with what holds of the comparison."""
    comparing = replace(comparing_of(turn), name=job_of(turn), reporting=comparing_of(turn).report)
    fields = [each.field(comparing) for each in inputs_of(turn, *names)]
    found = None if names else comparing.columns
    return (*fields[:1], *_key_fields(found), *fields[1:], *_pair_fields(found)) if found else tuple(fields)


def take_values(turn: Turn, values: Mapping[str, str]) -> bool:
    """Have the comparison be as the values of its form say; return False where some cannot be so, and stay."""
    comparing, problems = comparing_of(turn), dict[str, str]()
    for each in inputs_of(turn):
        try:
            comparing = each.taken(comparing, values[each.name].strip()) if each.name in values else comparing
        except Unclear as error:
            problems[each.name] = str(error)
    try:
        changed = _with_columns(turn, comparing, values)
        plan_of(changed)
        comparing = changed
    except Unclear as error:
        problems["c0"] = str(error)
    set_comparing(turn, replace(comparing, problems=problems))
    return not problems


# The columns: a menu for each one of the first query, and those that tell rows apart.


def _pair_fields(found: ComparedColumns) -> list[Field]:
    """Return the menus of pairs; of very many columns, those that nothing was found for, and those that are free."""
    chosen = {each.left: each.right for each in found.matched}
    lefts, rights = _named(found.left), _named(found.right)
    asked = sorted(range(len(lefts)), key=chosen.__contains__)[:PAIR_MENUS_MAX]
    free = sorted(range(len(rights)), key=[*chosen.values()].__contains__)[:OPTIONS_MAX]
    return [_menu(f"c{left}", f"{lefts[left]} →", rights, free, chosen.get(left)) for left in sorted(asked)]


def _key_fields(found: ComparedColumns) -> list[Field]:
    """Return the menus of those that tell rows apart."""
    now, lefts = [found.matched[key].left for key in found.keys], _named(found.left)
    chosen = [*now, *[None] * KEY_MENUS][: max(KEY_MENUS, len(now) + 1)]
    places = range(min(OPTIONS_MAX, len(lefts)))
    return [
        _menu(f"k{n}", "and by" if n else "Rows belong together by", lefts, places, place)
        for n, place in enumerate(chosen)
    ]


def _menu(name: str, label: str, names: Sequence[str], places: Sequence[int], now: int | None) -> Field:
    """Return a menu of columns, with the one that holds now even if there is no room for it."""
    offered = sorted({*places, *(() if now is None else (now,))})
    options = (Option(OUT, "(none)"), *(Option(str(place), names[place]) for place in offered))
    return Field(name, label, "menu", OUT if now is None else str(now), options=options)


def _named(names: Sequence[str]) -> list[str]:
    """Return what columns are called in a menu, so that no two are called the same."""
    called = [line(name or "(no name)", NAME_MAX_CHARS) for name in names]
    return [f"{name} (column {n})" if called.count(name) > 1 else name for n, name in enumerate(called, start=1)]


def _with_columns(turn: Turn, comparing: Comparing, values: Mapping[str, str]) -> Comparing:
    """Return a comparison with the pairs and the key that were sent; what these do not say stays."""
    found = columns_of(comparing)
    before = {each.left: each for each in found.matched}
    pairs: dict[int, MatchedColumns] = {}
    for left in range(len(found.left)):
        old = before.get(left)
        right = _place(values.get(f"c{left}", str(old.right) if old else OUT), found.right)
        if right is not None:
            pairs[left] = old if old and old.right == right else MatchedColumns(left, right)
    now = [found.matched[key].left for key in found.keys]
    sent = [_place(values[name], found.left) for name in sorted(values) if re.fullmatch(r"k\d+", name)]
    wanted = [left for left in dict.fromkeys(sent or now) if left is not None]
    keys = tuple(list(pairs).index(left) for left in wanted if left in pairs)
    if lost := [found.left[left] for left in wanted if left not in pairs]:
        turn.note(f"Rows are not matched by {quoted(lost)}, as that is not compared.", "quiet")
    matched = tuple(pairs.values())
    kept = wanted == now and all(pairs[left].right == before[left].right for left in wanted if left in pairs)
    why = found.why if kept else "chosen by you"
    looked = found.looked and set(matched) <= set(found.matched)
    return replace(comparing, columns=replace(found, matched=matched, keys=keys, why=why, looked=looked))


def _place(value: str, names: Sequence[str]) -> int | None:
    """Return the column that was chosen from a menu, None for none."""
    return int(value) if value.isdecimal() and int(value) < len(names) else None
