"""The texts that are run for a comparison: the approved query in a WITH, and a SELECT from it that sorts or sums.

Each is built as a tree and judged by the guard like any other, so what runs was rendered from what was judged.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from router.errors import JobFailed
from router.memory.comparing import Form, Tolerances
from router.sql import parsing, step_limit
from router.sql.comparing.plan import Row, Side, naming_side
from router.sql.databases.row_weight import rows_weight
from router.sql.databases.session import Described, Kind
from router.sql.dialect import Name
from router.sql.explain.explanation import headed
from router.sql.guard import check
from router.sql.text_values import TRUTH_WORDS

SIDE_NAME = "icc_bot_side"
"""The name of the approved query within the text."""


def column(place: int) -> exp.Column:
    """Return the name within the text for the column at this place, counted from 0."""
    return exp.column(f"icc_bot_{place}")


def sampled(side: Side, rows: int) -> str:
    """Return the text that gives the first rows of the query, under its own names; with 0 rows the names alone."""
    return _judged(side, exp.select("*").from_(SIDE_NAME).limit(rows), 0)


def unordered(side: Side, width: int, places: Sequence[int]) -> str:
    """Return the text that gives the columns at `places`, out of `width`, as they come."""
    return _judged(side, exp.select(*map(column, places)).from_(SIDE_NAME), width)


def ordered(side: Side, kinds: Sequence[Kind], places: Sequence[int], keys: Sequence[int]) -> str:
    """Return the same in the order of `keys`, which are places in `places`: NULL first, texts letter by letter."""
    by = [
        exp.Ordered(this=binary(column(places[key]), kinds[places[key]], side.dialect), desc=False, nulls_first=True)
        for key in keys
    ]
    return _judged(side, exp.select(*map(column, places)).from_(SIDE_NAME).order_by(*by), len(kinds))


def summed(side: Side, width: int, measures: Sequence[exp.Expr]) -> str:
    """Return the text that gives one row with these measures of the query's columns."""
    return _judged(side, exp.select(*measures).from_(SIDE_NAME), width)


def binary(value: exp.Expr, kind: Kind, dialect: Name) -> exp.Expr:
    """Return the value as it is ordered by its letters' numbers, and not by the habits of a language."""
    return _BINARY[dialect](value) if kind == "text" else value


def lettered(value: exp.Expr, dialect: Name) -> exp.Expr:
    """Return a text that its lowest and highest are found of by its letters' numbers; it stays a text."""
    return _LETTERED.get(dialect, _BINARY[dialect])(value)


def _collated(type: str, name: str, quoted: bool) -> Callable[[exp.Expr], exp.Expr]:
    """A database that refuses to collate anything but a text is given a text."""

    def collate(value: exp.Expr) -> exp.Expr:
        text = exp.cast(value, type) if type else value
        return exp.Collate(this=text, expression=exp.to_identifier(name, quoted=quoted))

    return collate


_BINARY: dict[Name, Callable[[exp.Expr], exp.Expr]] = {
    "sqlite": _collated("", "BINARY", quoted=False),
    "duckdb": _collated("TEXT", "binary", quoted=True),
    "postgres": _collated("TEXT", "C", quoted=True),
    "oracle": lambda value: exp.func("NLSSORT", value, exp.Literal.string("NLS_SORT=BINARY"), dialect="oracle"),
    # A collation of MySQL ignores blanks at the end, its bytes do not.
    "mysql": lambda value: exp.cast(exp.cast(value, "CHAR"), "BINARY"),
    "tsql": _collated("NVARCHAR(4000)", "Latin1_General_BIN2", quoted=False),
}


_LETTERED: dict[Name, Callable[[exp.Expr], exp.Expr]] = {
    "oracle": lambda value: value,  # what NLSSORT gives is no text, and its sessions compare by numbers as they begin
    "mysql": _collated("CHAR", "utf8mb4_bin", quoted=False),
}


def _judged(side: Side, outer: exp.Select, width: int) -> str:
    """Put the approved query before `outer`; raises JobFailed where the guard would not have it."""
    inner = parsing.statement(side.sql, side.dialect)
    if isinstance(inner, str):
        raise JobFailed(inner)
    inner, first = _opened(inner)
    if first is not None:  # SQL Server has a WITH at the beginning only
        outer.set("with_", first)
    names = [exp.to_identifier(f"icc_bot_{place}") for place in range(width)]
    alias = exp.TableAlias(this=exp.to_identifier(SIDE_NAME), columns=names)
    recursive = first is not None and bool(first.args.get("recursive"))
    outer = outer.with_(alias, as_=inner, recursive=recursive, copy=False)
    verdict = check(step_limit.generate(outer, side.dialect), side.dialect, side.scope)
    if not verdict.allowed:
        raise JobFailed(verdict.reason)
    return verdict.sql


def _opened(query: exp.Expr) -> tuple[exp.Expr, exp.Expr | None]:
    """Return a query without brackets, order or WITH that nothing depends on, and that WITH, None where it has none.

    Brackets that have a limit or the like of their own stay, whatever the dialect makes of them.
    """
    first: exp.Expr | None = None
    while True:
        _unsort(query)
        if first is None:
            first = query.args.get("with_")
            query.set("with_", None)
        if not isinstance(query, exp.Subquery) or any(found for name, found in query.args.items() if name != "this"):
            return query, first
        query = query.this


def _unsort(query: exp.Expr) -> None:
    """Drop an order that chooses no rows: it would be sorted twice, and SQL Server refuses it within a WITH."""
    if not any(query.args.get(name) for name in ("limit", "offset", "fetch", "distinct", "connect")):
        query.set("order", None)


# Samples: the first rows of a query, for a look at its columns before all rows are compared.

SAMPLE_ROWS = 1000
"""The number of rows that are looked at."""

SAMPLE_BYTES = 8_000_000
"""Of wide rows, so many bytes are looked at."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The columns of a query, and its first rows; `whole` tells whether these are all."""

    columns: tuple[Described, ...]
    rows: tuple[Row, ...]
    whole: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)


def sample(side: Side, rows: int = SAMPLE_ROWS) -> Sample:
    """Return the first rows of a side's query; raises JobFailed, Stopped."""
    with naming_side(side):
        columns, batches = side.session.stream(sampled(side, rows + 1), rows + 1)
        found: list[Row] = []
        weighed, whole = 0, True
        for batch in batches:
            found += batch
            weighed += rows_weight(batch)
            if weighed > SAMPLE_BYTES:
                whole = next(batches, None) is None
                break
    return Sample(headed(columns, side.sql, side.dialect), tuple(found[:rows]), whole and len(found) <= rows)


def names_of(side: Side) -> tuple[Described, ...]:
    """Return the columns of a side's query, without reading a row."""
    columns, batches = side.session.stream(sampled(side, 0), 1)
    for _ in batches:
        pass  # there are none; a session would have them read before the next statement
    return headed(columns, side.sql, side.dialect)


def demand_columns(side: Side, columns: Sequence[Described], planned: Sequence[str]) -> None:
    """Do nothing if a side's columns are still those of the plan; raises JobFailed."""
    if [column.name for column in columns] != list(planned):
        raise JobFailed("Its columns are no longer those that were matched. Match the columns again.")


# SQL for one column's measures: a database has to count as a comparison by rows would.

Measure = Literal["rows", "values", "different", "lowest", "highest", "sum"]
"""The measures of a column, in this order; "values" are those that are not NULL."""

_SORTED: frozenset[Measure] = frozenset(("different", "lowest", "highest"))

LETTER = exp.Hex(this=exp.Literal.string("a"))
"""Tells SQLite's encoding of a file's texts: it gives 61 where that is UTF-8."""

_NUMBER_PATTERN = "^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,3})?$"

_TEXTS: dict[Name, str] = {"duckdb": "TEXT", "postgres": "TEXT", "mysql": "CHAR", "tsql": "NVARCHAR(4000)"}
"""The type that a column is cast to where a database takes nothing but texts for one."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A column of one side: how it is named there, what the driver says it is, and how its texts are read."""

    value: exp.Expr
    kind: Kind
    form: Form
    dialect: Name
    tolerances: Tolerances

    def untrue(self, wide: bool = False) -> frozenset[Measure]:
        """Return what a database would count otherwise than rows are compared.

        `wide` is an SQLite file that has texts in UTF-16, and in the order of its bytes.
        """
        if self.kind == "blob":
            return frozenset()
        if self.form in ("json", "bytes") or (self.form == "auto" and self.dialect == "sqlite"):
            return _SORTED | {"sum"}
        tolerances = self.tolerances
        if self._numbers:
            return frozenset(("different", "sum") if tolerances.absolute or tolerances.relative else ())
        if self.form == "time" or self.kind == "date":
            return frozenset(("different",) if tolerances.precision != "microsecond" else ())
        loose = tolerances.fold or tolerances.blanks == "around"
        if self.kind != "text" or self.form == "uuid":
            return frozenset()
        return _SORTED if loose else frozenset(("lowest", "highest") if wide else ())

    def measures(self) -> Iterator[tuple[Measure, exp.Expr]]:
        """Give what is asked for; what the column's kind does not have is left out."""
        counted = self._text() if self.kind == "text" and self.tolerances.empty else self.value.copy()
        yield "values", exp.Count(this=counted)
        if self.kind == "blob":
            return
        plain = self._plain()
        yield "different", exp.Count(this=exp.Distinct(expressions=[plain.copy()]))
        yield "lowest", exp.Min(this=plain.copy())
        yield "highest", exp.Max(this=plain.copy())
        if self._numbers:
            # In SQL Server a sum of integers must itself fit an integer.
            wide = exp.Mul(this=plain, expression=exp.Literal.number("1.0")) if self.dialect == "tsql" else plain
            yield "sum", exp.Sum(this=wide)

    @property
    def _numbers(self) -> bool:
        return self.kind in ("number", "bool") or (self.kind == "text" and self.form in ("number", "bool"))

    def _plain(self) -> exp.Expr:
        """Return the column as it is reckoned with."""
        if self.kind == "bool":  # of which PostgreSQL knows no lowest
            return exp.cast(self.value.copy(), "INT")
        if self.kind != "text":
            return self.value.copy()
        if self.form == "number":
            return self._number()
        if self.form == "bool":
            return self._truth()
        return lettered(self._text(), self.dialect)

    def _text(self) -> exp.Expr:
        """Return the column's texts without what does not count."""
        text = self._trimmed(self.tolerances.blanks)
        text = exp.Lower(this=text) if self.form == "uuid" else text
        if self.dialect == "sqlite":
            text = _without_empty(text) if self.tolerances.empty else text
            return exp.Case(ifs=[exp.If(this=self._is("text"), true=text)], default=self.value.copy())
        return _without_empty(text) if self.tolerances.empty else text

    def _trimmed(self, blanks: str) -> exp.Expr:
        type = _TEXTS.get(self.dialect)
        text = exp.cast(self.value.copy(), type) if type else self.value.copy()
        if blanks == "count":
            return text
        return exp.Trim(this=text, position="TRAILING") if blanks == "end" else exp.Trim(this=text)

    def _number(self) -> exp.Expr:
        """Return the numbers that are kept as texts, NULL for a text that is none."""
        text = _without_empty(self._trimmed("around"))
        if self.dialect in ("duckdb", "tsql"):
            return exp.TryCast(this=text, to=exp.DataType.build("DOUBLE"))
        if self.dialect == "sqlite":  # which compares a text with a number as the number that it is, if it is one
            casts = [exp.cast(self.value.copy(), type) for type in ("INT", "DOUBLE")]
            ifs = [exp.If(this=exp.EQ(this=self.value.copy(), expression=cast), true=cast.copy()) for cast in casts]
            return exp.Case(ifs=[exp.If(this=self._is("integer", "real"), true=self.value.copy()), *ifs])
        said = exp.RegexpLike(this=text, expression=exp.Literal.string(_NUMBER_PATTERN))
        cast = exp.cast(text.copy(), "DECIMAL" if self.dialect == "postgres" else "DOUBLE")
        return exp.Case(ifs=[exp.If(this=said, true=cast)])

    def _truth(self) -> exp.Expr:
        """Return 1 and 0 for words that mean yes and no, and numbers for themselves."""
        word = exp.Lower(this=self._trimmed("around"))
        ifs = [exp.If(this=word.copy().isin(*_words_for(number)), true=exp.Literal.number(number)) for number in (1, 0)]
        return exp.Case(ifs=ifs, default=self._number())

    def _is(self, *types: str) -> exp.Expr:
        """Return whether a value of SQLite is of one of these types."""
        return exp.func("TYPEOF", self.value.copy(), dialect=self.dialect).isin(*types)


def _words_for(number: int) -> list[str]:
    return [word for word, is_true in TRUTH_WORDS.items() if is_true == number]


def _without_empty(text: exp.Expr) -> exp.Expr:
    return exp.Nullif(this=text, expression=exp.Literal.string(""))
