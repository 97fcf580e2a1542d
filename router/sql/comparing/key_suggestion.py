"""Suggests the key of a comparison: a declared primary key, or columns that are unique in the first rows of both."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Any, Literal

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.memory.comparing import Precision, Tolerances
from router.sql import parsing
from router.sql.comparing.column_matching import Contents, contents_of, words
from router.sql.comparing.normal_form import NULL, RowKeys, moment_in, whole
from router.sql.comparing.plan import ComparedPair, Row
from router.sql.comparing.queries import Sample
from router.sql.dialect import Name

# Tolerances: times are compared down to what the coarser side keeps.

FINEST: tuple[Precision, ...] = ("second", "millisecond", "microsecond")
"""From the coarsest to the finest; what is coarser than a second, only a person can mean."""

SUGGESTION_MIN_ROWS = 5
"""With fewer times on a side, that none has a fraction may be chance."""


def suggest(left: Sample, right: Sample, pairs: Sequence[ComparedPair], dialects: tuple[Name, Name]) -> Tolerances:
    """Return tolerances to begin with; a person sees them, and may change them."""
    precision: Precision = "microsecond"
    for pair in pairs:
        if pair.form == "time":
            mine = _kept(row[pair.left] for row in left.rows)
            others = _kept(row[pair.right] for row in right.rows)
            if mine and others and mine != others:
                precision = min(precision, min(mine, others, key=FINEST.index), key=FINEST.index)
    return Tolerances(precision=precision).between(*dialects)


def _kept(values: Iterable[Any]) -> Precision | None:
    """Return the finest that a column's times have, None where they are too few."""
    times = [moment for value in values if (moment := _moment(value)) is not None]
    return max(map(_precision, times), key=FINEST.index) if len(times) >= SUGGESTION_MIN_ROWS else None


def _moment(value: Any) -> datetime | None:
    return value if isinstance(value, datetime) else moment_in(value) if isinstance(value, str) else None


def _precision(moment: datetime) -> Precision:
    if not moment.microsecond:
        return "second"
    return "microsecond" if moment.microsecond % 1000 else "millisecond"


# Declared keys: where a query reads one table row by row, the table's primary key is the query's too.


@dataclass(frozen=True, slots=True)
class PlainTable:
    """A table, and for each column of the query the column of the table that it is, "" for one that is computed."""

    schema: str
    name: str
    columns: tuple[str, ...]

    def places(self, key: Sequence[str]) -> tuple[int, ...]:
        """Return where the query has the columns of a key; empty where it lacks one of them."""
        folded = [column.casefold() for column in self.columns]
        wanted = [column.casefold() for column in key]
        return tuple(map(folded.index, wanted)) if set(wanted) <= set(folded) else ()


def plain_table(sql: str, dialect: Name, names: Sequence[str]) -> PlainTable | None:
    """Return the table of a query that gives rows of one table and columns called `names`, None for any other."""
    try:
        query = parsing.statement(sql, dialect)
    except SqlglotError:
        return None
    if not isinstance(query, exp.Select) or not _row_by_row(query):
        return None
    table = query.args["from_"].this
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        return None
    columns: list[str] = []
    for each in query.expressions:
        if each.is_star:
            columns = [] if columns or len(query.expressions) > 1 else list(names)
            break
        inner = each.unalias()
        columns.append(inner.name if isinstance(inner, exp.Column) else "")
    return PlainTable(table.db, table.name, tuple(columns)) if len(columns) == len(names) else None


def _row_by_row(query: exp.Select) -> bool:
    """Tell whether each row of the result is one of the table, and none is there twice."""
    several = ("with_", "joins", "laterals", "group", "connect", "pivots")
    return "from_" in query.args and not any(query.args.get(name) for name in several) and not query.find(exp.Unnest)


KEY_MAX_COLUMNS = 3
"""At most so many columns make a key."""

KEY_CANDIDATES_MAX = 8
"""So many columns are tried together."""

TELLING_ROWS_MIN = 20
"""With fewer rows on each side, that values are there once may be chance: a key must be named like one then."""

_KEY_WORDS = {"id", "key", "no", "nr", "number", "code", "line", "position", "uuid", "guid", "sku", "isbn"}


@dataclass(frozen=True, slots=True)
class KeyProposal:
    """Places in the pairs that seem to be a key, and why: "" with no places where none was found."""

    places: tuple[int, ...]
    reason: Literal[
        "primary key",
        "primary key of the first query",
        "primary key of the second query",
        "unique in the first rows",
        "",
    ]


def propose_key(
    left: Sample,
    right: Sample,
    pairs: Sequence[ComparedPair],
    left_key: Sequence[int] = (),
    right_key: Sequence[int] = (),
) -> KeyProposal:
    """Return a key for a comparison by these pairs.

    `left_key` and `right_key` are the places of a side's primary key among its columns, where its query reads a table
    row by row; one of them is enough, if the other side's first rows do not contradict it.
    """
    mine = _declared(left_key, [pair.left for pair in pairs])
    others = _declared(right_key, [pair.right for pair in pairs])
    for places in filter(None, (mine, others)):
        if _tells_apart(left, right, pairs, places):
            if set(mine) == set(others):
                return KeyProposal(places, "primary key")
            return KeyProposal(
                places, "primary key of the first query" if places is mine else "primary key of the second query"
            )
    if not left.rows or not right.rows:
        return KeyProposal((), "")
    filled = _candidates(left, right, pairs, max(len(left.rows), len(right.rows)) < TELLING_ROWS_MIN)
    for size in range(1, KEY_MAX_COLUMNS + 1):
        for places in combinations(filled if size == 1 else filled[:KEY_CANDIDATES_MAX], size):
            if _tells_apart(left, right, pairs, places):
                return KeyProposal(tuple(sorted(places)), "unique in the first rows")
    return KeyProposal((), "")


def _declared(key: Sequence[int], here: Sequence[int]) -> tuple[int, ...]:
    """Return where the columns of a key are in the pairs; empty where one of them is in none."""
    return tuple(here.index(place) for place in key) if all(place in here for place in key) else ()


def _candidates(left: Sample, right: Sample, pairs: Sequence[ComparedPair], few: bool) -> list[int]:
    """Return the pairs without NULLs: what is named like a key first, fractions and times last, as keys seldom are.

    Of a `few` rows, only what is named like a key.
    """
    found: list[tuple[tuple[bool, bool, int], int]] = []
    for place, pair in enumerate(pairs):
        mine, others = contents_of(left, pair.left), contents_of(right, pair.right)
        if mine.filled and others.filled:
            named = _named(mine.name) or _named(others.name)
            if named or not few:
                found.append(((not named, _unlikely(mine), place), place))
    return [place for _, place in sorted(found)]


def _named(name: str) -> bool:
    """Tell whether a column is named like a key: by its last word that is no number, as of COALESCE(id, 0)."""
    return bool(_KEY_WORDS & set([word for word in words(name) if not word.isdigit()][-1:]))


def _unlikely(contents: Contents) -> bool:
    numbers = [value for _, value in contents.values] if contents.family == "number" else []
    return contents.family in ("time", "bytes") or not all(map(whole, numbers))


def _tells_apart(left: Sample, right: Sample, pairs: Sequence[ComparedPair], places: Sequence[int]) -> bool:
    """Tell whether no key is there twice, and none is empty, in the first rows of both sides."""
    forms = [pairs[place].form for place in places]
    return all(
        _unique(rows, RowKeys([getattr(pairs[place], side) for place in places], forms, Tolerances()))
        for side, rows in (("left", left.rows), ("right", right.rows))
    )


def _unique(rows: Sequence[Row], keys: RowKeys) -> bool:
    found = keys.of(rows)
    return len(set(found)) == len(found) and not any(NULL in key[::2] for key in found)
