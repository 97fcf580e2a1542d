"""A comparison by totals alone: each database reckons its own, and two rows of numbers travel."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from sqlglot import exp

from router.memory.comparing import Form, Tolerances
from router.sql.comparing.column_matching import paired
from router.sql.comparing.equality import Sameness
from router.sql.comparing.plan import ComparePlan, Side, Which, naming_side
from router.sql.comparing.queries import column, demand_columns, lettered, names_of, sample, summed
from router.sql.comparing.report import Report, Total, brief
from router.sql.databases.session import Kind
from router.sql.dialect import Name

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
        ifs = [
            exp.If(this=word.copy().isin(*words), true=exp.Literal.number(number))
            for number, words in ((1, ("true", "t", "yes", "y")), (0, ("false", "f", "no", "n")))
        ]
        return exp.Case(ifs=ifs, default=self._number())

    def _is(self, *types: str) -> exp.Expr:
        """Return whether a value of SQLite is of one of these types."""
        return exp.func("TYPEOF", self.value.copy(), dialect=self.dialect).isin(*types)


def _without_empty(text: exp.Expr) -> exp.Expr:
    return exp.Nullif(this=text, expression=exp.Literal.string(""))


_ROUNDED = 2.0**-53
"""The share that one addition of floating-point numbers may be off by."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A side's measures by pair (-1: of the whole) and name, and those of them that would not tell the truth."""

    values: dict[tuple[int, Measure], Any]
    untrue: frozenset[tuple[int, Measure]]


def compare_totals(left: Side, right: Side, plan: ComparePlan) -> Report:
    """Return the totals of both sides; raises JobFailed, Stopped."""
    plan = _formed(left, right, plan)
    first, second = _found(left, plan, "left"), _found(right, plan, "right")
    untrue = first.untrue | second.untrue
    rows = int(first.values[-1, "rows"]), int(second.values[-1, "rows"])
    most = max(rows)
    totals = []
    for (pair, measure), value in first.values.items():
        other = second.values.get((pair, measure))
        if (pair, measure) in second.values and (pair, measure) not in untrue and (value, other) != (None, None):
            of_column = measure in ("lowest", "highest", "sum")
            form: Form = plan.pairs[pair].form if of_column else "auto"
            tolerances = _tolerances(plan, pair if of_column else -1)
            if measure == "sum" and (isinstance(value, float) or isinstance(other, float)):
                # Each addition rounds, and databases add in orders of their own.
                tolerances = replace(tolerances, relative=max(tolerances.relative, most * _ROUNDED))
            same = Sameness(tolerances).same(value, other, form)
            totals.append(Total(plan.names[pair] if pair >= 0 else "", measure, brief(value), brief(other), same))
    places = sorted({pair for pair, _ in untrue})
    return Report(
        "aggregates",
        left.label,
        right.label,
        bool(plan.keys),
        *rows,
        names=plan.names,
        totals=tuple(totals),
        untold=tuple(plan.names[place] for place in places),
    )


def _formed(left: Side, right: Side, plan: ComparePlan) -> ComparePlan:
    """Return the plan with a form for each pair: where one has none, the first rows of both tell it."""
    if all(pair.form != "auto" for pair in plan.pairs):
        return plan
    mine, others = sample(left), sample(right)
    for side, found, names in ((left, mine, plan.left), (right, others, plan.right)):
        with naming_side(side):
            demand_columns(side, found.columns, names)
    known = (each if each.form != "auto" else paired(mine, others, each.left, each.right) for each in plan.pairs)
    return replace(plan, pairs=tuple(known))


def _tolerances(plan: ComparePlan, place: int) -> Tolerances:
    """Return what does not count in a pair; counts, and the numbers of a key, are near nothing but themselves."""
    near = place >= 0 and place not in plan.keys
    return plan.tolerances if near else replace(plan.tolerances, absolute=0.0, relative=0.0)


def _found(side: Side, plan: ComparePlan, which: Which) -> _Found:
    """Return what a side's database reckons; a measure that its types do not have is left out."""
    with naming_side(side):
        columns = names_of(side)
        demand_columns(side, columns, plan.columns(which))
        asked: list[tuple[int, Measure, exp.Expr]] = [(-1, "rows", exp.Count(this=exp.Star()))]
        measured = [
            Measured(
                column(place),
                columns[place].kind,
                plan.pairs[number].form,
                side.dialect,
                _tolerances(plan, number),
            )
            for number, place in enumerate(plan.places(which))
        ]
        for place, each in enumerate(measured):
            asked += [(place, name, tree) for name, tree in each.measures() if name not in each.untrue()]
        trees = [tree for _, _, tree in asked] + ([LETTER.copy()] if side.dialect == "sqlite" else [])
        _, batches = side.session.stream(summed(side, len(columns), trees), 1)
        (row,) = [row for batch in batches for row in batch]
    wide = row[len(asked) :] not in ((), ("61",))
    return _Found(
        {(place, name): value for (place, name, _), value in zip(asked, row, strict=False)},
        frozenset((place, name) for place, each in enumerate(measured) for name in each.untrue(wide)),
    )
