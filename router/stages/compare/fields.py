"""The fields of the form of a comparison, and what is taken of the values that were sent or typed for them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from textwrap import shorten
from typing import TypeVar, get_args

from router.cards import Field, Option
from router.catalog.targets import takes_rows
from router.errors import BotError, Unclear
from router.memory.comparing import (
    Blanks,
    ComparedColumns,
    Comparing,
    MatchedColumns,
    Precision,
    Reporting,
    ReportTarget,
    Tolerances,
)
from router.policy import writable
from router.stages.compare.titles import both_titles
from router.stages.tasks import comparing_of
from router.stages.typed_names import JOB_NAME_MAX_CHARS, NO_JOB_NAME, NO_TABLE_NAME, TABLE_NAME_MAX_CHARS, is_name
from router.turn import Turn
from router.understanding.parameters.comparing import OUT
from router.understanding.values.sentence import unquoted

REPORTS: dict[Reporting, tuple[str, str]] = {
    "summary": ("Summary", "how many rows are the same, differ, or are on one side alone"),
    "columns": ("By column", "the summary, and in how many rows each column differs"),
    "differences": ("Differences", "the rows that differ, with the values of both sides"),
    "all": ("All rows", "every row, marked as the same, changed, or on one side alone"),
    "aggregates": ("Totals", "counts and sums from each database; no rows are read"),
}
"""The name of each report, and what it tells."""

BLANKS = (Option("count", "count"), Option("end", "don't count at the end"), Option("around", "don't count"))
CASE = (Option("False", "counts"), Option("True", "doesn't count"))
NO_KEY = Option(OUT, "(no column)")
KEY_MENUS, COLUMN_MENUS_MAX, COLUMN_OPTIONS_MAX = 3, 40, 99
"""Columns that can be named to tell rows apart; the most menus and entries that a form has."""
PAIRS_MAX_CHARS, KEYS_MAX_CHARS, ENTRY_CHARS = 19_000, 7_000, 32
"""Characters of the entries of all menus, and of one besides its name: a dialog of Teams has 35,000 at most."""

_SEPARATED = re.compile(r"\d{1,3}([,.' ]\d{3})+")
_OR = re.compile(r"\s+(?:or|and)\s+|[,;]\s+")

T = TypeVar("T", bound=str)


class WrongField(Unclear):
    """A field of a form cannot be taken as it is; the sentence says why."""

    def __init__(self, name: str, said: str) -> None:
        super().__init__(said)
        self.name = name


def fields_of(turn: Turn, found: ComparedColumns) -> tuple[Field, ...]:
    """Return the fields, with all that holds of the comparison."""
    comparing = comparing_of(turn)
    reports = tuple(Option(each, f"{label} ({tells})") for each, (label, tells) in REPORTS.items())
    return (
        Field("report", "Report", "radio", comparing.reporting or "differences", options=reports),
        *_key_fields(found),
        *_tolerance_fields(comparing.tolerances),
        *target_fields(turn),
        *_pair_fields(found),
    )


def refilled(comparing: Comparing, fields: Iterable[Field]) -> tuple[Field, ...]:
    """Return the fields with what was put into them last, where something of it was wrong."""
    name, said = comparing.problem
    return tuple(
        replace(each, value=comparing.filled.get(each.name, each.value), problem=said if each.name == name else "")
        for each in fields
    )


def with_values(turn: Turn, comparing: Comparing, found: ComparedColumns, values: Mapping[str, str]) -> Comparing:
    """Return a comparison as the values of its form say; what these do not say stays. Raises WrongField."""
    reporting = next((each for each in REPORTS if each == values.get("report")), comparing.reporting)
    columns = replace(found, matched=_pairs_in(found, values), keys=())
    now = [found.matched[key].left for key in found.keys]
    # Totals have no key: what was hidden is not wrong.
    columns = replace(columns, keys=_keys_in(columns, values, now, lenient=reporting == "aggregates"))
    keyed = [columns.matched[key].left for key in columns.keys] != now
    # How the texts of a pair are read, the rows say; those of a new pair were not looked at yet.
    looked = found.looked and set(columns.matched) <= set(found.matched)
    return replace(
        comparing,
        columns=replace(columns, why="chosen by you" if keyed else found.why, looked=looked),
        reporting=reporting,
        tolerances=_tolerances_in(values, comparing.tolerances),
        name=_name_in(turn, values) if "name" in values else comparing.name,
        target=_target_in(turn, values) if {"table", "database"} & set(values) else comparing.target,
        filled={},
        problem=("", ""),
    )


# The columns: a menu for each one of the first query, and those that tell rows apart.


def named(names: Sequence[str]) -> list[str]:
    """Return what columns are called, so that no two are called the same."""
    called = [name or "(no name)" for name in names]
    return [f"{name} (column {n})" if called.count(name) > 1 else name for n, name in enumerate(called, start=1)]


def _pair_fields(found: ComparedColumns) -> tuple[Field, ...]:
    """Return the menus of pairs; of very many columns, those that nothing was found for, and those that are free."""
    chosen = {each.left: each.right for each in found.matched}
    lefts, rights = named(found.left), named(found.right)
    entries = PAIRS_MAX_CHARS // (max(map(len, rights), default=0) + ENTRY_CHARS)
    asked = sorted(range(len(lefts)), key=chosen.__contains__)[: min(COLUMN_MENUS_MAX, entries // 3)]
    room = min(COLUMN_OPTIONS_MAX, entries // max(len(asked), 1) - 2)
    free = [place for place in range(len(rights)) if len(rights) <= room or place not in chosen.values()][:room]
    fields: list[Field] = []
    for left in sorted(asked):
        places = sorted({*free, *([chosen[left]] if left in chosen else [])})
        options = (Option(OUT, "(left out)"), *(Option(str(place), rights[place]) for place in places))
        fields.append(Field(f"c{left}", f"{lefts[left]} →", "menu", str(chosen.get(left, OUT)), options=options))
    return tuple(fields)


def _key_fields(found: ComparedColumns) -> tuple[Field, ...]:
    """Return the menus of those that tell rows apart: they have what does so now, even if there is no room for it."""
    now, lefts = [found.matched[key].left for key in found.keys], named(found.left)
    chosen = [*map(str, now), *[OUT] * KEY_MENUS][: min(max(KEY_MENUS, len(now) + 1), len(lefts))]
    room = KEYS_MAX_CHARS // (max(len(chosen), 1) * (max(map(len, lefts), default=0) + ENTRY_CHARS))
    places = sorted({*now, *range(len(lefts))[: max(0, min(COLUMN_OPTIONS_MAX, room) - len(now))]})
    options = (NO_KEY, *(Option(str(place), lefts[place]) for place in places))
    of_rows = ("report", tuple(each for each in REPORTS if each != "aggregates"))
    return tuple(
        Field(f"k{n}", "and by" if n else "Rows belong together by", "menu", value, options=options, when=of_rows)
        for n, value in enumerate(chosen)
    )


def _pairs_in(found: ComparedColumns, values: Mapping[str, str]) -> tuple[MatchedColumns, ...]:
    before = {each.left: each for each in found.matched}
    pairs: dict[int, MatchedColumns] = {}
    for left in range(len(found.left)):
        proposed = before.get(left)
        right = _place_of(values.get(f"c{left}", str(proposed.right) if proposed else OUT), found.right)
        if right in pairs:
            said = f"Two columns would be compared with “{named(found.right)[right][:80]}”. Choose another for "
            raise WrongField(f"c{left}", f"{said}{named(found.left)[left]}.")
        if right is not None:
            pairs[right] = proposed if proposed and proposed.right == right else MatchedColumns(left, right)
    if not pairs:
        raise WrongField("c0", "At least one column must be compared. Choose one, please.")
    return tuple(pairs.values())


def _place_of(value: str, names: Sequence[str]) -> int | None:
    """Return the column that was chosen from a menu, None for none."""
    return int(value) if value.isdecimal() and int(value) < len(names) else None


def _keys_in(columns: ComparedColumns, values: Mapping[str, str], now: Sequence[int], lenient: bool) -> tuple[int, ...]:
    """Return the places of the pairs that tell rows apart; `lenient` leaves out a column that is not compared."""
    given = {name: value for name, value in values.items() if re.fullmatch(r"k\d+", name)}
    given = given or {f"k{n}": str(left) for n, left in enumerate(now)}
    compared = {each.left: place for place, each in enumerate(columns.matched)}
    keys: dict[int, None] = {}
    for field in sorted(given, key=lambda name: int(name[1:])):
        left = _place_of(given[field], columns.left)
        if left in compared:
            keys[compared[left]] = None
        elif left is not None and not lenient:
            said = f"“{named(columns.left)[left][:80]}” is not compared, so rows cannot be matched by it."
            raise WrongField(field, said)
    return tuple(keys)


# What does not count as a difference.


def _tolerance_fields(now: Tolerances) -> tuple[Field, ...]:
    levels, none = (
        tuple(Option(each, each) for each in get_args(Precision)),
        (Option("False", "no"), Option("True", "yes")),
    )
    return (
        Field("apart", "Numbers may be apart by", value=_apart(now), optional=True, hint="0.01, or a share: 0.5 %"),
        Field("blanks", "Blanks around texts", "menu", now.blanks, options=BLANKS),
        Field("fold", "Upper and lower case", "menu", str(now.fold), options=CASE),
        Field("precision", "Times count down to the", "menu", now.precision, options=levels),
        Field("empty", "An empty text is no value", "menu", str(now.empty), options=none),
    )


def _apart(now: Tolerances) -> str:
    amounts = (f"{now.absolute:.12g}" if now.absolute else "", f"{now.relative * 100:.12g} %" if now.relative else "")
    return " or ".join(filter(None, amounts))


def _tolerances_in(values: Mapping[str, str], now: Tolerances) -> Tolerances:
    apart, absolute, relative = values.get("apart", _apart(now)), now.absolute, now.relative
    if apart != _apart(now):
        parts = [part.strip() for part in _OR.split(apart) if part.strip()]
        shares = [part for part in parts if part.endswith("%")]
        absolute = _number(" ".join(part for part in parts if part not in shares), "an amount such as 0.01", 1e15)
        relative = _number(" ".join(shares), "a percentage such as 0.5 %", 100.0) / 100
    return Tolerances(
        absolute,
        relative,
        _one_of(get_args(Blanks), values.get("blanks"), now.blanks),
        values.get("fold", str(now.fold)) == "True",
        _one_of(get_args(Precision), values.get("precision"), now.precision),
        values.get("empty", str(now.empty)) == "True",
    )


def _number(typed: str, wanted: str, most: float) -> float:
    """Return a number that was typed with a point or a comma; raises WrongField."""
    text = typed.removesuffix("%").strip()
    if _SEPARATED.fullmatch(text) and not text.startswith("0"):
        said = f"“{typed[:40]}” may be read in two ways: write 1000 for a thousand, and 1.0 for one."
        raise WrongField("apart", said)
    try:
        number = float(text.replace(",", ".") or 0)
    except ValueError:
        number = -1.0
    if not 0 <= number <= most:
        raise WrongField("apart", f"“{typed[:40]}” is not {wanted}.")
    return number


def _one_of(choices: tuple[T, ...], chosen: str | None, now: T) -> T:
    """Return what was chosen from a menu; what is not in it changes nothing."""
    return next((each for each in choices if each == chosen), now)


# Where the rows go, and the name of the job.


def target_fields(turn: Turn) -> tuple[Field, ...]:
    """Return the inputs for the name of the job, for the table, and for its database where there are several."""
    target, allowed = comparing_of(turn).target, writable(turn.services.connections, turn.owner)
    name = Field("name", "Name of the job", value=job_of(turn), optional=True)
    if not allowed:
        return (name,)
    table = f"{target.schema}.{target.table}" if target.table and target.schema else target.table
    databases = tuple(Option(each.name, each.label) for each in allowed)
    at = target.connection if target.connection in [each.name for each in allowed] else allowed[0].name
    menu = (Field("database", "Database of that table", "menu", at, options=databases),) if len(allowed) > 1 else ()
    hint = "Empty for none, or such as differences_2026 or main.differences_2026"
    return (name, Field("table", "Write its rows into a table", value=table, optional=True, hint=hint), *menu)


def job_of(turn: Turn) -> str:
    """Return the name of the job: the one that was given, or what is compared, with the day."""
    compared = shorten(both_titles(turn, "and"), JOB_NAME_MAX_CHARS - 11, placeholder="…")
    return comparing_of(turn).name or f"{compared} {turn.services.clock():%Y-%m-%d}"


def _name_in(turn: Turn, values: Mapping[str, str]) -> str:
    """Return the name that was given to the job, empty where it is the proposed one."""
    name = values["name"].strip()
    if name and not is_name(name, JOB_NAME_MAX_CHARS):
        raise WrongField("name", NO_JOB_NAME)
    return comparing_of(turn).name if name == job_of(turn) else name


def _target_in(turn: Turn, values: Mapping[str, str]) -> ReportTarget:
    """Return the table that was named, in the schema before its first dot or the default one."""
    before, typed = comparing_of(turn).target, values.get("table", "").strip()
    allowed = {each.name: each for each in writable(turn.services.connections, turn.owner)}
    connection = allowed.get(values.get("database", "")) or next(iter(allowed.values()), None)
    if connection is None or not typed:
        return ReportTarget("" if connection is None or "table" in values else connection.name)
    if (connection.name, typed) == (before.connection, f"{before.schema}.{before.table}"):
        return before
    try:
        names = turn.services.catalog.schemas(connection.name)
    except BotError as error:
        raise WrongField("table", str(error)) from error
    schemas = {each.casefold(): each for each in names if takes_rows(connection, each)}
    if not schemas:
        raise WrongField("table", f"There's no schema in {connection.label} that you can write to.")
    schema, dot, table = typed.partition(".") if unquoted(typed) == typed else ("", "", "")
    if dot and schema.casefold() not in schemas:
        there = f"There are: {', '.join(schemas.values())[:400]}."
        raise WrongField("table", f"You can't write to a schema “{schema[:80]}” in {connection.label}. {there}")
    table = unquoted(table if dot else typed)
    if not is_name(table, TABLE_NAME_MAX_CHARS):
        raise WrongField("table", NO_TABLE_NAME)
    return ReportTarget(connection.name, schemas[schema.casefold()] if dot else next(iter(schemas.values())), table)
