"""Batches of rows as the columns of a table take them; what fits already costs a look at the types of each column."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from router.sql.writing.conversions import CONVERSIONS, in_bytes
from router.sql.writing.order import Field, Kind
from router.sql.writing.refusal import Clash, Refusal, nothing_written
from router.sql.writing.texts import shown, text_of

Row = tuple[Any, ...]
Bind = Callable[[Any], Any]

_MEND = "Change the query, or choose another column for it."


class Fitting:
    """Counts the rows in `total` as it goes; `binds` make of a kind's values what the driver takes, after all else."""

    def __init__(self, fields: Sequence[Field], binds: Mapping[Kind, Bind] = {}) -> None:
        self.total = 0
        self._fits = [_Fit(field, binds.get(field.kind)) for field in fields]

    def fit(self, rows: list[Row]) -> list[Row]:
        """Return the rows with every value of its column's kind; raises Refusal for the first that cannot be."""
        columns = list(zip(*rows, strict=True))
        changed = False
        for place, fit in enumerate(self._fits):
            if not fit.passes(columns[place]):
                columns[place] = self._converted(fit, columns[place])
                changed = True
        self.total += len(rows)
        return list(zip(*columns, strict=True)) if changed else rows

    def _converted(self, fit: "_Fit", column: Row) -> Row:
        made: list[Any] = []
        try:
            for value in column:
                made.append(None if value is None else fit.convert(value))
        except Clash as clash:
            number = self.total + len(made) + 1
            raise clash_of(fit.field, number, column[len(made)], str(clash)) from None
        return tuple(made)

    def culprit(self, rows: list[Row], nulls: bool) -> Refusal | None:
        """Return the refusal for a text that no database takes: half a character or, with `nulls`, a null character."""
        for number, row in enumerate(rows, self.total - len(rows) + 1):
            for fit, value in zip(self._fits, row, strict=True):
                if isinstance(value, str | list | dict) and (words := unwritable(text_of(value), nulls)):
                    return clash_of(fit.field, number, value, words)
        return None


class _Fit:
    """One column: what it takes as it is, and what becomes of the rest."""

    def __init__(self, field: Field, bind: Bind | None) -> None:
        as_is, convert = CONVERSIONS[field.kind]
        self.field = field
        self._convert, self._bind = convert, bind
        whole = bind is None and not (field.kind == "decimal" and field.digits)
        self._as_is = as_is | {type(None)} if whole else frozenset({type(None)})

    def passes(self, column: Row) -> bool:
        """Tell whether the driver takes this column as it is."""
        if not set(map(type, column)) <= self._as_is:
            return False
        if self.field.length == 0:
            return True
        if self.field.kind == "integer":
            numbers = list(filter(None, column))
            return not numbers or all(in_bytes(edge, self.field.length) for edge in (min(numbers), max(numbers)))
        return max(map(len, filter(None, column)), default=0) <= self.field.length

    def convert(self, value: Any) -> Any:
        """Return what the driver takes for this value; raises Clash."""
        value = self._convert(value, self.field)
        return value if self._bind is None else self._bind(value)


def unwritable(text: str, nulls: bool) -> str:
    """Return what is wrong with a text that cannot be written, "" where nothing is."""
    if nulls and "\x00" in text:
        return "holds a null character, which this database does not take"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "holds half a character, which no database takes"
    return ""


def clash_of(field: Field, number: int, value: Any, words: str) -> Refusal:
    """Return the refusal for one value of row `number`; `words` go on after the value."""
    takes = f" ({field.native})" if field.native else ""
    where = f'Row {number:,} does not fit the column "{field.name}"{takes}: '
    return nothing_written(f'{where}"{shown(value)}" {words}', _MEND, f"{where}the value {words}")
