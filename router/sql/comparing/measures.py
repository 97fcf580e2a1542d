"""What a database is asked of one column, so that it counts as a comparison by rows would."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from router.sql.comparing.plan import Form, Tolerances
from router.sql.comparing.wrapping import lettered
from router.sql.databases import Kind
from router.sql.dialect import Name

Measure = Literal["rows", "values", "different", "lowest", "highest", "sum"]
"""What is counted, in this order; "values" are those that are not NULL."""

_SORTED: frozenset[Measure] = frozenset(("different", "lowest", "highest"))

LETTER = exp.Hex(this=exp.Literal.string("a"))
"""What SQLite is asked for to know how a file has its texts: it is 61 where that is UTF-8."""

_NUMBER = "^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,3})?$"

_TEXTS: dict[Name, str] = {"duckdb": "TEXT", "postgres": "TEXT", "mysql": "CHAR", "tsql": "NVARCHAR(4000)"}
"""What a column is cast to where a database takes nothing but texts for one."""


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
        said = exp.RegexpLike(this=text, expression=exp.Literal.string(_NUMBER))
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
