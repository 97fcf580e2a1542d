"""The columns of two queries that belong together or tell rows apart: proposed, and confirmed by a person."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Field, Form, Head, Option, Table, Text
from router.jobs.match_sql import MatchSql, QueryLikeness
from router.jobs.payloads import MATCH_SQL, likeness_of
from router.machine import Ask, Work
from router.memory.comparing import ComparedColumns, Comparing, MatchedColumns
from router.memory.draft import Draft
from router.policy import demand_read
from router.stages.compare.forms import (
    WrongField,
    edited,
    filled,
    forget_filled,
    keep,
    parts_of,
    queries,
)
from router.stages.compare.plan import SIDES, columns_of, keyed, lapsed, left_over
from router.stages.compare.queries import change, label_of, queried, taken
from router.stages.compare.sentences import Asked, left_comparison, plan_steps_of, requeried, steps_in
from router.stages.compare.tolerances import tolerances_of
from router.stages.confirm import CANCEL
from router.stages.tasks import comparing_of, set_comparing
from router.turn import Filled, Said, Turn
from router.understanding.parameters.comparing import ComparisonCorrection, comparison_correction

NOT_COMPARED = "out"
"""The value that stands for no column."""

NO_KEY_COLUMN = Option("none", "(no column)")

KEY_MENUS = 3
"""So many columns can be named to tell rows apart, and one more than there are already."""

COLUMN_MENUS_MAX, COLUMN_OPTIONS_MAX = 40, 99
"""The most that a form asks for; what is beyond keeps the column that was proposed."""

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


def typed(text: str, found: ComparedColumns) -> dict[str, str] | str:
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
        raise _NoColumn(f"There is no column “{wanted[:80]}” there. There are: {', '.join(named(names))[:400]}.")
    return str(called.index(wanted))


# Columns matched by hand: a menu for each column of the first query, and menus of those that tell rows apart.


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
        names = list(enumerate(named(found.right)))[:COLUMN_OPTIONS_MAX]
        options = (Option(NOT_COMPARED, "(left out)"), *(Option(str(place), name) for place, name in names))
        lefts = named(found.left)
        fields = tuple(
            Field(f"c{place}", f"{lefts[place]} →", "menu", chosen.get(place, NOT_COMPARED), options=options)
            for place in _asked(found)
        )
        fields = filled(turn, (*fields, *_key_fields(found, lefts)))
        return (Form("Which columns belong together?", fields), Buttons("", (Option("back", "Back"),)))

    def answer(self, turn: Turn) -> Literal["mapped", "look", "wrong", "unclear"]:
        found, given = columns_of(turn), turn.incoming.input
        values = given.values if isinstance(given, Filled) else typed(turn.text, found)
        if isinstance(values, str):
            return turn.unclear(values)
        try:
            columns = replace(found, matched=_chosen_in_menus(found, values), keys=())
            columns = replace(columns, keys=_keys(columns, values, _by(found)))
        except WrongField as error:
            keep(turn, values, error)
            return "wrong"
        why = found.why if _by(found) == _by(columns) else "chosen by you"
        # How the texts of a pair are read, the rows say; those of a new pair were not looked at yet.
        looked = found.looked and set(columns.matched) <= set(found.matched)
        set_comparing(turn, replace(comparing_of(turn), columns=replace(columns, why=why, looked=looked)))
        forget_filled(turn)
        return "mapped" if looked else "look"


def _asked(found: ComparedColumns) -> list[int]:
    """Return the left columns that are asked for: all, or of very many the first that nothing was found for."""
    matched = {each.left for each in found.matched}
    return sorted(sorted(range(len(found.left)), key=lambda place: place in matched)[:COLUMN_MENUS_MAX])


def _by(found: ComparedColumns) -> list[int]:
    """Return the left columns that tell rows apart now."""
    return [found.matched[key].left for key in found.keys]


def _key_fields(found: ComparedColumns, lefts: Sequence[str]) -> tuple[Field, ...]:
    """Return the menus of those that tell rows apart: they have what does so now, whatever there is no room for."""
    now = _by(found)
    places = sorted(set(now) | set(range(len(lefts))[: COLUMN_OPTIONS_MAX - len(now)]))
    options = (NO_KEY_COLUMN, *(Option(str(place), lefts[place]) for place in places))
    chosen = [*map(str, now), *[NO_KEY_COLUMN.answer] * KEY_MENUS][: min(max(KEY_MENUS, len(now) + 1), len(lefts))]
    return tuple(
        Field(f"k{n}", "and by" if n else "Rows belong together by", "menu", value, options=options)
        for n, value in enumerate(chosen)
    )


def _chosen_in_menus(found: ComparedColumns, values: Mapping[str, str]) -> tuple[MatchedColumns, ...]:
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


def _keys(columns: ComparedColumns, values: Mapping[str, str], now: Sequence[int]) -> tuple[int, ...]:
    """Return the places of the pairs that were chosen; raises WrongField for a column that is not compared."""
    given = {name: value for name, value in values.items() if name.startswith("k")}
    given = given or {f"k{n}": str(left) for n, left in enumerate(now)}
    compared = {each.left: place for place, each in enumerate(columns.matched)}
    keys: list[int] = []
    for field, left in (
        (name, _place_of(given[name], columns.left)) for name in sorted(given, key=lambda k: int(k[1:]))
    ):
        if left is None:
            continue
        if left not in compared:
            name = named(columns.left)[left][:80]
            raise WrongField(field, f"“{name}” is not compared, so rows cannot be matched by it.")
        keys += [compared[left]] if compared[left] not in keys else []
    return tuple(keys)


# The look at the first rows of both queries, which tells how their columns are matched.


class MatchColumns(Work):
    """Look at the first rows of both queries: propose what belongs together, or see how what was chosen is read."""

    doing = "Looking at the columns of both queries…"

    def work(self, turn: Turn) -> Literal["read", "mapped", "first", "second"]:
        memory = turn.memory
        if memory.draft.approval:
            set_comparing(turn, taken(turn, "right"))
            memory.draft = Draft(plan=memory.draft.plan)
        for side in SIDES:
            if why := lapsed(turn, side):
                turn.note(f"{why} To be compared, it needs a new Yes.")
                change(turn, side)
                return "first" if side == "left" else "second"
        left, right = queried(turn, "left"), queried(turn, "right")
        for each in (left, right):
            demand_read(turn.owner, turn.services.connections.demand(each.connection))
        chosen = _chosen_columns(comparing_of(turn))
        pairs = tuple((each.left, each.right) for each in chosen.matched) if chosen else None
        job = MatchSql.of(left, right, turn.owner, pairs=pairs, thread=str(turn.incoming.key))
        key = f"{turn.incoming.key} {memory.turn} match {job.approval}"
        found = likeness_of(turn.does(MATCH_SQL.request(job, key), left.approver))
        set_comparing(turn, _matched(comparing_of(turn), found))
        return "mapped" if chosen else "read"


def _chosen_columns(comparing: Comparing) -> ComparedColumns | None:
    """Return the columns as a person put them together, where that was not looked at yet."""
    return comparing.columns if comparing.columns and not comparing.columns.looked else None


def _matched(comparing: Comparing, found: QueryLikeness) -> Comparing:
    """Return the comparison with what was found; what a person chose stays."""
    before, chosen = comparing.columns, _chosen_columns(comparing)
    if chosen is None:
        columns = _proposed(found)
    else:
        forms = {(pair.left, pair.right): pair.form for pair in found.pairs}
        matched = tuple(replace(each, form=forms[each.left, each.right]) for each in chosen.matched)
        columns = replace(chosen, matched=matched, looked=True, suggested=found.tolerances)
        if not columns.keys and not columns.why:  # nobody chose, for nothing was known of these pairs
            columns = replace(columns, keys=found.key.places, why=found.key.reason)
    changed = before is not None and comparing.tolerances != before.suggested
    tolerances = comparing.tolerances if changed else found.tolerances
    return replace(comparing, columns=columns, tolerances=tolerances, failed=False)


def _proposed(found: QueryLikeness) -> ComparedColumns:
    left, right = (tuple(each.name for each in side) for side in (found.left, found.right))
    matched = tuple(
        MatchedColumns(each.left, each.right, each.form, f"{each.reason} ({each.score:.0%})")
        for each in found.matched.proposals
    )
    return ComparedColumns(left, right, matched, found.key.places, found.key.reason, suggested=found.tolerances)


Matched = Literal["accept", "map", "again", "changed"]
"""The outcome of the look at the columns."""


class AskAutoMatch(Ask):
    """Show which columns seem to belong together, and why; accept that, or match them by hand."""

    card = "compare_columns"
    accepts = frozenset(["columns", "key", "by_hand"])
    help = (
        "Accept takes the pairs as they are, and leaves other columns out. Map by hand lets you choose each pair, and "
        "what tells the rows apart."
    )

    def settle(self, turn: Turn) -> Literal["accept"] | None:
        """Take pairs of which none is in doubt: every column of both queries has its own."""
        found = comparing_of(turn).columns
        whole = found is not None and found.looked and bool(found.matched)
        return "accept" if found and whole and len(found.left) == len(found.right) == len(found.matched) else None

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        found = comparing_of(turn).columns
        if found is None or not found.looked:
            ways = (Option("again", "Try again", "primary"), *queries(), CANCEL)
            return (Buttons("The columns are not known yet. What's next?", ways),)
        left, right = label_of(turn, "left"), label_of(turn, "right")
        rows = tuple((found.left[each.left], found.right[each.right], each.why) for each in found.matched)
        pairs = (Table((Head(left), Head(right), Head("Why")), rows, len(rows)),) if rows else ()
        over = (Text(sentence, "quiet") for sentence in left_over(found, left, right))
        accept = (Option("accept", "Accept", "primary"),) if rows else ()
        ways = (*accept, Option("map", "Map by hand"), *(() if rows else queries()), CANCEL)
        prompt = "Compare these columns?" if rows else "No two columns seem to belong together. What's next?"
        together = (Text(keyed(found)),) if rows else ()
        return (*pairs, *over, *together, Buttons(prompt, ways))

    def answer(self, turn: Turn) -> Matched | Asked | Literal["first", "second", "cancel", "over", "unclear"]:
        if left := left_comparison(turn):
            return left
        found = comparing_of(turn).columns
        if word := edited(turn):
            return word
        if side := requeried(turn):
            return side
        if found is None or not found.looked:
            return "again" if turn.word("again") else turn.unclear()
        if found.matched and turn.word("accept", "yes"):
            return "accept"
        if turn.word("map"):
            forget_filled(turn)
            return "map"
        return "changed" if changed(turn) else turn.unclear()


def changed(turn: Turn) -> bool:
    """Change the comparison as a typed sentence says, and tell whether it says something of it, or of its rows."""
    comparing, given = comparing_of(turn), turn.incoming.input
    found = comparing.columns
    if found is None or not isinstance(given, Said):
        return False
    text, wishes = steps_in(given.text)
    correction = comparison_correction(text, found.left, found.right)
    columns = with_corrections(found, correction)
    if columns is None or (text and not correction):
        return False
    tolerances = tolerances_of(correction.tolerances, comparing.tolerances)
    reporting = correction.report or comparing.reporting
    set_comparing(turn, replace(comparing, columns=columns, reporting=reporting, tolerances=tolerances))
    if why := plan_steps_of(turn, wishes):
        turn.note(why, "quiet")
    return bool(correction or wishes)


def with_corrections(found: ComparedColumns, correction: ComparisonCorrection) -> ComparedColumns | None:
    """Return the columns with other pairs and another key; None where a key is no pair, or no key would be left."""
    out = {found.left.index(name) for name in correction.pairs}
    if correction.only:
        keyed_now = {found.matched[place].left for place in found.keys}
        named_only = {found.left.index(name) for name in correction.only}
        out |= set(range(len(found.left))) - named_only - keyed_now
    into = {found.right.index(name) for name in correction.pairs.values() if name}
    kept = [each for each in found.matched if each.left not in out and each.right not in into]
    added = [
        MatchedColumns(found.left.index(source), found.right.index(target))
        for source, target in correction.pairs.items()
        if target
    ]
    matched = (*kept, *added)
    keyed_by = {found.matched[place].left for place in found.keys}
    keys = [each for each in matched if each.left in keyed_by]
    if correction.keys:
        named = [
            next((each for each in matched if name in (found.left[each.left], found.right[each.right])), None)
            for name in correction.keys
        ]
        keys = [each for each in named if each is not None]
        if len(keys) < len(named):
            return None
    places = tuple(matched.index(each) for each in keys)
    if correction.no_key:
        return replace(found, matched=matched, keys=(), why="chosen by you")
    if found.keys and not places:
        return None
    return replace(found, matched=matched, keys=places, why="chosen by you" if correction.keys else found.why)
