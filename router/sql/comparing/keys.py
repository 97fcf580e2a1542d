"""The keys of rows, made a batch at a time: values in their one form, so that rows of two databases have one order."""

from collections.abc import Sequence
from itertools import chain, repeat
from typing import Any

from router.sql.comparing.difference import Row
from router.sql.comparing.forms import NUMBER, TEXT, Forming
from router.sql.comparing.plan import Form, Tolerances

Key = tuple[Any, ...]
"""The ranks and values of a row's key, in turn: (1, 17, 4, "DE")."""


class Keys:
    """Makes the keys of rows from the values at `places`, which are read in their `forms`."""

    def __init__(self, places: Sequence[int], forms: Sequence[Form], tolerances: Tolerances) -> None:
        self._places, self.forms = tuple(places), tuple(forms)
        self._forming = Forming(tolerances)

    def of(self, rows: Sequence[Row]) -> list[Key]:
        """Return a key a row."""
        if not rows:
            return []
        parts = [self._column([row[place] for row in rows], form) for place, form in self._each()]
        return list(zip(*chain.from_iterable(parts), strict=False))  # a rank may be the same for all, without end

    def misplaced(self, rows: Sequence[Row]) -> bool:
        """Tell whether a database surely has these in another order: it sorts the texts of numbers as texts."""
        return any(
            form in ("number", "bool", "json") and any(isinstance(row[place], str) for row in rows)
            for place, form in self._each()
        )

    def _each(self) -> "zip[tuple[int, Form]]":
        return zip(self._places, self.forms, strict=True)

    def _column(self, values: list[Any], form: Form) -> tuple[Any, Any]:
        """Return the ranks and the values of a column; what is in its form already costs a look at the types."""
        types = set(map(type, values))
        if types == {int}:
            return repeat(NUMBER), values
        if types == {str} and form == "text" and (texts := self._forming.texts(values)) is not None:
            return repeat(TEXT), texts
        of = self._forming.of
        ranks, formed = zip(*[of(value, form) for value in values], strict=True)
        return ranks, formed
