"""Values of rows as JSON, exactly: what came from a database comes back equal on the other side."""

from base64 import b64decode, b64encode
from math import isfinite
from typing import Any, Final

from router.jobs.codec import decode, encode

UNKNOWN: Final = "a value of a row is of no form that is known"


def to_wire(value: Any) -> Any:
    """Return a value as JSON has it: a text or a number as it is, anything else in an object that names its form."""
    stored = encode(value)
    if isinstance(stored, bytes):
        return {"b": b64encode(stored).decode()}
    if isinstance(stored, float) and not isfinite(stored):
        return {"f": repr(stored)}
    return stored


def from_wire(given: Any) -> Any:
    """Return the value that `to_wire` was given; raises ValueError for what is of no such form."""
    try:
        match given:
            case {"b": str(text)}:
                return decode(b64decode(text, validate=True))
            case {"f": str(text)}:
                return float(text)
            case None | str() | int() | float():
                return given
    except (ValueError, KeyError) as error:
        raise ValueError(UNKNOWN) from error
    raise ValueError(UNKNOWN)
