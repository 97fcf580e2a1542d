"""The words that a column's name is made of."""

import re

_JOINTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")


def words(name: str) -> tuple[str, ...]:
    """Return the words in lower case: ("customer", "id") of CustomerID, customer_id and "Customer id"."""
    return tuple(word.casefold() for word in _JOINTS.split(name) if word)


def folded(name: str) -> str:
    """Return the words in one, which is the same for all ways to write them together."""
    return "".join(words(name)) or name
