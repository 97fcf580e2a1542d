"""Several things in one sentence: "a, b and c", "1 row", "2,345 rows"."""

from collections.abc import Iterable

from router.language.inflection import plural


def and_list(parts: Iterable[str]) -> str:
    """Return "a", "a and b", or "a, b and c"."""
    return _listed(list(parts), "and")


def or_list(parts: Iterable[str]) -> str:
    """Return "a", "a or b", or "a, b or c"."""
    return _listed(list(parts), "or")


def counted(count: int, noun: str) -> str:
    """Return how many of a noun there are: "1 row", "0 rows", "2,345 rows"."""
    return f"{count:,} {noun if count == 1 else plural(noun)}"


def verb(count: int, one: str, several: str) -> str:
    """Return the verb that goes with so many: "is" or "are", "differs" or "differ"."""
    return one if count == 1 else several


def _listed(parts: list[str], last: str) -> str:
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}" if len(parts) > 1 else "".join(parts)
