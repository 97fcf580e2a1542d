"""A column's type as people read it."""

import re

LONGEST = 80
"""Types longer than this (a struct, an enum of hundreds) are cut."""


def compact_type(type: str) -> str:
    """Return the type as the database writes it, without needless blanks, collations and "without time zone"."""
    text = re.sub(r"\s+", " ", type).strip()
    text = re.sub(r" (COLLATE|CHARACTER SET) (\"[^\"]*\"|\S+)", "", text, flags=re.IGNORECASE)
    text = re.sub(r" without time zone", "", text, flags=re.IGNORECASE)
    text = re.sub(r" ?([(),]) ?", r"\1", text)
    text = re.sub(r"\)(?=\w)", ") ", text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
