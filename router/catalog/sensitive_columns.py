"""Columns whose values are about a person, or secret: no model ever sees a sample of them."""

import re

from router.language.inflection import stem
from router.language.phrases import listed


def looks_personal(table: str, column: str) -> bool:
    """Return whether a column's values are likely to be about a person, or secret."""
    joined = re.sub(r"[\W_]", "", column).lower()
    words = words_of(column)
    if any(part in joined for part in listed("catalog.personal_parts")) or listed("catalog.personal_words") & words:
        return True
    near = words | words_of(table)
    return "name" in words and bool(listed("catalog.people") & (near | {stem(word) for word in near}))


def words_of(name: str) -> frozenset[str]:
    """Return the words of a name in lower case: customer_ID and CustomerId are both {"customer", "id"}."""
    return frozenset(word.lower() for word in split_words(name))


def split_words(name: str) -> list[str]:
    """Return the words of a name in their order, cut at underscores, blanks, digits and capitals."""
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+", name)
