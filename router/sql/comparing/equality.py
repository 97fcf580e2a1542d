"""Compares two values for equality, whatever types two databases have for them."""

from decimal import Decimal
from math import isfinite
from typing import Any

from router.memory.comparing import Form, Tolerances
from router.sql.comparing.normal_form import NUMBER, Formed, Normalizer, form_of_types
from router.sql.comparing.plan import FLOAT_TOLERANCE


class Sameness:
    """Judges pairs of values by tolerances."""

    def __init__(self, tolerances: Tolerances) -> None:
        self._tolerances = tolerances
        self._normalizer = Normalizer(tolerances)

    def same(self, left: Any, right: Any, form: Form = "auto") -> bool:
        """Tell whether two values are the same; texts are read as `form` says, by itself as the other value is."""
        if left is right or left == right:
            return True
        first, second = self._formed(left, right, form)
        if first == second:
            return True
        if first[0] == second[0] == NUMBER:
            return self._near(first[1], second[1], isinstance(left, float) or isinstance(right, float))
        return False

    def difference(self, left: Any, right: Any, form: Form = "auto") -> float | None:
        """Return by how much the left number is larger than the right one; None where one of them is no number."""
        first, second = self._formed(left, right, form)
        return _less(first[1], second[1]) if first[0] == second[0] == NUMBER else None

    def _formed(self, left: Any, right: Any, form: Form) -> tuple[Formed, Formed]:
        if form == "auto":
            form = form_of_types((type(left), type(right)))
        return self._normalizer.of(left, form), self._normalizer.of(right, form)

    def _near(self, left: Any, right: Any, floating: bool) -> bool:
        relative = max(self._tolerances.relative, FLOAT_TOLERANCE if floating else 0.0)
        if not relative and not self._tolerances.absolute:
            return False
        apart = _less(left, right)
        if apart is None:
            return False
        # Of what is written: 0.3 and 0.2 are apart by 0.1, which floating-point numbers would deny.
        allowed = max(self._tolerances.absolute, relative * max(_size(left), _size(right)))
        return abs(apart) <= allowed


def _less(left: Any, right: Any) -> float | None:
    """Return left - right, reckoned in decimals and rounded once; None where it is more than a float holds."""
    first, second = Decimal(left), Decimal(right)
    if not first.is_finite() or not second.is_finite():
        return None
    apart = float(first - second)
    return apart if isfinite(apart) else None


def _size(number: Any) -> float:
    try:
        return abs(float(number))
    except OverflowError:
        return float("inf")
