"""The texts that are run for a comparison: the approved query in a WITH, and a SELECT from it that sorts or sums.

Each is built as a tree and judged by the guard like any other, so what runs was rendered from what was judged.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from router.errors import JobFailed
from router.sql import parsing, step_limit
from router.sql.comparing.plan import Row, Side, naming_side
from router.sql.databases.row_weight import rows_weight
from router.sql.databases.session import Described, Kind
from router.sql.dialect import Name
from router.sql.explain.explanation import headed
from router.sql.guard import check

SIDE_NAME = "icc_bot_side"
"""The name of the approved query within the text."""


def column(place: int) -> exp.Column:
    """Return the name within the text for the column at this place, counted from 0."""
    return exp.column(f"icc_bot_{place}")


def sampled(side: Side, rows: int) -> str:
    """Return the text that gives the first rows of the query, under its own names; with 0 rows the names alone."""
    return _judged(side, exp.select("*").from_(SIDE_NAME).limit(rows), 0)


def ordered(side: Side, kinds: Sequence[Kind], places: Sequence[int], keys: Sequence[int]) -> str:
    """Return the text that gives the columns at `places`, out of those of these kinds.

    They come in the order of `keys`, which are places in `places`, NULL first and texts letter by letter; without keys
    as they are.
    """
    by = [
        exp.Ordered(this=binary(column(places[key]), kinds[places[key]], side.dialect), desc=False, nulls_first=True)
        for key in keys
    ]
    rows = exp.select(*map(column, places)).from_(SIDE_NAME)
    return _judged(side, rows.order_by(*by) if by else rows, len(kinds))


def summed(side: Side, width: int, measures: Sequence[exp.Expr]) -> str:
    """Return the text that gives one row with these measures of the query's columns."""
    return _judged(side, exp.select(*measures).from_(SIDE_NAME), width)


def binary(value: exp.Expr, kind: Kind, dialect: Name) -> exp.Expr:
    """Return the value as it is ordered by its letters' numbers, and not by the habits of a language."""
    return _BINARY[dialect](value) if kind == "text" else value


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


def _judged(side: Side, outer: exp.Select, width: int) -> str:
    """Put the approved query before `outer`; raises JobFailed if the guard would not have it."""
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
    """Split a query into its body, without needless brackets and ORDER BY, and its WITH clause, None if it has none.

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

SAMPLE_ROWS = 500
"""The number of rows that are looked at."""

SAMPLE_BYTES = 8_000_000
"""Of wide rows, so many bytes are looked at."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The columns of a query, and its first rows."""

    columns: tuple[Described, ...]
    rows: tuple[Row, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)


def sample(side: Side, rows: int = SAMPLE_ROWS) -> Sample:
    """Return the first rows of a side's query; raises JobFailed, Stopped."""
    with naming_side(side):
        columns, batches = side.session.stream(sampled(side, rows), max(1, rows))
        found: list[Row] = []
        weighed = 0
        for batch in batches:
            found += batch
            weighed += rows_weight(batch)
            if weighed > SAMPLE_BYTES:
                break
    return Sample(headed(columns, side.sql, side.dialect), tuple(found))


def columns_of(side: Side, planned: Sequence[str]) -> tuple[Kind, ...]:
    """Return the kinds of a query's columns, without reading a row; raises JobFailed if they are others."""
    with naming_side(side):
        columns, batches = side.session.stream(sampled(side, 0), 1)
        for _ in batches:
            pass  # there are none; a session would have them read before the next statement
        columns = headed(columns, side.sql, side.dialect)
        if [each.name for each in columns] != list(planned):
            raise JobFailed("Its columns are no longer those that were matched. Match the columns again.")
    return tuple(each.kind for each in columns)
