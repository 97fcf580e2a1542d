"""Compares the names in a statement as each database does."""

from sqlglot import exp

from router.sql.dialect import DIALECTS, Name

_LOWER = str.maketrans({chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)})
_UPPER = str.maketrans({chr(code + 32): chr(code) for code in range(ord("A"), ord("Z") + 1)})


def lower(name: str) -> str:
    """Return the name with its ASCII letters lowered; other letters stay, because Kelvin's K is no k to a database."""
    return name.translate(_LOWER)


def upper(name: str) -> str:
    """Return the name with its ASCII letters raised."""
    return name.translate(_UPPER)


def key(identifier: exp.Identifier, dialect: Name) -> str:
    """Return what the database looks for when it meets this name in a statement."""
    folds = DIALECTS[dialect].folds
    if folds == "none":
        return lower(identifier.name)
    if identifier.args.get("quoted"):
        return identifier.name
    return lower(identifier.name) if folds == "lower" else upper(identifier.name)


def known(name: str, dialect: Name) -> str:
    """Return the key of a name that the catalog has read.

    Oracle's catalog is read through SQLAlchemy, which spells names in lower case that Oracle keeps in upper case.
    """
    folds = DIALECTS[dialect].folds
    if folds == "none":
        return lower(name)
    return upper(name) if folds == "upper" and name == lower(name) else name
