"""The rules for the results of functions; `sizes.toml` says which function has which."""

import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.resources import files

from router.sql.bounds import (
    INFINITY,
    NUMBER_BYTES,
    ZERO_BOUND,
    Bound,
    hull,
    is_data,
    joined,
    listed,
    number,
    sizes_of,
    text_of,
    times,
)

Rule = Callable[[list[Bound]], Bound]


def first_of(given: list[Bound]) -> Bound:
    """Return the bound of the first argument."""
    return given[0] if given else ZERO_BOUND


def count_in(given: list[Bound]) -> float:
    """Return the largest number that may be meant."""
    return max([0.0, *(each.most for each in given)])


# Texts.


def replaced(given: list[Bound], old_bytes: float) -> Bound:
    """Bound a text in which a text of so many bytes at least is replaced."""
    whole, _, new, *_ = (*given, *[ZERO_BOUND] * 3)
    return text_of(times(whole.size, max(new.size / max(old_bytes, 1), 1)), given)


def _replaced_by_pattern(given: list[Bound]) -> Bound:
    whole, _, new, *_ = (*given, *[ZERO_BOUND] * 3)
    return text_of(times(whole.size + 1, 1 + new.size), given)


def _expanded(factor: int) -> Rule:
    """Return the rule of what makes several bytes of one; in a table's cells it seldom makes more than two."""
    return lambda given: text_of((min(factor, 2) if is_data(given) else factor) * sizes_of(given) + NUMBER_BYTES, given)


def _indented(given: list[Bound]) -> Bound:
    """Bound JSON with its levels indented, of which there may be one for each sign."""
    size = sizes_of(given)
    return text_of(5 * size * (1 if is_data(given) else size), given)


# Numbers.


def _at_most(most: float) -> Rule:
    return lambda given: number(most, *given)


def _greatest(given: list[Bound]) -> Bound:
    return number(1 + 2 * count_in(given), *given)


def _decimals(given: list[Bound]) -> Bound:
    """Bound a number of so many decimals; PostgreSQL writes out each of them."""
    decimals = given[1].most if len(given) > 1 and not given[1].is_data else 0
    return replace(_greatest(given), size=NUMBER_BYTES + min(decimals, 16_383))


_RULES: Mapping[str, Rule] = {
    "repeated": lambda given: text_of(times(max(first_of(given).size, 1), count_in(given[1:])), given),
    "padded": lambda given: text_of(4 * count_in(given[1:] or given), given),
    "unbounded": lambda _: Bound(INFINITY, INFINITY),
    "replaced_by_pattern": _replaced_by_pattern,
    "multiplied_sizes": lambda given: text_of(math.prod(each.size + 1 for each in given), given),
    "joined": joined,
    "separated": lambda given: text_of(sizes_of(given) + first_of(given).size * len(given), given),
    "listed": listed,
    "indented": _indented,
    "shorter": lambda given: text_of(first_of(given).size, given[:1]),
    "short": lambda given: text_of(200, given),
    "length": lambda given: number(8 * sizes_of(given) + 1, *given),
    "decimals": _decimals,
    "greatest": _greatest,
    "one_of": hull,
    "endless": lambda _: number(INFINITY),
}

_TABLE: Mapping[str, Mapping[str, str]] = tomllib.loads(
    (files("router.sql") / "sizes.toml").read_text(encoding="utf-8")
)
KINDS = {kind: frozenset(names.split()) for kind, names in _TABLE["kinds"].items()}
"""Functions that `sizes` looks at itself."""

FUNCTIONS: Mapping[str, Rule] = {
    name: rule
    for rule, names in (
        *((_RULES[said], names) for said, names in _TABLE["rules"].items()),
        *((_expanded(int(factor)), names) for factor, names in _TABLE["expanded"].items()),
        *((_at_most(float(most)), names) for most, names in _TABLE["at_most"].items()),
    )
    for name in names.split()
}

# Patterns of printf and its kin.

_WIDTH = re.compile(r"\d+")
_PLACE = re.compile(r"%|\{")
_ASKED = re.compile(r"\*|:[^{}]*\{")


def formatted(pattern: str, values: list[Bound]) -> Bound:
    """Bound a text made by a pattern; each value may be as wide as any number in the pattern says."""
    widest = count_in(values)
    widths = sum(float(number[:300]) for number in _WIDTH.findall(pattern))
    places = len(_PLACE.findall(pattern)) * (max([0.0, *(each.size for each in values)]) + 400)
    asked = times(len(_ASKED.findall(pattern)), widest)
    return text_of(4 * (len(pattern) + widths + asked) + places, values)  # a sign has 4 bytes at most
