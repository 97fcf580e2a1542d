"""Ids of rows that people read and type."""

import secrets

_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""None that is mistaken for another."""


def new_id(kind: str) -> str:
    """Return a new id for a row of a kind, such as R-7F3K2Q4M for a reading."""
    return f"{kind[0].upper()}-{''.join(secrets.choice(_LETTERS) for _ in range(8))}"
